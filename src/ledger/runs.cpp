#include "drawbridge/ledger/runs.hpp"

#include "connection.hpp"

namespace drawbridge::ledger {

void record_run(Ledger& ledger, const StageRun& run) {
    assert_in_transaction(ledger);
    Query(ledger, "INSERT INTO stage_run (stage, started_at, ended_at, ok, summary) VALUES (?, ?, ?, ?, ?)", run.stage,
          run.started_at, run.ended_at, run.ok ? 1 : 0, run.summary)
        .run();
}

std::vector<LastRuns> last_runs(Ledger& ledger) {
    constexpr std::string_view stages[] = {"poll", "decide", "approve", "pay", "confirm", "report"};
    std::vector<LastRuns> all;
    for (const auto stage : stages) {
        LastRuns runs;
        runs.stage = stage;
        {
            Query query(ledger,
                        "SELECT started_at, ended_at, ok, summary FROM stage_run WHERE stage = ? "
                        "ORDER BY run_id DESC LIMIT 1",
                        stage);
            if (!query.next()) continue;
            runs.last = {std::string(stage), query.instant(0), query.instant(1), query.integer(2) == 1, query.text(3)};
        }
        Query query(ledger, "SELECT ended_at FROM stage_run WHERE stage = ? AND ok = 1 ORDER BY run_id DESC LIMIT 1",
                    stage);
        if (query.next()) runs.last_ok = query.instant(0);
        all.push_back(std::move(runs));
    }
    return all;
}

void record_cutoff(Ledger& ledger, Instant cutoff, Instant served_at) {
    assert_in_transaction(ledger);
    Query(ledger, "INSERT INTO cutoff_served (cutoff_at, served_at) VALUES (?, ?) ON CONFLICT DO NOTHING", cutoff,
          served_at)
        .run();
}

std::optional<Instant> last_cutoff(Ledger& ledger) {
    Query query(ledger, "SELECT max(cutoff_at) FROM cutoff_served");
    query.next();
    return query.optional_instant(0);
}

std::optional<Movement> movement(Ledger& ledger) {
    Query query(ledger, "SELECT paused, at, by, reason FROM movement_control ORDER BY control_id DESC LIMIT 1");
    if (!query.next()) return std::nullopt;
    return Movement{query.integer(0) == 1, query.instant(1), query.text(2), query.text(3)};
}

bool is_paused(Ledger& ledger) {
    const auto control = movement(ledger);
    if (control && control->paused) return true;
    // Whatever the switch says.
    Query query(ledger, "SELECT 1 FROM restoration WHERE settled_at IS NULL");
    return query.next();
}

void set_paused(Ledger& ledger, bool paused, std::string_view reason, const Stamp& stamp) {
    assert_in_transaction(ledger);
    Query(ledger, "INSERT INTO movement_control (at, paused, by, reason) VALUES (?, ?, ?, ?)", stamp.at, paused ? 1 : 0,
          stamp.actor, reason)
        .run();
    audit(ledger, stamp, paused ? "movement.paused" : "movement.resumed", "ledger", reason);
}

}  // namespace drawbridge::ledger
