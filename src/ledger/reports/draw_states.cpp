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

// Of rows s of draw_standing. A state is another statement, so that it can be looked up.
#define SELECTED_DRAWS                                                                                        \
    "(?3 IS NULL OR s.amount_cents >= ?3) AND (?4 IS NULL OR s.amount_cents <= ?4) "                          \
    "AND (?2 IS NULL OR EXISTS (SELECT 1 FROM draw_reading t WHERE t.reading_id = s.reading_id "              \
    "AND t.workflow_id = ?2)) AND (?5 = '' OR EXISTS (SELECT 1 FROM draw_reading t WHERE "                    \
    "t.reading_id = s.reading_id AND (t.case_name LIKE ?5 ESCAPE '\\' OR t.description LIKE ?5 ESCAPE '\\' "  \
    "OR t.requested_by LIKE ?5 ESCAPE '\\'))) AND (?6 = '' OR EXISTS (SELECT 1 FROM draw_reading t WHERE "    \
    "t.reading_id = s.reading_id AND ?6 = CASE ?8 WHEN 'fieldA' THEN t.field_a WHEN 'fieldB' THEN t.field_b " \
    "WHEN 'fieldC' THEN t.field_c WHEN 'fieldD' THEN t.field_d WHEN 'fieldE' THEN t.field_e END) OR EXISTS "  \
    "(SELECT 1 FROM payment p WHERE p.draw_id = s.draw_id AND p.payee_name LIKE ?7 ESCAPE '\\')) "
// The same where only the state selects: an index has all that such a list sorts by.
#define EVERY_DRAW "?2 IS NULL AND ?3 IS NULL AND ?4 IS NULL AND ?5 = '' AND ?6 = '' AND ?7 = '' AND ?8 IS NOT NULL "
#define IN_STATE "s.state = ?1 AND "
#define IN_ANY_STATE ""

// The page's draws first: the other columns are worked out for these alone.
#define PAGE_OF_DRAWS(which, place, selection, order)            \
    "SELECT " DRAW_ROW_COLUMNS " FROM (SELECT s.draw_id, " place \
    " AS place FROM draw_standing s WHERE " which selection      \
    ") o CROSS JOIN draw_listed s ON s.draw_id = o.draw_id ORDER BY " order
#define BY_ID(which) PAGE_OF_DRAWS(which, "s.draw_id", "AND s.draw_id > ?9 ORDER BY s.draw_id LIMIT ?10", "o.draw_id")
#define BY_NEWEST_ID(which) \
    PAGE_OF_DRAWS(which, "s.draw_id", "AND s.draw_id < ?9 ORDER BY s.draw_id DESC LIMIT ?10", "o.draw_id DESC")
#define BY_VALUE(which, place)                                                               \
    PAGE_OF_DRAWS(which, place, "ORDER BY place NULLS FIRST, s.draw_id LIMIT ?10 OFFSET ?9", \
                  "o.place NULLS FIRST, o.draw_id")

// The statements of one order.
struct Pages {
    std::string_view narrow_in_state, narrow, in_state, all;
};
#define PAGES_BY_VALUE(place)                                                                   \
    Pages {                                                                                     \
        BY_VALUE(IN_STATE SELECTED_DRAWS, place), BY_VALUE(IN_ANY_STATE SELECTED_DRAWS, place), \
            BY_VALUE(IN_STATE EVERY_DRAW, place), BY_VALUE(IN_ANY_STATE EVERY_DRAW, place)      \
    }

std::vector<DrawRow> run_page(Ledger& ledger, const DrawFilter& filter, const Pages& pages) {
    const SelectedBy by(filter);
    const auto after = filter.order == DrawOrder::newest_id ? newest_before(filter.after_id) : filter.after_id;
    const auto in_state = filter.is_narrow() ? pages.narrow_in_state : pages.in_state;
    const auto in_any = filter.is_narrow() ? pages.narrow : pages.all;
    Query query(ledger, filter.state ? in_state : in_any, by.state, by.workflow, by.min_cents, by.max_cents, by.text,
                by.payee, by.payee_name, by.field, after, filter.limit);
    return query.records<DrawRow>();
}

// A page by id ends after its draws, whatever selects them.
std::vector<DrawRow> run_page(Ledger& ledger, const DrawFilter& filter, std::string_view of_state,
                              std::string_view of_all) {
    return run_page(ledger, filter, {of_state, of_all, of_state, of_all});
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
    if (ledger.connection().in_transaction) apply_state_counts(ledger);
    switch (filter.order) {
        case DrawOrder::id:
            return run_page(ledger, filter, BY_ID(IN_STATE SELECTED_DRAWS), BY_ID(IN_ANY_STATE SELECTED_DRAWS));
        case DrawOrder::newest_id:
            return run_page(ledger, filter, BY_NEWEST_ID(IN_STATE SELECTED_DRAWS),
                            BY_NEWEST_ID(IN_ANY_STATE SELECTED_DRAWS));
        case DrawOrder::amount: return run_page(ledger, filter, PAGES_BY_VALUE("s.amount_cents"));
        case DrawOrder::largest_amount: return run_page(ledger, filter, PAGES_BY_VALUE("-s.amount_cents"));
        case DrawOrder::since: return run_page(ledger, filter, PAGES_BY_VALUE("s.since"));
        case DrawOrder::newest_since: return run_page(ledger, filter, PAGES_BY_VALUE("-s.since"));
    }
    return {};
}

DrawSelection sum_draws(Ledger& ledger, const DrawFilter& filter) {
    if (ledger.connection().in_transaction) apply_state_counts(ledger);
    if (!filter.is_narrow()) {
        const auto total = total_of(ledger, filter.state.value_or("seen"));
        return {total.count, total.amount, total.without_amount};
    }
#define SUM_OF_DRAWS(state)                                                                                     \
    "SELECT count(*), coalesce(sum(s.amount_cents), 0), count(*) - count(s.amount_cents) FROM draw_standing s " \
    "WHERE " state SELECTED_DRAWS
    const SelectedBy by(filter);
    Query query(ledger, filter.state ? SUM_OF_DRAWS(IN_STATE) : SUM_OF_DRAWS(IN_ANY_STATE), by.state, by.workflow,
                by.min_cents, by.max_cents, by.text, by.payee, by.payee_name, by.field);
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
