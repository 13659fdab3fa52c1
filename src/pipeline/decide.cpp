#include "drawbridge/rules/decide.hpp"

#include "drawbridge/ledger/decisions.hpp"
#include "drawbridge/pipeline/stages.hpp"
#include "run_stage.hpp"

namespace drawbridge::pipeline {
namespace {

constexpr int draws_a_transaction = 1000;

ledger::DecisionRecord to_record(const ledger::KnownDraw& known, const rules::Decision& decision) {
    ledger::DecisionRecord record;
    record.draw_id = known.draw.id;
    record.reading_id = known.reading_id;
    record.approve = decision.outcome == rules::Outcome::approve;
    record.rule_set_sha256 = decision.rule_set_sha256;
    if (!decision.rule.empty()) record.rule = decision.rule;
    record.reason = decision.reason;
    record.explanation_json = rules::explanation_json(decision);
    if (record.approve) {
        record.approver_id = decision.approver_id;
        record.notes = decision.notes;
        record.notification_emails = decision.notify;
    }
    return record;
}

struct Tally {
    std::int64_t count = 0;
    Money amount;
    void add(const Draw& draw) {
        ++count;
        amount += draw.amount_requested.value_or(Money());
    }
};

}  // namespace

asio::awaitable<StageReport> decide(Context& context) {
    StageRunner runner(context, "decide");
    Tally approve, hold;
    while (true) {
        const auto draws = ledger::draws_to_decide(context.ledger, context.rules.sha256, context.settings.workflows,
                                                   draws_a_transaction);
        if (draws.empty()) break;
        context.ledger.transaction([&] {
            const auto stamp = context.stamp();
            ledger::remember_rule_set(context.ledger, context.rules.sha256, context.rules.text, stamp.at);
            for (const auto& known : draws) {
                const auto decision = rules::decide(known.draw, context.rules, stamp.at, context.settings.plan.zone);
                ledger::record_decision(context.ledger, to_record(known, decision), stamp);
                (decision.outcome == rules::Outcome::approve ? approve : hold).add(known.draw);
            }
        });
        context.progress("decide", approve.count + hold.count, 0);
    }
    co_return runner.finish(counted(approve.count, "draw") + " to approve (" + approve.amount.to_display() + "), " +
                            std::to_string(hold.count) + " held (" + hold.amount.to_display() + ")");
}

}  // namespace drawbridge::pipeline
