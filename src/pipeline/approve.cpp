#include <algorithm>
#include <boost/asio/post.hpp>
#include <chrono>
#include <deque>
#include <span>
#include <unordered_map>

#include "drawbridge/domain/crash_point.hpp"
#include "drawbridge/ledger/facts/decisions.hpp"
#include "drawbridge/ledger/facts/exceptions.hpp"
#include "drawbridge/ledger/store/read_ahead.hpp"
#include "drawbridge/pipeline/high_water.hpp"
#include "drawbridge/pipeline/steps.hpp"
#include "effect.hpp"
#include "in_flight.hpp"
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
// A run ends after a million draws, or when it has lasted this long, so that the other steps get their turn.
constexpr int max_calls_per_run = 2000;
constexpr std::chrono::minutes max_run{2};
// These share one high-water mark.
constexpr int max_calls_in_flight = 8;
// Between two transactions, requests for the status are answered.
constexpr std::size_t results_per_transaction = 500;

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
              ": fix the cause there; the draw is decided again when its request changes");
}

void close(Context& context, const OpenApproval& item, ApprovalOutcome outcome, LearnedBy learned_by,
           std::string_view detail) {
    ledger::close_approval(context.ledger, item, outcome, learned_by, detail, context.stamp());
}

// Whether the service shows the draw differently than when it was submitted, now or in a poll since.
bool has_changed(Context& context, const OpenApproval& item, const Draw& draw) {
    const auto known = ledger::newest_reading(context.ledger, draw.id);
    return !known || known->reading_id != item.reading_id || known->draw != draw;
}

// The outcome of a call is unknown. What the service shows of the draw now tells it.
void resolve_by_reading(Context& context, Observer& observer, const OpenApproval& item, const std::optional<Draw>& draw,
                        ApproveTally& tally) {
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
            if (has_changed(context, item, *draw) || item.earlier_attempts + 1 >= max_submissions) {
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
// The call did not arrive, or its answer lacked these draws. A draw that is pending and unchanged was skipped, and a
// later run submits it again, up to a limit. A draw that is pending and changed may have taken the approval and wait
// for a further approver: one rule must not approve for several approvers.
asio::awaitable<Result<void>> read_back(Context& context, ApproveTally& tally) {
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
                resolve_by_reading(context, observer, items[i], *readings[i], tally);
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

// One bulk call. Its draws are in no other open call.
struct Call {
    std::vector<ledger::ApprovalToSubmit> approvals;
    std::vector<OpenApproval> items{};
    Result<void> done{};
};

struct Approving {
    explicit Approving(Context& of) : context(of), observer(of) {}

    Context& context;
    Observer observer;
    ApproveTally tally;
    int calls_left = max_calls_per_run;
    std::chrono::steady_clock::time_point until = std::chrono::steady_clock::now() + max_run;
    std::deque<std::vector<ledger::ApprovalToSubmit>> waiting{};  // to be submitted before others are looked for

    [[nodiscard]] bool may_go_on() const {
        return calls_left > 0 && std::chrono::steady_clock::now() < until && !ledger::is_paused(context.ledger);
    }
};

void record_outcome(Approving& state, const OpenApproval& item, const service::ApprovalOutcome& outcome) {
    auto& context = state.context;
    if (outcome.approved) {
        close(context, item, ApprovalOutcome::approved, LearnedBy::answer, "");
        ++state.tally.approved;
        state.tally.amount += approved_amount(context, outcome);
    } else {
        close(context, item, ApprovalOutcome::refused, LearnedBy::answer, outcome.error);
        raise_refused(context, outcome.id, outcome.error);
        ++state.tally.refused;
    }
    // The answer's draw updates the mirror only if it shows the approval; the next poll reads anything else.
    if (outcome.draw && outcome.approved && outcome.draw->status == DrawStatus::approved) {
        state.observer.observe(*outcome.draw, ledger::ReadingSource::approve);
    }
}

// Items whose results a power loss takes stay open and are read back, so these commits do not wait for the disk. The
// intents of the next calls do, or the commit that records the run.
asio::awaitable<void> record_answer(Approving& state, const std::vector<OpenApproval>& items,
                                    const service::ApprovalAnswer& answer) {
    std::unordered_map<DrawId, const OpenApproval*> by_draw;
    for (const auto& item : items)
        by_draw.emplace(item.draw_id, &item);
    std::span<const service::ApprovalOutcome> rest(answer.outcomes);
    while (!rest.empty()) {
        const auto slice = rest.first(std::min(rest.size(), results_per_transaction));
        rest = rest.subspan(slice.size());
        const auto record = [&] {
            const ledger::ReadAhead known(state.context.ledger, [&] {
                for (const auto& outcome : slice) {
                    if (outcome.draw) state.observer.ask(*outcome.draw);
                }
            });
            for (const auto& outcome : slice)
                record_outcome(state, *by_draw.at(outcome.id), outcome);
        };
        state.context.ledger.transaction_deferred_sync(record);
        crash_point("approve.result_committed");
        state.context.progress("approve", state.tally.approved + state.tally.refused, 0);
        co_await asio::post(asio::use_awaitable);
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

asio::awaitable<void> submit(Approving& state, Call& call) {
    auto request = to_request(call.approvals);
    const auto answer = co_await as_effect(state.context.ledger, state.context.service.approve(std::move(request)));
    if (!answer) {
        record_failure(state.context, call.items, answer.error(), state.tally);
        call.done = std::unexpected(answer.error());
        co_return;
    }
    co_await record_answer(state, call.items, *answer);
}

// The intents of all calls are on the disk, then the position outside the ledger, and only then anything is sent.
asio::awaitable<Result<void>> submit_group(Approving& state, std::vector<Call>& calls) {
    auto& context = state.context;
    for (auto& call : calls) {
        context.ledger.transaction_deferred_sync(
            [&] { call.items = ledger::open_approval_batch(context.ledger, call.approvals, context.stamp()); });
        crash_point("approve.intent_committed");
        co_await asio::post(asio::use_awaitable);
    }
    context.ledger.sync();
    const auto recorded = co_await record_high_water_mark(context);
    if (!recorded) {
        for (const auto& call : calls)
            record_failure(context, call.items, recorded.error(), state.tally);
        co_return recorded;
    }
    std::vector<asio::awaitable<void>> workers;
    workers.reserve(calls.size());
    for (auto& call : calls)
        workers.push_back(submit(state, call));
    co_await run_all(std::move(workers));
    co_return Result<void>();
}

// The next calls of a group, each of at most 500 draws.
std::vector<Call> next_group(Approving& state) {
    const int in_flight =
        std::min({max_calls_in_flight, state.context.config.service.max_connections, state.calls_left});
    std::vector<Call> calls;
    while (std::ssize(calls) < in_flight && !state.waiting.empty()) {
        calls.push_back({std::move(state.waiting.front())});
        state.waiting.pop_front();
    }
    state.calls_left -= static_cast<int>(calls.size());
    return calls;
}

// A call that is refused as a whole is split until the draws that the service does not accept are alone, so that they
// do not block the others. What the run does not get to is left to the next run.
asio::awaitable<Result<void>> submit_waiting(Approving& state) {
    while (!state.waiting.empty() && state.may_go_on()) {
        auto calls = next_group(state);
        auto sent = co_await submit_group(state, calls);
        if (!sent) co_return sent;
        Result<void> failed;
        for (const auto& call : calls) {
            if (call.done) continue;
            if (!refuses_the_call(call.done.error())) {
                if (failed) failed = call.done;
                continue;
            }
            if (call.approvals.size() == 1) continue;
            const auto middle = call.approvals.begin() + static_cast<std::ptrdiff_t>(call.approvals.size() / 2);
            state.waiting.emplace_back(call.approvals.begin(), middle);
            state.waiting.emplace_back(middle, call.approvals.end());
        }
        if (!failed) co_return failed;
    }
    co_return Result<void>();
}

// Looks for the next draws to approve, enough for a group of calls. False: there are none.
asio::awaitable<bool> find_more(Approving& state, DrawId& after) {
    while (std::ssize(state.waiting) < max_calls_in_flight) {
        auto approvals = ledger::approvals_to_submit(state.context.ledger, state.context.rules.sha256,
                                                     state.context.config.service.workflows,
                                                     static_cast<int>(service::max_bulk_approvals), after);
        if (approvals.empty()) break;
        after = approvals.back().draw_id;
        state.waiting.push_back(std::move(approvals));
        co_await asio::post(asio::use_awaitable);
    }
    co_return !state.waiting.empty();
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
    Approving state(context);
    DrawId after = 0;
    auto done = co_await read_back(context, state.tally);
    while (done && state.may_go_on()) {
        const bool is_more = co_await find_more(state, after);
        if (!is_more) break;
        done = co_await submit_waiting(state);
        // Draws that the answers left out stay open: read back now, so that none is submitted twice.
        const auto again_before = state.tally.again;
        if (done) done = co_await read_back(context, state.tally);
        context.progress("approve", state.tally.approved + state.tally.refused, 0);
        // The next run retries what the service left pending, so that this one ends.
        if (state.tally.again > again_before) break;
    }
    if (!done) runner.failed(done.error());
    if (done && !state.may_go_on() && !ledger::is_paused(context.ledger))
        runner.problem("more draws wait for approval than one run may submit: the next run continues");
    co_return runner.finish(summarize(state.tally));
}

}  // namespace drawbridge::pipeline
