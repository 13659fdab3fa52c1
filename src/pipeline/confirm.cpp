#include <algorithm>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/this_coro.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <set>

#include "arrivals.hpp"
#include "auto_confirm.hpp"
#include "drawbridge/ledger/facts/staged_lines.hpp"
#include "drawbridge/pipeline/acknowledge.hpp"
#include "drawbridge/pipeline/ingest.hpp"
#include "drawbridge/pipeline/let_others_run.hpp"
#include "drawbridge/pipeline/steps.hpp"
#include "drawbridge/pipeline/take_over.hpp"
#include "raise_about.hpp"
#include "return_rates.hpp"
#include "step_runner.hpp"

namespace drawbridge::pipeline {
namespace {

// Claimed together, so that they share the waits for the disk.
constexpr std::size_t files_per_claim = 256;
// After this many files, other steps get their turn.
constexpr std::int64_t max_files_per_run = 2000;
constexpr std::chrono::hours abandoned_upload_age{24};
constexpr std::string_view inbox_subject = "inbox";

struct ConfirmTally {
    std::int64_t files = 0, repeated = 0, refused = 0;
    std::int64_t empty = 0;  // return files without entries
    ledger::AppliedCounts lines;
    [[nodiscard]] std::int64_t imported() const { return files + repeated + refused; }
};

void add(ledger::AppliedCounts& into, const ledger::AppliedCounts& more) {
    into.applied += more.applied;
    into.duplicates += more.duplicates;
    into.exceptions += more.exceptions;
    into.recorded += more.recorded;
    into.paid += more.paid;
    into.returned += more.returned;
}

std::string summarize(const ConfirmTally& tally) {
    std::string text = counted(tally.files, "file") + " applied: " + counted(tally.lines.applied, "confirmation") +
                       " (" + tally.lines.paid.to_display() + " paid" +
                       (tally.lines.returned.is_zero() ? "" : ", " + tally.lines.returned.to_display() + " returned") +
                       ")";
    if (tally.lines.duplicates > 0) text += ", " + std::to_string(tally.lines.duplicates) + " already known";
    if (tally.lines.exceptions > 0) text += ", " + counted(tally.lines.exceptions, "exception");
    if (tally.lines.recorded > 0) text += ", " + std::to_string(tally.lines.recorded) + " without effect";
    if (tally.empty > 0) text += "; " + counted(tally.empty, "file") + " without entries: no returns today";
    if (tally.repeated > 0) text += "; " + counted(tally.repeated, "file") + " dropped again";
    if (tally.refused > 0) text += "; " + counted(tally.refused, "file") + " refused, see quarantine/";
    return text;
}

// One run over the inbox.
class InboxRun {
  public:
    explicit InboxRun(Context& context) : context_(context), runner_(context, Step::confirm) {}

    asio::awaitable<StepReport> run() {
        context_.spool.drop_uploads_before(context_.clock.now() - abandoned_upload_age);
        while (ledger::discard_staged_lines(context_.ledger))
            co_await let_others_run();
        co_await import_all(context_.spool.claimed());  // what a crash left behind
        withdraw_unclaimed(context_);
        asio::steady_timer timer(co_await asio::this_coro::executor);
        const auto quiet_period = context_.config.confirmations.quiet_period;
        const auto give_up = std::chrono::steady_clock::now() + quiet_period * 5 + std::chrono::seconds(1);
        const bool waits = context_.settings.wait_for_quiet_files;
        bool goes_on = true;
        while (goes_on) {
            const auto scan = context_.spool.scan_inbox(quiet_period, context_.clock.now());
            auto claimed = co_await claim_some(scan);
            const bool found = !claimed.empty();
            co_await import_all(std::move(claimed));
            again_ = has_unquiet_files(scan) || (found && !waits && tally_.imported() >= max_files_per_run);
            if (found && (waits || tally_.imported() < max_files_per_run)) continue;
            goes_on = waits && has_unquiet_files(scan) && std::chrono::steady_clock::now() < give_up;
            if (!goes_on) report_unread(scan);
            if (goes_on) {
                timer.expires_after(
                    std::max<std::chrono::milliseconds>(quiet_period / 4, std::chrono::milliseconds(20)));
                co_await timer.async_wait(asio::use_awaitable);
            }
        }
        std::string summary = summarize(tally_);
        if (const auto overdue = watch_acknowledgments(context_); overdue > 0)
            summary += "; " + counted(overdue, "file") + " not acknowledged in time: all money movement is paused";
        // A file that could not be imported, or that waits for the next run, may contain a return.
        if (runner_.is_well() && !again_ && !left_some_) {
            if (const auto confirmed = auto_confirm(context_); confirmed.payments > 0) {
                summary += "; " + counted(confirmed.payments, "payment") + " (" + confirmed.amount.to_display() +
                           ") paid, no return in time";
            }
        }
        watch_failures();
        if (tally_.imported() > 0) follow_import(context_);
        auto report = runner_.finish(std::move(summary));
        report.again = again_;
        co_return report;
    }

  private:
    static bool has_unquiet_files(const spool::InboxScan& scan) {
        return std::ranges::any_of(scan.waiting, [](const auto& file) { return file.may_become_quiet; });
    }

    asio::awaitable<std::vector<spool::ClaimedFile>> claim_some(const spool::InboxScan& scan) {
        std::vector<std::string> names;
        for (const auto& ready : scan.ready) {
            if (names.size() == files_per_claim) break;
            if (stuck_.contains(ready.name)) continue;
            co_await keep_inbox_file(context_, ready.name);
            names.push_back(ready.name);
        }
        std::vector<spool::ClaimedFile> claimed;
        auto files = context_.spool.claim(names, context_.clock.now(), context_.config.confirmations.max_file_bytes);
        for (std::size_t i = 0; i < files.size(); ++i) {
            if (files[i]) {
                claimed.push_back(std::move(*files[i]));
                continue;
            }
            stuck_.insert(names[i]);
            if (files[i].error().code == ErrorCode::not_found) continue;
            left_some_ = true;
            failed(files[i].error().message);
        }
        withdraw_unclaimed(context_);  // what has changed since its bytes were kept
        co_return claimed;
    }

    asio::awaitable<void> import_all(std::vector<spool::ClaimedFile> files) {
        for (auto& file : files) {
            const std::string name = shown_name(file.original_name);
            // A small file is imported without a break: let other tasks run between two files.
            co_await let_others_run();
            const auto outcome = co_await import_file(context_, std::move(file), /*max_lines=*/0);
            if (!outcome) {
                // A file that is still being written is not a failure: the next run tries again.
                left_some_ = true;
                if (outcome.error().code == ErrorCode::conflict) {
                    runner_.problem(outcome.error().message);
                } else {
                    failed(name + ": " + outcome.error().message);
                }
                continue;
            }
            note(*outcome);
            context_.progress("confirm", tally_.imported(), 0);
        }
    }

    void failed(std::string why) {
        why_stuck_ = why;
        runner_.failed(std::move(why));
    }

    // Files that stay where they are may contain returns, so people must know.
    void watch_failures() {
        auto& ledger = context_.ledger;
        constexpr std::string_view reason_code = "bank_files_stuck";
        if (why_stuck_.empty()) {
            if (!ledger::has_open_exception(ledger, inbox_subject, reason_code)) return;
            ledger.transaction([&] {
                ledger::close_exceptions_of_subject(ledger, inbox_subject, reason_code, "every bank file is taken",
                                                    context_.stamp());
            });
        } else if (ledger::failed_runs_in_a_row(ledger, Step::confirm) + 1 >= failed_runs_before_exception) {
            raise_about(context_, Step::confirm, inbox_subject, reason_code, why_stuck_);
        }
    }

    void note(const FileOutcome& outcome) {
        if (!outcome.not_kept.empty()) failed(outcome.name + ": " + outcome.not_kept);
        // An earlier run applied it, and it was never moved.
        if (!outcome.not_kept.empty() && outcome.outcome == IngestOutcome::repeated) return;
        switch (outcome.outcome) {
            case IngestOutcome::applied: ++tally_.files; break;
            case IngestOutcome::repeated: ++tally_.repeated; break;
            case IngestOutcome::refused:
                ++tally_.refused;
                runner_.problem("refused" + (outcome.kept_in.empty() ? "" : ", moved to " + outcome.kept_in) + ": " +
                                outcome.report.substr(0, outcome.report.find('\n')));
                break;
        }
        if (outcome.nothing_came_back) ++tally_.empty;
        add(tally_.lines, outcome.counts);
        for (const auto& remark : outcome.remarks)
            runner_.problem(outcome.name + ": " + remark);
    }

    // A file that nobody takes may contain a return, so meanwhile no credit counts as paid by time.
    void report_unread(const spool::InboxScan& scan) {
        constexpr std::chrono::minutes max_transfer_time{30};
        const auto report = [&](const spool::UnreadyFile& file) {
            left_some_ = true;
            std::string text = "inbox/" + shown_name(file.name) + " stays there: " + file.reason;
            scan.can_claim ? runner_.problem(std::move(text)) : failed(std::move(text));
        };
        std::ranges::for_each(scan.refused, report);
        for (const auto& file : scan.waiting) {
            if (!file.may_become_quiet && file.changed_at + max_transfer_time < context_.clock.now()) report(file);
        }
    }

    Context& context_;
    StepRunner runner_;
    ConfirmTally tally_;
    std::set<std::string> stuck_;  // could not be claimed in this run
    std::string why_stuck_;        // the last failure to claim or to move a file; empty: none
    bool again_ = false;
    bool left_some_ = false;  // some files were not imported: they may contain anything
};

}  // namespace

void follow_import(Context& context) {
    watch_return_rates(context);
    close_found_files(context);
}

asio::awaitable<StepReport> confirm(Context& context) {
    InboxRun inbox(context);
    co_return co_await inbox.run();
}

}  // namespace drawbridge::pipeline
