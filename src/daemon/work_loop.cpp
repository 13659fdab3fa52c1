#include "work_loop.hpp"

#include <algorithm>
#include <boost/asio/as_tuple.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <utility>

#include "drawbridge/ledger/exceptions.hpp"
#include "drawbridge/ledger/runs.hpp"
#include "drawbridge/pipeline/payment_files.hpp"
#include "drawbridge/pipeline/stages.hpp"
#include "requests.hpp"

namespace drawbridge::daemon {
namespace {

using std::chrono::steady_clock;

constexpr auto no_throw = asio::as_tuple(asio::use_awaitable);
// However long the waits are, the clock may be set and the watchdog wants to be fed.
// Files of rules and payees are looked at so often; what has not changed between two looks is complete.
constexpr std::chrono::seconds longest_wait{2};

std::string counted(std::size_t count, std::string_view what) {
    return std::to_string(count) + " " + std::string(what) + (count == 1 ? "" : "s");
}

}  // namespace

WorkLoop::WorkLoop(Application& app, const Log& log, Systemd& systemd)
    : app_(app),
      log_(log),
      systemd_(systemd),
      cutoffs_(app.cutoff_plan()),
      wake_(app.io),
      started_at_(app.clock.now()),
      next_poll_(steady_clock::now()) {
    loaded_stamps_ = seen_stamps_ = stamps_of_inputs(app_.config);
    reloaded_at_ = reloaded_well_at_ = started_at_;
    app_.context->settings.patch_retry_base = app_.config.poll.every;
    app_.context->settings.full_sweep_every = app_.config.poll.full_sweep_every;
    app_.context->progress = [this](std::string_view stage, std::int64_t done, std::int64_t total) {
        systemd_.alive();
        progress_.show(stage, done, total);
    };
}

asio::awaitable<void> WorkLoop::run() {
    while (!stopping_) {
        ledger::require_in_place(app_.ledger);
        look_for_changed_inputs();
        co_await between_stages();
        if (steady_clock::now() >= next_poll_) {
            next_poll_ = steady_clock::now() + app_.config.poll.every;
            co_await poll_and_all_after();
        } else if (cutoff_due()) {
            co_await pay_at_cutoff();
        } else if (confirm_at_ && steady_clock::now() >= *confirm_at_) {
            co_await confirm_and_report();
        }
        tell_status();
        co_await wait();
    }
}

// Nowhere here does a condition hold a co_await: g++ 12 lays such a coroutine's frame out wrongly when a branch waits
// too.
asio::awaitable<void> WorkLoop::poll_and_all_after() {
    const bool polled = co_await run_stage("poll", pipeline::poll);
    if (polled) {
        co_await run_stage("decide", pipeline::decide);
        co_await run_stage("approve", pipeline::approve);
    } else if (!stopping_) {
        log_->warn("decide and approve are skipped: poll failed, what the ledger knows of the draws may be old");
    }
    co_await pay_at_cutoff();
    co_await confirm_and_report();
}

asio::awaitable<void> WorkLoop::confirm_and_report() {
    confirm_at_.reset();
    co_await run_stage("confirm", pipeline::confirm);
    co_await run_stage("report", pipeline::report);
}

std::optional<Instant> WorkLoop::cutoff_due() const {
    // While paused a cut-off stays due: resumed on the same day, it is made up.
    if (ledger::is_paused(app_.ledger)) return std::nullopt;
    return due_cutoff(cutoffs_, ledger::last_cutoff(app_.ledger), app_.ledger.created_at(), app_.clock.now());
}

asio::awaitable<void> WorkLoop::pay_at_cutoff() {
    const auto cutoff = cutoff_due();
    if (!cutoff || stopping_) co_return;
    log_->info("the cut-off of {} is served", format_instant(*cutoff));
    // A run that could not plan at all is tried again in the next round; one that left single draws or files to a
    // person is not, or every poll would pay.
    co_await run_stage("pay", pipeline::pay);
    if (!last_complete_) co_return;
    app_.ledger.transaction([&] { ledger::record_cutoff(app_.ledger, *cutoff, app_.clock.now()); });
}

asio::awaitable<bool> WorkLoop::run_stage(std::string_view name, Stage stage) {
    co_await between_stages();
    last_complete_ = false;
    if (stopping_) co_return false;
    doing_ = name;
    systemd_.alive();
    const auto report = co_await stage(*app_.context);
    progress_.clear();
    last_complete_ = report.complete;
    doing_ = "waiting";
    if (name == "poll") last_poll_ = (report.ok ? "" : "FAILED: ") + report.summary;
    for (const auto& problem : report.problems)
        log_->warn("{}: {}", name, problem);
    log_->log(report.ok ? spdlog::level::info : spdlog::level::err, "{}{}: {}", name, report.ok ? "" : " failed",
              report.summary);
    co_return report.ok;
}

asio::awaitable<void> WorkLoop::between_stages() {
    if (new_inputs_) {
        auto inputs = std::exchange(new_inputs_, std::nullopt);
        app_.context->rules = std::move(inputs->rules);
        app_.context->payees = std::move(inputs->payees);
        app_.context->settings.plan.check = std::move(inputs->plan.check);
        app_.context->settings.confirmations = std::move(inputs->confirmations);
        log_->info("in force: rule set {}, {}", app_.context->rules.sha256.substr(0, 12),
                   counted(app_.context->payees.payees().size(), "payee"));
    }
    finish_files();
    while (!pay_requests_.empty() && !stopping_) {
        const auto request = pay_requests_.front();  // it stays in the queue until it has its answer
        doing_ = "pay";
        log_->info("pay: ordered by {}: {}", request->actor, request->reason);
        request->outcome = co_await pay_for(app_, request->actor, request->reason);
        progress_.clear();
        doing_ = "waiting";
        pay_requests_.pop_front();
        request->answered.cancel();
        if (*request->outcome) log_->info("pay: {}", (*request->outcome)->summary);
    }
}

void WorkLoop::finish_files() {
    auto report = pipeline::finish_files(*app_.context);
    if (report.staged + report.released > 0) {
        log_->info("payment files: {} written, {} released", report.staged, report.released);
    }
    if (report.problems == file_problems_) return;
    for (const auto& problem : report.problems)
        log_->error("payment files: {}", problem);
    file_problems_ = std::move(report.problems);
}

asio::awaitable<void> WorkLoop::wait() {
    if (stopping_ || !pay_requests_.empty() || new_inputs_) co_return;
    auto until = std::min(next_poll_, steady_clock::now() + longest_wait);
    if (systemd_.watchdog()) {
        until = std::min(
            until, steady_clock::now() + std::chrono::duration_cast<steady_clock::duration>(*systemd_.watchdog() / 4));
    }
    if (confirm_at_) until = std::min(until, *confirm_at_);
    if (const auto cutoff = next_cutoff(cutoffs_, app_.clock.now())) {
        until = std::min(until, steady_clock::now() + (*cutoff - app_.clock.now()));
    }
    wake_.expires_at(until);
    static_cast<void>(co_await wake_.async_wait(no_throw));
    systemd_.alive();
}

void WorkLoop::stop() {
    stopping_ = true;
    wake_.cancel();
}

void WorkLoop::refuse_requests() {
    for (const auto& request : std::exchange(pay_requests_, {})) {
        request->outcome = fail(ErrorCode::cancelled, "the daemon is stopping: nothing was paid");
        request->answered.cancel();
    }
}

void WorkLoop::file_dropped() {
    // A file counts as complete when it has not changed for the settle time.
    confirm_at_ = steady_clock::now() + app_.config.confirmations.settle + std::chrono::milliseconds(50);
    wake_.cancel();
}

asio::awaitable<Result<admin::PayOutcome>> WorkLoop::pay_now(std::string actor, std::string reason) {
    if (stopping_) co_return fail(ErrorCode::cancelled, "the daemon is stopping: nothing was paid");
    const auto request = std::make_shared<PayRequest>(app_.io.get_executor(), std::move(actor), std::move(reason));
    pay_requests_.push_back(request);
    wake_.cancel();
    request->answered.expires_at(steady_clock::time_point::max());
    while (!request->outcome)
        static_cast<void>(co_await request->answered.async_wait(no_throw));
    co_return std::move(*request->outcome);
}

void WorkLoop::look_for_changed_inputs() {
    const auto now = stamps_of_inputs(app_.config);
    const bool quiet = now == std::exchange(seen_stamps_, now);
    if (!quiet || now == loaded_stamps_) return;
    log_->info("reload: a file of rules or payees was changed");
    const auto in_force = reload({app_.clock.now(), std::string(pipeline::daemon_actor)});
    if (in_force) log_->info("reload: {}", *in_force);
}

Result<std::string> WorkLoop::reload(const ledger::Stamp& stamp) {
    loaded_stamps_ = stamps_of_inputs(app_.config);
    reloaded_at_ = app_.clock.now();
    auto inputs = load_inputs(app_.config);
    reload_problems_.clear();
    if (!inputs) {
        for (const auto& problem : inputs.error())
            reload_problems_.push_back(problem.to_string());
        for (const auto& problem : reload_problems_)
            log_->error("reload: {}", problem);
        return fail(ErrorCode::invalid_input,
                    "the old rules and payees stay in force:\n" + text::to_string(inputs.error()));
    }
    const std::string what =
        "rule set " + inputs->rules.sha256.substr(0, 12) + ", " + counted(inputs->payees.payees().size(), "payee");
    app_.ledger.transaction([&] { ledger::audit(app_.ledger, stamp, "inputs.reloaded", "rules and payees", what); });
    new_inputs_ = std::move(*inputs);
    reloaded_well_at_ = reloaded_at_;
    wake_.cancel();
    return what + ": in force from the next stage on";
}

admin::Live WorkLoop::live() const {
    admin::Live live;
    live.daemon = true;
    live.started_at = started_at_;
    live.doing = doing_;
    live.service = app_.service->health();
    live.next_cutoff = next_cutoff(cutoffs_, app_.clock.now());
    live.rule_set_sha256 = app_.context->rules.sha256;
    live.reload_problems = reload_problems_;
    live.reloaded_at = reloaded_at_;
    live.reloaded_well_at = reloaded_well_at_;
    return live;
}

void WorkLoop::tell_status() {
    std::string line = last_poll_.empty() ? "starting" : "poll: " + last_poll_;
    if (const auto open = ledger::count_open_exceptions(app_.ledger); open > 0) {
        line += "; " + counted(static_cast<std::size_t>(open), "open exception");
    }
    if (ledger::is_paused(app_.ledger)) line += "; PAUSED";
    systemd_.status(line);
}

}  // namespace drawbridge::daemon
