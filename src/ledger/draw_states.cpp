#include "drawbridge/ledger/draw_states.hpp"
#include "drawbridge/ledger/lists.hpp"

#include <algorithm>

#include "connection.hpp"

namespace drawbridge::ledger {
namespace {

// The reason that a person would want beside a held or blocked draw.
#define DRAW_ROW_COLUMNS                                                                                             \
    "s.draw_id, s.state, s.status, s.amount_cents, s.workflow_id, s.case_name, s.since, "                            \
    "CASE s.state WHEN 'held' THEN coalesce("                                                                        \
    "(SELECT e.detail FROM exception e WHERE e.draw_id = s.draw_id AND e.step IN ('decide', 'approve') "       \
    "AND e.closed_at IS NULL ORDER BY e.exception_id DESC LIMIT 1), "                                                \
    "(SELECT c.reason FROM decision c WHERE c.draw_id = s.draw_id ORDER BY c.decision_id DESC LIMIT 1), "            \
    "'the service gives it a status that this program does not know') "                                              \
    "WHEN 'blocked' THEN (SELECT e.reason_code || ': ' || e.detail FROM exception e "                           \
    "WHERE e.draw_id = s.draw_id AND e.step = 'pay' AND e.closed_at IS NULL ORDER BY e.exception_id DESC LIMIT 1) " \
    "ELSE '' END"

DrawRow read_row(const Query& query) {
    DrawRow row;
    row.draw_id = query.integer(0);
    row.state = query.text(1);
    row.status = static_cast<DrawStatus>(query.integer(2));
    row.amount = query.optional_money(3);
    row.workflow_id = query.integer(4);
    row.case_name = query.optional_text(5);
    row.since = query.instant(6);
    row.why = query.optional_text(7).value_or("");
    return row;
}

StateTotal total_of(Ledger& ledger, std::string_view state) {
    StateTotal total{std::string(state), 0, {}, 0, {}};
    {
        Query query(ledger, "SELECT draws, cents, without_amount FROM state_total WHERE state = ?", state);
        if (!query.next()) return total;
        total.count = query.integer(0);
        total.amount = query.money(1);
        total.without_amount = query.integer(2);
    }
    Query query(ledger, "SELECT min(since) FROM state_age WHERE state = ?", state);
    query.next();
    total.oldest = query.optional_instant(0);
    return total;
}

}  // namespace

bool is_state(std::string_view name) {
    return std::ranges::find(state_names, name) != std::end(state_names);
}

std::vector<StateTotal> state_totals(Ledger& ledger) {
    if (ledger.connection().in_transaction) carry_over_counts(ledger);
    std::vector<StateTotal> totals;
    for (const auto name : state_names)
        totals.push_back(total_of(ledger, name));
    return totals;
}

StateTotal seen_total(Ledger& ledger) {
    if (ledger.connection().in_transaction) carry_over_counts(ledger);
    auto total = total_of(ledger, "seen");
    for (const auto& state : state_totals(ledger)) {
        if (state.oldest && (!total.oldest || *state.oldest < *total.oldest)) total.oldest = state.oldest;
    }
    return total;
}

std::vector<DrawRow> list_draws(Ledger& ledger, const DrawFilter& filter) {
    Query query(ledger,
                "SELECT " DRAW_ROW_COLUMNS
                " FROM draw_state s WHERE s.draw_id > ? AND (? = '' OR s.state = ?) ORDER BY s.draw_id LIMIT ?",
                filter.after_id, filter.state.value_or(""), filter.state.value_or(""), filter.limit);
    std::vector<DrawRow> rows;
    while (query.next())
        rows.push_back(read_row(query));
    return rows;
}

std::int64_t count_draws(Ledger& ledger, const std::optional<std::string>& state) {
    if (ledger.connection().in_transaction) carry_over_counts(ledger);
    return total_of(ledger, state.value_or("seen")).count;
}

std::optional<DrawRow> find_draw(Ledger& ledger, DrawId id) {
    Query query(ledger, "SELECT " DRAW_ROW_COLUMNS " FROM draw_state s WHERE s.draw_id = ?", id);
    if (!query.next()) return std::nullopt;
    return read_row(query);
}

}  // namespace drawbridge::ledger
