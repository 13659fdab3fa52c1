#include <algorithm>
#include <unordered_map>

#include "drawbridge/domain/crash_point.hpp"
#include "drawbridge/ledger/facts/decisions.hpp"
#include "drawbridge/ledger/facts/exceptions.hpp"
#include "drawbridge/pipeline/high_water.hpp"
#include "drawbridge/pipeline/steps.hpp"
#include "observe.hpp"
#include "read_draws.hpp"
#include "step_runner.hpp"

namespace drawbridge::pipeline {
namespace {

using ledger::ApprovalOutcome;
using ledger::LearnedBy;
using ledger::OpenApproval;

// After this many submissions without an approval, the draw needs a person.
constexpr int max_submissions = 5;
constexpr int max_calls_per_run = 200;

struct ApproveTally {
    std::int64_t approved = 0, refused = 0, again = 0;
    Money amount;
};

void raise(Context& context, DrawId id, std::string_view reason, std::string detail) {
    ledger::raise_exception(context.ledger, {"approve", std::string(reason), id, std::nullopt, "", std::move(detail)},
                            context.stamp());
}

void raise_refused(Context& context, DrawId id, const std::string& answer) {
    raise(context, id, "approval_refused",
          "the service refused the approval: " + answer +
              ": fix the cause there; the draw is decided again when it changes");
}

void close(Context& context, const OpenApproval& item, ApprovalOutcome outcome, LearnedBy learned_by,
           std::string_view detail) {
    ledger::close_approval(context.ledger, item, outcome, learned_by, detail, context.stamp());
}

// Whether the service shows the draw differently than when it was submitted.
bool has_changed(Context& context, const Draw& draw) {
    const auto known = ledger::newest_reading(context.ledger, draw.id);
    return !known || known->draw != draw;
}

// The outcome of a call is unknown. What the service shows of the draw now tells it.
void resolve_by_reading(Context& context, Observer& observer, const OpenApproval& item, const std::optional<Draw>& draw,
                        bool after_answer, ApproveTally& tally) {
    if (!draw) {
        close(context, item, ApprovalOutcome::abandoned, LearnedBy::read_back, "the service no longer knows the draw");
        observer.missing(item.draw_id, "approve");
        ++tally.refused;
        return;
    }
    if (!is_known(draw->status)) {
        close(context, item, ApprovalOutcome::abandoned, LearnedBy::read_back, to_string(draw->status));
        ++tally.refused;
    }
    switch (draw->status) {
        case DrawStatus::approved:
        case DrawStatus::disbursed:
            close(context, item, ApprovalOutcome::approved, LearnedBy::read_back, to_string(draw->status));
            ++tally.approved;
            tally.amount += draw->amount_approved.value_or(Money());
            break;
        case DrawStatus::pending_approval:
            if ((after_answer && has_changed(context, *draw)) || item.earlier_attempts + 1 >= max_submissions) {
                close(context, item, ApprovalOutcome::abandoned, LearnedBy::read_back, "still pending");
                raise(context, item.draw_id, "approval_not_taking",
                      "the approval was submitted and the draw is still pending; it may need another approver: check "
                      "it in the portal, or ask the service's support");
                ++tally.refused;
            } else {
                close(context, item, ApprovalOutcome::not_applied, LearnedBy::read_back, "still pending");
                ++tally.again;
            }
            break;
        case DrawStatus::not_submitted:
        case DrawStatus::submitted:
        case DrawStatus::cancelled:
            close(context, item, ApprovalOutcome::abandoned, LearnedBy::read_back, to_string(draw->status));
            raise(context, item.draw_id, "approval_overtaken",
                  "while the approval was in progress the draw became " + to_string(draw->status) +
                      ": it is not paid unless it is approved again");
            ++tally.refused;
            break;
    }
    // Last, so that the exceptions raised above refer to the reading that they are based on.
    observer.observe(*draw, ledger::ReadingSource::approve);
}

// Reads back every item without a result. Stops with an error if the service cannot answer.
// `after_answer`: the service answered the call without these draws. A draw that is pending and unchanged was skipped,
// and a later run submits it again, up to a limit. A draw that is pending and changed took the approval and waits for a
// further approver: one rule must not approve for several approvers.
asio::awaitable<Result<void>> read_back(Context& context, ApproveTally& tally, bool after_answer) {
    const auto items = ledger::open_approvals(context.ledger);
    if (items.empty()) co_return Result<void>();
    std::vector<DrawId> ids;
    ids.reserve(items.size());
    for (const auto& item : items)
        ids.push_back(item.draw_id);
    const auto readings = co_await read_draws(context, "approve", ids);
    std::optional<Error> first_error;
    Observer observer(context);
    context.ledger.transaction([&] {
        for (std::size_t i = 0; i < items.size(); ++i) {
            if (readings[i]) {
                resolve_by_reading(context, observer, items[i], *readings[i], after_answer, tally);
            } else if (readings[i].error().code != ErrorCode::unauthorized &&
                       readings[i].error().code != ErrorCode::cancelled) {
                // Its item stays open, and does not block other draws.
                observer.unreadable(items[i].draw_id, "approve", readings[i].error());
            } else if (!first_error) {
                first_error = readings[i].error();
            }
        }
    });
    if (first_error) co_return std::unexpected(*first_error);
    co_return Result<void>();
}

std::vector<service::Approval> to_request(const std::vector<ledger::ApprovalToSubmit>& approvals) {
    std::vector<service::Approval> request;
    request.reserve(approvals.size());
    for (const auto& approval : approvals) {
        request.push_back({approval.draw_id, approval.approver_id, approval.notes, approval.notification_emails});
    }
    return request;
}

// The amount in the answer; if the answer shows no draw, the amount that was decided.
Money approved_amount(Context& context, const service::ApprovalOutcome& outcome) {
    if (outcome.draw) return outcome.draw->amount_approved.value_or(Money());
    const auto known = ledger::newest_reading(context.ledger, outcome.id);
    return known ? known->draw.amount_requested.value_or(Money()) : Money();
}

void record_answer(Context& context, const std::vector<OpenApproval>& items, const service::ApprovalAnswer& answer,
                   ApproveTally& tally) {
    std::unordered_map<DrawId, const OpenApproval*> by_draw;
    for (const auto& item : items)
        by_draw.emplace(item.draw_id, &item);
    Observer observer(context);
    for (const auto& outcome : answer.outcomes) {
        const OpenApproval& item = *by_draw.at(outcome.id);
        if (outcome.approved) {
            close(context, item, ApprovalOutcome::approved, LearnedBy::answer, "");
            ++tally.approved;
            tally.amount += approved_amount(context, outcome);
        } else {
            close(context, item, ApprovalOutcome::refused, LearnedBy::answer, outcome.error);
            raise_refused(context, outcome.id, outcome.error);
            ++tally.refused;
        }
        // The answer's draw updates the mirror only if it shows the approval; the next poll reads anything else.
        if (outcome.draw && outcome.approved && outcome.draw->status == DrawStatus::approved) {
            observer.observe(*outcome.draw, ledger::ReadingSource::approve);
        }
    }
}

// The service refused the call as a whole: it does not accept some draw in it.
bool refuses_the_call(const Error& error) {
    return error.code == ErrorCode::protocol || error.code == ErrorCode::conflict ||
           error.code == ErrorCode::invalid_input;
}

void record_failure(Context& context, const std::vector<OpenApproval>& items, const Error& error, ApproveTally& tally) {
    // The call was sent without an answer: the items stay open and are read back.
    if (error.code == ErrorCode::outcome_unknown) return;
    const bool refused_alone = items.size() == 1 && refuses_the_call(error);
    context.ledger.transaction([&] {
        for (const auto& item : items) {
            close(context, item, refused_alone ? ApprovalOutcome::refused : ApprovalOutcome::not_applied,
                  refused_alone ? LearnedBy::answer : LearnedBy::never_sent, error.message);
        }
        if (refused_alone) raise_refused(context, items.front().draw_id, error.message);
    });
    if (refused_alone) ++tally.refused;
}

// One bulk call.
asio::awaitable<Result<void>> submit(Context& context, const std::vector<ledger::ApprovalToSubmit>& approvals,
                                     ApproveTally& tally) {
    const auto items = context.ledger.transaction(
        [&] { return ledger::open_approval_batch(context.ledger, approvals, context.stamp()); });
    crash_point("approve.intent_committed");
    const auto recorded = co_await record_high_water_mark(context);
    if (!recorded) {
        record_failure(context, items, recorded.error(), tally);
        co_return recorded;
    }
    auto request = to_request(approvals);
    const auto answer = co_await context.service.approve(std::move(request));
    if (!answer) {
        record_failure(context, items, answer.error(), tally);
        co_return std::unexpected(answer.error());
    }
    context.ledger.transaction([&] { record_answer(context, items, *answer, tally); });
    crash_point("approve.result_committed");
    co_return Result<void>();
}

// A call that is refused as a whole is split until the draws that the service does not accept are alone, so that they
// do not block the others. At most `calls_left` calls; the next run continues.
asio::awaitable<Result<void>> submit_all(Context& context, std::vector<ledger::ApprovalToSubmit> approvals,
                                         ApproveTally& tally, int& calls_left) {
    std::vector<std::vector<ledger::ApprovalToSubmit>> batches;
    batches.push_back(std::move(approvals));
    while (!batches.empty() && calls_left > 0) {
        const auto batch = std::move(batches.back());
        batches.pop_back();
        --calls_left;
        auto done = co_await submit(context, batch, tally);
        if (done) continue;
        if (!refuses_the_call(done.error())) co_return done;
        if (batch.size() == 1) continue;
        const auto middle = batch.begin() + static_cast<std::ptrdiff_t>(batch.size() / 2);
        batches.emplace_back(middle, batch.end());
        batches.emplace_back(batch.begin(), middle);
    }
    co_return Result<void>();
}

std::string summarize(const ApproveTally& tally) {
    std::string text = counted(tally.approved, "draw") + " approved (" + tally.amount.to_display() + ")";
    if (tally.refused > 0) text += ", " + std::to_string(tally.refused) + " refused";
    if (tally.again > 0) text += ", " + std::to_string(tally.again) + " found still pending";
    return text;
}

}  // namespace

asio::awaitable<StepReport> approve(Context& context) {
    StepRunner runner(context, Step::approve);
    ApproveTally tally;
    int calls_left = max_calls_per_run;
    auto done = co_await read_back(context, tally, /*after_answer=*/false);
    while (done && calls_left > 0 && !ledger::is_paused(context.ledger)) {
        auto approvals = ledger::approvals_to_submit(context.ledger, context.rules.sha256, context.settings.workflows,
                                                     static_cast<int>(service::max_bulk_approvals));
        if (approvals.empty()) break;
        done = co_await submit_all(context, std::move(approvals), tally, calls_left);
        // Draws that the answer left out stay open: read back now, so that none is submitted twice.
        const auto again_before = tally.again;
        if (done) done = co_await read_back(context, tally, /*after_answer=*/true);
        context.progress("approve", tally.approved + tally.refused, 0);
        // The next run retries what the service left pending, so that this one ends.
        if (tally.again > again_before) break;
    }
    if (!done) runner.failed(done.error());
    if (calls_left == 0) runner.problem("more draws wait for approval than one run may submit: the next run continues");
    co_return runner.finish(summarize(tally));
}

}  // namespace drawbridge::pipeline
