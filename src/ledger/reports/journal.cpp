#include "drawbridge/ledger/reports/journal.hpp"

#include <algorithm>
#include <charconv>

#include "drawbridge/disbursement/plan.hpp"
#include "drawbridge/ledger/facts/restorations.hpp"
#include "store/connection.hpp"

namespace drawbridge::ledger {
namespace {

// The digits after `word`: "exception 12, draw 17" and "draw " give 17.
std::optional<std::int64_t> number_after(std::string_view text, std::string_view word) {
    const auto found = text.find(word);
    if (found == std::string_view::npos || (found > 0 && text[found - 1] != ' ')) return std::nullopt;
    const char* from = text.data() + found + word.size();
    std::int64_t number = 0;
    const auto [end, error] = std::from_chars(from, text.data() + text.size(), number);
    return error == std::errc() && end != from ? std::optional(number) : std::nullopt;
}

std::string rest_after(std::string_view text, std::string_view word) {
    return text.starts_with(word) ? std::string(text.substr(word.size())) : std::string();
}

std::string rule_of(Ledger& ledger, DrawId draw_id) {
    Query query(ledger,
                R"sql(
        SELECT c.rule
        FROM draw d
        JOIN decision c ON c.draw_id = d.draw_id AND c.reading_id = d.reading_id
        WHERE d.draw_id = ?
        ORDER BY c.decision_id DESC
        LIMIT 1)sql",
                draw_id);
    return query.first<std::string>().value_or("");
}

std::string sha256_of(Ledger& ledger, const std::string& name) {
    Query query(ledger, "SELECT sha256 FROM payment_file WHERE name = ?", name);
    return query.first<std::string>().value_or("");
}

void add_payment(Ledger& ledger, std::int64_t payment_id, JournalReferences& references) {
    references.payment_id = disbursement::format_payment_id(payment_id);
    Query query(ledger,
                R"sql(
        SELECT p.draw_id, f.name, f.sha256
        FROM payment p
        JOIN payment_file f ON f.file_id = p.file_id
        WHERE p.payment_id = ?)sql",
                payment_id);
    if (!query.next()) return;
    query.read(references.draw_id, references.file_name, references.file_sha256);
}

std::optional<std::int64_t> payment_of_exception(Ledger& ledger, std::int64_t exception_id) {
    Query query(ledger, "SELECT payment_id FROM exception WHERE exception_id = ?", exception_id);
    return query.first<std::optional<std::int64_t>>().value_or(std::nullopt);
}

}  // namespace

std::int64_t journal_end(const Ledger& ledger) {
    return ledger.connection().committed_seq;
}

std::int64_t journal_begin(Ledger& ledger) {
    const auto marked = ledger.connection().marked_before;
    if (marked == 0 || open_restoration(ledger)) return journal_end(ledger);
    return std::min(marked, journal_end(ledger));
}

std::vector<JournalEntry> powerful_acts(Ledger& ledger, std::int64_t after, std::int64_t last) {
    Query query(ledger,
                R"sql(
        SELECT seq, at, actor, action, subject, detail
        FROM audit
        WHERE seq > ? AND seq <= ? AND actor <> 'drawbridge'
            AND (action = 'file.release_ordered' OR action LIKE 'person.%' OR action LIKE 'passkey.%')
        ORDER BY seq)sql",
                after, last);
    return query.records<JournalEntry>();
}

std::vector<JournalEntry> journal_since(Ledger& ledger, std::int64_t seq, int limit) {
    Query query(
        ledger,
        "SELECT seq, at, actor, action, subject, detail FROM audit WHERE seq > ? AND action <> ? ORDER BY seq LIMIT ?",
        seq, facts_sealed, limit);
    return query.records<JournalEntry>();
}

std::optional<TrailEntry> trail_entry(Ledger& ledger, std::int64_t seq) {
    Query query(ledger, "SELECT seq, at, hash FROM audit WHERE seq = ?", seq);
    return query.first<TrailEntry>();
}

JournalReferences references_of(Ledger& ledger, const JournalEntry& entry) {
    JournalReferences references;
    references.draw_id = number_after(entry.subject, "draw ");
    auto payment_id = number_after(entry.subject, "payment P");
    if (const auto exception = number_after(entry.subject, "exception ")) {
        payment_id = payment_of_exception(ledger, *exception);
    }
    if (payment_id) {
        const auto draw_id = references.draw_id;
        add_payment(ledger, *payment_id, references);
        if (draw_id) references.draw_id = draw_id;
    }
    if (auto name = rest_after(entry.subject, "file "); !name.empty()) {
        references.file_name = std::move(name);
        references.file_sha256 = rest_after(entry.detail, "sha256 ").substr(0, 64);
        if (references.file_sha256.empty()) references.file_sha256 = sha256_of(ledger, references.file_name);
    }
    const bool is_ruled = entry.action.starts_with("decided.") || entry.action.starts_with("approval.");
    if (is_ruled && references.draw_id) references.rule = rule_of(ledger, *references.draw_id);
    return references;
}

}  // namespace drawbridge::ledger
