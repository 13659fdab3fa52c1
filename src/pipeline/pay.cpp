#include <algorithm>
#include <unordered_map>
#include <unordered_set>

#include "drawbridge/domain/assert.hpp"
#include "drawbridge/domain/crash_point.hpp"
#include "drawbridge/ledger/facts/exceptions.hpp"
#include "drawbridge/ledger/facts/guards.hpp"
#include "drawbridge/ledger/facts/makers.hpp"
#include "drawbridge/ledger/facts/payments.hpp"
#include "drawbridge/ledger/facts/runs.hpp"
#include "drawbridge/pipeline/check_orders.hpp"
#include "drawbridge/pipeline/high_water.hpp"
#include "drawbridge/pipeline/payment_files.hpp"
#include "drawbridge/pipeline/steps.hpp"
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
};

void raise_still_pending(Context& context, DrawId id) {
    ledger::raise_exception(
        context.ledger,
        {"pay", "still_pending", id, std::nullopt, "",
         "the service accepted the approval and still shows the draw as Pending Approval: it may need another "
         "approver: check it in the portal"},
        context.stamp());
}

// Records the fresh readings. Returns the draws that are still Approved.
std::vector<disbursement::Payable> record_readings(Context& context, const std::vector<DrawId>& ids,
                                                   const std::vector<FreshReading>& readings, Instant asked_at,
                                                   StepRunner& runner, PayTally& tally) {
    std::vector<disbursement::Payable> payables;
    Observer observer(context);
    std::optional<Error> first_error;
    for (std::size_t i = 0; i < ids.size(); ++i) {
        if (!readings[i] && readings[i].error().code == ErrorCode::protocol) {
            observer.unreadable(ids[i], "pay", readings[i].error());
            ++tally.exceptions;
            continue;
        }
        if (!readings[i]) {
            ++tally.unread;
            if (!first_error) first_error = readings[i].error();
            continue;
        }
        if (!*readings[i]) {
            observer.missing(ids[i], "pay");
            ++tally.exceptions;
            continue;
        }
        const Draw& draw = **readings[i];
        const auto recorded = observer.observe(draw, ledger::ReadingSource::pay);
        note_reading(context, draw.id, asked_at);
        if (!is_configured(context, draw)) {
            ++tally.moved_on;
        } else if (may_be_paid(context, draw)) {
            payables.push_back(to_payable(context, draw, recorded.reading_id));
        } else {
            if (draw.status == DrawStatus::pending_approval) raise_still_pending(context, draw.id);
            ++tally.moved_on;
        }
    }
    if (first_error) {
        runner.failed(counted(tally.unread, "approved draw") +
                      " could not be read again and will be paid in a later run: " + first_error->message);
        // An outage: the cut-off is served when the service is back. Single draws wait for the next cut-off.
        if (static_cast<std::size_t>(tally.unread) == ids.size()) runner.incomplete();
    }
    return payables;
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
    const auto with_exceptions = ledger::draws_with_open_exceptions(context.ledger);
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

// Accounts for every draw that was Approved: payments, holds and exceptions, counted independently from the readings,
// the payments' rows and the plan. A run that does not add up is an exception, and `verify` always reports it.
void record_completeness(Context& context, const std::vector<disbursement::Payable>& payables,
                         const disbursement::Plan& plan, std::int64_t first_payment_id, const PayTally& tally) {
    const auto stamp = context.stamp();
    ledger::PayRun run;
    run.at = stamp.at;
    run.by = stamp.actor;
    run.unread = tally.unread;
    run.moved_on = tally.moved_on;
    std::unordered_map<DrawId, std::optional<Money>> amounts;
    for (const auto& payable : payables) {
        run.approved.add(payable.amount);
        amounts.emplace(payable.draw_id, payable.amount);
    }
    run.exported = ledger::planned_from(context.ledger, first_payment_id);
    for (const auto& exception : plan.exceptions) {
        auto& where = disbursement::is_hold(exception.reason_code) ? run.held : run.exceptions;
        where.add(amounts[exception.draw_id]);
    }
    ledger::record_pay_run(context.ledger, run);
    if (run.is_complete()) return;
    ledger::raise_exception(
        context.ledger,
        {"pay", "pay_run_incomplete", std::nullopt, std::nullopt, "pay " + format_instant(run.at),
         "approved: " + run.approved.amount.to_display() + ", exported: " + run.exported.amount.to_display() +
             ", held: " + run.held.amount.to_display() + ", exceptions: " + run.exceptions.amount.to_display() +
             ": release nothing and run 'drawbridge verify'"},
        stamp);
}

// One transaction without a wait: readings, numbers, plan, payments, exceptions.
void plan_and_record(Context& context, const std::vector<DrawId>& ids, const std::vector<FreshReading>& readings,
                     Instant asked_at, StepRunner& runner, PayTally& tally) {
    const auto& settings = context.settings.plan;
    context.ledger.transaction([&] {
        const auto stamp = context.stamp();
        const auto payables = record_readings(context, ids, readings, asked_at, runner, tally);
        const auto numbers = ledger::number_block(context.ledger, disbursement::plan_date(settings, stamp.at),
                                                  context.config.checks ? context.config.checks->first_number : 1);
        const auto history = plan_history(context, disbursement::plan_date(settings, stamp.at));
        const auto plan = disbursement::plan(payables, context.payees, settings, numbers, stamp.at, history);
        std::int64_t planned = 0;
        for (const auto& file : plan.files) {
            planned += static_cast<std::int64_t>(file.payments.size());
            tally.amount += file.total;
        }
        DRAWBRIDGE_ASSERT(static_cast<std::size_t>(planned) + plan.exceptions.size() == payables.size(),
                          "every payable draw becomes a payment or an exception");
        record_exceptions(context, payables, plan);
        ledger::record_plan(context.ledger, plan, settings, stamp);
        record_completeness(context, payables, plan, numbers.next_payment_id, tally);
        tally.payments += planned;
        tally.exceptions += static_cast<std::int64_t>(plan.exceptions.size());
    });
    crash_point("pay.plan_committed");
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

asio::awaitable<StepReport> pay(Context& context) {
    StepRunner runner(context, Step::pay);
    PayTally tally;
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
    } else if (const auto ids = ledger::draws_to_pay(context.ledger); !ids.empty()) {
        const Instant asked_at = context.clock.now();
        const auto readings = co_await read_draws(context, "pay", ids);
        // Paused during the reads: the readings are recorded, and nothing is planned.
        if (!ledger::is_paused(context.ledger)) plan_and_record(context, ids, readings, asked_at, runner, tally);
        after = co_await finish_files(context);
        report_problems(after, runner);
    }
    co_return runner.finish(summarize(tally, orders, before, after));
}

asio::awaitable<Result<StepReport>> pay_on_order(Context& context, std::string reason) {
    if (ledger::is_paused(context.ledger))
        co_return fail(ErrorCode::conflict, "all movement of money is paused: run `drawbridge resume` first");
    const auto left =
        ledger::check_leaves_releaser(context.ledger, ledger::draws_to_pay(context.ledger), context.stamp());
    if (!left) co_return std::unexpected(left.error());
    context.ledger.transaction(
        [&] { ledger::audit(context.ledger, context.stamp(), "pay.ordered", "step pay", reason); });
    auto report = co_await pay(context);
    co_return Result<StepReport>(std::move(report));
}

}  // namespace drawbridge::pipeline
