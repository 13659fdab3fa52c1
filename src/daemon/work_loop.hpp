// Runs the steps, strictly one after another: on schedule, at cut-offs, when a file is dropped, and when a person asks.
#pragma once

#include <boost/asio/as_tuple.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <deque>
#include <memory>
#include <optional>
#include <string>

#include "application.hpp"
#include "disk_space.hpp"
#include "drawbridge/admin/handlers.hpp"
#include "drawbridge/pipeline/ingest.hpp"
#include "drawbridge/pipeline/refresh.hpp"
#include "journal_mirror.hpp"
#include "log.hpp"
#include "progress_line.hpp"
#include "systemd.hpp"

namespace drawbridge::daemon {

// Completes with the error code as a value instead of throwing it.
constexpr auto no_throw = boost::asio::as_tuple(boost::asio::use_awaitable);

class WorkLoop {
  public:
    WorkLoop(Application& app, const Log& log, Systemd& systemd);
    WorkLoop(const WorkLoop&) = delete;
    WorkLoop& operator=(const WorkLoop&) = delete;

    // Runs until stop().
    [[nodiscard]] asio::awaitable<void> run();
    // The running step finishes; no other step starts.
    void stop();
    // Answers the requests that will no longer be served.
    void refuse_requests();

    void file_dropped();
    [[nodiscard]] asio::awaitable<Result<admin::PayOutcome>> pay_now(ledger::Stamp by, std::string reason);
    // Orders a release for a person. Between two steps its draws are read again, and the file is released or waits.
    [[nodiscard]] asio::awaitable<Result<ledger::FileRow>> release_now(std::string name, std::string reason,
                                                                       ledger::Stamp by);
    [[nodiscard]] asio::awaitable<pipeline::Refreshed> refresh_now(std::vector<DrawId> ids);
    // Reads a claimed confirmation file that a person uploaded, between two steps.
    [[nodiscard]] asio::awaitable<Result<pipeline::FileOutcome>> take_file(spool::ClaimedFile file,
                                                                           std::size_t lines_wanted, ledger::Stamp by);
    // Reads rules and payees at once. They take effect between two steps.
    [[nodiscard]] Result<std::string> reload(const ledger::Stamp& stamp);
    [[nodiscard]] admin::DaemonStatus daemon_status() const;

  private:
    using SteadyTime = std::chrono::steady_clock::time_point;

    struct PayRequest {
        PayRequest(const asio::any_io_executor& executor, ledger::Stamp who, std::string why)
            : by(std::move(who)), reason(std::move(why)), answered(executor) {}
        ledger::Stamp by;
        std::string reason;
        std::optional<Result<admin::PayOutcome>> outcome;
        asio::steady_timer answered;
    };

    // Runs whatever is due now.
    [[nodiscard]] asio::awaitable<void> round();
    // After a full disk: answers the requests that cannot be completed.
    void give_up_request();

    // Draws that a person wants to read again. Answered between two steps.
    struct RefreshRequest {
        RefreshRequest(const asio::any_io_executor& executor, std::vector<DrawId> which)
            : ids(std::move(which)), answered(executor) {}
        std::vector<DrawId> ids;
        std::optional<pipeline::Refreshed> outcome;
        asio::steady_timer answered;
    };

    struct ReleaseRequest {
        ReleaseRequest(const asio::any_io_executor& executor, std::string which, std::string why, ledger::Stamp who)
            : name(std::move(which)), reason(std::move(why)), stamp(std::move(who)), answered(executor) {}
        std::string name, reason;
        ledger::Stamp stamp;
        std::optional<Result<ledger::FileRow>> outcome;
        asio::steady_timer answered;
    };

    struct FileRequest {
        FileRequest(const asio::any_io_executor& executor, spool::ClaimedFile claimed, std::size_t wanted,
                    ledger::Stamp who)
            : file(std::move(claimed)), lines_wanted(wanted), by(std::move(who)), answered(executor) {}
        spool::ClaimedFile file;
        std::size_t lines_wanted;
        ledger::Stamp by;
        std::optional<Result<pipeline::FileOutcome>> outcome;
        asio::steady_timer answered;
    };

    [[nodiscard]] asio::awaitable<void> poll_and_all_after();
    [[nodiscard]] asio::awaitable<void> confirm_and_report();
    [[nodiscard]] asio::awaitable<void> pay_at_cutoff();
    [[nodiscard]] asio::awaitable<void> deliver_what_is_due();
    [[nodiscard]] asio::awaitable<bool> run_step(Step step);
    void take_new_inputs();
    [[nodiscard]] asio::awaitable<void> between_steps();
    [[nodiscard]] asio::awaitable<void> refresh_draws();
    [[nodiscard]] asio::awaitable<void> release_files();
    [[nodiscard]] asio::awaitable<void> take_files();
    [[nodiscard]] asio::awaitable<void> wait();
    [[nodiscard]] std::optional<Instant> cutoff_due() const;
    void schedule_confirm();
    void log_progress(std::string_view step, std::int64_t done, std::int64_t total);
    [[nodiscard]] asio::awaitable<void> finish_files();
    void update_status();
    // Resets the idle time that systemd's watchdog and /healthz check.
    void alive();
    void log_step(const pipeline::StepReport& report);
    // Reloads if a rule, test or payee file changed and was stable since the last check.
    void reload_changed_inputs();

    Application& app_;
    Log log_;
    Systemd& systemd_;
    DiskSpace space_;
    ProgressLine progress_;
    JournalMirror journal_;
    CutoffPlan cutoffs_;
    asio::steady_timer wake_;
    Instant started_at_;
    SteadyTime alive_at_;
    SteadyTime next_poll_;
    std::optional<SteadyTime> confirm_at_;
    std::deque<std::shared_ptr<PayRequest>> pay_requests_;
    std::deque<std::shared_ptr<RefreshRequest>> refresh_requests_;
    std::deque<std::shared_ptr<ReleaseRequest>> release_requests_;
    std::deque<std::shared_ptr<FileRequest>> file_requests_;
    SteadyTime progress_logged_at_;
    std::optional<Inputs> new_inputs_;
    std::vector<std::string> reload_problems_;
    Instant reloaded_at_, reloaded_well_at_;
    InputStamps loaded_stamps_;               // of the files at the last load, successful or not
    InputStamps seen_stamps_;                 // of the files at the last check
    std::vector<std::string> file_problems_;  // already logged
    std::string doing_ = "waiting";
    std::string last_poll_;
    bool last_complete_ = false;  // StepReport::complete of the last step
    bool last_again_ = false;     // StepReport::again of the last step
    bool stopping_ = false;
};

}  // namespace drawbridge::daemon
