// `drawbridge run --once`.
#include <utility>

#include "build.hpp"
#include "drawbridge/daemon/archiving.hpp"
#include "drawbridge/daemon/backup.hpp"
#include "drawbridge/daemon/journal_mirror.hpp"
#include "drawbridge/daemon/log.hpp"
#include "drawbridge/daemon/progress_line.hpp"
#include "drawbridge/daemon/run_to_end.hpp"
#include "drawbridge/daemon/verifying.hpp"
#include "drawbridge/ledger/facts/runs.hpp"
#include "drawbridge/ledger/store/disk_space.hpp"
#include "drawbridge/pipeline/deliver.hpp"
#include "drawbridge/pipeline/steps.hpp"

namespace drawbridge::app {
namespace {

boost::asio::awaitable<void> archive(daemon::Application& app, const std::function<void(const StepOutcome&)>& on_step,
                                     std::vector<StepOutcome>& outcomes) {
    daemon::ArchiveWork all;
    all.is_more = true;
    StepOutcome outcome;
    outcome.step = "archive";
    while (all.is_more && outcome.ok) {
        auto slice = co_await keep_archive(app);
        outcome.ok = slice.has_value();
        if (slice) {
            all.add(std::move(*slice));
        } else {
            outcome.summary = slice.error().message;
        }
    }
    if (outcome.ok && all.did_nothing()) co_return;
    if (outcome.ok) outcome.summary = all.summary();
    outcome.problems = std::move(all.problems);
    outcome.ok = outcome.ok && outcome.problems.empty();
    on_step(outcome);
    outcomes.push_back(std::move(outcome));
}

// The rest of what Maintenance does in one round.
boost::asio::awaitable<void> verify_and_prune(daemon::Application& app,
                                              const std::function<void(const StepOutcome&)>& on_step,
                                              std::vector<StepOutcome>& outcomes) {
    constexpr int max_pruned_at_once = 10'000;
    app.ledger.transaction([&] {
        return ledger::delete_idle_runs(app.ledger, app.clock.now() - ledger::idle_run_retention, max_pruned_at_once);
    });
    const auto found = co_await verify_if_due(app);
    if (!found) co_return;
    StepOutcome outcome;
    outcome.step = "verify";
    outcome.summary = *found ? "every invariant holds" : found->error().message;
    outcome.ok = found->has_value();
    if (*found) {
        for (const auto& result : **found) {
            for (const auto& violation : result.violations)
                outcome.problems.push_back("invariant " + std::to_string(result.number) + ": " + violation);
        }
    }
    if (!outcome.problems.empty()) {
        outcome.ok = false;
        outcome.summary = "the ledger violates an invariant: run `drawbridge verify`";
    }
    on_step(outcome);
    outcomes.push_back(std::move(outcome));
}

boost::asio::awaitable<std::vector<StepOutcome>> run_steps(daemon::Application& app,
                                                           const std::function<void(const StepOutcome&)>& on_step,
                                                           daemon::ProgressLine& progress, const daemon::Log& log) {
    std::vector<StepOutcome> outcomes;
    // On a terminal the lines of the steps are enough.
    std::optional<daemon::JournalMirror> journal;
    if (daemon::is_structured(log) || log->should_log(spdlog::level::debug)) journal.emplace(app.ledger, log);
    bool polled = true;
    for (const Step step : all_steps) {
        // Most offices do not use delivery; skip its line for them.
        if (step == Step::deliver && !pipeline::delivery_due(*app.context)) continue;
        StepOutcome outcome;
        outcome.step = to_string(step);
        if (!polled && (step == Step::decide || step == Step::approve)) {
            outcome.skipped = true;
            outcome.summary = "skipped: poll failed, and the ledger's readings of draws may be old";
        } else {
            auto report = co_await pipeline::run_step(step, *app.context);
            outcome.ok = report.ok;
            outcome.summary = std::move(report.summary);
            outcome.problems = std::move(report.problems);
            if (step == Step::poll) polled = report.ok;
        }
        progress.clear();
        if (journal) {
            journal->mirror();
            log_event(log, outcome.ok ? daemon::kinds::step_ran() : daemon::kinds::step_failed(),
                      {{"STEP", outcome.step}}, outcome.step + (outcome.ok ? ": " : " failed: ") + outcome.summary);
        }
        on_step(outcome);
        outcomes.push_back(std::move(outcome));
    }
    const auto backup = co_await make_due_backup(app);
    if (backup) {
        StepOutcome outcome;
        outcome.step = "backup";
        outcome.ok = backup->has_value();
        outcome.summary = outcome.ok ? (*backup)->file : backup->error().message;
        on_step(outcome);
        outcomes.push_back(std::move(outcome));
    }
    co_await archive(app, on_step, outcomes);
    co_await verify_and_prune(app, on_step, outcomes);
    app.alerts->record_new();
    co_await app.alerts->send_once();
    co_return outcomes;
}

}  // namespace

std::expected<std::vector<StepOutcome>, StartFailure> run_once(const std::filesystem::path& config_file,
                                                               const std::function<void(const StepOutcome&)>& on_step) {
    wait_for_other_process(config_file);
    const auto built = build(config_file, Purpose::work);
    if (!built) return std::unexpected(built.error());
    auto& app = *built->application;
    const daemon::Log log = daemon::make_log(app.config.log_level, app.config.log_target);
    for (const auto& warning : app.warnings)
        log->warn("{}", warning.to_string());
    app.alerts_log = [&log](bool is_problem, const std::string& text) {
        log->log(is_problem ? spdlog::level::warn : spdlog::level::info, "{}", text);
    };
    daemon::ProgressLine progress;
    app.context->settings.wait_for_quiet_files = true;
    app.context->progress = [&](std::string_view step, std::int64_t done, std::int64_t total) {
        progress.show(step, done, total);
    };
    try {
        return daemon::run_to_end(app.io, run_steps(app, on_step, progress, log));
    } catch (const std::exception& failure) {
        auto full = ledger::no_space(app.ledger, failure);
        if (!full) throw;
        return std::unexpected(StartFailure{exit_disk, std::move(*full) + "; the next run continues"});
    }
}

}  // namespace drawbridge::app
