#include "drawbridge/ledger/reports/draw_states.hpp"

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

// The values that select draws. An empty text, or no number, selects every draw.
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

// A place in an order by amount or age; no amount comes last in both directions.
#define SMALLEST_FIRST "coalesce(s.amount_cents, 9223372036854775807)"
#define LARGEST_FIRST "coalesce(-s.amount_cents, 9223372036854775807)"
#define LONGEST_FIRST "s.since"
#define LATEST_FIRST "-s.since"
// Which draws come after draw ?2 (0: all), and the order of a page.
#define AFTER_ID "WHERE c.draw_id > ?2 ORDER BY c.draw_id"
#define BEFORE_ID "WHERE c.draw_id < ?2 ORDER BY c.draw_id DESC"
#define AFTER_PLACE(place)                                   \
    "WHERE ?2 = 0 OR (c.place, c.draw_id) > ((SELECT " place \
    " FROM draw_standing s WHERE s.draw_id = ?2), ?2) "      \
    "ORDER BY c.place, c.draw_id"

// A state is another statement, so that it can be looked up.
#define IN_STATE "s.state = ?1"
#define IN_ANY_STATE "?1 = ''"
// An index has all that these look at.
#define BY_AMOUNT " AND (?4 IS NULL OR s.amount_cents >= ?4) AND (?5 IS NULL OR s.amount_cents <= ?5)"
#define STANDING "FROM draw_standing s WHERE "
// These read each draw's newest reading, so they do it once, for the page and for the totals.
#define STANDING_AND_READING "FROM draw_standing s JOIN draw_reading t ON t.reading_id = s.reading_id WHERE "
#define BY_READING                                                                                               \
    BY_AMOUNT                                                                                                    \
    " AND (?6 IS NULL OR t.workflow_id = ?6) AND (?7 = '' OR t.case_name LIKE ?7 ESCAPE '\\' "                   \
    "OR t.description LIKE ?7 ESCAPE '\\' OR t.requested_by LIKE ?7 ESCAPE '\\') AND (?8 = '' OR ?8 = CASE ?10 " \
    "WHEN 'fieldA' THEN t.field_a WHEN 'fieldB' THEN t.field_b WHEN 'fieldC' THEN t.field_c "                    \
    "WHEN 'fieldD' THEN t.field_d WHEN 'fieldE' THEN t.field_e END "                                             \
    "OR s.draw_id IN (SELECT p.draw_id FROM payment p WHERE p.payee_name LIKE ?9 ESCAPE '\\'))"

// The page's draws first: the other columns are worked out for these alone.
#define PAGE(materialized, chosen, place, page_order, order, totals, from_totals)                       \
    "WITH chosen AS " materialized " (SELECT s.draw_id, s.amount_cents, " place " AS place " chosen     \
    ") "                                                                                                \
    "SELECT " DRAW_ROW_COLUMNS ", " totals " FROM (SELECT c.draw_id, c.place FROM chosen c " page_order \
    " LIMIT ?3) o CROSS JOIN draw_listed s ON s.draw_id = o.draw_id " from_totals "ORDER BY " order
#define TOTALS "a.draws, a.cents, a.draws - a.with_amount"
#define FROM_TOTALS                                                                   \
    "CROSS JOIN (SELECT count(*) AS draws, coalesce(sum(amount_cents), 0) AS cents, " \
    "count(amount_cents) AS with_amount FROM chosen) a ON 1 = 1 "
// With the values of BY_READING, so that both are bound alike.
#define ONLY_BY_AMOUNT BY_AMOUNT " AND ?6 IS NULL AND ?7 = '' AND ?8 = '' AND ?9 = '' AND ?10 IS NOT NULL"

#define PLAIN(state, ...) PAGE("NOT MATERIALIZED", STANDING state, __VA_ARGS__, "0, 0, 0", "")
#define NARROW(state, ...) PAGE("NOT MATERIALIZED", STANDING state ONLY_BY_AMOUNT, __VA_ARGS__, TOTALS, FROM_TOTALS)
#define READ(state, ...) PAGE("MATERIALIZED", STANDING_AND_READING state BY_READING, __VA_ARGS__, TOTALS, FROM_TOTALS)

// The statements of one order.
struct Pages {
    std::string_view plain_in_state, plain, narrow_in_state, narrow, read_in_state, read;
};
#define PAGES(...)                                                                                          \
    Pages {                                                                                                 \
        PLAIN(IN_STATE, __VA_ARGS__), PLAIN(IN_ANY_STATE, __VA_ARGS__), NARROW(IN_STATE, __VA_ARGS__),      \
            NARROW(IN_ANY_STATE, __VA_ARGS__), READ(IN_STATE, __VA_ARGS__), READ(IN_ANY_STATE, __VA_ARGS__) \
    }
#define PAGES_BY(place) PAGES(place, AFTER_PLACE(place), "o.place, o.draw_id")

Pages pages_of(DrawOrder order) {
    switch (order) {
        case DrawOrder::id: return PAGES("s.draw_id", AFTER_ID, "o.draw_id");
        case DrawOrder::newest_id: return PAGES("s.draw_id", BEFORE_ID, "o.draw_id DESC");
        case DrawOrder::amount: return PAGES_BY(SMALLEST_FIRST);
        case DrawOrder::largest_amount: return PAGES_BY(LARGEST_FIRST);
        case DrawOrder::since: return PAGES_BY(LONGEST_FIRST);
        case DrawOrder::newest_since: return PAGES_BY(LATEST_FIRST);
    }
    return {};
}

struct ListedRow {
    DrawRow draw;
    DrawSelection all;
};
DrawList to_list(std::vector<ListedRow> rows) {
    DrawList list;
    for (auto& row : rows)
        list.draws.push_back(std::move(row.draw));
    if (!rows.empty()) list.all = rows.front().all;
    return list;
}

DrawList run_plain(Ledger& ledger, const DrawFilter& filter, const Pages& pages, std::int64_t after) {
    Query query(ledger, filter.state ? pages.plain_in_state : pages.plain, filter.state.value_or(""), after,
                filter.limit);
    return to_list(query.records<ListedRow>());
}

DrawList run_narrow(Ledger& ledger, const DrawFilter& filter, const Pages& pages, std::int64_t after) {
    const bool reads = filter.workflow_id || !filter.text.empty() || !filter.payee.empty();
    const auto in_state = reads ? pages.read_in_state : pages.narrow_in_state;
    const auto in_any = reads ? pages.read : pages.narrow;
    const SelectedBy by(filter);
    Query query(ledger, filter.state ? in_state : in_any, by.state, after, filter.limit, by.min_cents, by.max_cents,
                by.workflow, by.text, by.payee, by.payee_name, by.field);
    return to_list(query.records<ListedRow>());
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

DrawList list_draws(Ledger& ledger, const DrawFilter& filter) {
    if (ledger.connection().in_transaction) apply_state_counts(ledger);
    const Pages pages = pages_of(filter.order);
    const auto after = filter.order == DrawOrder::newest_id ? newest_before(filter.after_id) : filter.after_id;
    if (filter.is_narrow()) {
        auto list = run_narrow(ledger, filter, pages, after);
        if (!list.draws.empty() || filter.after_id == 0) return list;
        // Behind the last page: the first one has the totals.
        DrawFilter first = filter;
        first.after_id = 0;
        return {{}, list_draws(ledger, first).all};
    }
    auto list = run_plain(ledger, filter, pages, after);
    const auto total = total_of(ledger, filter.state.value_or("seen"));
    list.all = {total.count, total.amount, total.without_amount};
    return list;
}

std::optional<DrawRow> find_draw(Ledger& ledger, DrawId id) {
    Query query(ledger, "SELECT " DRAW_ROW_COLUMNS " FROM draw_state s WHERE s.draw_id = ?", id);
    return query.first<DrawRow>();
}

}  // namespace drawbridge::ledger
