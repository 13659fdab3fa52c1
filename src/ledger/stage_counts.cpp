#include "stage_counts.hpp"

#include <optional>
#include <string_view>

#include "connection.hpp"

namespace drawbridge::ledger {
namespace {

constexpr const char* seen = "seen";

std::int64_t milliseconds(Instant at) {
    return at.time_since_epoch().count();
}

// Of a draw of which nothing is known but this. Sweeps of new draws come by the hundred thousand, and the view costs
// half as much as recording one. nullopt: the view has to be asked.
std::optional<std::string_view> stage_when_new(DrawStatus status) {
    switch (status) {
        case DrawStatus::not_submitted:
        case DrawStatus::submitted:
        case DrawStatus::pending_approval: return "pending";
        case DrawStatus::cancelled: return "cancelled";
        case DrawStatus::disbursed: return "external";
        case DrawStatus::approved: return std::nullopt;  // a case may be open already
    }
    return std::nullopt;
}

// Takes the draws that were changed out of the counts as they were, and puts them in as they are.
void add_moved(Ledger& ledger, StageCounts& counts) {
    {
        Query any(ledger, "SELECT 1 FROM draw_moved LIMIT 1");
        if (!any.next()) return;
    }
    {
        Query before(ledger, "SELECT stage, since, amount_cents FROM draw_moved WHERE stage IS NOT NULL");
        while (before.next()) {
            counts[{before.text(0), before.integer(1)}].add(-1, -before.optional_integer(2).value_or(0),
                                                            before.is_null(2) ? -1 : 0);
        }
    }
    {
        Query after(ledger,
                    "SELECT s.stage, s.since, s.amount_cents FROM draw_moved m "
                    "CROSS JOIN draw_stage s ON s.draw_id = m.draw_id");
        while (after.next()) {
            counts[{after.text(0), after.integer(1)}].add(1, after.optional_integer(2).value_or(0),
                                                          after.is_null(2) ? 1 : 0);
        }
    }
    Query(ledger, "DELETE FROM draw_moved").run();
}

void add_to_total(Ledger& ledger, std::string_view stage, const StageCount& count) {
    if (count.draws == 0 && count.cents == 0 && count.without_amount == 0) return;
    Query(ledger,
          "INSERT INTO stage_total (stage, draws, cents, without_amount) VALUES (?, ?, ?, ?) ON CONFLICT (stage) DO "
          "UPDATE SET draws = draws + excluded.draws, cents = cents + excluded.cents, "
          "without_amount = without_amount + excluded.without_amount",
          stage, count.draws, count.cents, count.without_amount)
        .run();
}

void add_to_age(Ledger& ledger, const std::string& stage, std::int64_t since, std::int64_t draws) {
    if (draws == 0) return;
    Query(ledger,
          "INSERT INTO stage_age (stage, since, draws) VALUES (?, ?, ?) ON CONFLICT (stage, since) DO UPDATE SET "
          "draws = draws + excluded.draws",
          stage, since, draws)
        .run();
    if (draws > 0) return;
    Query(ledger, "DELETE FROM stage_age WHERE stage = ? AND since = ? AND draws = 0", stage, since).run();
}

std::string words(const StageCount& count) {
    return std::to_string(count.draws) + " draws of " + std::to_string(count.cents) + " cents (" +
           std::to_string(count.without_amount) + " without an amount)";
}

bool same(const StageCount& a, const StageCount& b) {
    return a.draws == b.draws && a.cents == b.cents && a.without_amount == b.without_amount;
}

// By stage, from the facts; where the moments differ is said on the way.
std::map<std::string, StageCount> count_anew(Ledger& ledger, InvariantResult& result) {
    std::map<std::string, StageCount> stages;
    std::map<std::string, bool> told;
    const auto differs = [&](const std::string& stage) {
        if (std::exchange(told[stage], true)) return;
        result.violations.push_back("the ages of stage " + stage + " are not those of its draws");
    };
    Query facts(ledger,
                "SELECT stage, since, count(*), ifnull(sum(amount_cents), 0), sum(amount_cents IS NULL) "
                "FROM draw_stage GROUP BY stage, since ORDER BY stage, since");
    Query kept(ledger, "SELECT stage, since, draws FROM stage_age ORDER BY stage, since");
    bool more_kept = kept.next();
    while (facts.next()) {
        const auto stage = facts.text(0);
        const auto since = facts.integer(1);
        stages[stage].add(facts.integer(2), facts.integer(3), facts.integer(4));
        while (more_kept && std::pair(kept.text(0), kept.integer(1)) < std::pair(stage, since)) {
            differs(kept.text(0));
            more_kept = kept.next();
        }
        const bool is_kept = more_kept && kept.text(0) == stage && kept.integer(1) == since;
        if (!is_kept || kept.integer(2) != facts.integer(2)) differs(stage);
        if (is_kept) more_kept = kept.next();
    }
    for (; more_kept; more_kept = kept.next())
        differs(kept.text(0));
    return stages;
}

}  // namespace

void count_new_draw(Ledger& ledger, const Draw& draw, Instant at) {
    const auto stage = stage_when_new(draw.status);
    if (!stage) {
        Query(ledger, "INSERT OR IGNORE INTO draw_moved (draw_id) VALUES (?)", draw.id).run();
        return;
    }
    const auto amount = draw.amount_approved ? draw.amount_approved : draw.amount_requested;
    ledger.connection().uncounted[{std::string(*stage), milliseconds(at)}].add(1, amount ? amount->cents() : 0,
                                                                               amount ? 0 : 1);
}

void remember_count(Ledger& ledger, DrawId id) {
    Query(ledger,
          "INSERT INTO draw_moved SELECT s.draw_id, s.stage, s.amount_cents, s.since FROM draw_stage s "
          "WHERE s.draw_id = ? AND NOT EXISTS (SELECT 1 FROM draw_moved m WHERE m.draw_id = s.draw_id)",
          id)
        .run();
}

void carry_over_counts(Ledger& ledger) {
    auto counts = std::exchange(ledger.connection().uncounted, {});
    add_moved(ledger, counts);
    std::map<std::string, StageCount> stages;
    for (const auto& [where, count] : counts) {
        stages[where.first].add(count.draws, count.cents, count.without_amount);
        stages[seen].add(count.draws, count.cents, count.without_amount);
        add_to_age(ledger, where.first, where.second, count.draws);
    }
    for (const auto& [stage, count] : stages)
        add_to_total(ledger, stage, count);
}

void compare_counts(Ledger& ledger, InvariantResult& result) {
    auto stages = count_anew(ledger, result);
    {
        Query all(ledger,
                  "SELECT count(*), ifnull(sum(coalesce((SELECT p.amount_cents FROM payment p WHERE p.draw_id = "
                  "d.draw_id AND p.ended_at IS NULL), r.amount_approved_cents, r.amount_requested_cents)), 0), "
                  "ifnull(sum(r.amount_approved_cents IS NULL AND r.amount_requested_cents IS NULL AND NOT EXISTS "
                  "(SELECT 1 FROM payment p WHERE p.draw_id = d.draw_id AND p.ended_at IS NULL)), 0) "
                  "FROM draw d JOIN draw_reading r ON r.reading_id = d.reading_id");
        all.next();
        stages[seen].add(all.integer(0), all.integer(1), all.integer(2));
    }
    Query kept(ledger, "SELECT stage, draws, cents, without_amount FROM stage_total ORDER BY stage");
    while (kept.next()) {
        const StageCount count{kept.integer(1), kept.integer(2), kept.integer(3)};
        const auto fact = std::exchange(stages[kept.text(0)], {});
        if (same(count, fact)) continue;
        result.violations.push_back("stage " + kept.text(0) + " is counted as " + words(count) + "; the facts are " +
                                    words(fact));
    }
    for (const auto& [stage, fact] : stages) {
        if (same(fact, {})) continue;
        result.violations.push_back("stage " + stage + " is not counted; the facts are " + words(fact));
    }
}

}  // namespace drawbridge::ledger
