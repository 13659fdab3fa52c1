#include "work_loop.hpp"

#include <algorithm>
#include <boost/asio/as_tuple.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <iterator>
#include <stdexcept>
#include <utility>

#include "drawbridge/daemon/change_control.hpp"
#include "drawbridge/ledger/facts/exceptions.hpp"
#include "drawbridge/ledger/facts/runs.hpp"
#include "drawbridge/pipeline/deliver.hpp"
#include "drawbridge/pipeline/forecast.hpp"
#include "drawbridge/pipeline/payment_files.hpp"
#include "drawbridge/pipeline/steps.hpp"
#include "drawbridge/text/show.hpp"

namespace drawbridge::daemon {
namespace {

using std::chrono::steady_clock;

// The loop wakes at least this often, because the clock may be set and systemd's watchdog expects a ping. It also
// checks the rule and payee files this often.
constexpr std::chrono::seconds max_wait{2};
// A rule or payee file that has been unchanged for this long is complete. Rounds may follow each other much faster.
constexpr std::chrono::seconds input_quiet_period{2};
constexpr std::chrono::seconds first_delivery_retry{10};
constexpr std::chrono::seconds release_retry{10};

using text::counted;

std::string payees_words(const disbursement::PayeeDirectory& payees) {
    return counted(std::ssize(payees.payees()), "payee");
}

}  // namespace

WorkLoop::WorkLoop(Application& app, const Log& log, Systemd& systemd)
    : app_(app),
      log_(log),
      systemd_(systemd),
      space_(app, log_),
      journal_(app.ledger, log),
      cutoffs_(pipeline::cutoff_plan(*app.shared)),
      wake_(app.io),
      started_at_(app.clock.now()),
      alive_at_(steady_clock::now()),
      next_poll_(steady_clock::now()) {
    loaded_stamps_ = seen_stamps_ = app_.input_stamps;
    reloaded_at_ = reloaded_well_at_ = started_at_;
    for (const auto& problem : app_.input_problems)
        reload_problems_.push_back(problem.to_string());
    app_.context->settings.patch_retry_base = app_.config.poll.every;
    app_.context->settings.delivery_retry_base = first_delivery_retry;
    app_.context->settings.release_retry = release_retry;
    app_.context->settings.full_sweep_interval = app_.config.poll.full_sweep_every;
    app_.context->progress = [this](std::string_view step, std::int64_t done, std::int64_t total) {
        alive();
        progress_.show(step, done, total);
        log_progress(step, done, total);
    };
    app_.turn.on_begin = [this] {
        progress_logged_at_ = steady_clock::now();
        take_new_inputs();
    };
    app_.turn.on_end = [this] {
        progress_.clear();
        wake_.cancel();  // after an act there may be a file to deliver
    };
}

WorkLoop::~WorkLoop() {
    app_.turn.on_begin = app_.turn.on_end = [] {};
}

asio::awaitable<void> WorkLoop::run() {
    while (!stopping_) {
        try {
            co_await round();
        } catch (const std::exception& failure) {
            if (!space_.handle(failure, doing_)) throw;
            doing_ = "waiting";
        }
        update_status();
        co_await wait();
    }
    wake_.expires_at(steady_clock::time_point::max());
    while (app_.turn.is_taken())
        static_cast<void>(co_await wake_.async_wait(no_throw));
}

asio::awaitable<void> WorkLoop::round() {
    ledger::require_in_place(app_.ledger);
    reload_changed_inputs();
    co_await move_files_on();
    if (steady_clock::now() >= next_poll_) {
        next_poll_ = steady_clock::now() + app_.config.poll.every;
        co_await poll_and_all_after();
        space_.round_done();
    } else if (cutoff_due()) {
        co_await pay_at_cutoff();
    } else if (confirm_at_ && steady_clock::now() >= *confirm_at_) {
        co_await confirm_and_report();
    } else {
        co_await deliver_what_is_due();
    }
}

// No condition below contains a co_await: g++ 12 lays out the coroutine frame wrongly if a branch also awaits.
asio::awaitable<void> WorkLoop::poll_and_all_after() {
    const bool polled = co_await run_step(Step::poll);
    if (polled) {
        co_await run_step(Step::decide);
        co_await run_step(Step::approve);
    } else if (!stopping_) {
        log_->warn("decide and approve are skipped: poll failed, and the ledger's readings of draws may be old");
    }
    co_await pay_at_cutoff();
    co_await deliver_what_is_due();
    co_await confirm_and_report();
}

asio::awaitable<void> WorkLoop::deliver_what_is_due() {
    if (stopping_ || !pipeline::delivery_due(*app_.context)) co_return;
    co_await run_step(Step::deliver);
}

asio::awaitable<void> WorkLoop::confirm_and_report() {
    confirm_at_.reset();
    co_await run_step(Step::confirm);
    if (last_again_) schedule_confirm();
    co_await run_step(Step::report);
}

std::optional<Instant> WorkLoop::cutoff_due() const {
    // A cut-off stays due while paused. After a resume on the same day, it is caught up.
    if (ledger::is_paused(app_.ledger)) return std::nullopt;
    const Instant now = app_.clock.now();
    return due_cutoff(cutoffs_, ledger::last_cutoff(app_.ledger, now), app_.ledger.created_at(), now);
}

asio::awaitable<void> WorkLoop::pay_at_cutoff() {
    const auto cutoff = cutoff_due();
    if (!cutoff || stopping_) co_return;
    log_->info("pay: running the cut-off of {}", format_instant(*cutoff));
    // A run that could not plan at all is retried in the next round. A run that raised exceptions for some draws or
    // files is not, or every poll would pay again.
    co_await run_step(Step::pay);
    if (!last_complete_) co_return;
    app_.ledger.transaction([&] { ledger::record_cutoff(app_.ledger, *cutoff, app_.clock.now()); });
}

asio::awaitable<bool> WorkLoop::run_step(Step step) {
    last_complete_ = false;
    const auto turn = co_await app_.turn.take(std::string(to_string(step)));
    if (!turn) co_return false;
    co_await finish_files();
    if (stopping_) co_return false;
    doing_ = to_string(step);
    alive();
    const auto began = steady_clock::now();
    const auto report = co_await pipeline::run_step(step, *app_.context);
    app_.meter.step(step, report.ok, std::chrono::ceil<std::chrono::milliseconds>(steady_clock::now() - began));
    progress_.clear();
    last_complete_ = report.complete;
    last_again_ = report.again;
    doing_ = "waiting";
    if (step == Step::poll) last_poll_ = (report.ok ? "" : "FAILED: ") + report.summary;
    log_step(report);
    co_return report.ok;
}

void WorkLoop::log_step(const pipeline::StepReport& report) {
    journal_.mirror();
    const std::string step(to_string(report.step));
    const Fields fields = {{"STEP", step}};
    for (const auto& problem : report.problems)
        log_event(log_, kinds::problem(), fields, step + ": " + problem);
    log_event(log_, report.ok ? kinds::step_ran() : kinds::step_failed(), fields,
              step + (report.ok ? ": " : " failed: ") + report.summary);
}

void WorkLoop::alive() {
    alive_at_ = steady_clock::now();
    systemd_.alive();
}

// Applies the inputs that a reload read, and the changes that two people accepted since the last turn.
void WorkLoop::take_new_inputs() {
    auto& context = *app_.context;
    const auto before = std::pair(context.rules.sha256, context.payees.sha256());
    const bool is_reloaded = new_inputs_.has_value();
    if (auto inputs = std::exchange(new_inputs_, std::nullopt)) {
        context.rules = std::move(inputs->rules);
        context.payees = std::move(inputs->payees);
        context.settings.plan.check = std::move(inputs->plan.check);
        context.settings.confirmations = std::move(inputs->confirmations);
    }
    // Cannot fail on valid data: only readable bytes can be accepted.
    if (const auto taken = take_in_force(app_.ledger, app_.config, context.rules, context.payees); !taken)
        throw std::runtime_error(text::to_string(taken.error()));
    if (!is_reloaded && before == std::pair(context.rules.sha256, context.payees.sha256())) return;
    log_->info("in force: rule set {}, {}", context.rules.sha256.substr(0, 12), payees_words(context.payees));
}

asio::awaitable<void> WorkLoop::move_files_on() {
    const auto turn = co_await app_.turn.take("waiting");
    if (turn) co_await finish_files();
}

// Logs the progress of long work.
void WorkLoop::log_progress(std::string_view step, std::int64_t done, std::int64_t total) {
    constexpr std::chrono::seconds log_every{10};
    const auto now = steady_clock::now();
    if (now - progress_logged_at_ < log_every) return;
    progress_logged_at_ = now;
    if (total > 0) {
        log_->info("{}: {} of {} so far", step, done, total);
    } else {
        log_->info("{}: {} so far", step, done);
    }
}

asio::awaitable<void> WorkLoop::finish_files() {
    auto report = co_await pipeline::finish_files(*app_.context);
    if (report.staged + report.released > 0) {
        log_->info("payment files: {} written, {} released", report.staged, report.released);
    }
    if (report.problems == file_problems_) co_return;
    for (const auto& problem : report.problems)
        log_->error("payment files: {}", problem);
    file_problems_ = std::move(report.problems);
}

asio::awaitable<void> WorkLoop::wait() {
    if (stopping_ || new_inputs_) co_return;
    auto until = std::min(next_poll_, steady_clock::now() + max_wait);
    if (systemd_.watchdog()) {
        until = std::min(
            until, steady_clock::now() + std::chrono::duration_cast<steady_clock::duration>(*systemd_.watchdog() / 4));
    }
    if (confirm_at_) until = std::min(until, *confirm_at_);
    if (seen_stamps_ != loaded_stamps_) until = std::min(until, seen_since_ + input_quiet_period);
    if (const auto cutoff = next_cutoff(cutoffs_, app_.clock.now())) {
        until = std::min(until, steady_clock::now() + (*cutoff - app_.clock.now()));
    }
    wake_.expires_at(until);
    static_cast<void>(co_await wake_.async_wait(no_throw));
    alive();
}

void WorkLoop::stop() {
    stopping_ = true;
    app_.turn.close();
    app_.transfer_worker.stop();
    wake_.cancel();
}

void WorkLoop::file_dropped() {
    schedule_confirm();
    wake_.cancel();
}

// A file is complete when it has not changed for the quiet period. A file that is dropped meanwhile is found by the
// same run or the next, so a stream of files cannot postpone the run forever.
void WorkLoop::schedule_confirm() {
    if (!confirm_at_) {
        confirm_at_ = steady_clock::now() + app_.config.confirmations.quiet_period + std::chrono::milliseconds(50);
    }
}

void WorkLoop::reload_changed_inputs() {
    auto stamps = config::stamps_of_inputs(app_.config);
    if (stamps != seen_stamps_) {
        seen_stamps_ = std::move(stamps);
        seen_since_ = steady_clock::now();
        return;
    }
    if (seen_stamps_ == loaded_stamps_ || steady_clock::now() < seen_since_ + input_quiet_period) return;
    log_->info("reload: a rule or payee file changed");
    const auto in_force = reload({app_.clock.now(), std::string(pipeline::daemon_actor)});
    if (in_force) log_->info("reload: {}", *in_force);
}

Result<std::string> WorkLoop::reload(const ledger::Stamp& stamp) {
    auto stamps = config::stamps_of_inputs(app_.config);
    auto inputs = config::load_inputs(app_.config);
    if (stamps != config::stamps_of_inputs(app_.config)) {
        return fail(ErrorCode::conflict,
                    "the old rules and payees stay in force: a file changed while it was read: reload again once it "
                    "is complete");
    }
    reloaded_at_ = app_.clock.now();
    reload_problems_.clear();
    if (!inputs) {
        for (const auto& problem : inputs.error())
            reload_problems_.push_back(problem.to_string());
        for (const auto& problem : reload_problems_)
            log_event(log_, kinds::reload_refused(), {}, "reload: " + problem);
        raise_refused(app_.ledger, inputs.error(), stamp);
        loaded_stamps_ = std::move(stamps);
        return fail(ErrorCode::invalid_input,
                    "the old rules and payees stay in force:\n" + text::to_string(inputs.error()));
    }
    compare_with_ledger(app_.ledger, app_.config, *inputs, stamp);
    if (const auto taken = take_in_force(app_.ledger, app_.config, inputs->rules, inputs->payees); !taken) {
        loaded_stamps_ = std::move(stamps);
        return fail(ErrorCode::invalid_input, text::to_string(taken.error()));
    }
    const std::string what = "rule set " + inputs->rules.sha256.substr(0, 12) + ", " + payees_words(inputs->payees);
    app_.ledger.transaction([&] { ledger::audit(app_.ledger, stamp, "inputs.reloaded", "rules and payees", what); });
    new_inputs_ = std::move(*inputs);
    loaded_stamps_ = std::move(stamps);
    reloaded_well_at_ = reloaded_at_;
    wake_.cancel();
    return what + ": in force from the next step" + waiting_changes(app_.ledger);
}

admin::DaemonStatus WorkLoop::daemon_status() const {
    admin::DaemonStatus live;
    live.daemon = true;
    live.started_at = started_at_;
    live.doing = app_.turn.doing();
    live.service = app_.service->health();
    live.next_cutoff = next_cutoff(cutoffs_, app_.clock.now());
    live.rule_set_sha256 = app_.context->rules.sha256;
    live.no_space = space_.problem();
    live.reload_problems = reload_problems_;
    live.idle = std::chrono::floor<std::chrono::milliseconds>(steady_clock::now() - alive_at_);
    if (const auto watchdog = systemd_.watchdog()) {
        live.idle_at_most = std::chrono::floor<std::chrono::milliseconds>(*watchdog);
    }
    live.poll_every = app_.config.poll.every;
    live.reloaded_at = reloaded_at_;
    live.reloaded_well_at = reloaded_well_at_;
    return live;
}

void WorkLoop::update_status() {
    journal_.mirror();
    std::string line = last_poll_.empty() ? "starting" : "poll: " + last_poll_;
    if (const auto open = ledger::count_open_exceptions(app_.ledger); open > 0) {
        line += "; " + counted(open, "open exception");
    }
    if (ledger::is_paused(app_.ledger)) line += "; PAUSED";
    if (!space_.problem().empty()) line += "; NO SPACE LEFT";
    systemd_.status(line);
}

}  // namespace drawbridge::daemon
