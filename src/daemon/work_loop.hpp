// Runs the steps, strictly one after another: by the clock, at the cut-offs, when a file is dropped, when a person
// asks.
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

    // Until stop().
    [[nodiscard]] asio::awaitable<void> run();
    // The step in hand goes on to its end; no other begins.
    void stop();
    // Requests that nobody will serve any more get their answer.
    void refuse_requests();

    void file_dropped();
    [[nodiscard]] asio::awaitable<Result<admin::PayOutcome>> pay_now(ledger::Stamp by, std::string reason);
    // A person orders a release: its draws are read between two steps, and it goes or waits.
    [[nodiscard]] asio::awaitable<Result<ledger::FileRow>> release_now(std::string name, std::string reason,
                                                                       ledger::Stamp by);
    [[nodiscard]] asio::awaitable<pipeline::Refreshed> refresh_now(std::vector<DrawId> ids);
    // A confirmation file that a person handed over and that is claimed: taken between two steps.
    [[nodiscard]] asio::awaitable<Result<pipeline::FileOutcome>> take_file(spool::ClaimedFile file,
                                                                           std::size_t lines_wanted, ledger::Stamp by);
    // Reads rules and payees at once; they come into force between two steps.
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

    // What is due now, if anything is.
    [[nodiscard]] asio::awaitable<void> round();
    // After a full disk: nobody waits for an answer that does not come.
    void give_up_request();

    // Draws that a person wants to have read again; answered between two steps.
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
    void come_for_files();
    void log_progress(std::string_view step, std::int64_t done, std::int64_t total);
    [[nodiscard]] asio::awaitable<void> finish_files();
    void tell_status();
    // The sign of life that the watchdog and /healthz wait for.
    void alive();
    void log_step(const pipeline::StepReport& report);
    // A file of rules, tests or payees that was changed and is quiet since the last look is a reload.
    void look_for_changed_inputs();

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
    InputStamps loaded_stamps_;               // of the files as they were last read, well or badly
    InputStamps seen_stamps_;                 // at the last look
    std::vector<std::string> file_problems_;  // said already
    std::string doing_ = "waiting";
    std::string last_poll_;
    bool last_complete_ = false;  // StepReport::complete of the step that ran last
    bool last_again_ = false;     // its StepReport::again
    bool stopping_ = false;
};

}  // namespace drawbridge::daemon
