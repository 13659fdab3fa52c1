// Runs the steps, strictly one after another: on schedule, at cut-offs and when a file is dropped. Each takes its turn;
// people's acts take theirs in between.
#pragma once

#include <boost/asio/as_tuple.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <optional>
#include <string>

#include "disk_space.hpp"
#include "drawbridge/admin/program.hpp"
#include "drawbridge/config/inputs.hpp"
#include "drawbridge/daemon/application.hpp"
#include "drawbridge/daemon/journal_mirror.hpp"
#include "drawbridge/daemon/log.hpp"
#include "drawbridge/daemon/progress_line.hpp"
#include "drawbridge/daemon/systemd.hpp"
#include "drawbridge/disbursement/cutoffs.hpp"

namespace drawbridge::daemon {

// Completes with the error code as a value instead of throwing it.
constexpr auto no_throw = boost::asio::as_tuple(boost::asio::use_awaitable);

class WorkLoop {
  public:
    WorkLoop(Application& app, const Log& log, Systemd& systemd);
    WorkLoop(const WorkLoop&) = delete;
    WorkLoop& operator=(const WorkLoop&) = delete;
    ~WorkLoop();

    // Runs until stop(), and until the last turn has ended.
    [[nodiscard]] asio::awaitable<void> run();
    // The running step or act finishes; no other one starts.
    void stop();

    void file_dropped();
    // Reads rules and payees at once. They take effect with the next turn.
    [[nodiscard]] Result<std::string> reload(const ledger::Stamp& stamp);
    [[nodiscard]] admin::DaemonStatus daemon_status() const;
    void mirror_journal() { journal_.mirror(); }

  private:
    using SteadyTime = std::chrono::steady_clock::time_point;

    // Runs whatever is due now.
    [[nodiscard]] asio::awaitable<void> round();
    [[nodiscard]] asio::awaitable<void> poll_and_all_after();
    [[nodiscard]] asio::awaitable<void> confirm_and_report();
    [[nodiscard]] asio::awaitable<void> pay_at_cutoff();
    [[nodiscard]] asio::awaitable<void> deliver_what_is_due();
    [[nodiscard]] asio::awaitable<bool> run_step(Step step);
    void take_new_inputs();
    [[nodiscard]] asio::awaitable<void> wait();
    [[nodiscard]] std::optional<Instant> cutoff_due() const;
    void schedule_confirm();
    void log_progress(std::string_view step, std::int64_t done, std::int64_t total);
    [[nodiscard]] asio::awaitable<void> move_files_on();
    [[nodiscard]] asio::awaitable<void> finish_files();
    void update_status();
    // Resets the idle time that systemd's watchdog and /healthz check.
    void alive();
    void log_step(const pipeline::StepReport& report);
    // Reloads if a rule, test or payee file changed and has been stable for input_quiet_period.
    void reload_changed_inputs();

    Application& app_;
    Log log_;
    Systemd& systemd_;
    DiskSpace space_;
    ProgressLine progress_;
    JournalMirror journal_;
    disbursement::CutoffPlan cutoffs_;
    asio::steady_timer wake_;
    Instant started_at_;
    SteadyTime alive_at_;
    SteadyTime next_poll_;
    std::optional<SteadyTime> confirm_at_;
    SteadyTime progress_logged_at_;
    std::optional<config::Inputs> new_inputs_;
    std::vector<std::string> reload_problems_;
    Instant reloaded_at_, reloaded_well_at_;
    config::InputStamps loaded_stamps_;       // of the files at the last load, successful or not
    config::InputStamps seen_stamps_;         // of the files at the last check
    SteadyTime seen_since_;                   // when they were first seen with these stamps
    std::vector<std::string> file_problems_;  // already logged
    std::string doing_ = "waiting";
    std::string last_poll_;
    bool last_complete_ = false;  // StepReport::complete of the last step
    bool last_again_ = false;     // StepReport::again of the last step
    bool stopping_ = false;
};

}  // namespace drawbridge::daemon
