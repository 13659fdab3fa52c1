#include "drawbridge/ledger/facts/sent_before.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <iterator>
#include <utility>

#include "drawbridge/ledger/facts/restorations.hpp"
#include "drawbridge/text/show.hpp"
#include "store/connection.hpp"

namespace drawbridge::ledger {
namespace {

constexpr std::string_view before_instant = " of ", before_amount = " paid it ", before_reference = " under ";

// The text after the last blank.
std::string_view last_word(std::string_view text) {
    const auto blank = text.rfind(' ');
    return blank == std::string_view::npos ? text : text.substr(blank + 1);
}

std::optional<Money> parse_display(std::string_view text) {
    std::string digits(text);
    std::erase_if(digits, [](char c) { return c == '$' || c == ','; });
    const auto amount = Money::parse(digits);
    return amount ? std::optional(*amount) : std::nullopt;
}

// `before` ends with "FILE of INSTANT", `after` begins with "AMOUNT under REFERENCE".
std::optional<SentBefore> read_payment(std::string_view before, std::string_view after) {
    SentBefore payment;
    const auto instant = last_word(before);
    const auto at = parse_instant(instant);
    before.remove_suffix(instant.size());
    const auto under = after.find(before_reference);
    if (!at || !before.ends_with(before_instant) || under == std::string_view::npos) return std::nullopt;
    before.remove_suffix(before_instant.size());
    const auto amount = parse_display(after.substr(0, under));
    if (!amount) return std::nullopt;
    const auto reference = after.substr(under + before_reference.size());
    payment.file = last_word(before);
    payment.at = *at;
    payment.amount = *amount;
    payment.reference = reference.substr(0, reference.find(','));
    return payment;
}

// Each payment once: the hold of a second restore repeats those of the first. Holds are only added, so most calls read
// none.
const Connection::SentPayments& all_sent(Ledger& ledger) {
    auto& known = ledger.connection().sent_before;
    Query query(ledger,
                "SELECT hold_id, draw_id, reason_code, detail FROM restored_hold WHERE hold_id > ? ORDER BY hold_id",
                known.through);
    while (query.next()) {
        const auto [hold_id, draw_id, reason_code, detail] =
            query.row<std::int64_t, DrawId, std::string, std::string>();
        known.through = hold_id;
        if (reason_code != paid_after_backup) continue;
        for (auto& payment : payments_in_hold(draw_id, detail))
            known.by_reference[payment.reference].insert(std::move(payment));
    }
    return known;
}

// A check number; nullopt: a trace number, or none.
std::optional<std::int64_t> check_number_of(const SentBefore& payment) {
    constexpr std::size_t trace_digits = 15;
    const auto& text = payment.reference;
    std::int64_t number = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    const bool is_number = error == std::errc() && end == text.data() + text.size();
    if (!is_number || text.size() == trace_digits) return std::nullopt;
    return number;
}

bool is_known_check(Ledger& ledger, std::int64_t check_number) {
    return Query(ledger, "SELECT 1 FROM payment WHERE check_number = ?", check_number).next();
}

// The files of the checks before and after this number.
std::pair<std::int64_t, std::int64_t> files_around(Ledger& ledger, std::int64_t check_number) {
    Query before(ledger, "SELECT file_id FROM payment WHERE check_number < ? ORDER BY check_number DESC LIMIT 1",
                 check_number);
    Query after(ledger, "SELECT file_id FROM payment WHERE check_number > ? ORDER BY check_number LIMIT 1",
                check_number);
    return {before.first<std::int64_t>().value_or(0), after.first<std::int64_t>().value_or(INT64_MAX)};
}

// The ledger was restored while the next check would have had this number.
bool is_skipped_by_restore(Ledger& ledger, std::int64_t check_number) {
    Query next(ledger, "SELECT next FROM number_range WHERE name = 'check_number'");
    if (check_number >= next.first<std::int64_t>().value_or(1)) return false;
    const auto [first, last] = files_around(ledger, check_number);
    return was_restored_between(ledger, first, last);
}

}  // namespace

std::string hold_text(const SentBefore& payment) {
    return fmt::format("{}{}{}{}{}{}{}", payment.file, before_instant, format_instant(payment.at), before_amount,
                       payment.amount.to_display(), before_reference, payment.reference);
}

std::vector<SentBefore> payments_in_hold(DrawId draw_id, std::string_view detail) {
    std::vector<SentBefore> payments;
    for (auto at = detail.find(before_amount); at != std::string_view::npos;
         at = detail.find(before_amount, at + before_amount.size())) {
        auto payment = read_payment(detail.substr(0, at), detail.substr(at + before_amount.size()));
        if (!payment) continue;
        payment->draw_id = draw_id;
        payments.push_back(*std::move(payment));
    }
    return payments;
}

std::vector<SentBefore> payments_sent_before(Ledger& ledger, DrawId first, DrawId last) {
    std::vector<SentBefore> payments;
    for (const auto& [reference, of_reference] : all_sent(ledger).by_reference) {
        std::ranges::copy_if(of_reference, std::back_inserter(payments), [&](const SentBefore& payment) {
            return first <= payment.draw_id && payment.draw_id <= last;
        });
    }
    std::ranges::sort(payments);
    return payments;
}

std::optional<SentBefore> payment_sent_before(Ledger& ledger, std::string_view reference) {
    const auto& known = all_sent(ledger).by_reference;
    const auto found = known.find(std::string(reference));
    return found == known.end() ? std::nullopt : std::optional(*found->second.begin());
}

std::vector<CheckSentBefore> checks_sent_before(Ledger& ledger, std::int64_t after) {
    std::vector<CheckSentBefore> checks;
    for (auto& payment : payments_sent_before(ledger)) {
        const auto number = check_number_of(payment);
        if (!number || *number <= after || is_known_check(ledger, *number)) continue;
        checks.push_back({*number, std::move(payment)});
    }
    std::ranges::sort(checks, {}, &CheckSentBefore::check_number);
    const auto [first, last] = std::ranges::unique(checks, {}, &CheckSentBefore::check_number);
    checks.erase(first, last);
    return checks;
}

std::optional<FileSentBefore> file_sent_before(Ledger& ledger, std::string_view name) {
    std::optional<FileSentBefore> file;
    {
        Query query(ledger,
                    R"sql(
            SELECT s.name, s.sha256, s.export_no IS NOT NULL, coalesce(s.file_id_modifier, ''), r.at
            FROM sent_file s
            JOIN restoration r ON r.restoration_id = s.restoration_id
            WHERE s.name = ?
            ORDER BY s.export_no IS NULL, s.sent_id
            LIMIT 1)sql",
                    name);
        if (!query.next()) return std::nullopt;
        file.emplace();
        query.read(file->name, file->sha256, file->is_in_manifest, file->file_id_modifier, file->restored_at);
    }
    for (const auto& payment : payments_sent_before(ledger)) {
        if (payment.file != name) continue;
        ++file->payments;
        file->total += payment.amount;
    }
    return file;
}

std::vector<std::string> names_sent_before(Ledger& ledger, std::string_view pattern, int limit) {
    Query query(ledger,
                R"sql(
        SELECT DISTINCT s.name
        FROM sent_file s
        WHERE s.name LIKE ? ESCAPE '\' AND NOT EXISTS (SELECT 1 FROM payment_file f WHERE f.name = s.name)
        ORDER BY s.name DESC
        LIMIT ?)sql",
                pattern, limit);
    return query.records<std::string>();
}

std::string describe(const FileSentBefore& file) {
    const std::string numbers = file.payments > 0
                                    ? fmt::format("{}, {}, according to its manifest",
                                                  text::counted(file.payments, "payment"), file.total.to_display())
                                : file.is_in_manifest ? "its manifest has what is in it"
                                                      : "no manifest names it, so ask the bank what is in it";
    return fmt::format("{} left before this ledger was restored at {}: {}", file.name, format_instant(file.restored_at),
                       numbers);
}

std::string no_file_named(Ledger& ledger, std::string_view name) {
    if (const auto file = file_sent_before(ledger, name)) {
        return describe(*file) + ": this ledger has only its name and SHA-256, " + file->sha256 +
               ", and spool/manifests has its payments";
    }
    return "there is no payment file named " + std::string(name);
}

std::string no_check_named(Ledger& ledger, std::int64_t check_number) {
    const auto number = std::to_string(check_number);
    if (const auto sent = payment_sent_before(ledger, number)) {
        return fmt::format(
            "check {} of {} for draw {} left with {} before this ledger was restored: this ledger has no payment for "
            "it and can neither stop nor void it: call the bank",
            number, sent->amount.to_display(), sent->draw_id, sent->file);
    }
    if (is_skipped_by_restore(ledger, check_number)) {
        return "this ledger has no check " + number +
               ", but the ledger was restored, and the check may have left before: call the bank";
    }
    return "there is no check " + number + ": 'drawbridge checks' lists all of them";
}

bool was_restored_between(Ledger& ledger, std::int64_t first, std::int64_t last) {
    return Query(ledger,
                 "SELECT 1 FROM restoration WHERE restoration_id > 0 AND newest_file >= ? AND newest_file <= ? LIMIT 1",
                 first, last)
        .next();
}

}  // namespace drawbridge::ledger
