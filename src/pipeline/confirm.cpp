#include <algorithm>
#include <boost/asio/post.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/this_coro.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <set>

#include "by_time.hpp"
#include "drawbridge/pipeline/acknowledge.hpp"
#include "drawbridge/pipeline/ingest.hpp"
#include "drawbridge/pipeline/steps.hpp"
#include "return_rates.hpp"
#include "step_runner.hpp"

namespace drawbridge::pipeline {
namespace {

// Claimed together, so that they share the waits for the disk.
constexpr std::size_t files_a_claim = 256;
// Then other steps have their turn.
constexpr std::int64_t files_per_run = 2000;
constexpr std::chrono::hours forgotten_upload{24};

struct ConfirmTally {
    std::int64_t files = 0, repeated = 0, refused = 0;
    std::int64_t empty = 0;  // files in which the bank says that nothing came back
    ledger::AppliedCounts lines;
    [[nodiscard]] std::int64_t taken() const { return files + repeated + refused; }
};

void add(ledger::AppliedCounts& into, const ledger::AppliedCounts& more) {
    into.applied += more.applied;
    into.duplicates += more.duplicates;
    into.exceptions += more.exceptions;
    into.recorded += more.recorded;
    into.paid += more.paid;
}

std::string summarize(const ConfirmTally& tally) {
    std::string text = counted(tally.files, "file") + " applied: " + counted(tally.lines.applied, "confirmation") +
                       " (" + tally.lines.paid.to_display() + " paid)";
    if (tally.lines.duplicates > 0) text += ", " + std::to_string(tally.lines.duplicates) + " known already";
    if (tally.lines.exceptions > 0) text += ", " + counted(tally.lines.exceptions, "exception");
    if (tally.lines.recorded > 0) text += ", " + std::to_string(tally.lines.recorded) + " without effect";
    if (tally.empty > 0) text += "; " + counted(tally.empty, "file") + " without a line: nothing came back today";
    if (tally.repeated > 0) text += "; " + counted(tally.repeated, "file") + " dropped again";
    if (tally.refused > 0) text += "; " + counted(tally.refused, "file") + " refused, see quarantine/";
    return text;
}

// One run over the inbox. Owned by the step's coroutine.
class InboxRun {
  public:
    explicit InboxRun(Context& context) : context_(context), runner_(context, Step::confirm) {}

    asio::awaitable<StepReport> run() {
        context_.spool.drop_uploads_before(context_.clock.now() - forgotten_upload);
        co_await take_all(context_.spool.claimed());  // what a crash left behind
        asio::steady_timer timer(co_await asio::this_coro::executor);
        const auto settle = context_.settings.settle;
        const auto give_up = std::chrono::steady_clock::now() + settle * 5 + std::chrono::seconds(1);
        const bool stays = context_.settings.wait_for_settling;
        bool goes_on = true;
        while (goes_on) {
            const auto scan = context_.spool.scan_inbox(settle, context_.clock.now());
            auto claimed = claim_some(scan);
            const bool found = !claimed.empty();
            co_await take_all(std::move(claimed));
            again_ = is_settling(scan) || (found && !stays && tally_.taken() >= files_per_run);
            if (found && (stays || tally_.taken() < files_per_run)) continue;
            goes_on = stays && is_settling(scan) && std::chrono::steady_clock::now() < give_up;
            if (!goes_on) say_refused(scan);
            if (goes_on) {
                timer.expires_after(std::max<std::chrono::milliseconds>(settle / 4, std::chrono::milliseconds(20)));
                co_await timer.async_wait(asio::use_awaitable);
            }
        }
        std::string summary = summarize(tally_);
        if (const auto overdue = watch_acknowledgments(context_); overdue > 0)
            summary += "; " + counted(overdue, "file") + " not acknowledged in time: everything is paused";
        // A file that could not be taken may hold a return, and so may one that waits for its turn.
        if (runner_.is_well() && !again_ && !left_some_) {
            if (const auto by_time = auto_confirm(context_); by_time.payments > 0) {
                summary += "; " + counted(by_time.payments, "payment") + " (" + by_time.amount.to_display() +
                           ") paid, nothing came back in time";
            }
        }
        if (tally_.taken() > 0) watch_return_rates(context_);
        auto report = runner_.finish(std::move(summary));
        report.again = again_;
        co_return report;
    }

  private:
    static bool is_settling(const spool::InboxScan& scan) {
        return std::ranges::any_of(scan.waiting, [](const auto& file) { return file.may_settle; });
    }

    std::vector<spool::ClaimedFile> claim_some(const spool::InboxScan& scan) {
        std::vector<std::string> names;
        for (const auto& ready : scan.ready) {
            if (names.size() == files_a_claim) break;
            if (!stuck_.contains(ready.name)) names.push_back(ready.name);
        }
        std::vector<spool::ClaimedFile> claimed;
        auto files = context_.spool.claim(names, context_.clock.now());
        for (std::size_t i = 0; i < files.size(); ++i) {
            if (files[i]) {
                claimed.push_back(std::move(*files[i]));
                continue;
            }
            stuck_.insert(names[i]);
            if (files[i].error().code == ErrorCode::not_found) continue;
            left_some_ = true;
            runner_.problem(files[i].error().message);
        }
        return claimed;
    }

    asio::awaitable<void> take_all(std::vector<spool::ClaimedFile> files) {
        for (auto& file : files) {
            const std::string name = shown_name(file.original_name);
            // A small file is taken in one go: between two, others have their turn.
            co_await asio::post(asio::use_awaitable);
            const auto outcome = co_await take_file(context_, std::move(file), /*lines_wanted=*/0);
            if (!outcome) {
                // A file that is being written to is no failure of ours: it is tried again.
                left_some_ = true;
                if (outcome.error().code == ErrorCode::conflict) {
                    runner_.problem(outcome.error().message);
                } else {
                    runner_.failed(name + ": " + outcome.error().message);
                }
                continue;
            }
            note(*outcome);
            context_.progress("confirm", tally_.taken(), 0);
        }
    }

    void note(const FileOutcome& outcome) {
        switch (outcome.fate) {
            case IngestOutcome::applied: ++tally_.files; break;
            case IngestOutcome::repeated: ++tally_.repeated; break;
            case IngestOutcome::refused:
                ++tally_.refused;
                runner_.problem("refused, now " + outcome.kept_in + ": " +
                                outcome.report.substr(0, outcome.report.find('\n')));
                break;
        }
        if (outcome.nothing_came_back) ++tally_.empty;
        add(tally_.lines, outcome.counts);
        for (const auto& remark : outcome.remarks)
            runner_.problem(outcome.name + ": " + remark);
    }

    void say_refused(const spool::InboxScan& scan) {
        for (const auto& refused : scan.refused)
            runner_.problem("inbox/" + shown_name(refused.name) + " is left where it is: " + refused.reason);
    }

    Context& context_;
    StepRunner runner_;
    ConfirmTally tally_;
    std::set<std::string> stuck_;  // could not be claimed in this run
    bool again_ = false;
    bool left_some_ = false;  // files that could not be taken: they may hold anything
};

}  // namespace

asio::awaitable<StepReport> confirm(Context& context) {
    InboxRun inbox(context);
    co_return co_await inbox.run();
}

}  // namespace drawbridge::pipeline
