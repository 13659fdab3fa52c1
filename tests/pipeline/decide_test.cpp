#include "pipeline/pipeline_fixture.hpp"

namespace drawbridge::pipeline {
namespace {

using namespace std::chrono_literals;

class Deciding : public Pipeline {
  protected:
    Deciding() {
        // Noon in New York, so that a test does not cross midnight.
        const auto& zone = context_->settings.plan.zone;
        const auto today = zone.date_of(clock_.now());
        const auto noon = zone.to_instant(std::chrono::sys_days(today) + std::chrono::days(1), 12h);
        clock_.ahead = noon - clock_.now();
    }
    void use_limit(const std::string& limit) {
        use_rules("version: 1\napprover_id: 1201\nrules:\n  - {name: all, when: always, approve: {}, limits: [" +
                  limit + "]}\n");
    }
    static std::string held_by(const std::string& rule) {
        return "version: 1\napprover_id: 1201\nrules:\n  - {name: " + rule + ", when: always, hold: wait}\n";
    }
    [[nodiscard]] int decisions(DrawId id) {
        int count = 0;
        for (const auto& entry : ledger::timeline(*ledger_, id))
            count += entry.what == "decision" ? 1 : 0;
        return count;
    }
    [[nodiscard]] int count_in(const std::string& state) {
        int count = 0;
        for (DrawId id = 1; id <= 5; ++id)
            count += state_of(id) == state ? 1 : 0;
        return count;
    }
};

TEST_F(Deciding, draws_over_the_daily_limit_wait_for_the_next_day) {
    for (DrawId id = 1; id <= 5; ++id)
        add(id);
    use_limit("{count: 2, per: day}");
    run_well({poll, decide, approve});
    EXPECT_EQ(count_in("approved"), 2);
    EXPECT_EQ(count_in("held"), 3);
    clock_.ahead += 11h;  // 23:00
    run_well({decide, approve});
    EXPECT_EQ(count_in("approved"), 2);
    clock_.ahead += 2h;  // 01:00
    run_well({decide, approve});
    EXPECT_EQ(count_in("approved"), 4);
    EXPECT_EQ(count_in("held"), 1);
    expect_clean_ledger();
}

TEST_F(Deciding, a_run_limit_lets_the_next_run_continue_and_a_waiting_draw_is_recorded_once) {
    for (DrawId id = 1; id <= 5; ++id)
        add(id);
    use_limit("{count: 2, per: run}");
    run_well({poll, decide});
    EXPECT_EQ(count_in("held"), 3);
    clock_.ahead += 1s;
    run_well({decide});
    EXPECT_EQ(count_in("held"), 1);
    EXPECT_EQ(decisions(5), 1);
    clock_.ahead += 1s;
    run_well({decide});
    EXPECT_EQ(count_in("held"), 0);
    EXPECT_EQ(decisions(5), 2);
}

TEST_F(Deciding, a_run_limit_survives_a_restart_during_the_run) {
    for (DrawId id = 1; id <= 3; ++id)
        add(id);
    use_limit("{count: 2, per: run}");
    run_well({poll});
    // A run that decided two draws and died.
    ledger_->transaction([&] {
        const auto run = ledger::begin_decide_run(*ledger_, clock_.now());
        ledger::remember_rule_set(*ledger_, context_->rules.sha256, context_->rules.text, clock_.now());
        for (DrawId id = 1; id <= 2; ++id) {
            ledger::DecisionRecord record{.draw_id = id,
                                          .reading_id = ledger::newest_reading(*ledger_, id)->reading_id,
                                          .approve = true,
                                          .rule_set_sha256 = context_->rules.sha256,
                                          .rule = "all",
                                          .reason = "rule 'all' matches",
                                          .approver_id = 1201,
                                          .notes = {},
                                          .notification_emails = {},
                                          .explanation_json = "{}",
                                          .run_id = run,
                                          .decided_by = {},
                                          .again_at = {}};
            ledger::record_decision(*ledger_, record, context_->stamp());
        }
    });
    run_well({decide});
    EXPECT_EQ(state_of(3), "held") << "the run that died had used up its limit";
    clock_.ahead += 1s;
    run_well({decide});
    EXPECT_EQ(state_of(3), "approving") << "a new run";
    expect_clean_ledger();
}

TEST_F(Deciding, approvals_of_withdrawn_rules_use_no_limit) {
    for (DrawId id = 1; id <= 5; ++id)
        add(id);
    use_limit("{count: 3, per: day}");
    run_well({poll, decide});  // nothing is submitted yet
    EXPECT_EQ(count_in("approving"), 3);
    use_limit("{count: 3, amount: 9999.00, per: day}");
    run_well({decide});
    EXPECT_EQ(count_in("approving"), 3) << "decided again, not counted twice";
    // Submitted approvals count under any rules.
    run_well({approve});
    use_limit("{count: 4, per: day}");
    run_well({decide});
    EXPECT_EQ(count_in("approved"), 3);
    EXPECT_EQ(count_in("approving"), 1);
    expect_clean_ledger();
}

TEST_F(Deciding, a_draw_larger_than_the_limit_is_held_once) {
    add(1);
    use_limit("{amount: 100.00, per: run}");
    run_well({poll, decide});
    EXPECT_EQ(state_of(1), "held");
    EXPECT_EQ(ledger::find_draw(*ledger_, 1)->why,
              "rule 'all' matches, but the limit is reached: $100.00 per run: this draw alone exceeds it");
    clock_.ahead += 1s;
    const auto report = run(decide);
    EXPECT_EQ(report.summary, "0 draws to approve ($0.00), 0 held ($0.00)");
    EXPECT_EQ(decisions(1), 1);
}

TEST_F(Deciding, a_draw_waiting_for_a_limit_is_recorded_once_regardless_of_other_draws) {
    for (DrawId id = 1; id <= 5; ++id)
        add(id);
    use_limit("{amount: 210.00, per: run}");
    run_well({poll, decide});
    clock_.ahead += 1s;
    run_well({decide});
    EXPECT_EQ(count_in("approving"), 4);
    EXPECT_EQ(decisions(5), 1);
    EXPECT_EQ(state_of(5), "held");
    expect_clean_ledger();
}

TEST_F(Deciding, a_draw_held_for_its_age_is_decided_again_when_it_is_old_enough) {
    use_rules(
        "version: 1\napprover_id: 1201\nrules:\n  - {name: old, when: {requestedDate: {older_than: 3653d}}, approve: "
        "{}}\n");
    add(1);
    run_well({poll, decide});
    EXPECT_EQ(state_of(1), "held");
    run_well({decide});
    EXPECT_EQ(decisions(1), 1);
    clock_.ahead += std::chrono::days(3653);
    run_well({decide});
    EXPECT_EQ(decisions(1), 2);
    EXPECT_EQ(state_of(1), "approving");
}

TEST_F(Deciding, an_approval_that_was_not_submitted_in_time_is_decided_again) {
    const auto today = format_date(context_->settings.plan.zone.date_of(clock_.now()));
    use_rules("version: 1\napprover_id: 1201\nrules:\n  - {name: short, effective: {to: " + today +
              "}, when: always, approve: {}}\n");
    add(1);
    run_well({poll, decide});
    EXPECT_EQ(state_of(1), "approving");
    clock_.ahead += std::chrono::days(12);  // all movement was paused
    run_well({decide, approve});
    EXPECT_EQ(state_of(1), "held");
    EXPECT_EQ(asked(1), 0);
}

TEST_F(Deciding, a_second_draw_of_the_same_case_and_amount_is_held) {
    use_rules(
        "version: 1\napprover_id: 1201\nrules:\n  - {name: twice, when: {duplicate_within: 14d}, hold: possible "
        "duplicate}\n"
        "  - {name: rest, when: always, approve: {}}\n");
    sandbox_.portal("POST", "/draws", e2e::Json::parse(R"({"id": 1, "status": 3, "caseId": 77, "amountRequested": 10.00,
        "workflowId": 12, "requestedBy": "a@example.gov", "requestedDate": "2026-03-04T15:00:00"})"));
    sandbox_.portal("POST", "/draws", e2e::Json::parse(R"({"id": 2, "status": 3, "caseId": 77, "amountRequested": 10.00,
        "workflowId": 12, "requestedBy": "a@example.gov", "requestedDate": "2026-03-14T15:00:00"})"));
    sandbox_.portal("POST", "/draws", e2e::Json::parse(R"({"id": 3, "status": 3, "caseId": 77, "amountRequested": 10.01,
        "workflowId": 12, "requestedBy": "a@example.gov", "requestedDate": "2026-03-14T15:00:00"})"));
    run_well({poll, decide});
    EXPECT_EQ(state_of(1), "held");
    EXPECT_EQ(state_of(2), "held");
    EXPECT_EQ(state_of(3), "approving");
}

TEST_F(Deciding, a_draw_unreadable_during_a_rule_change_is_decided_by_the_new_rules_later) {
    add(1);
    use_rules(held_by("nobody"));
    run_well({poll, decide});
    ASSERT_EQ(state_of(1), "held");
    ledger_->transaction([&] {
        ledger::raise_exception(*ledger_, {"poll", "bad_record", 1, std::nullopt, "", "unreadable"}, context_->stamp());
    });
    use_limit("{count: 5, per: day}");
    run_well({decide});
    ASSERT_EQ(state_of(1), "held");
    ledger_->transaction([&] {
        ledger::close_exceptions_of_reason(*ledger_, 1, "bad_record", "shown correctly again", context_->stamp());
    });
    run_well({decide, approve});
    EXPECT_EQ(state_of(1), "approved");
}

TEST_F(Deciding, restored_rules_decide_draws_held_by_an_interrupted_run_of_other_rules) {
    add(1);
    use_rules(held_by("first"));
    run_well({poll, decide});
    use_rules(held_by("second"));
    const auto progress = context_->progress;
    context_->progress = [](std::string_view, std::int64_t, std::int64_t) { throw std::runtime_error("interrupted"); };
    EXPECT_THROW(static_cast<void>(run(decide)), std::runtime_error);
    ASSERT_EQ(decisions(1), 2);
    context_->progress = progress;
    use_rules(held_by("first"));
    run_well({decide});
    EXPECT_EQ(decisions(1), 3);
}

}  // namespace
}  // namespace drawbridge::pipeline
