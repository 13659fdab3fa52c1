// `drawbridge run --once`.
#include <utility>

#include "application.hpp"
#include "backup.hpp"
#include "drawbridge/ledger/disk_space.hpp"
#include "drawbridge/pipeline/deliver.hpp"
#include "drawbridge/pipeline/stages.hpp"
#include "journal_mirror.hpp"
#include "log.hpp"
#include "progress_line.hpp"
#include "run_to_end.hpp"

namespace drawbridge::daemon {
namespace {

using Stage = asio::awaitable<pipeline::StageReport> (*)(pipeline::Context&);

struct NamedStage {
    std::string_view name;
    Stage run;
    bool needs_poll;
};
constexpr NamedStage stages[] = {
    {"poll", pipeline::poll, false},     {"decide", pipeline::decide, true},    {"approve", pipeline::approve, true},
    {"pay", pipeline::pay, false},       {"deliver", pipeline::deliver, false}, {"confirm", pipeline::confirm, false},
    {"report", pipeline::report, false},
};

asio::awaitable<std::vector<StageOutcome>> run_stages(Application& app,
                                                      const std::function<void(const StageOutcome&)>& on_stage,
                                                      ProgressLine& progress, const Log& log) {
    std::vector<StageOutcome> outcomes;
    // On a terminal the stages' own lines say enough.
    std::optional<JournalMirror> journal;
    if (is_structured(log) || log->should_log(spdlog::level::debug)) journal.emplace(app.ledger, log);
    bool polled = true;
    for (const auto& stage : stages) {
        // Most offices leave files in outgoing/ and need not hear of it.
        if (stage.name == "deliver" && !pipeline::delivery_due(*app.context)) continue;
        StageOutcome outcome;
        outcome.stage = stage.name;
        if (stage.needs_poll && !polled) {
            outcome.skipped = true;
            outcome.summary = "skipped: poll failed, what the ledger knows of the draws may be old";
        } else {
            auto report = co_await stage.run(*app.context);
            outcome.ok = report.ok;
            outcome.summary = std::move(report.summary);
            outcome.problems = std::move(report.problems);
            if (stage.name == "poll") polled = report.ok;
        }
        progress.clear();
        if (journal) {
            journal->tell();
            log_event(log, outcome.ok ? kinds::stage_ran() : kinds::stage_failed(), {{"STAGE", outcome.stage}},
                      outcome.stage + (outcome.ok ? ": " : " failed: ") + outcome.summary);
        }
        on_stage(outcome);
        outcomes.push_back(std::move(outcome));
    }
    const auto backup = co_await make_due_backup(app);
    if (backup) {
        StageOutcome outcome;
        outcome.stage = "backup";
        outcome.ok = backup->has_value();
        outcome.summary = outcome.ok ? (*backup)->file : backup->error().message;
        on_stage(outcome);
        outcomes.push_back(std::move(outcome));
    }
    app.alerts->notice();
    co_await app.alerts->send_once();
    co_return outcomes;
}

}  // namespace

std::expected<std::vector<StageOutcome>, StartFailure> run_once(
    const std::filesystem::path& config_file, const std::function<void(const StageOutcome&)>& on_stage) {
    auto app = Application::build(config_file, Purpose::work);
    if (!app) return std::unexpected(app.error());
    const Log log = make_log((*app)->config.log_level, (*app)->config.log_target);
    for (const auto& warning : (*app)->warnings)
        log->warn("{}", warning.to_string());
    (*app)->alerts_say = [&log](bool is_problem, const std::string& text) {
        log->log(is_problem ? spdlog::level::warn : spdlog::level::info, "{}", text);
    };
    ProgressLine progress;
    (*app)->context->settings.wait_for_settling = true;
    (*app)->context->progress = [&](std::string_view stage, std::int64_t done, std::int64_t total) {
        progress.show(stage, done, total);
    };
    try {
        return run_to_end((*app)->io, run_stages(**app, on_stage, progress, log));
    } catch (const std::exception& failure) {
        auto full = ledger::no_space((*app)->ledger, failure);
        if (!full) throw;
        return std::unexpected(StartFailure{exit_disk, std::move(*full) + ", the next run goes on"});
    }
}

}  // namespace drawbridge::daemon
