#include "drawbridge/ledger/reports/history.hpp"

#include <algorithm>

#include "drawbridge/ledger/facts/draws.hpp"
#include "facts/draw_row.hpp"
#include "store/connection.hpp"

namespace drawbridge::ledger {
namespace {

using rules::HistoryOf;
using rules::HistorySum;
using rules::LimitBy;

// Draws that are submitted and not cancelled, by their newest reading. CROSS JOIN makes SQLite read what was requested
// first, by its index.
#define COUNTING_DRAWS                                                                     \
    "FROM draw_content c CROSS JOIN draw d ON d.draw_id = c.draw_id CROSS JOIN reading r " \
    "ON r.reading_id = d.reading_id AND r.content_id = c.content_id WHERE d.status <> 2 AND d.status <> 0 "

#define SUM_OF_COUNTING                                                                                   \
    "SELECT count(*), coalesce(sum(coalesce(r.amount_approved_cents, c.amount_requested_cents, 0)), 0), " \
    "count(*) FILTER (WHERE r.amount_approved_cents IS NULL AND c.amount_requested_cents IS NULL), "      \
    "min(c.requested_date) " COUNTING_DRAWS
#define REQUESTED " AND c.requested_date > ? AND c.requested_date <= ?"

// A draw's field: what it says (`sum`), or whom it names as the payee (`payee_sum`), without blanks at its ends.
struct Column {
    std::string_view field;
    std::string_view sum, index;
    std::string_view payee_sum = {}, payee_index = {};
};
#define SUM_WHERE(value) SUM_OF_COUNTING "AND " value " = ?" REQUESTED
#define INDEX(name, value) \
    "CREATE INDEX IF NOT EXISTS draw_content_by_" name " ON draw_content (" value ", requested_date)"
#define PAYEE(value) "trim(" value ", ' \t')"  // payee_key_blanks
#define NUMBER_COLUMN(field, column) {field, SUM_WHERE("c." column), INDEX(column, column)}
#define TEXT_COLUMN(field, column)                                                        \
    {field, SUM_WHERE("c." column), INDEX(column, column), SUM_WHERE(PAYEE("c." column)), \
     INDEX("payee_in_" column, PAYEE(column))}
// A payee hardly ever has the name of an official: this looks at every draw.
#define NAME_COLUMN(field, name) {field, SUM_WHERE(name), "", SUM_WHERE(PAYEE(name)), ""}
#define NAME(id) "(SELECT n.name FROM portal_name n WHERE n.name_id = " id ")"

constexpr Column columns[] = {
    NUMBER_COLUMN("caseId", "case_id"),
    TEXT_COLUMN("requestedBy", "requested_by"),
    NUMBER_COLUMN("workflowId", "workflow_id"),
    TEXT_COLUMN("caseName", "case_name"),
    TEXT_COLUMN("description", "description"),
    TEXT_COLUMN("fieldA", "field_a"),
    TEXT_COLUMN("fieldB", "field_b"),
    TEXT_COLUMN("fieldC", "field_c"),
    TEXT_COLUMN("fieldD", "field_d"),
    TEXT_COLUMN("fieldE", "field_e"),
    NAME_COLUMN("approvedBy", NAME("r.approved_by")),
    NAME_COLUMN("disbursedBy", NAME("r.disbursed_by")),
    NAME_COLUMN("modifiedBy", "coalesce(" NAME("r.modified_by") ", c.requested_by)"),
};

const DrawField* field_of(HistoryOf of, const DrawField* payee_key) {
    switch (of) {
        case HistoryOf::case_id: return find_draw_field("caseId");
        case HistoryOf::requester: return find_draw_field("requestedBy");
        case HistoryOf::workflow: return find_draw_field("workflowId");
        case HistoryOf::payee: return payee_key;
    }
    return nullptr;
}

struct Sql {
    std::string_view sum;
    std::string_view index;  // empty: none
};
Sql sql_of(HistoryOf of, const DrawField& field) {
    const auto* column = std::ranges::find(columns, field.name, &Column::field);
    DRAWBRIDGE_ASSERT(column != std::end(columns), "history sums by case, workflow or a text field of the draw");
    if (of == HistoryOf::payee) return {column->payee_sum, column->payee_index};
    return {column->sum, column->index};
}

// Approvals by the rules that count against limits: carried out, being submitted, or still to be submitted; also one
// that was submitted, whatever became of it, of a draw that is Approved now, or that still waits after the service took
// it (abandoned). Only the newest decision on the newest reading, by the rules in force, is still to be submitted.
#define COUNTED_ITEM                                                                                  \
    "SELECT 1 FROM approval_item i WHERE i.decision_id = c.decision_id AND (i.outcome IS NULL "       \
    "OR i.outcome = 'approved' OR (i.outcome = 'abandoned' AND d.status = 3) OR (d.status IN (4, 5) " \
    "AND coalesce(i.learned_by, '') <> 'never_sent'))"
#define APPROVED_BY_RULES                                                                                           \
    "FROM decision c JOIN draw_reading r ON r.reading_id = c.reading_id JOIN draw d ON d.draw_id = c.draw_id "      \
    "WHERE c.outcome = 'approve' AND c.draw_id <> ? AND c.decided_by IS NULL AND (? = '' OR c.rule = ?) "           \
    "AND (EXISTS (" COUNTED_ITEM                                                                                    \
    ") "                                                                                                            \
    "OR (d.status = 3 AND d.reading_id = c.reading_id AND c.rule_set_sha256 = ? "                                   \
    "AND NOT EXISTS (SELECT 1 FROM draw_decision n WHERE n.draw_id = c.draw_id AND n.decision_id > c.decision_id) " \
    "AND NOT EXISTS (SELECT 1 FROM approval_item i WHERE i.decision_id = c.decision_id "                            \
    "AND i.outcome IN ('refused', 'abandoned')))) "
#define USED "coalesce(sum(r.amount_requested_cents), 0) " APPROVED_BY_RULES
#define USED_SINCE(key) "SELECT " key " AS k, count(*), " USED "AND c.decided_at >= ? GROUP BY k"
#define USED_IN_RUN(key) "SELECT " key " AS k, count(*), " USED "AND c.run_id = ? GROUP BY k"

std::string_view used_sql(LimitBy by, bool this_run) {
    switch (by) {
        case LimitBy::everything: return this_run ? USED_IN_RUN("''") : USED_SINCE("''");
        case LimitBy::case_id:
            return this_run ? USED_IN_RUN("cast(r.case_id AS TEXT)") : USED_SINCE("cast(r.case_id AS TEXT)");
        case LimitBy::workflow:
            return this_run ? USED_IN_RUN("cast(r.workflow_id AS TEXT)") : USED_SINCE("cast(r.workflow_id AS TEXT)");
        case LimitBy::requester: return this_run ? USED_IN_RUN("r.requested_by") : USED_SINCE("r.requested_by");
    }
    return {};
}

}  // namespace

LedgerHistory::LedgerHistory(Ledger& ledger, const rules::RuleSet& rules, const DrawField* payee_key, DecideRunId run,
                             std::optional<DrawId> except)
    : ledger_(ledger), rule_set_sha256_(rules.sha256), payee_key_(payee_key), run_(run), except_(except) {
    auto needs = rules::history_needs(rules);
    if (needs.duplicates) needs.sums.push_back(HistoryOf::case_id);
    for (const HistoryOf of : needs.sums) {
        const DrawField* field = field_of(of, payee_key);
        if (field == nullptr) continue;
        if (const auto index = sql_of(of, *field).index; !index.empty()) Query(ledger_, index).run();
    }
}

HistorySum LedgerHistory::sum_of_all(HistoryOf of, const FieldValue& value, Instant since) const {
    const Key key{of, display(value), since, until_};
    if (const auto known = sums_.find(key); known != sums_.end()) return known->second;
    const std::string_view sql = sql_of(of, *field_of(of, payee_key_)).sum;
    const auto* number = std::get_if<std::int64_t>(&value);
    const auto sum = number != nullptr
                         ? Query(ledger_, sql, *number, since, until_).only<HistorySum>()
                         : Query(ledger_, sql, std::get<std::string>(value), since, until_).only<HistorySum>();
    return sums_.emplace(key, sum).first->second;
}

std::optional<HistorySum> LedgerHistory::sum(HistoryOf of, const Draw& draw, Instant since) const {
    const FieldValue value = rules::history_value(of, draw, payee_key_);
    if (std::holds_alternative<std::monostate>(value)) return std::nullopt;
    HistorySum sum = sum_of_all(of, value, since);
    // Subtract the draw itself, as the ledger has it.
    const auto known = newest_reading(ledger_, draw.id);
    if (!known || !rules::counts_in_history(known->draw) || known->draw.requested_date <= since ||
        known->draw.requested_date > until_ || rules::history_value(of, known->draw, payee_key_) != value) {
        return sum;
    }
    const auto amount = rules::amount_in_history(known->draw);
    --sum.count;
    sum.total = sum.total - amount.value_or(Money());
    if (!amount) --sum.without_amount;
    if (sum.count == 0) sum.oldest.reset();
    return sum;
}

std::optional<rules::Duplicate> LedgerHistory::duplicate(const Draw& draw, std::chrono::milliseconds within) const {
    if (!draw.case_id || !draw.amount_requested) return std::nullopt;
    Query query(
        ledger_,
        "SELECT c.draw_id, c.requested_date " COUNTING_DRAWS
        "AND c.case_id = ? AND c.requested_date >= ? AND c.requested_date <= ? AND c.amount_requested_cents = ? "
        "AND c.draw_id <> ? ORDER BY c.draw_id LIMIT 1",
        *draw.case_id, draw.requested_date - within, std::min(draw.requested_date + within, until_),
        *draw.amount_requested, draw.id);
    return query.first<rules::Duplicate>();
}

std::map<std::string, rules::Used> LedgerHistory::used(std::string_view rule, LimitBy by, Instant since,
                                                       bool this_run) const {
    std::map<std::string, rules::Used> used;
    if (this_run && run_ == 0) return used;
    const std::int64_t from = this_run ? run_ : since.time_since_epoch().count();
    Query query(ledger_, used_sql(by, this_run), except_.value_or(0), rule, rule, rule_set_sha256_, from);
    while (query.next()) {
        const auto [key, sum] = query.row<std::optional<std::string>, rules::Used>();
        if (key) used[*key] = sum;
    }
    return used;
}

}  // namespace drawbridge::ledger
