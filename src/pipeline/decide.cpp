#include "drawbridge/rules/decide.hpp"

#include <limits>

#include "drawbridge/domain/crash_point.hpp"
#include "drawbridge/ledger/decisions.hpp"
#include "drawbridge/ledger/history.hpp"
#include "drawbridge/pipeline/stages.hpp"
#include "run_stage.hpp"

namespace drawbridge::pipeline {
namespace {

constexpr int draws_a_transaction = 1000;

ledger::DecisionRecord to_record(const ledger::KnownDraw& known, const rules::Decision& decision,
                                 const ledger::DecideRun& run) {
    ledger::DecisionRecord record;
    record.draw_id = known.draw.id;
    record.reading_id = known.reading_id;
    record.approve = decision.outcome == rules::Outcome::approve;
    record.rule_set_sha256 = decision.rule_set_sha256;
    if (!decision.rule.empty()) record.rule = decision.rule;
    record.reason = decision.reason;
    record.explanation_json = rules::explanation_json(decision);
    record.decide_run_id = run.id;
    record.decide_again_at = decision.decide_again_at;
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

// One run of the stage: each draw comes by once.
class Run {
  public:
    Run(Context& context, const std::vector<ledger::KnownDraw>& first)
        : context_(context),
          run_(context.ledger.transaction(
              [&] { return ledger::begin_decide_run(context.ledger, context.clock.now()); })),
          history_(ledger::history_for(context.ledger, context.rules, context.settings.payee_key, context.clock.now(),
                                       zone(), run_)),
          draws_(first) {}

    void go() {
        while (!draws_.empty()) {
            context_.ledger.transaction([&] { decide_all(); });
            crash_point("decide.committed");
            context_.progress("decide", approve.count + hold.count, 0);
            draws_ = next_draws(context_, draws_.back().draw.id);
        }
        context_.ledger.transaction([&] { ledger::end_decide_run(context_.ledger, run_, context_.clock.now()); });
    }

    static std::vector<ledger::KnownDraw> next_draws(Context& context, DrawId after) {
        return ledger::draws_to_decide(context.ledger, context.rules.sha256, context.settings.workflows,
                                       context.clock.now(), after, draws_a_transaction);
    }

    Tally approve, hold;

  private:
    [[nodiscard]] const TimeZone& zone() const { return context_.settings.plan.zone; }

    void decide_all() {
        const auto stamp = context_.stamp();
        ledger::remember_rule_set(context_.ledger, context_.rules.sha256, context_.rules.text, stamp.at);
        for (const auto& known : draws_)
            decide_one(known, stamp);
    }

    void decide_one(const ledger::KnownDraw& known, const ledger::Stamp& stamp) {
        history_.withdraw_use(known.draw.id);
        const auto decision = rules::decide(known.draw, history_, context_.rules, stamp.at, zone());
        const bool approves = decision.outcome == rules::Outcome::approve;
        (approves ? approve : hold).add(known.draw);
        if (approves) history_.add_use(rules::use_of(decision, known.draw));
        // Still waiting for a run that has room: it need not be written down at every run.
        const bool no_news =
            decision.waits_for_next_run &&
            ledger::waits_for_next_run(context_.ledger, known.reading_id, decision.rule_set_sha256, decision.rule);
        if (!no_news) ledger::record_decision(context_.ledger, to_record(known, decision, run_), stamp);
    }

    Context& context_;
    ledger::DecideRun run_;
    rules::History history_;
    std::vector<ledger::KnownDraw> draws_;
};

}  // namespace

asio::awaitable<StageReport> decide(Context& context) {
    StageRunner runner(context, "decide");
    constexpr DrawId before_all = std::numeric_limits<DrawId>::min();
    Tally approve, hold;
    if (const auto draws = Run::next_draws(context, before_all); !draws.empty()) {
        Run run(context, draws);
        run.go();
        approve = run.approve;
        hold = run.hold;
    } else if (const auto cut_off = ledger::open_decide_run(context.ledger)) {
        context.ledger.transaction([&] { ledger::end_decide_run(context.ledger, *cut_off, context.clock.now()); });
    }
    co_return runner.finish(counted(approve.count, "draw") + " to approve (" + approve.amount.to_display() + "), " +
                            std::to_string(hold.count) + " held (" + hold.amount.to_display() + ")");
}

}  // namespace drawbridge::pipeline
