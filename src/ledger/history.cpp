#include "drawbridge/ledger/history.hpp"

#include <algorithm>
#include <string>
#include <utility>

#include "connection.hpp"

// The draws whose newest reading has this value; by an index on that column and requested_date. The newest reading of
// each draw is the one that its row names.
#define PAST_DRAWS(column)                                                                                           \
    "SELECT r.draw_id, r.requested_date, coalesce(r.amount_approved_cents, r.amount_requested_cents) "               \
    "FROM draw_reading r CROSS JOIN draw d ON d.draw_id = r.draw_id AND d.reading_id = r.reading_id WHERE r." column \
    " = ? AND r.requested_date >= ? AND r.status <> 2"

namespace drawbridge::ledger {
namespace {

struct PastQuery {
    std::string_view field;
    std::string_view sql;
};

// One literal for each: statements are kept by their addresses.
constexpr PastQuery past_queries[] = {
    {"caseId", PAST_DRAWS("case_id")},         {"requestedBy", PAST_DRAWS("requested_by")},
    {"workflowId", PAST_DRAWS("workflow_id")}, {"fieldA", PAST_DRAWS("field_a")},
    {"fieldB", PAST_DRAWS("field_b")},         {"fieldC", PAST_DRAWS("field_c")},
    {"fieldD", PAST_DRAWS("field_d")},         {"fieldE", PAST_DRAWS("field_e")},
    {"caseName", PAST_DRAWS("case_name")},     {"description", PAST_DRAWS("description")},
    {"approvedBy", PAST_DRAWS("approved_by")}, {"disbursedBy", PAST_DRAWS("disbursed_by")},
    {"modifiedBy", PAST_DRAWS("modified_by")},
};

template <class T>
std::vector<rules::PastDraw> read_past_draws(Ledger& ledger, std::string_view sql, const T& value, Instant since) {
    Query query(ledger, sql, value, since);
    std::vector<rules::PastDraw> draws;
    while (query.next())
        draws.push_back({query.integer(0), query.instant(1), query.optional_money(2)});
    return draws;
}

bool has_limits(const rules::RuleSet& rules) {
    return !rules.limits.empty() ||
           std::ranges::any_of(rules.rules, [](const rules::Rule& rule) { return !rule.limits.empty(); });
}

}  // namespace

std::vector<rules::PastDraw> past_draws(Ledger& ledger, const DrawField& field, const FieldValue& value,
                                        Instant since) {
    const auto* found = std::ranges::find(past_queries, field.name, &PastQuery::field);
    DRAWBRIDGE_ASSERT(found != std::end(past_queries), "history goes by case, requester, workflow or a text field");
    if (const auto* number = std::get_if<std::int64_t>(&value)) {
        return read_past_draws(ledger, found->sql, *number, since);
    }
    return read_past_draws(ledger, found->sql, std::get<std::string>(value), since);
}

std::optional<DecideRun> open_decide_run(Ledger& ledger) {
    Query open(ledger, "SELECT decide_run_id, started_at FROM decide_run WHERE ended_at IS NULL");
    if (!open.next()) return std::nullopt;
    return DecideRun{open.integer(0), open.instant(1)};
}

DecideRun begin_decide_run(Ledger& ledger, Instant now) {
    assert_in_transaction(ledger);
    if (const auto open = open_decide_run(ledger)) return *open;
    Query(ledger, "INSERT INTO decide_run (started_at) VALUES (?)", now).run();
    return {last_row_id(ledger), now};
}

void end_decide_run(Ledger& ledger, const DecideRun& run, Instant now) {
    assert_in_transaction(ledger);
    Query(ledger, "UPDATE decide_run SET ended_at = ? WHERE decide_run_id = ?", now, run.id).run();
}

std::vector<rules::Use> limit_uses(Ledger& ledger, Instant since, std::int64_t run) {
    // Carried out or under way, whatever was decided since; or still to be submitted: then nothing newer was decided.
    Query query(
        ledger,
        "SELECT c.draw_id, c.decided_at, ifnull(c.decide_run_id, 0) = ?, c.rule, r.case_id, r.requested_by, "
        "r.workflow_id, coalesce(r.amount_approved_cents, r.amount_requested_cents) "
        "FROM decision c JOIN draw_reading r ON r.reading_id = c.reading_id JOIN draw d ON d.draw_id = c.draw_id "
        "WHERE c.outcome = 'approve' AND c.decided_at >= ? AND c.rule IS NOT NULL AND (EXISTS "
        "(SELECT 1 FROM approval_item i WHERE i.decision_id = c.decision_id "
        "AND (i.outcome IS NULL OR i.outcome = 'approved')) "
        "OR (d.status = 3 AND NOT EXISTS "
        "(SELECT 1 FROM decision n WHERE n.draw_id = c.draw_id AND n.decision_id > c.decision_id) "
        "AND NOT EXISTS (SELECT 1 FROM approval_item i WHERE i.decision_id = c.decision_id "
        "AND (i.outcome = 'refused' OR i.outcome = 'abandoned')))) ORDER BY c.decided_at",
        run, since);
    std::vector<rules::Use> uses;
    while (query.next()) {
        uses.push_back({query.integer(0), query.instant(1), query.integer(2) == 1, query.text(3),
                        query.optional_integer(4), query.text(5), query.integer(6), query.optional_money(7)});
    }
    return uses;
}

rules::History history_for(Ledger& ledger, const rules::RuleSet& rules, const DrawField* payee_key, Instant now,
                           const TimeZone& zone, const DecideRun& run) {
    rules::History history(payee_key, [&ledger](const DrawField& field, const FieldValue& value, Instant since) {
        return past_draws(ledger, field, value, since);
    });
    if (!has_limits(rules)) return history;
    Instant since = rules::period_begin(rules::Period::week, now, zone);
    if (run.id != 0) since = std::min(since, run.started_at);
    for (auto& use : limit_uses(ledger, since, run.id == 0 ? -1 : run.id))
        history.add_use(std::move(use));
    return history;
}

}  // namespace drawbridge::ledger
