#include "approve_read_back.hpp"

#include <algorithm>
#include <chrono>
#include <deque>
#include <span>
#include <unordered_map>
#include <utility>

#include "drawbridge/disbursement/plan.hpp"
#include "drawbridge/domain/crash_point.hpp"
#include "drawbridge/ledger/facts/decisions.hpp"
#include "drawbridge/ledger/facts/exceptions.hpp"
#include "drawbridge/ledger/store/read_ahead.hpp"
#include "drawbridge/pipeline/high_water.hpp"
#include "drawbridge/pipeline/let_others_run.hpp"
#include "drawbridge/pipeline/steps.hpp"
#include "effect.hpp"
#include "in_flight.hpp"
#include "observe.hpp"
#include "step_runner.hpp"

namespace drawbridge::pipeline {
namespace {

using ledger::ApprovalOutcome;
using ledger::LearnedBy;
using ledger::OpenApproval;

// A submission without an answer may have failed because of one draw in it, so the next are smaller.
constexpr std::size_t draws_after_one_attempt = 25;
// If the service refuses whole calls, so many draws are submitted alone to see whether it refuses them all.
constexpr std::size_t draws_alone = 8;
// One text for so many draws alone is the answer to all approvals; fewer may have the same fault.
constexpr std::size_t enough_alone = 3;
// The subject of the exception about all approvals.
constexpr std::string_view all_approvals = "approvals";
// A run ends after a million draws, or when it has lasted this long, so that the other steps get their turn.
constexpr int max_calls_per_run = 2000;
constexpr std::chrono::minutes max_run{2};
// These share one high-water mark.
constexpr int max_calls_in_flight = 8;
// Between two transactions, requests for the status are answered. All calls in flight may be answered at once.
constexpr std::size_t results_per_transaction = 125;

void raise_refused(Context& context, DrawId id, const std::string& answer) {
    raise_approval(context, id, "approval_refused",
                   "the service refused the approval: " + answer +
                       ": fix the cause there; the draw is decided again when its request changes");
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
    explicit Approving(Context& of)
        : context(of), observer(of), failed_runs(ledger::failed_runs_in_a_row(of.ledger, Step::approve)) {}

    Context& context;
    Observer observer;
    int failed_runs;  // before this one
    ApproveTally tally;
    int calls_left = max_calls_per_run;
    std::chrono::steady_clock::time_point until = std::chrono::steady_clock::now() + max_run;
    std::deque<std::vector<ledger::ApprovalToSubmit>> waiting{};  // to be submitted before others are looked for
    // Some draws are submitted alone.
    bool alone = false;
    // The service answered a call of this run.
    bool answered = false;
    // Calls of earlier runs did what they asked for, although no answer came.
    bool took_effect = false;
    std::unordered_set<DrawId> accepted{};  // without an error, and not shown as Approved
    // The error of the newest call that the service did not answer or refused, or of the reads that tell what came of
    // earlier ones.
    std::optional<Error> call_error{};
    // The error of the first call whose outcome the next run reads back.
    std::optional<Error> unknown{};
    // The error of a call that was refused for a reason that may concern all approvals.
    std::optional<Error> refused_untested{};
    // Draws that were refused alone, while the service answered no call. They stay open until they are compared.
    std::vector<std::pair<OpenApproval, Error>> refused_alone{};

    [[nodiscard]] bool may_go_on() const {
        return calls_left > 0 && std::chrono::steady_clock::now() < until && !ledger::is_paused(context.ledger);
    }
};

void record_outcome(Approving& state, const OpenApproval& item, const service::ApprovalOutcome& outcome) {
    auto& context = state.context;
    if (outcome.approved) {
        close_item(context, item, ApprovalOutcome::approved, LearnedBy::answer, "");
        if (outcome.draw) tell_if_disbursed(context, item.draw_id, outcome.draw->status);
        ++state.tally.approved;
        state.tally.amount += approved_amount(context, outcome);
    } else {
        close_item(context, item, ApprovalOutcome::refused, LearnedBy::answer, outcome.error);
        raise_refused(context, outcome.id, outcome.error);
        ++state.tally.refused;
    }
    // The answer's draw updates the mirror only if it shows the approval; the next poll reads anything else.
    if (outcome.draw && outcome.approved && outcome.draw->status == DrawStatus::approved) {
        state.observer.observe(*outcome.draw, ledger::ReadingSource::approve);
    }
}

// Draws in the answer that no call asked for. They are held when they would be paid.
void raise_unrequested(Context& context, const std::vector<DrawId>& ids) {
    if (ids.empty()) return;
    context.ledger.transaction([&] {
        for (const DrawId id : ids) {
            if (ledger::was_submitted(context.ledger, id)) continue;
            ledger::raise_exception(
                context.ledger,
                {"pay", std::string(disbursement::reason::approval_unrequested), id, std::nullopt, "",
                 "the service's answer to the approval of other draws also approves this one, and no approval of it "
                 "was sent: find out who approved it; if it is to be paid, resolve this exception to pay it"},
                context.stamp());
        }
    });
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
        co_await let_others_run(state.context.ledger);
        state.context.ledger.transaction_deferred_sync(record);
        crash_point("approve.result_committed");
        state.context.progress("approve", state.tally.approved + state.tally.refused, 0);
    }
}

// 400, 405, 409, 413, 415, 422: more likely about the draws of the call than 403 and 404 are.
bool is_likely_about_draws(const Error& error) {
    return error.code == ErrorCode::protocol || error.code == ErrorCode::conflict ||
           error.code == ErrorCode::invalid_input;
}

// The service refused the call. It may refuse every approval, not just those of this call.
bool may_concern_all(const Error& error) {
    return is_likely_about_draws(error) || error.code == ErrorCode::forbidden || error.code == ErrorCode::not_found;
}

void record_refused_alone(Approving& state, const OpenApproval& item, const Error& error) {
    auto& context = state.context;
    context.ledger.transaction([&] {
        close_item(context, item, ApprovalOutcome::refused, LearnedBy::answer, error.message);
        raise_refused(context, item.draw_id, error.message);
    });
    ++state.tally.refused;
}

void record_not_applied(Context& context, const std::vector<OpenApproval>& items, const Error& error) {
    context.ledger.transaction([&] {
        for (const auto& item : items)
            close_item(context, item, ApprovalOutcome::not_applied, LearnedBy::never_sent, error.message);
    });
}

// Whether draws that were refused alone are refused themselves, or with all others.
void settle_refused_alone(Approving& state) {
    const auto refused = std::exchange(state.refused_alone, {});
    const bool concerns_all =
        !state.answered && refused.size() >= enough_alone && std::ranges::all_of(refused, [&](const auto& one) {
            return one.second.message == refused.front().second.message;
        });
    for (const auto& [item, error] : refused) {
        if (concerns_all) {
            record_not_applied(state.context, {item}, error);
            state.refused_untested = error;
        } else {
            record_refused_alone(state, item, error);
        }
    }
}

asio::awaitable<void> submit(Approving& state, Call& call) {
    auto request = to_request(call.approvals);
    const auto answer = co_await as_effect(state.context.ledger, state.context.service.approve(std::move(request)));
    if (!answer) {
        call.done = std::unexpected(answer.error());
        co_return;
    }
    state.answered = true;
    state.accepted.insert(answer->accepted.begin(), answer->accepted.end());
    raise_unrequested(state.context, answer->unrequested);
    co_await record_answer(state, call.items, *answer);
}

// The intents of all calls are on the disk, then the position outside the ledger, and only then anything is sent.
asio::awaitable<Result<void>> submit_group(Approving& state, std::vector<Call>& calls) {
    auto& context = state.context;
    for (auto& call : calls) {
        context.ledger.transaction_deferred_sync(
            [&] { call.items = ledger::open_approval_batch(context.ledger, call.approvals, context.stamp()); });
        crash_point("approve.intent_committed");
        co_await let_others_run(context.ledger);
    }
    context.ledger.sync();
    const auto recorded = co_await record_high_water_mark(context);
    if (!recorded) {
        for (const auto& call : calls)
            record_not_applied(context, call.items, recorded.error());
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

void split(Approving& state, const Call& call) {
    const auto middle = call.approvals.begin() + static_cast<std::ptrdiff_t>(call.approvals.size() / 2);
    state.waiting.emplace_back(call.approvals.begin(), middle);
    state.waiting.emplace_back(middle, call.approvals.end());
}

// What follows from a call that the service did not accept. An error ends the run.
Result<void> handle_failure(Approving& state, const Call& call) {
    const Error& error = call.done.error();
    state.call_error = error;
    if (error.code == ErrorCode::outcome_unknown) {
        // Sent without an answer: the items stay open and are read back.
        if (!state.unknown) state.unknown = error;
        return state.answered || state.alone ? Result<void>() : call.done;
    }
    const bool concerns_call = may_concern_all(error) && state.answered;
    if (call.items.size() == 1 && (concerns_call || is_likely_about_draws(error))) {
        state.refused_alone.emplace_back(call.items.front(), error);
        return {};
    }
    record_not_applied(state.context, call.items, error);
    if (concerns_call) {
        split(state, call);
    } else if (may_concern_all(error)) {
        state.refused_untested = error;
    } else {
        return call.done;
    }
    return {};
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
            if (const auto handled = handle_failure(state, call); !handled && failed) failed = handled;
        }
        if (!failed) co_return failed;
    }
    co_return Result<void>();
}

std::vector<ledger::ApprovalToSubmit> to_submit(Approving& state, int limit, DrawId after) {
    return ledger::approvals_to_submit(state.context.ledger, state.context.rules.sha256,
                                       state.context.config.service.workflows, limit, after);
}

// Draws without earlier attempts go in one call, the others in smaller ones, and after two attempts alone.
void add_calls(Approving& state, std::vector<ledger::ApprovalToSubmit> approvals) {
    std::vector<ledger::ApprovalToSubmit> calls[3];
    const std::size_t sizes[] = {service::max_bulk_approvals, draws_after_one_attempt, 1};
    for (auto& approval : approvals) {
        const auto kind = static_cast<std::size_t>(std::min(approval.earlier_attempts, 2));
        calls[kind].push_back(std::move(approval));
        if (calls[kind].size() == sizes[kind]) state.waiting.push_back(std::exchange(calls[kind], {}));
    }
    for (auto& call : calls) {
        if (!call.empty()) state.waiting.push_front(std::move(call));
    }
}

// Looks for the next draws to approve, enough for a group of calls. False: there are none.
asio::awaitable<bool> find_more(Approving& state, DrawId& after) {
    while (std::ssize(state.waiting) < max_calls_in_flight) {
        auto approvals = to_submit(state, static_cast<int>(service::max_bulk_approvals), after);
        if (approvals.empty()) break;
        after = approvals.back().draw_id;
        add_calls(state, std::move(approvals));
        co_await let_others_run();
    }
    co_return !state.waiting.empty();
}

// Draws far apart, and others than in the last run: a few that are refused must not stand for all.
void find_some_alone(Approving& state) {
    auto approvals = to_submit(state, static_cast<int>(service::max_bulk_approvals), 0);
    const std::size_t apart = std::max<std::size_t>(1, approvals.size() / draws_alone);
    for (auto i = static_cast<std::size_t>(state.failed_runs) % apart;
         i < approvals.size() && state.waiting.size() < draws_alone; i += apart)
        state.waiting.push_back({std::move(approvals[i])});
}

// Submits what waits. If the service refuses whole calls and answers none, some draws alone show whether it refuses
// them all. After a failed run these come first, so that an outage costs little.
asio::awaitable<Result<void>> submit_all(Approving& state) {
    auto& context = state.context;
    state.alone = state.failed_runs > 0 && !state.took_effect;
    DrawId after = 0;
    while (state.may_go_on()) {
        if (state.alone) {
            find_some_alone(state);
        } else {
            const bool is_more = co_await find_more(state, after);
            if (!is_more) break;
        }
        auto done = co_await submit_waiting(state);
        settle_refused_alone(state);
        if (!done) co_return done;
        const bool were_alone = std::exchange(state.alone, false);
        if (were_alone && !state.answered && state.unknown) break;
        // Draws that the answers left out stay open: read back now, so that none is submitted twice.
        const auto again_before = state.tally.again;
        if (!state.unknown) done = co_await read_back(context, state.tally, /*answered=*/true, state.accepted);
        if (!done) co_return done;
        context.progress("approve", state.tally.approved + state.tally.refused, 0);
        // The next run retries what the service left pending, so that this one ends.
        if (state.tally.again > again_before) break;
        if (!state.refused_untested) continue;
        if (were_alone && !state.answered) co_return std::unexpected(*state.refused_untested);
        // The draws of the refused calls are looked for again.
        state.alone = !state.answered;
        after = 0;
        state.refused_untested.reset();
        state.waiting.clear();
    }
    if (state.unknown) co_return std::unexpected(*state.unknown);
    co_return Result<void>();
}

// One exception about all approvals, not one for each draw. When polls fail too, `poll` tells people.
void tell_whether_approvals_work(Approving& state, const Result<void>& done) {
    auto& context = state.context;
    const bool fails = !done && !state.answered && !state.took_effect;
    if (fails && (!state.call_error || state.failed_runs + 1 < failed_runs_before_exception ||
                  ledger::failed_runs_in_a_row(context.ledger, Step::poll) > 0)) {
        return;
    }
    if (!fails && state.failed_runs == 0) return;  // there is nothing to close
    context.ledger.transaction([&] {
        if (fails) {
            ledger::raise_exception(
                context.ledger,
                {"approve", "approvals_failing", std::nullopt, std::nullopt, std::string(all_approvals),
                 state.call_error->message + ": no draw is approved until the service takes an approval"},
                context.stamp());
        } else {
            ledger::close_exceptions_of_subject(
                context.ledger, all_approvals,
                state.answered || state.took_effect ? "the service took an approval" : "no approval waits",
                context.stamp());
        }
    });
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
    auto done = co_await read_back(context, state.tally, /*answered=*/false);
    state.took_effect = state.tally.approved > 0;
    if (!done && done.error().code != ErrorCode::cancelled) state.call_error = done.error();
    if (done) done = co_await submit_all(state);
    tell_whether_approvals_work(state, done);
    if (!done) runner.failed(done.error());
    if (done && !state.may_go_on() && !ledger::is_paused(context.ledger))
        runner.problem("more draws wait for approval than one run may submit: the next run continues");
    co_return runner.finish(summarize(state.tally));
}

}  // namespace drawbridge::pipeline
