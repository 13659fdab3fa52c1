#include "drawbridge/ledger/stages.hpp"

#include <algorithm>

#include "connection.hpp"

namespace drawbridge::ledger {
namespace {

// The reason that a person would want beside a held or blocked draw.
#define DRAW_ROW_COLUMNS                                                                                             \
    "s.draw_id, s.stage, s.status, s.amount_cents, s.workflow_id, s.case_name, s.since, "                            \
    "CASE s.stage WHEN 'held' THEN coalesce("                                                                        \
    "(SELECT e.detail FROM exception_case e WHERE e.draw_id = s.draw_id AND e.stage IN ('decide', 'approve') "       \
    "AND e.closed_at IS NULL ORDER BY e.exception_id DESC LIMIT 1), "                                                \
    "(SELECT c.reason FROM decision c WHERE c.draw_id = s.draw_id ORDER BY c.decision_id DESC LIMIT 1), "            \
    "'the service gives it a status that this program does not know') "                                              \
    "WHEN 'blocked' THEN (SELECT e.reason_code || ': ' || e.detail FROM exception_case e "                           \
    "WHERE e.draw_id = s.draw_id AND e.stage = 'pay' AND e.closed_at IS NULL ORDER BY e.exception_id DESC LIMIT 1) " \
    "ELSE '' END"

DrawRow read_row(const Query& query) {
    DrawRow row;
    row.draw_id = query.integer(0);
    row.stage = query.text(1);
    row.status = static_cast<DrawStatus>(query.integer(2));
    row.amount = query.optional_money(3);
    row.workflow_id = query.integer(4);
    row.case_name = query.optional_text(5);
    row.since = query.instant(6);
    row.why = query.optional_text(7).value_or("");
    return row;
}

}  // namespace

bool is_stage(std::string_view name) {
    return std::ranges::find(stage_names, name) != std::end(stage_names);
}

std::vector<StageTotal> stage_totals(Ledger& ledger) {
    std::vector<StageTotal> totals;
    for (const auto name : stage_names)
        totals.push_back({std::string(name), 0, {}, 0, {}});
    Query query(ledger,
                "SELECT stage, count(*), ifnull(sum(amount_cents), 0), sum(amount_cents IS NULL), min(since) "
                "FROM draw_stage GROUP BY stage");
    while (query.next()) {
        const auto total = std::ranges::find(totals, query.text(0), &StageTotal::stage);
        DRAWBRIDGE_ASSERT(total != totals.end(), "the view names only stages that there are");
        *total = {query.text(0), query.integer(1), query.money(2), query.integer(3), query.optional_instant(4)};
    }
    return totals;
}

StageTotal seen_total(Ledger& ledger) {
    Query query(
        ledger,
        "SELECT count(*), ifnull(sum(coalesce((SELECT p.amount_cents FROM payment p WHERE p.draw_id = d.draw_id "
        "AND p.ended_at IS NULL), r.amount_approved_cents, r.amount_requested_cents)), 0), "
        "min(r.read_at) FROM draw d JOIN draw_reading r ON r.reading_id = d.reading_id");
    query.next();
    return {"seen", query.integer(0), query.money(1), 0, query.optional_instant(2)};
}

std::vector<DrawRow> list_draws(Ledger& ledger, const DrawFilter& filter) {
    Query query(ledger,
                "SELECT " DRAW_ROW_COLUMNS
                " FROM draw_stage s WHERE s.draw_id > ? AND (? = '' OR s.stage = ?) ORDER BY s.draw_id LIMIT ?",
                filter.after_id, filter.stage.value_or(""), filter.stage.value_or(""), filter.limit);
    std::vector<DrawRow> rows;
    while (query.next())
        rows.push_back(read_row(query));
    return rows;
}

std::optional<DrawRow> find_draw(Ledger& ledger, DrawId id) {
    Query query(ledger, "SELECT " DRAW_ROW_COLUMNS " FROM draw_stage s WHERE s.draw_id = ?", id);
    if (!query.next()) return std::nullopt;
    return read_row(query);
}

}  // namespace drawbridge::ledger
