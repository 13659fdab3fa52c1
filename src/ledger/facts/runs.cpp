#include "drawbridge/ledger/facts/runs.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <set>

#include "drawbridge/domain/steps.hpp"
#include "drawbridge/ledger/facts/makers.hpp"
#include "drawbridge/ledger/facts/people.hpp"
#include "facts/pause_causes.hpp"
#include "store/connection.hpp"

namespace drawbridge::ledger {
namespace {

struct NumberedRun {
    std::int64_t id = 0;
    StepRun run;
};

std::optional<NumberedRun> newest_run(Ledger& ledger, Step step, bool ok) {
    Query query(ledger,
                R"sql(
        SELECT run_id, started_at, ended_at, summary, changed
        FROM step_run
        WHERE step = ? AND ok = ?
        ORDER BY run_id DESC
        LIMIT 1)sql",
                to_string(step), ok ? 1 : 0);
    if (!query.next()) return std::nullopt;
    NumberedRun found;
    found.run.step = step;
    found.run.ok = ok;
    query.read(found.id, found.run.started_at, found.run.ended_at, found.run.summary, found.run.changed);
    return found;
}

// Whether the person of this uid has paused since the last resume, for a reason with which `detail` begins.
bool has_paused(Ledger& ledger, std::int64_t uid, std::string_view detail) {
    Query query(ledger,
                R"sql(
        SELECT 1
        FROM movement_control c
        WHERE c.paused = 1
            AND c.control_id > (SELECT coalesce(max(control_id), 0) FROM movement_control WHERE paused = 0)
            AND (?2 = '' OR substr(?2, 1, length(c.reason)) = c.reason)
            AND (c.uid = ?1 OR EXISTS (SELECT 1 FROM uid_person_ever a
            JOIN uid_person_ever b ON b.person_id = a.person_id WHERE a.uid = c.uid AND b.uid = ?1)))sql",
                uid, detail);
    return query.next();
}

// An open exception that paused everything, about a draw or file that the person of this uid had a hand in: this
// exception, or 0 for any.
std::optional<std::int64_t> cause_made_by(Ledger& ledger, std::int64_t uid, std::int64_t exception_id = 0) {
    Query query(ledger,
                R"sql(
        SELECT c.exception_id
        FROM (SELECT e.exception_id, h.uid, NULL AS person_id FROM exception e
            JOIN maker_act h ON h.draw_id = e.draw_id WHERE e.closed_at IS NULL AND e.reason_code IN )sql" PAUSE_CAUSES
                " UNION ALL SELECT e.exception_id, m.uid, m.person_id FROM exception e JOIN payment_file f "
                "ON f.name = e.subject JOIN file_maker m ON m.file_id = f.file_id WHERE e.closed_at IS NULL AND "
                "e.reason_code IN " PAUSE_CAUSES
                ") c WHERE (?2 = 0 OR c.exception_id = ?2) AND (c.uid = ?1 OR c.person_id IN (SELECT person_id FROM "
                "uid_person_ever WHERE uid = ?1) OR EXISTS (SELECT 1 FROM uid_person_ever a JOIN uid_person_ever b "
                "ON b.person_id = a.person_id WHERE a.uid = c.uid AND b.uid = ?1)) LIMIT 1",
                uid, exception_id);
    return query.first<std::int64_t>();
}

// "ask Bo, Cy", whom check_may_close_cause() would not refuse.
std::string who_may_close(Ledger& ledger, const ExceptionRow& cause, std::int64_t uid) {
    const Roles roles = may_resolve(cause.what.step);
    const auto asks = person_of(ledger, uid);
    std::set<std::string> names;
    for (const Role role : all_roles) {
        if (!roles.has(role)) continue;
        for (const auto& person : active_holders(ledger, role)) {
            const bool is_refused = std::ranges::any_of(person.uids, [&](std::int64_t other) {
                return has_paused(ledger, other, cause.what.detail) ||
                       cause_made_by(ledger, other, cause.exception_id).has_value();
            });
            if (person.person_id != asks && !is_refused) names.insert(person.name);
        }
    }
    if (!names.empty()) return fmt::format("ask {}", fmt::join(names, ", "));
    return "ask an admin to give the role " + to_string(Roles{Role::operate}) +
           " to one more person, who had no hand in it";
}

}  // namespace

void record_run(Ledger& ledger, const StepRun& run) {
    assert_in_transaction(ledger);
    Query(ledger, "INSERT INTO step_run (step, started_at, ended_at, ok, summary, changed) VALUES (?, ?, ?, ?, ?, ?)",
          to_string(run.step), run.started_at, run.ended_at, run.ok ? 1 : 0, run.summary, run.changed ? 1 : 0)
        .run();
    ++ledger.connection().rows_about_runs;
    ledger.connection().newest_act_at = run.ended_at;
}

std::int64_t changes_made(Ledger& ledger) {
    return ledger.connection().db.changed_rows() - ledger.connection().rows_about_runs;
}

int delete_idle_runs(Ledger& ledger, Instant ended_before, int limit) {
    assert_in_transaction(ledger);
    {
        Query comparing(ledger, "SELECT 1 FROM restoration WHERE resolved_at IS NULL");
        if (comparing.next()) return 0;
    }
    int deleted = Query(ledger,
                        R"sql(
        DELETE FROM step_run
        WHERE run_id IN (SELECT r.run_id FROM step_run r INDEXED BY step_run_idle WHERE r.changed = 0
            AND r.ended_at < ? AND r.run_id < (SELECT n.run_id FROM step_run n WHERE n.step = r.step
            AND n.ok = r.ok ORDER BY n.run_id DESC LIMIT 1) ORDER BY r.ended_at LIMIT ?))sql",
                        ended_before, limit)
                      .run_counted();
    deleted += Query(ledger,
                     R"sql(
        DELETE FROM poll_sweep
        WHERE sweep_id IN (SELECT s.sweep_id FROM poll_sweep s INDEXED BY poll_sweep_idle
            WHERE s.kind = 'incremental' AND s.draws_changed = 0 AND s.completed_at < ?
            AND s.sweep_id < (SELECT max(sweep_id) FROM poll_sweep)
            AND (s.newest_modified_date IS NULL OR s.newest_modified_date < (SELECT max(newest_modified_date)
            FROM poll_sweep)) ORDER BY s.completed_at LIMIT ?))sql",
                     ended_before, limit)
                   .run_counted();
    return deleted;
}

std::optional<StepRun> last_run(Ledger& ledger, Step step) {
    auto succeeded = newest_run(ledger, step, /*ok=*/true);
    auto failed = newest_run(ledger, step, /*ok=*/false);
    if (!succeeded) return failed ? std::optional(std::move(failed->run)) : std::nullopt;
    return failed && failed->id > succeeded->id ? std::move(failed->run) : std::move(succeeded->run);
}

std::vector<LastRuns> last_runs(Ledger& ledger) {
    std::vector<LastRuns> all;
    for (const Step step : all_steps) {
        auto last = last_run(ledger, step);
        if (!last) continue;
        const auto succeeded = newest_run(ledger, step, /*ok=*/true);
        all.push_back({std::move(*last), succeeded ? std::optional(succeeded->run.ended_at) : std::nullopt});
    }
    return all;
}

DecideRunId begin_decide_run(Ledger& ledger, Instant at) {
    assert_in_transaction(ledger);
    {
        Query open(ledger, "SELECT run_id FROM decide_run WHERE ended_at IS NULL");
        if (const auto run = open.first<DecideRunId>()) return *run;
    }
    const auto run_id = new_row(ledger, "SELECT max(run_id) FROM decide_run");
    Query(ledger, "INSERT INTO decide_run (run_id, started_at) VALUES (?, ?)", run_id, at).run();
    return run_id;
}

void end_decide_run(Ledger& ledger, DecideRunId run, Instant at) {
    assert_in_transaction(ledger);
    Query(ledger, "UPDATE decide_run SET ended_at = ? WHERE run_id = ? AND ended_at IS NULL", at, run).run();
}

void record_cutoff(Ledger& ledger, Instant cutoff, Instant served_at) {
    assert_in_transaction(ledger);
    Query(ledger,
          R"sql(
        INSERT INTO cutoff_served (cutoff_at, served_at, after_run_id)
        VALUES (?, ?, (SELECT run_id FROM newest_run)))sql",
          cutoff, served_at)
        .run();
}

std::optional<Instant> last_cutoff(Ledger& ledger, Instant now) {
    Query query(ledger,
                R"sql(
        SELECT c.cutoff_at
        FROM cutoff_served c
        WHERE c.cutoff_at <= ? AND NOT EXISTS (SELECT 1 FROM step_run s WHERE s.run_id > c.after_run_id
            AND s.ended_at < c.cutoff_at)
        ORDER BY c.cutoff_at DESC
        LIMIT 1)sql",
                now);
    return query.first<Instant>();
}

std::int64_t newest_run(Ledger& ledger, Step step, const TimeZone& zone, BusinessDate day) {
    const auto midnight = [&](BusinessDate date) { return zone.to_instant(date, std::chrono::minutes(0)); };
    const BusinessDate next(std::chrono::sys_days(day) + std::chrono::days(1));
    Query query(ledger,
                R"sql(
        SELECT coalesce(max(run_id), 0)
        FROM step_run
        WHERE step = ? AND ok = 1 AND ended_at >= ? AND ended_at < ?)sql",
                to_string(step), midnight(day), midnight(next));
    return query.only<std::int64_t>();
}

std::int64_t newest_run(Ledger& ledger, const TimeZone& zone, BusinessDate day) {
    std::int64_t newest = 0;
    for (const Step step : all_steps)
        newest = std::max(newest, newest_run(ledger, step, zone, day));
    return newest;
}

std::optional<Instant> last_run_ended_at(Ledger& ledger) {
    Query query(ledger, "SELECT ended_at FROM step_run WHERE run_id = (SELECT max(run_id) FROM step_run)");
    return query.first<Instant>();
}

int failed_runs_in_a_row(Ledger& ledger, Step step) {
    Query query(ledger,
                R"sql(
        SELECT count(*)
        FROM step_run
        WHERE step = ? AND ok = 0 AND run_id > coalesce((SELECT max(run_id) FROM step_run WHERE step = ?
            AND ok = 1), 0))sql",
                to_string(step), to_string(step));
    return query.only<int>();
}

std::optional<Movement> movement(Ledger& ledger) {
    Query query(ledger, "SELECT paused, at, by, reason FROM movement_control ORDER BY control_id DESC LIMIT 1");
    return query.first<Movement>();
}

bool is_paused(Ledger& ledger) {
    const auto control = movement(ledger);
    if (control && control->paused) return true;
    // An open restoration pauses whatever the switch says.
    Query query(ledger, "SELECT 1 FROM restoration WHERE resolved_at IS NULL");
    return query.next();
}

// A restored ledger is not included: its pause has a condition of its own and no override.
std::vector<std::int64_t> open_causes_of_pause(Ledger& ledger) {
    Query query(ledger, "SELECT exception_id FROM exception WHERE closed_at IS NULL AND reason_code IN " PAUSE_CAUSES
                        " ORDER BY exception_id");
    return query.records<std::int64_t>();
}

std::optional<std::int64_t> open_loss_by_restore(Ledger& ledger) {
    Query query(ledger,
                "SELECT exception_id FROM exception WHERE closed_at IS NULL AND reason_code IN (" LOST_BY_RESTORE
                ") ORDER BY exception_id LIMIT 1");
    return query.first<std::int64_t>();
}

Result<void> check_may_override_pause(Ledger& ledger, const Stamp& stamp) {
    if (!stamp.uid || is_nobody(*stamp.uid)) {
        return fail(
            ErrorCode::forbidden,
            "resume: root and the service's own user identify no particular person: resume under your own login");
    }
    if (const auto exception_id = open_loss_by_restore(ledger)) {
        return fail(ErrorCode::forbidden, "resume: exception " + std::to_string(*exception_id) +
                                              " names acts or files that the restored ledger does not know, and "
                                              "--despite-exceptions does not override it: resolve it first");
    }
    if (has_paused(ledger, *stamp.uid, ""))
        return fail(ErrorCode::forbidden, "resume: you paused: a second person must resume");
    const auto exception_id = cause_made_by(ledger, *stamp.uid);
    if (!exception_id) return {};
    return fail(ErrorCode::forbidden, "resume: you had a hand in what exception " + std::to_string(*exception_id) +
                                          " is about: a second person must resume");
}

Result<void> check_may_close_cause(Ledger& ledger, const ExceptionRow& cause, const Stamp& stamp) {
    if (!stamp.uid || is_nobody(*stamp.uid) || !roles_are_set_up(ledger)) return {};
    const auto causes = open_causes_of_pause(ledger);
    if (std::ranges::find(causes, cause.exception_id) == causes.end()) return {};
    const bool reported = has_paused(ledger, *stamp.uid, cause.what.detail);
    if (!reported && !cause_made_by(ledger, *stamp.uid, cause.exception_id)) return {};
    return fail(ErrorCode::forbidden,
                std::string(reported ? "you reported what the bank says" : "you had a hand in what it is about") +
                    ": another person must resolve exception " + std::to_string(cause.exception_id) +
                    ", which paused everything: " + who_may_close(ledger, cause, *stamp.uid));
}

void set_paused(Ledger& ledger, bool paused, std::string_view reason, const Stamp& stamp) {
    assert_in_transaction(ledger);
    Query(ledger, "INSERT INTO movement_control (at, paused, by, reason, uid) VALUES (?, ?, ?, ?, ?)", stamp.at,
          paused ? 1 : 0, stamp.actor, reason, stamp.uid)
        .run();
    audit(ledger, stamp, paused ? "movement.paused" : "movement.resumed", "ledger", reason);
}

}  // namespace drawbridge::ledger
