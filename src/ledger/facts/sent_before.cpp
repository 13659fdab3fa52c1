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

#define SENT_PAYMENTS                                                       \
    "SELECT s.draw_id, f.name, f.released_at, s.amount_cents, s.reference " \
    "FROM sent_payment s JOIN sent_file f ON f.sent_id = s.sent_id "

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
    return fmt::format("{} of {} paid it {} under {}", payment.file, format_instant(payment.at),
                       payment.amount.to_display(), payment.reference);
}

std::vector<SentBefore> payments_sent_before(Ledger& ledger, DrawId first, DrawId last) {
    Query query(ledger, SENT_PAYMENTS "WHERE s.draw_id BETWEEN ? AND ? ORDER BY s.draw_id, f.released_at, s.payment_id",
                first, last);
    return query.records<SentBefore>();
}

std::optional<SentBefore> payment_sent_before(Ledger& ledger, std::string_view reference) {
    Query query(ledger, SENT_PAYMENTS "WHERE s.reference = ? ORDER BY f.released_at LIMIT 1", reference);
    return query.first<SentBefore>();
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
