#include "drawbridge/ledger/reports/draw_states.hpp"
#include "drawbridge/ledger/reports/lists.hpp"

#include <algorithm>

#include "store/connection.hpp"
#include "store/like.hpp"

namespace drawbridge::ledger {
namespace {

// The reason shown beside a held or blocked draw.
#define DRAW_ROW_COLUMNS                                                                                            \
    "s.draw_id, s.state, s.status, s.amount_cents, s.workflow_id, s.case_name, "                                    \
    "(SELECT t.description FROM draw_reading t WHERE t.reading_id = s.reading_id), s.since, "                       \
    "CASE s.state WHEN 'held' THEN coalesce("                                                                       \
    "(SELECT e.detail FROM exception e WHERE e.draw_id = s.draw_id AND e.step IN ('decide', 'approve') "            \
    "AND e.closed_at IS NULL ORDER BY e.exception_id DESC LIMIT 1), "                                               \
    "(SELECT c.reason FROM decision c WHERE c.draw_id = s.draw_id ORDER BY c.decision_id DESC LIMIT 1), "           \
    "'the service shows a status that this program does not know') "                                                \
    "WHEN 'blocked' THEN (SELECT e.reason_code || ': ' || e.detail FROM exception e "                               \
    "WHERE e.draw_id = s.draw_id AND e.step = 'pay' AND e.closed_at IS NULL ORDER BY e.exception_id DESC LIMIT 1) " \
    "ELSE '' END"

// The values of SELECTED_DRAWS. An empty text, or no number, selects every draw.
struct SelectedBy {
    std::string state;
    std::optional<std::int64_t> workflow, min_cents, max_cents;
    std::string text, payee, payee_name, field;

    explicit SelectedBy(const DrawFilter& filter)
        : state(filter.state.value_or("")), workflow(filter.workflow_id), payee(filter.payee) {
        if (filter.min_amount) min_cents = filter.min_amount->cents();
        if (filter.max_amount) max_cents = filter.max_amount->cents();
        if (!filter.text.empty()) text = like_pattern(filter.text);
        if (!filter.payee.empty()) payee_name = like_pattern(filter.payee);
        if (filter.payee_field != nullptr) field = filter.payee_field->name;
    }
};

// What tells at once that a draw is not in a state, so that the state itself is worked out for few draws.
#define IN_STATE(state)                                                                                           \
    "(" state " = '' OR (CASE " state                                                                             \
    " WHEN 'pending' THEN s.status IN (0, 1, 3) "                                                                 \
    "WHEN 'held' THEN s.status NOT IN (0, 1, 2, 4, 5) WHEN 'approving' THEN s.status = 3 "                        \
    "WHEN 'approved' THEN s.status IN (3, 4, 5) WHEN 'blocked' THEN EXISTS (SELECT 1 FROM exception x "           \
    "WHERE x.draw_id = s.draw_id AND x.step = 'pay' AND x.closed_at IS NULL) WHEN 'cancelled' THEN s.status = 2 " \
    "WHEN 'external' THEN s.status = 5 WHEN 'returned' THEN EXISTS (SELECT 1 FROM payment x "                     \
    "WHERE x.draw_id = s.draw_id) ELSE s.payment_id IS NOT NULL END AND s.state = " state ")) "
#define SELECTED_DRAWS                                                                                        \
    IN_STATE("?1")                                                                                            \
    "AND (?2 IS NULL OR s.workflow_id = ?2) AND (?3 IS NULL OR s.amount_cents >= ?3) "                        \
    "AND (?4 IS NULL OR s.amount_cents <= ?4) AND (?5 = '' OR EXISTS (SELECT 1 FROM draw_reading t WHERE "    \
    "t.reading_id = s.reading_id AND (t.case_name LIKE ?5 ESCAPE '\\' OR t.description LIKE ?5 ESCAPE '\\' "  \
    "OR t.requested_by LIKE ?5 ESCAPE '\\'))) AND (?6 = '' OR EXISTS (SELECT 1 FROM draw_reading t WHERE "    \
    "t.reading_id = s.reading_id AND ?6 = CASE ?8 WHEN 'fieldA' THEN t.field_a WHEN 'fieldB' THEN t.field_b " \
    "WHEN 'fieldC' THEN t.field_c WHEN 'fieldD' THEN t.field_d WHEN 'fieldE' THEN t.field_e END) OR EXISTS "  \
    "(SELECT 1 FROM payment p WHERE p.draw_id = s.draw_id AND p.payee_name LIKE ?7 ESCAPE '\\')) "

std::string_view order_name(DrawOrder order) {
    switch (order) {
        case DrawOrder::id:
        case DrawOrder::newest_id: break;
        case DrawOrder::amount: return "amount";
        case DrawOrder::largest_amount: return "largest";
        case DrawOrder::since: return "since";
        case DrawOrder::newest_since: return "newest";
    }
    return "";
}

std::vector<DrawRow> select_draws(Ledger& ledger, const DrawFilter& filter) {
    const SelectedBy by(filter);
    if (filter.order == DrawOrder::id) {
        Query query(ledger,
                    "SELECT " DRAW_ROW_COLUMNS " FROM draw_state s WHERE " SELECTED_DRAWS
                    "AND s.draw_id > ?9 ORDER BY s.draw_id LIMIT ?10",
                    by.state, by.workflow, by.min_cents, by.max_cents, by.text, by.payee, by.payee_name, by.field,
                    filter.after_id, filter.limit);
        return query.records<DrawRow>();
    }
    if (filter.order == DrawOrder::newest_id) {
        Query query(ledger,
                    "SELECT " DRAW_ROW_COLUMNS " FROM draw_state s WHERE " SELECTED_DRAWS
                    "AND s.draw_id < ?9 ORDER BY s.draw_id DESC LIMIT ?10",
                    by.state, by.workflow, by.min_cents, by.max_cents, by.text, by.payee, by.payee_name, by.field,
                    newest_before(filter.after_id), filter.limit);
        return query.records<DrawRow>();
    }
    // The page's draws first: the other columns are worked out for these alone, not for every draw that is sorted.
    Query query(
        ledger,
        "SELECT " DRAW_ROW_COLUMNS
        " FROM (SELECT s.draw_id, CASE ?11 WHEN 'amount' THEN s.amount_cents WHEN 'largest' THEN "
        "-s.amount_cents WHEN 'since' THEN s.since ELSE -s.since END AS place FROM draw_state s WHERE " SELECTED_DRAWS
        "ORDER BY place NULLS FIRST, s.draw_id LIMIT ?10 OFFSET ?9) o CROSS JOIN draw_state s "
        "ON s.draw_id = o.draw_id ORDER BY o.place NULLS FIRST, o.draw_id",
        by.state, by.workflow, by.min_cents, by.max_cents, by.text, by.payee, by.payee_name, by.field, filter.after_id,
        filter.limit, order_name(filter.order));
    return query.records<DrawRow>();
}

StateTotal total_of(Ledger& ledger, std::string_view state) {
    StateTotal total{std::string(state), 0, {}, 0, {}};
    {
        Query query(ledger, "SELECT draws, cents, without_amount FROM state_total WHERE state = ?", state);
        if (!query.next()) return total;
        query.read(total.count, total.amount, total.without_amount);
    }
    Query query(ledger, "SELECT min(since) FROM state_age WHERE state = ?", state);
    total.oldest = query.only<std::optional<Instant>>();
    return total;
}

}  // namespace

bool is_state(std::string_view name) {
    return std::ranges::find(state_names, name) != std::end(state_names);
}

std::vector<StateTotal> state_totals(Ledger& ledger) {
    if (ledger.connection().in_transaction) apply_state_counts(ledger);
    std::vector<StateTotal> totals;
    for (const auto name : state_names)
        totals.push_back(total_of(ledger, name));
    return totals;
}

StateTotal seen_total(Ledger& ledger) {
    if (ledger.connection().in_transaction) apply_state_counts(ledger);
    auto total = total_of(ledger, "seen");
    for (const auto& state : state_totals(ledger)) {
        if (state.oldest && (!total.oldest || *state.oldest < *total.oldest)) total.oldest = state.oldest;
    }
    return total;
}

std::vector<DrawRow> list_draws(Ledger& ledger, const DrawFilter& filter) {
    if (filter.is_narrow() || filter.order != DrawOrder::id) return select_draws(ledger, filter);
    Query query(ledger,
                "SELECT " DRAW_ROW_COLUMNS
                " FROM draw_state s WHERE s.draw_id > ?1 AND " IN_STATE("?2") "ORDER BY s.draw_id LIMIT ?3",
                filter.after_id, filter.state.value_or(""), filter.limit);
    return query.records<DrawRow>();
}

DrawSelection sum_draws(Ledger& ledger, const DrawFilter& filter) {
    if (!filter.is_narrow()) {
        if (ledger.connection().in_transaction) apply_state_counts(ledger);
        const auto total = total_of(ledger, filter.state.value_or("seen"));
        return {total.count, total.amount, total.without_amount};
    }
    const SelectedBy by(filter);
    Query query(ledger,
                R"sql(
        SELECT count(*), coalesce(sum(s.amount_cents), 0), count(*) - count(s.amount_cents)
        FROM draw_state s
        WHERE )sql" SELECTED_DRAWS,
                by.state, by.workflow, by.min_cents, by.max_cents, by.text, by.payee, by.payee_name, by.field);
    return query.only<DrawSelection>();
}

std::int64_t count_draws(Ledger& ledger, const std::optional<std::string>& state) {
    if (ledger.connection().in_transaction) apply_state_counts(ledger);
    return total_of(ledger, state.value_or("seen")).count;
}

std::optional<DrawRow> find_draw(Ledger& ledger, DrawId id) {
    Query query(ledger, "SELECT " DRAW_ROW_COLUMNS " FROM draw_state s WHERE s.draw_id = ?", id);
    return query.first<DrawRow>();
}

}  // namespace drawbridge::ledger
