#include "store/state_counts.hpp"

#include <optional>
#include <string_view>

#include "store/connection.hpp"

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

// Subtracts the changed draws as they were counted, and adds them as they are now.
void add_moved(Ledger& ledger, StateCounts& counts) {
    {
        Query any(ledger, "SELECT 1 FROM draw_moved LIMIT 1");
        if (!any.next()) return;
    }
    {
        Query before(ledger, "SELECT state, since, amount_cents FROM draw_moved WHERE state IS NOT NULL");
        while (before.next()) {
            counts[{before.text(0), before.integer(1)}].add(-1, -before.optional_integer(2).value_or(0),
                                                            before.is_null(2) ? -1 : 0);
        }
    }
    {
        Query after(ledger,
                    R"sql(
            SELECT s.state, s.since, s.amount_cents
            FROM draw_moved m
            CROSS JOIN draw_state s ON s.draw_id = m.draw_id)sql");
        while (after.next()) {
            counts[{after.text(0), after.integer(1)}].add(1, after.optional_integer(2).value_or(0),
                                                          after.is_null(2) ? 1 : 0);
        }
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

}  // namespace

void count_new_draw(Ledger& ledger, const Draw& draw, Instant at) {
    const auto state = state_when_new(draw.status);
    if (!state) {
        Query(ledger, "INSERT INTO draw_moved (draw_id) VALUES (?) ON CONFLICT DO NOTHING", draw.id).run();
        return;
    }
    const auto amount = draw.amount_approved ? draw.amount_approved : draw.amount_requested;
    ledger.connection().uncounted[{std::string(*state), milliseconds(at)}].add(1, amount ? amount->cents() : 0,
                                                                               amount ? 0 : 1);
}

void remember_state_count(Ledger& ledger, DrawId id) {
    Query(ledger,
          R"sql(
        INSERT INTO draw_moved
        SELECT s.draw_id, s.state, s.amount_cents, s.since
        FROM draw_state s
        WHERE s.draw_id = ? AND NOT EXISTS (SELECT 1 FROM draw_moved m WHERE m.draw_id = s.draw_id))sql",
          id)
        .run();
}

void apply_state_counts(Ledger& ledger) {
    auto counts = std::exchange(ledger.connection().uncounted, {});
    add_moved(ledger, counts);
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
