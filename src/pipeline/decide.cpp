#include "drawbridge/rules/decide.hpp"

#include "drawbridge/domain/crash_point.hpp"
#include "drawbridge/ledger/facts/decisions.hpp"
#include "drawbridge/ledger/facts/runs.hpp"
#include "drawbridge/ledger/reports/history.hpp"
#include "drawbridge/ledger/store/read_ahead.hpp"
#include "drawbridge/pipeline/let_others_run.hpp"
#include "drawbridge/pipeline/steps.hpp"
#include "step_runner.hpp"

namespace drawbridge::pipeline {
namespace {

// Between two transactions, requests for the status are answered; each takes a few turns of the event loop.
constexpr int draws_per_transaction = 250;
constexpr int draws_per_range = 1000;

ledger::DecisionRecord to_record(const ledger::KnownDraw& known, const rules::Decision& decision,
                                 ledger::DecideRunId run) {
    ledger::DecisionRecord record;
    record.draw_id = known.draw.id;
    record.reading_id = known.reading_id;
    record.approve = decision.outcome == rules::Outcome::approve;
    record.rule_set_sha256 = decision.rule_set_sha256;
    if (!decision.rule.empty()) record.rule = decision.rule;
    record.reason = decision.reason;
    record.explanation_json = rules::explanation_json(decision);
    record.run_id = run;
    record.again_at = decision.again_at;
    if (record.approve) {
        record.approver_id = decision.approver_id;
        record.notes = decision.notes;
        record.notification_emails = decision.notify;
    }
    return record;
}

struct DecideTally {
    std::int64_t count = 0;
    Money amount;
    void add(const Draw& draw) {
        ++count;
        amount += draw.amount_requested.value_or(Money());
    }
};

// An approval that was submitted may have taken effect at the service, and the draw may wait for a further approver:
// one rule must not approve for several.
rules::Decision held_without_rules(Context& context, const std::string& reason, Instant now) {
    rules::Decision decision;
    decision.reason = reason;
    decision.rule_set_sha256 = context.rules.sha256;
    decision.decided_at = now;
    return decision;
}

bool waits_for_next_run(const rules::Decision& decision) {
    return decision.at_limit && decision.again_at &&
           *decision.again_at <= decision.decided_at + std::chrono::milliseconds(1);
}

// A later run of a limit may let other draws through. That changes nothing for a draw that the limit still holds.
bool is_at_limit(const ledger::LastDecision& last) {
    return !last.approve && last.reason.starts_with(rules::at_limit_reason(last.rule.value_or("")));
}

// The decision repeats the one that already stands, on the same reading and rules: only time has passed.
bool repeats_last_decision(Context& context, const ledger::KnownDraw& known, const rules::Decision& decision) {
    const auto last = ledger::last_decision(context.ledger, known);
    return last && last->rule_set_sha256 == decision.rule_set_sha256 &&
           last->approve == (decision.outcome == rules::Outcome::approve) && last->rule.value_or("") == decision.rule &&
           (last->reason == decision.reason || (waits_for_next_run(decision) && is_at_limit(*last)));
}

// One instant and one set of limits for the whole run.
struct Deciding {
    Context& context;
    ledger::Stamp stamp;
    DecideTally approve = {}, hold = {};
    std::optional<ledger::LedgerHistory> history = {};
    std::optional<rules::LimitUsage> limits = {};
    ledger::DecideRunId run = 0;  // 0: it has decided nothing yet
};

void begin_run(Deciding& deciding) {
    Context& context = deciding.context;
    const auto now = deciding.stamp.at;
    deciding.run = ledger::begin_decide_run(context.ledger, now);
    deciding.history.emplace(context.ledger, context.rules, context.settings.payee_key, deciding.run);
    deciding.limits.emplace(context.rules, *deciding.history, now, context.settings.plan.zone);
}

// In a transaction.
void decide_draws(Deciding& deciding, const std::vector<ledger::DrawToDecide>& draws) {
    Context& context = deciding.context;
    const auto now = deciding.stamp.at;
    if (deciding.run == 0) begin_run(deciding);
    ledger::remember_rule_set(context.ledger, context.rules.sha256, context.rules.text, now);
    const ledger::ReadAhead last_decisions(context.ledger, [&] {
        for (const auto& [known, held_because] : draws)
            static_cast<void>(ledger::last_decision(context.ledger, known));
    });
    for (const auto& [known, held_because] : draws) {
        const auto decision = held_because ? held_without_rules(context, *held_because, now)
                                           : rules::decide(known.draw, *deciding.history, context.rules,
                                                           *deciding.limits, now, context.settings.plan.zone);
        if (repeats_last_decision(context, known, decision)) {
            ledger::decide_again_at(context.ledger, known.draw.id, decision.again_at);
            continue;
        }
        ledger::record_decision(context.ledger, to_record(known, decision, deciding.run), deciding.stamp);
        (decision.outcome == rules::Outcome::approve ? deciding.approve : deciding.hold).add(known.draw);
    }
}

}  // namespace

asio::awaitable<StepReport> decide(Context& context) {
    StepRunner runner(context, Step::decide);
    Deciding deciding{.context = context, .stamp = context.stamp()};
    const DecideTally &approve = deciding.approve, &hold = deciding.hold;
    const auto now = deciding.stamp.at;
    // If nothing is new and the rules are the same, skip the draws that are held: there may be a million.
    const auto decided_under = context.rules.sha256 + ledger::unreadable_draws_key(context.ledger);
    const bool is_needed =
        context.memory.decided_rule_set != decided_under || ledger::may_need_deciding(context.ledger, now);
    // Cleared until the run completes: an interrupted run has not decided everything.
    if (is_needed) context.memory.decided_rule_set.clear();
    auto range =
        is_needed ? ledger::next_pending(context.ledger, ledger::DrawRange().after, draws_per_range) : std::nullopt;
    while (range) {
        const auto draws = ledger::draws_to_decide(context.ledger, context.rules.sha256, now,
                                                   context.config.service.workflows, draws_per_transaction, *range);
        if (draws.empty()) {
            range = ledger::next_pending(context.ledger, range->until, draws_per_range);
            context.progress("decide", approve.count + hold.count, 0);
            co_await let_others_run();
            continue;
        }
        range->after = draws.back().known.draw.id;
        // A power loss may take decisions back, which are then made again: the end of the run waits for the disk, and
        // so does the intent of every approval.
        context.ledger.transaction_deferred_sync([&] { decide_draws(deciding, draws); });
        crash_point("decide.decisions_committed");
        context.progress("decide", approve.count + hold.count, 0);
        co_await let_others_run(context.ledger);
    }
    context.memory.decided_rule_set = decided_under;
    if (deciding.run != 0)
        context.ledger.transaction([&] { ledger::end_decide_run(context.ledger, deciding.run, now); });
    co_return runner.finish(counted(approve.count, "draw") + " to approve (" + approve.amount.to_display() + "), " +
                            std::to_string(hold.count) + " held (" + hold.amount.to_display() + ")");
}

}  // namespace drawbridge::pipeline
