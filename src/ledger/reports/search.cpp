#include "drawbridge/ledger/reports/search.hpp"

#include <algorithm>
#include <charconv>
#include <optional>

#include <fmt/format.h>

#include "drawbridge/disbursement/plan.hpp"
#include "drawbridge/domain/digest.hpp"
#include "drawbridge/ledger/facts/sent_before.hpp"
#include "store/connection.hpp"
#include "store/like.hpp"

namespace drawbridge::ledger {
namespace {

constexpr int rows_per_kind = 10;
constexpr std::int64_t newest_rows = 20'000;  // among which names and amounts are looked for

using AllFound = std::vector<Found>;

std::optional<std::int64_t> number_in_whole(std::string_view text) {
    std::int64_t number = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    if (error != std::errc() || end != text.data() + text.size() || number < 1) return std::nullopt;
    return number;
}

void add_draws(Query& query, AllFound& found) {
    while (query.next()) {
        const auto [draw_id, amount, case_name] = query.row<DrawId, std::optional<Money>, std::optional<std::string>>();
        found.push_back({"draw", std::to_string(draw_id),
                         fmt::format("Draw {}: {}{}", draw_id, case_name.value_or("no case"),
                                     amount ? ", " + amount->to_display() : std::string()),
                         draw_id});
    }
}

// Columns: payment_id, draw_id, amount_cents, payee_name, check_number, name.
void add_payments(Query& query, AllFound& found) {
    while (query.next()) {
        const auto [payment_id, draw_id, amount, payee, check_number, file] =
            query.row<std::int64_t, DrawId, Money, std::string, std::optional<std::int64_t>, std::string>();
        const std::string id =
            check_number ? std::to_string(*check_number) : disbursement::format_payment_id(payment_id);
        found.push_back({check_number ? "check" : "payment", id,
                         fmt::format("{} {}: {} to {} in {}", check_number ? "Check" : "Payment", id,
                                     amount.to_display(), payee, file),
                         draw_id});
    }
}

void add_bank_files(Query& query, AllFound& found) {
    while (query.next()) {
        const auto [sha256, name] = query.row<std::string, std::string>();
        found.push_back({"confirmation", sha256, "Bank file " + name, 0});
    }
}

// A payment that a manifest names and that this ledger does not know, because it was restored.
void add_sent_before(Ledger& ledger, std::string_view reference, AllFound& found) {
    const auto sent = payment_sent_before(ledger, reference);
    if (!sent) return;
    found.push_back({"draw", std::to_string(sent->draw_id),
                     fmt::format("Draw {}: {} under {} in {}, sent before this ledger was restored", sent->draw_id,
                                 sent->amount.to_display(), sent->reference, sent->file),
                     sent->draw_id});
}

void add_files_sent_before(Ledger& ledger, const std::string& pattern, AllFound& found) {
    for (const auto& name : names_sent_before(ledger, pattern, rows_per_kind))
        found.push_back({"file", name, fmt::format("File {}, sent before this ledger was restored", name), 0});
}

#define FOUND_PAYMENT                                                                            \
    "SELECT p.payment_id, p.draw_id, p.amount_cents, p.payee_name, p.check_number, f.name FROM " \
    "payment p JOIN payment_file f ON f.file_id = p.file_id "

void by_number(Ledger& ledger, std::int64_t number, AllFound& found) {
    Query draw(ledger,
               R"sql(
        SELECT d.draw_id, coalesce(r.amount_approved_cents, r.amount_requested_cents), r.case_name
        FROM draw d
        JOIN draw_reading r ON r.reading_id = d.reading_id
        WHERE d.draw_id = ?)sql",
               number);
    add_draws(draw, found);
    Query check(ledger, FOUND_PAYMENT "WHERE p.check_number = ?", number);
    add_payments(check, found);
    add_sent_before(ledger, std::to_string(number), found);
    Query exception(ledger, "SELECT reason_code, closed_at IS NULL FROM exception WHERE exception_id = ?", number);
    if (exception.next()) {
        const auto [reason_code, is_open] = exception.row<std::string, bool>();
        found.push_back({"exception", std::to_string(number),
                         fmt::format("Exception {}: {}{}", number, reason_code, is_open ? "" : ", closed"), 0});
    }
    Query payment(ledger, FOUND_PAYMENT "WHERE p.payment_id = ?", number);
    add_payments(payment, found);
}

void by_payment_id(Ledger& ledger, std::int64_t payment_id, AllFound& found) {
    Query query(ledger, FOUND_PAYMENT "WHERE p.payment_id = ?", payment_id);
    add_payments(query, found);
}

void by_trace_number(Ledger& ledger, std::string_view text, AllFound& found) {
    Query query(ledger, FOUND_PAYMENT "WHERE p.trace_number = ?", text);
    add_payments(query, found);
    add_sent_before(ledger, text, found);
}

void by_amount(Ledger& ledger, Money amount, AllFound& found) {
    Query draws(ledger,
                R"sql(
        SELECT d.draw_id, coalesce(r.amount_approved_cents, r.amount_requested_cents), r.case_name
        FROM (SELECT draw_id, reading_id FROM draw ORDER BY draw_id DESC LIMIT ?2) d
        JOIN draw_reading r ON r.reading_id = d.reading_id
        WHERE coalesce(r.amount_approved_cents, r.amount_requested_cents) = ?1
        ORDER BY d.draw_id DESC
        LIMIT ?3)sql",
                amount, newest_rows, rows_per_kind);
    add_draws(draws, found);
    Query payments(ledger,
                   FOUND_PAYMENT
                   "WHERE p.payment_id > (SELECT coalesce(max(payment_id), 0) FROM payment) - ?2 "
                   "AND p.amount_cents = ?1 ORDER BY p.payment_id DESC LIMIT ?3",
                   amount, newest_rows, rows_per_kind);
    add_payments(payments, found);
    Query files(ledger, "SELECT name FROM payment_file WHERE total_cents = ? ORDER BY file_id DESC LIMIT ?", amount,
                rows_per_kind);
    for (const auto& name : files.records<std::string>())
        found.push_back({"file", name, fmt::format("File {}, total {}", name, amount.to_display()), 0});
}

void by_hash(Ledger& ledger, const std::string& prefix, AllFound& found) {
    const std::string pattern = prefix + "%";
    Query files(ledger, "SELECT name FROM payment_file WHERE sha256 LIKE ? ORDER BY file_id DESC LIMIT ?", pattern,
                rows_per_kind);
    for (const auto& name : files.records<std::string>())
        found.push_back({"file", name, "File " + name, 0});
    Query confirmations(ledger,
                        "SELECT sha256, min(name) FROM confirmation_file WHERE sha256 LIKE ? GROUP BY sha256 LIMIT ?",
                        pattern, rows_per_kind);
    add_bank_files(confirmations, found);
}

void by_text(Ledger& ledger, std::string_view text, AllFound& found) {
    const std::string pattern = like_pattern(text);
    Query files(ledger, "SELECT name FROM payment_file WHERE name LIKE ? ESCAPE '\\' ORDER BY file_id DESC LIMIT ?",
                pattern, rows_per_kind);
    for (const auto& name : files.records<std::string>())
        found.push_back({"file", name, "File " + name, 0});
    add_files_sent_before(ledger, pattern, found);
    Query confirmations(ledger,
                        "SELECT sha256, name FROM confirmation_file WHERE name LIKE ? ESCAPE '\\' "
                        "ORDER BY confirmation_file_id DESC LIMIT ?",
                        pattern, rows_per_kind);
    add_bank_files(confirmations, found);
    Query payments(ledger,
                   FOUND_PAYMENT
                   "WHERE p.payment_id > (SELECT coalesce(max(payment_id), 0) FROM payment) - ?2 "
                   "AND p.payee_name LIKE ?1 ESCAPE '\\' ORDER BY p.payment_id DESC LIMIT ?3",
                   pattern, newest_rows, rows_per_kind);
    add_payments(payments, found);
    Query draws(ledger,
                "SELECT d.draw_id, coalesce(r.amount_approved_cents, r.amount_requested_cents), r.case_name FROM "
                "(SELECT draw_id, reading_id FROM draw ORDER BY draw_id DESC LIMIT ?2) d "
                "JOIN draw_reading r ON r.reading_id = d.reading_id "
                "WHERE r.case_name LIKE ?1 ESCAPE '\\' OR r.description LIKE ?1 ESCAPE '\\' "
                "ORDER BY d.draw_id DESC LIMIT ?3",
                pattern, newest_rows, rows_per_kind);
    add_draws(draws, found);
}

std::string_view without_blanks(std::string_view text) {
    const auto first = text.find_first_not_of(" \t\r\n");
    if (first == std::string_view::npos) return {};
    return text.substr(first, text.find_last_not_of(" \t\r\n") - first + 1);
}

}  // namespace

std::vector<Found> search(Ledger& ledger, std::string_view text, std::size_t limit) {
    text = without_blanks(text);
    AllFound found;
    if (text.empty()) return found;
    if (const auto payment_id = disbursement::parse_payment_id(text)) by_payment_id(ledger, *payment_id, found);
    if (const auto number = number_in_whole(text)) by_number(ledger, *number, found);
    if (text.size() == 15) by_trace_number(ledger, text, found);
    if (is_hash_prefix(text)) by_hash(ledger, std::string(text), found);
    std::string amount(text);
    std::erase_if(amount, [](char c) { return c == '$' || c == ','; });
    if (const auto cents = Money::parse(amount); cents && !amount.empty()) by_amount(ledger, *cents, found);
    if (text.size() >= min_letters && !number_in_whole(text)) by_text(ledger, text, found);
    // The same row may have been found in two ways.
    AllFound distinct;
    for (auto& one : found) {
        const bool known = std::ranges::any_of(
            distinct, [&](const Found& other) { return other.kind == one.kind && other.id == one.id; });
        if (!known && distinct.size() < limit) distinct.push_back(std::move(one));
    }
    return distinct;
}

}  // namespace drawbridge::ledger
