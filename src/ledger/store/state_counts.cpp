#include "store/state_counts.hpp"

#include <algorithm>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "store/connection.hpp"
#include "store/id_list.hpp"

namespace drawbridge::ledger {
namespace {

constexpr const char* seen = "seen";

std::int64_t milliseconds(Instant at) {
    return at.time_since_epoch().count();
}

// The state of a draw known only by this reading. Sweeps bring new draws by the hundred thousand, and asking the view
// costs half as much as recording one. nullopt: ask the view.
std::optional<std::string_view> state_when_new(DrawStatus status) {
    switch (status) {
        case DrawStatus::not_submitted:
        case DrawStatus::submitted:
        case DrawStatus::pending_approval: return "pending";
        case DrawStatus::cancelled: return "cancelled";
        case DrawStatus::disbursed: return "external";
        case DrawStatus::approved: return std::nullopt;  // an exception may be open already
    }
    return std::nullopt;
}

// Adds the draws that `query` returns.
void add_standings(Query query, StateCounts& counts, std::int64_t sign) {
    while (query.next()) {
        counts[{query.text(0), query.integer(1)}].add(sign, sign * query.optional_integer(2).value_or(0),
                                                      query.is_null(2) ? sign : 0);
    }
}

// Subtracts these draws as they were counted, and adds them as they are now.
void move_draws(Ledger& ledger, const std::string& ids, StateCounts& counts) {
    add_standings(
        Query(ledger, "SELECT state, since, amount_cents FROM draw_standing WHERE draw_id IN " LISTED_IDS, ids), counts,
        -1);
    add_standings(Query(ledger,
                        R"sql(
        INSERT INTO draw_standing (draw_id, state, reading_id, amount_cents, since)
        SELECT s.draw_id, s.state, s.reading_id, s.amount_cents, s.since
        FROM draw_state s
        WHERE s.draw_id IN )sql" LISTED_IDS R"sql(
        ON CONFLICT (draw_id) DO UPDATE SET state = excluded.state, reading_id = excluded.reading_id,
            amount_cents = excluded.amount_cents, since = excluded.since
        RETURNING state, since, amount_cents)sql",
                        ids),
                  counts, 1);
}

void move_draws(Ledger& ledger, StateCounts& counts) {
    std::vector<DrawId> moved;
    {
        Query query(ledger, "SELECT draw_id FROM draw_moved");
        while (query.next())
            moved.push_back(query.integer(0));
    }
    if (moved.empty()) return;
    std::ranges::sort(moved);
    // Some at a time: SQLite keeps in memory what a statement returns until it ends.
    constexpr std::size_t draws_at_once = 10'000;
    for (std::size_t from = 0; from < moved.size(); from += draws_at_once) {
        const auto some = std::span(moved).subspan(from, std::min(draws_at_once, moved.size() - from));
        move_draws(ledger, id_list(some), counts);
    }
    Query(ledger, "DELETE FROM draw_moved").run();
}

void add_to_total(Ledger& ledger, std::string_view state, const StateCount& count) {
    if (count.draws == 0 && count.cents == 0 && count.without_amount == 0) return;
    Query(ledger,
          R"sql(
        INSERT INTO state_total (state, draws, cents, without_amount)
        VALUES (?, ?, ?, ?)
        ON CONFLICT (state) DO UPDATE SET draws = state_total.draws + excluded.draws,
            cents = state_total.cents + excluded.cents,
            without_amount = state_total.without_amount + excluded.without_amount)sql",
          state, count.draws, count.cents, count.without_amount)
        .run();
}

void add_to_age(Ledger& ledger, const std::string& state, std::int64_t since, std::int64_t draws) {
    if (draws == 0) return;
    Query(ledger,
          R"sql(
        INSERT INTO state_age (state, since, draws)
        VALUES (?, ?, ?)
        ON CONFLICT (state, since) DO UPDATE SET draws = state_age.draws + excluded.draws)sql",
          state, since, draws)
        .run();
    if (draws > 0) return;
    Query(ledger, "DELETE FROM state_age WHERE state = ? AND since = ? AND draws = 0", state, since).run();
}

std::string words(const StateCount& count) {
    return std::to_string(count.draws) + " draws of " + std::to_string(count.cents) + " cents (" +
           std::to_string(count.without_amount) + " without an amount)";
}

bool same(const StateCount& a, const StateCount& b) {
    return a.draws == b.draws && a.cents == b.cents && a.without_amount == b.without_amount;
}

// Recounts the states from the facts, and reports ages that differ.
std::map<std::string, StateCount> recount(Ledger& ledger, InvariantResult& result) {
    std::map<std::string, StateCount> states;
    std::map<std::string, bool> reported;
    const auto differs = [&](const std::string& state) {
        if (std::exchange(reported[state], true)) return;
        result.violations.push_back("the ages of state " + state + " differ from those of its draws");
    };
    Query facts(ledger,
                R"sql(
        SELECT state, since, count(*), coalesce(sum(amount_cents), 0), count(*) FILTER (WHERE amount_cents IS NULL)
        FROM draw_state
        GROUP BY state, since
        ORDER BY state, since)sql");
    Query stored(ledger, "SELECT state, since, draws FROM state_age ORDER BY state, since");
    bool more_stored = stored.next();
    while (facts.next()) {
        const auto state = facts.text(0);
        const auto since = facts.integer(1);
        states[state].add(facts.integer(2), facts.integer(3), facts.integer(4));
        while (more_stored && std::pair(stored.text(0), stored.integer(1)) < std::pair(state, since)) {
            differs(stored.text(0));
            more_stored = stored.next();
        }
        const bool is_stored = more_stored && stored.text(0) == state && stored.integer(1) == since;
        if (!is_stored || stored.integer(2) != facts.integer(2)) differs(state);
        if (is_stored) more_stored = stored.next();
    }
    for (; more_stored; more_stored = stored.next())
        differs(stored.text(0));
    return states;
}

void compare_standings(Ledger& ledger, InvariantResult& result) {
    constexpr int max_listed = 10;
    Query query(ledger,
                R"sql(
        SELECT s.draw_id, s.state
        FROM draw_state s
        LEFT JOIN draw_standing t ON t.draw_id = s.draw_id
        WHERE t.state IS DISTINCT FROM s.state OR t.reading_id IS DISTINCT FROM s.reading_id
            OR t.amount_cents IS DISTINCT FROM s.amount_cents OR t.since IS DISTINCT FROM s.since
        ORDER BY s.draw_id
        LIMIT ?)sql",
                max_listed);
    while (query.next()) {
        result.violations.push_back("draw " + query.text(0) + " is " + query.text(1) +
                                    ", and is listed with another state, amount or time");
    }
    Query more(
        ledger,
        "SELECT count(*) FROM draw_standing t WHERE NOT EXISTS (SELECT 1 FROM draw d WHERE d.draw_id = t.draw_id)");
    if (const auto count = more.only<std::int64_t>(); count > 0)
        result.violations.push_back(std::to_string(count) + " draws are listed that were never seen");
}

}  // namespace

void count_new_draw(Ledger& ledger, const Draw& draw, std::int64_t reading_id, Instant at) {
    const auto state = state_when_new(draw.status);
    if (!state) {
        draw_moves(ledger, draw.id);
        return;
    }
    const auto amount = draw.amount_approved ? draw.amount_approved : draw.amount_requested;
    Query(ledger, "INSERT INTO draw_standing (draw_id, state, reading_id, amount_cents, since) VALUES (?, ?, ?, ?, ?)",
          draw.id, *state, reading_id, amount, at)
        .run_in_bulk();
    ledger.connection().uncounted[{std::string(*state), milliseconds(at)}].add(1, amount ? amount->cents() : 0,
                                                                               amount ? 0 : 1);
}

void draw_moves(Ledger& ledger, DrawId id) {
    Query(ledger, "INSERT INTO draw_moved (draw_id) VALUES (?) ON CONFLICT DO NOTHING", id).run_in_bulk();
}

void apply_state_counts(Ledger& ledger) {
    auto counts = std::exchange(ledger.connection().uncounted, {});
    move_draws(ledger, counts);
    std::map<std::string, StateCount> states;
    for (const auto& [where, count] : counts) {
        states[where.first].add(count.draws, count.cents, count.without_amount);
        states[seen].add(count.draws, count.cents, count.without_amount);
        add_to_age(ledger, where.first, where.second, count.draws);
    }
    for (const auto& [state, count] : states)
        add_to_total(ledger, state, count);
}

void compare_counts(Ledger& ledger, InvariantResult& result) {
    compare_standings(ledger, result);
    auto states = recount(ledger, result);
    {
        Query all(ledger,
                  R"sql(
            SELECT count(*), coalesce(sum(coalesce((SELECT p.amount_cents FROM payment p WHERE p.draw_id = d.draw_id
                AND p.ended_at IS NULL), r.amount_approved_cents, r.amount_requested_cents)), 0),
                count(*) FILTER (WHERE r.amount_approved_cents IS NULL AND r.amount_requested_cents IS NULL
                AND NOT EXISTS (SELECT 1 FROM payment p WHERE p.draw_id = d.draw_id AND p.ended_at IS NULL))
            FROM draw d
            JOIN draw_reading r ON r.reading_id = d.reading_id)sql");
        all.next();
        states[seen].add(all.integer(0), all.integer(1), all.integer(2));
    }
    Query stored(ledger, "SELECT state, draws, cents, without_amount FROM state_total ORDER BY state");
    while (stored.next()) {
        const StateCount count{stored.integer(1), stored.integer(2), stored.integer(3)};
        const auto fact = std::exchange(states[stored.text(0)], {});
        if (same(count, fact)) continue;
        result.violations.push_back("state " + stored.text(0) + " is counted as " + words(count) +
                                    ", but the facts are " + words(fact));
    }
    for (const auto& [state, fact] : states) {
        if (same(fact, {})) continue;
        result.violations.push_back("state " + state + " is not counted, but the facts are " + words(fact));
    }
}

}  // namespace drawbridge::ledger
