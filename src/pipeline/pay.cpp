#include <algorithm>
#include <span>
#include <unordered_map>
#include <unordered_set>
#include <utility>

#include "clock_check.hpp"
#include "drawbridge/domain/assert.hpp"
#include "drawbridge/domain/crash_point.hpp"
#include "drawbridge/ledger/facts/exceptions.hpp"
#include "drawbridge/ledger/facts/guards.hpp"
#include "drawbridge/ledger/facts/makers.hpp"
#include "drawbridge/ledger/facts/plans.hpp"
#include "drawbridge/ledger/facts/runs.hpp"
#include "drawbridge/ledger/store/read_ahead.hpp"
#include "drawbridge/pipeline/check_orders.hpp"
#include "drawbridge/pipeline/high_water.hpp"
#include "drawbridge/pipeline/let_others_run.hpp"
#include "drawbridge/pipeline/payment_files.hpp"
#include "drawbridge/pipeline/steps.hpp"
#include "in_flight.hpp"
#include "observe.hpp"
#include "payable.hpp"
#include "read_draws.hpp"
#include "release_checks.hpp"
#include "step_runner.hpp"

namespace drawbridge::pipeline {
namespace {

struct PayTally {
    std::int64_t payments = 0, exceptions = 0, moved_on = 0, unread = 0;
    Money amount;
    std::optional<Error> first_error;  // of the draws that could not be read
    bool reads_work = false;           // so a draw that cannot be read is an exception
};

void raise_still_pending(Context& context, DrawId id) {
    ledger::raise_exception(
        context.ledger,
        {"pay", "still_pending", id, std::nullopt, "",
         "the service accepted the approval and still shows the draw as Pending Approval: it may need another "
         "approver: check it in the portal"},
        context.stamp());
}

void raise_not_configured(Context& context, const Draw& draw) {
    ledger::raise_exception(context.ledger,
                            {"pay", "workflow_not_configured", draw.id, std::nullopt, "",
                             "the draw is Approved and is now in workflow " + std::to_string(draw.workflow_id) +
                                 ", which 'service.workflows' does not name: find out who moved it and why"},
                            context.stamp());
}

// Closed when the draw can be read, and so can be paid or blocked by something else.
void raise_read_failing(Context& context, DrawId id, const Error& error) {
    ledger::raise_exception(
        context.ledger,
        {"pay", "read_failing", id, std::nullopt, "",
         error.message + ": the service shows other draws: this one is read again, and paid, in a later run"},
        context.stamp());
}

bool is_about_the_draw(Context& context, DrawId id, const Error& error, const PayTally& tally) {
    if (tally.reads_work) return true;
    const auto open = ledger::open_exceptions_of_step(context.ledger, id, "pay");
    return !is_hopeless(context, error) &&
           std::ranges::any_of(open, [](const auto& row) { return row.what.reason_code == "read_failing"; });
}

asio::awaitable<std::vector<DrawId>> draws_to_pay(Context& context) {
    constexpr int draws_per_turn = 2000;
    std::vector<DrawId> ids;
    for (const auto state : ledger::states_to_pay) {
        for (DrawId after = 0;; after = ids.back()) {
            const auto some = ledger::draws_to_pay(context.ledger, state, after, draws_per_turn);
            ids.insert(ids.end(), some.begin(), some.end());
            if (some.size() < draws_per_turn) break;
            co_await let_others_run();
        }
    }
    std::ranges::sort(ids);
    co_return ids;
}

// Some draws, in ascending order, as they were just read.
struct ReadDraws {
    std::span<const DrawId> ids;
    std::span<const FreshReading> readings;
    Instant asked_at;

    [[nodiscard]] ReadDraws part(std::size_t from, std::size_t count) const {
        return {ids.subspan(from, count), readings.subspan(from, count), asked_at};
    }
};

struct Readings {
    std::vector<DrawId> ids;
    std::vector<FreshReading> readings;
    Instant asked_at;
};

struct Approved {
    const Draw* draw;
    ledger::ReadingId reading_id;
};
std::vector<disbursement::Payable> to_payables(Context& context, const std::vector<Approved>& approved) {
    std::vector<DrawId> ids;
    for (const auto& one : approved)
        ids.push_back(one.draw->id);
    const ledger::FactsOfDraws facts(context.ledger, ids);
    std::vector<disbursement::Payable> payables;
    for (const auto& one : approved)
        payables.push_back(to_payable(context, facts, *one.draw, one.reading_id));
    return payables;
}

// Records the fresh readings. Returns the draws that are still Approved.
std::vector<disbursement::Payable> record_readings(Context& context, const ReadDraws& read, PayTally& tally) {
    std::vector<Approved> approved;
    Observer observer(context, read.ids.front(), read.ids.back());
    const ledger::ReadAhead known(context.ledger, [&] {
        for (const auto& reading : read.readings) {
            if (reading && *reading) observer.ask(**reading);
        }
    });
    for (std::size_t i = 0; i < read.ids.size(); ++i) {
        const DrawId id = read.ids[i];
        const auto& reading = read.readings[i];
        if (!reading && reading.error().code == ErrorCode::protocol) {
            observer.unreadable(id, "pay", reading.error());
            ++tally.exceptions;
            continue;
        }
        if (!reading && is_about_the_draw(context, id, reading.error(), tally)) {
            raise_read_failing(context, id, reading.error());
            ++tally.exceptions;
            continue;
        }
        if (!reading) {
            ++tally.unread;
            if (!tally.first_error) tally.first_error = reading.error();
            continue;
        }
        if (!*reading) {
            observer.missing(id, "pay");
            ++tally.exceptions;
            continue;
        }
        const Draw& draw = **reading;
        const auto recorded = observer.observe(draw, ledger::ReadingSource::pay);
        note_reading(context, draw.id, read.asked_at);
        if (!is_configured(context, draw)) {
            const bool needs_person = may_be_paid(context, draw);
            if (needs_person) raise_not_configured(context, draw);
            ++(needs_person ? tally.exceptions : tally.moved_on);
        } else if (may_be_paid(context, draw)) {
            approved.push_back({&draw, recorded.reading_id});
        } else {
            if (draw.status == DrawStatus::pending_approval) raise_still_pending(context, draw.id);
            ++tally.moved_on;
        }
    }
    return to_payables(context, approved);
}

// The draw's open exception has the same text. A person who resolves it must know what holds the draw now.
bool is_open_as_is(Context& context, const disbursement::PlanException& exception) {
    return std::ranges::any_of(ledger::exceptions_of_draw(context.ledger, exception.draw_id), [&](const auto& row) {
        return !row.closed_at && row.what.reason_code == exception.reason_code && row.what.detail == exception.detail;
    });
}

void record_exceptions(Context& context, const std::vector<disbursement::Payable>& payables,
                       const disbursement::Plan& plan) {
    std::unordered_map<DrawId, const disbursement::PlanException*> by_draw;
    for (const auto& exception : plan.exceptions)
        by_draw.emplace(exception.draw_id, &exception);
    const auto stamp = context.stamp();
    if (payables.empty()) return;
    const auto with_exceptions =
        ledger::draws_with_open_exceptions(context.ledger, payables.front().draw_id, payables.back().draw_id);
    const std::unordered_set<DrawId> open(with_exceptions.begin(), with_exceptions.end());
    for (const auto& payable : payables) {
        const auto found = by_draw.find(payable.draw_id);
        const bool blocked = found != by_draw.end();
        if (!blocked && !open.contains(payable.draw_id)) continue;
        std::vector<std::string> still_true;
        if (blocked && (!disbursement::is_hold(found->second->reason_code) || is_open_as_is(context, *found->second))) {
            still_true.push_back(found->second->reason_code);
        }
        ledger::close_exceptions(context.ledger, payable.draw_id, "pay", still_true,
                                 blocked ? "something else blocks it now" : "it can be paid now", stamp);
        if (blocked) {
            ledger::raise_exception(
                context.ledger,
                {"pay", found->second->reason_code, payable.draw_id, std::nullopt, "", found->second->detail}, stamp);
        }
    }
}

std::int64_t first_check_number(const Context& context) {
    return context.config.checks ? context.config.checks->first_number : 1;
}

void record_run(Context& context, const ledger::PayRun& run) {
    ledger::record_pay_run(context.ledger, run);
    if (run.is_complete()) return;
    ledger::raise_exception(
        context.ledger,
        {"pay", "pay_run_incomplete", std::nullopt, std::nullopt, "pay " + format_instant(run.at),
         "approved: " + run.approved.amount.to_display() + ", exported: " + run.exported.amount.to_display() +
             ", held: " + run.held.amount.to_display() + ", exceptions: " + run.exceptions.amount.to_display() +
             ": release nothing and run 'drawbridge verify'"},
        context.stamp());
}

// Completes the files of the plan at once. Nothing can be written or released before.
asio::awaitable<void> complete_files(Context& context, ledger::PayRun run) {
    constexpr int payments_per_turn = 500;
    std::vector<std::pair<ledger::FileId, std::string>> digests;
    for (const auto& file : ledger::unplanned_files(context.ledger)) {
        ledger::RowsDigest digest(context.ledger, file.file_id);
        while (digest.read_some(payments_per_turn))
            co_await let_others_run();
        digests.emplace_back(file.file_id, digest.hex());
    }
    context.ledger.transaction([&] {
        for (const auto& [file_id, digest] : digests)
            ledger::record_planned(context.ledger, file_id, digest, context.stamp());
        record_run(context, run);
    });
    crash_point("pay.plan_committed");
}

// Plans in parts. Each part is one transaction without a wait: readings, numbers, payments, exceptions. It asks the
// ledger everything anew, so what people do between two parts counts, and adds to the files that the parts before it
// began. A part reads what earlier parts planned as it reads what earlier runs planned.
class PlanRun {
  public:
    PlanRun(Context& context, std::vector<DrawId> ids) : context_(context), ids_(std::move(ids)) {
        const auto stamp = context_.stamp();
        now_ = run_.at = stamp.at;
        run_.by = stamp.actor;
    }

    // While some draws are planned, the next are read.
    asio::awaitable<void> run() {
        co_await read_next();
        while (!next_.ids.empty() && !is_stopped_) {
            const Readings current = std::exchange(next_, {});
            const bool gave_up = std::ranges::all_of(current.readings, [&](const FreshReading& reading) {
                return !reading && is_hopeless(context_, reading.error());
            });
            tally_.reads_work = do_reads_work(current.readings);
            std::vector<asio::awaitable<void>> both;
            both.push_back(plan({current.ids, current.readings, current.asked_at}));
            if (!gave_up) both.push_back(read_next());
            co_await run_all(std::move(both));
        }
        tally_.unread += static_cast<std::int64_t>(ids_.size() - done_);
        run_.unread = tally_.unread;
        run_.moved_on = tally_.moved_on;
        if (done_ == 0) co_return;  // paused before anything was planned
        if (open_.ach || open_.checks || open_.prenotes) end();
        co_await complete_files(context_, run_);
    }

    [[nodiscard]] const PayTally& tally() const { return tally_; }
    [[nodiscard]] bool was_paused() const { return is_stopped_; }
    [[nodiscard]] bool read_nothing() const { return tally_.unread == static_cast<std::int64_t>(ids_.size()); }

  private:
    asio::awaitable<void> read_next() {
        constexpr std::size_t draws_per_read = 500;
        const auto count = std::min(draws_per_read, ids_.size() - read_);
        if (count == 0) co_return;
        const auto first = ids_.begin() + static_cast<std::ptrdiff_t>(read_);
        Readings some{{first, first + static_cast<std::ptrdiff_t>(count)}, {}, context_.clock.now()};
        some.readings = co_await read_draws(context_, "pay", some.ids, read_, ids_.size());
        read_ += count;
        next_ = std::move(some);
    }

    // Nearly all draws can be read, or polls work while runs of this step keep failing: the rest is up to the draws.
    [[nodiscard]] bool do_reads_work(const std::vector<FreshReading>& readings) const {
        std::size_t failed = 0;
        for (const auto& reading : readings) {
            if (reading) continue;
            if (is_hopeless(context_, reading.error())) return false;
            ++failed;
        }
        return failed * 10 <= readings.size() ||
               (ledger::failed_runs_in_a_row(context_.ledger, Step::poll) == 0 &&
                ledger::failed_runs_in_a_row(context_.ledger, Step::pay) + 1 >= failed_runs_before_exception);
    }

    asio::awaitable<void> plan(ReadDraws read) {
        for (std::size_t from = 0; from < read.ids.size(); from += context_.settings.draws_per_part) {
            // A person may have paused everything while the draws were read, or since the last part.
            is_stopped_ = ledger::is_paused(context_.ledger);
            if (is_stopped_) co_return;
            const auto count = std::min(context_.settings.draws_per_part, read.ids.size() - from);
            plan_part(read.part(from, count));
            co_await let_others_run(context_.ledger);
        }
    }

    // The commit does not wait for the disk: nothing depends on a part before complete_files() has.
    void plan_part(const ReadDraws& read) {
        const auto& settings = context_.settings.plan;
        const bool is_last = done_ + read.ids.size() == ids_.size();
        context_.ledger.transaction_deferred_sync([&] {
            const auto payables = record_readings(context_, read, tally_);
            const auto day = disbursement::plan_date(settings, now_);
            const auto numbers = ledger::number_block(context_.ledger, day, first_check_number(context_));
            const disbursement::PlanBasis basis{.payees = context_.payees,
                                                .settings = settings,
                                                .numbers = numbers,
                                                .now = now_,
                                                .history = plan_history(context_, day, now_)};
            const auto part = disbursement::plan_part(
                payables, basis, open_, is_last ? disbursement::Part::last : disbursement::Part::more_follow);
            record_exceptions(context_, payables, part);
            ledger::record_plan_part(context_.ledger, part, settings, context_.stamp());
            account(payables, part, numbers.next_payment_id);
        });
        done_ += read.ids.size();
        crash_point("pay.part_committed");
    }

    // The service or a person stopped the run before its last part.
    void end() {
        context_.ledger.transaction_deferred_sync([&] {
            const auto numbers = ledger::number_block(
                context_.ledger, disbursement::plan_date(context_.settings.plan, now_), first_check_number(context_));
            const auto rest = disbursement::end_plan(open_, numbers, context_.settings.plan.numbers);
            ledger::record_plan_part(context_.ledger, rest, context_.settings.plan, context_.stamp());
        });
    }

    // Accounts for every draw that was Approved: payments, holds and exceptions, counted independently from the
    // readings, the payments' rows and the plan. A run that does not add up is an exception, and `verify` always
    // reports it.
    void account(const std::vector<disbursement::Payable>& payables, const disbursement::Plan& part,
                 std::int64_t first_payment_id) {
        std::unordered_map<DrawId, std::optional<Money>> amounts;
        for (const auto& payable : payables) {
            run_.approved.add(payable.amount);
            amounts.emplace(payable.draw_id, payable.amount);
        }
        const auto exported = ledger::planned_from(context_.ledger, first_payment_id);
        run_.exported.count += exported.count;
        run_.exported.amount += exported.amount;
        tally_.payments += exported.count;
        tally_.amount += exported.amount;
        tally_.exceptions += static_cast<std::int64_t>(part.exceptions.size());
        for (const auto& exception : part.exceptions) {
            auto& where = disbursement::is_hold(exception.reason_code) ? run_.held : run_.exceptions;
            where.add(amounts[exception.draw_id]);
        }
        DRAWBRIDGE_ASSERT(static_cast<std::size_t>(exported.count) + part.exceptions.size() == payables.size(),
                          "every payable draw becomes a payment or an exception");
    }

    Context& context_;
    std::vector<DrawId> ids_;
    Instant now_;  // of the plan: the creation time of its files
    std::size_t read_ = 0, done_ = 0;
    Readings next_;  // read, and not yet planned
    disbursement::OpenPlan open_;
    ledger::PayRun run_;
    PayTally tally_;
    bool is_stopped_ = false;
};

void report_unread(const PlanRun& plan, StepRunner& runner) {
    const auto& tally = plan.tally();
    if (plan.was_paused()) {
        runner.problem("money movement was paused while payments were planned: " +
                       counted(tally.unread, "approved draw") + " will be paid in a later run");
        runner.incomplete();
    } else if (tally.first_error) {
        runner.failed(counted(tally.unread, "approved draw") +
                      " could not be read again and will be paid in a later run: " + tally.first_error->message);
    }
    // An outage: the cut-off is served when the service is back. Single draws wait for the next cut-off.
    if (plan.read_nothing()) runner.incomplete();
}

std::string summarize(const PayTally& tally, const CheckOrdersReport& orders, const FilesReport& before,
                      const FilesReport& after) {
    std::string text = counted(tally.payments, "payment") + " planned (" + tally.amount.to_display() + "), " +
                       counted(before.staged + after.staged, "file") + " written, " +
                       std::to_string(before.released + after.released) + " released";
    const auto& over_limit = after.over_limit.empty() ? before.over_limit : after.over_limit;
    if (!over_limit.empty()) {
        text += ", " + counted(static_cast<std::int64_t>(over_limit.size()), "file") +
                " over pay.release_limit, to be released by a person: ";
        for (const auto& file : over_limit)
            text += (&file == &over_limit.front() ? "" : ", ") + file;
    }
    const auto with_makers = std::max(before.with_makers, after.with_makers);
    if (with_makers > 0) text += ", " + counted(with_makers, "file") + " to be released by a person who is not a maker";
    if (orders.planned > 0) text += ", " + counted(orders.planned, "check order") + " planned";
    if (orders.stale > 0) text += ", " + counted(orders.stale, "check") + " newly stale";
    if (tally.exceptions > 0) text += ", " + counted(tally.exceptions, "draw") + " blocked";
    if (tally.moved_on > 0) text += ", " + std::to_string(tally.moved_on) + " no longer approved";
    return text;
}

void report_problems(const FilesReport& files, StepRunner& runner) {
    for (const auto& problem : files.problems)
        runner.failed(problem);
}

}  // namespace

// The daemon's own act, even if a person orders the run that follows.
asio::awaitable<void> complete_interrupted_plan(Context context) {
    context.actor = daemon_actor;
    context.uid.reset();
    auto& ledger = context.ledger;
    const auto files = ledger::unplanned_files(ledger);
    if (files.empty()) co_return;
    ledger::PayRun run;
    run.at = context.stamp().at;
    run.by = context.stamp().actor;
    for (const auto& file : files) {
        disbursement::OpenPlan open;
        open.ach = ledger::open_file(ledger, file.file_id);  // a check file has no batches to end
        const auto day = disbursement::plan_date(context.settings.plan, run.at);
        ledger.transaction([&] {
            const auto numbers = ledger::number_block(ledger, day, first_check_number(context));
            const auto rest = disbursement::end_plan(open, numbers, context.settings.plan.numbers);
            if (!rest.files.empty()) ledger::record_plan_part(ledger, rest, context.settings.plan, context.stamp());
        });
        run.exported.count += file.payments;
        run.exported.amount += file.total;
    }
    run.approved = run.exported;
    co_await complete_files(context, run);
}

asio::awaitable<StepReport> pay(Context& context) {
    check_clock(context);
    StepRunner runner(context, Step::pay);
    PayTally tally;
    const auto day = disbursement::plan_date(context.settings.plan, context.clock.now());
    if (!is_date_of_files(day)) {
        runner.failed("this machine's clock says " + format_date(day) +
                      ", which no payment file can have as its date: nothing is planned or released: set the clock");
        runner.incomplete();
        co_return runner.finish("nothing planned");
    }
    co_await complete_interrupted_plan(context);
    const auto orders = plan_check_orders(context);
    const auto before = co_await finish_files(context);
    report_problems(before, runner);
    FilesReport after;
    const auto checked = co_await check_traces(context);
    // Even if nothing is to be paid yet: a payee that enters the directory later is new.
    if (checked && !ledger::is_paused(context.ledger)) {
        context.ledger.transaction([&] { ledger::observe_payees(context.ledger, context.payees, context.stamp()); });
    }
    if (ledger::is_paused(context.ledger)) {
        runner.problem("money movement is paused: nothing is planned or released");
        runner.incomplete();
    } else if (!checked) {
        // A ledger that was rolled back would use numbers twice.
        runner.failed(checked.error());
        runner.incomplete();
    } else if (auto ids = co_await draws_to_pay(context); !ids.empty()) {
        PlanRun plan(context, std::move(ids));
        co_await plan.run();
        report_unread(plan, runner);
        tally = plan.tally();
        after = co_await finish_files(context);
        report_problems(after, runner);
    }
    co_return runner.finish(summarize(tally, orders, before, after));
}

asio::awaitable<Result<StepReport>> pay_on_order(Context& context, std::string reason) {
    if (ledger::is_paused(context.ledger))
        co_return fail(ErrorCode::conflict,
                       "all movement of money is paused: run `drawbridge resume --reason …` first");
    const auto left =
        ledger::check_leaves_releaser(context.ledger, ledger::draws_to_pay(context.ledger), context.stamp());
    if (!left) co_return std::unexpected(left.error());
    context.ledger.transaction(
        [&] { ledger::audit(context.ledger, context.stamp(), "pay.ordered", "step pay", reason); });
    auto report = co_await pay(context);
    co_return Result<StepReport>(std::move(report));
}

}  // namespace drawbridge::pipeline
