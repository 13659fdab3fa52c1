#include "pipeline/pipeline_fixture.hpp"

#include <algorithm>
#include <ranges>

namespace drawbridge::pipeline {
namespace {

using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::IsEmpty;

class Approving : public Pipeline {
  protected:
    Approving() {
        for (DrawId id = 1; id <= 5; ++id)
            add(id);
        run_well({poll, decide});
    }
};

TEST_F(Approving, a_lost_answer_is_read_back_and_nothing_is_submitted_twice) {
    fault(R"({"endpoint": "approve", "kind": "close_after_commit"})");
    const auto first = run(approve);
    EXPECT_FALSE(first.ok) << "the outcome is not known yet";
    EXPECT_EQ(state_of(1), "approving");
    run_well({approve});  // no poll in between: the step itself reads back
    for (DrawId id = 1; id <= 5; ++id) {
        EXPECT_EQ(state_of(id), "approved");
        EXPECT_EQ(asked(id), 1);
        EXPECT_EQ(approved(id), 1);
    }
    expect_clean_ledger();
}

// Three calls, which are in flight together.
class ApprovingMany : public Pipeline {
  protected:
    static constexpr DrawId draws = 1100;
    ApprovingMany() {
        config_.service.page_size = 500;
        for (DrawId id = 1; id <= draws; ++id)
            add(id);
        run_well({poll, decide});
    }
};

TEST_F(ApprovingMany, a_lost_answer_leaves_the_other_calls_alone) {
    fault(R"({"endpoint": "approve", "kind": "close_after_commit", "skip": 1})");
    const auto first = run(approve);
    EXPECT_FALSE(first.ok) << "the outcome of one call is not known yet";
    const DrawId in_lost_call = state_of(draws) == "approved" ? 500 : 100;
    const auto is_approved = [&](DrawId id) { return state_of(id) == "approved"; };
    EXPECT_EQ(std::ranges::count_if(std::views::iota(DrawId{1}, draws + 1), is_approved), draws - in_lost_call);
    run_well({approve});
    EXPECT_EQ(sandbox_.requests("approve"), 3) << "the lost one is read back, not sent again";
    for (DrawId id = 1; id <= draws; ++id) {
        EXPECT_EQ(state_of(id), "approved");
        EXPECT_EQ(approved(id), 1);
    }
    expect_clean_ledger();
}

TEST_F(ApprovingMany, a_call_refused_as_a_whole_is_split_beside_the_others) {
    fault(R"({"endpoint": "approve", "kind": "status", "code": 422, "body": "one of them is odd"})");
    run_well({approve});
    EXPECT_EQ(sandbox_.requests("approve"), 5) << "three calls, and two halves of one";
    for (DrawId id = 1; id <= draws; ++id)
        EXPECT_EQ(approved(id), 1);
    expect_clean_ledger();
}

TEST_F(Approving, calls_that_take_effect_without_an_answer_are_no_failure_of_approvals) {
    fault(R"({"endpoint": "approve", "kind": "close_after_commit", "times": 100})");
    DrawId next = 100;
    for (int cycle = 0; cycle < 6; ++cycle) {
        for (int count = 0; count < 20; ++count)
            add(next++, 3, "PAYEE-1");
        run_well({poll, decide});
        EXPECT_FALSE(run(approve).ok);
    }
    EXPECT_THAT(reasons(), IsEmpty());
    EXPECT_EQ(approved(next - 1), 1) << "all wait in one call";
    expect_clean_ledger();
}

TEST_F(Approving, a_call_without_effect_is_submitted_again_after_reading_back) {
    fault(R"({"endpoint": "approve", "kind": "close_before_commit"})");
    EXPECT_FALSE(run(approve).ok);
    run_well({approve});
    for (DrawId id = 1; id <= 5; ++id) {
        EXPECT_EQ(state_of(id), "approved");
        EXPECT_EQ(approved(id), 1);
    }
}

TEST_F(Approving, missing_and_unrequested_results_are_handled_per_draw) {
    fault(R"({"endpoint": "approve", "kind": "missing_results", "drawId": 2})");
    fault(R"({"endpoint": "approve", "kind": "foreign_result", "drawId": 99})");
    fault(R"({"endpoint": "approve", "kind": "reordered", "seed": 4})");
    run_well({approve});
    for (DrawId id = 1; id <= 5; ++id) {
        EXPECT_EQ(state_of(id), "approved");
        EXPECT_EQ(asked(id), 1) << "a missing result is read back, not submitted again";
    }
    EXPECT_EQ(state_of(99), "unknown");
    EXPECT_THAT(reasons(), IsEmpty()) << "it says that draw 99 was not approved";
}

TEST_F(Approving, holds_a_draw_that_the_service_approves_without_a_request) {
    use_rules("version: 1\napprover_id: 1201\nrules:\n  - name: one\n    when: {fieldA: PAYEE-1}\n    approve: {}\n");
    add(9, 3, "PAYEE-2");
    run_well({poll, decide});
    sandbox_.act(9, "approve");
    fault(R"({"endpoint": "approve", "kind": "foreign_result", "drawId": 9})");
    run_well({approve});
    EXPECT_THAT(reasons(), ElementsAre("approval_unrequested"));
    for (int run_number = 0; run_number < 2; ++run_number) {
        run_well({poll, decide, approve, pay});
        EXPECT_EQ(state_of(1), "paying");
        EXPECT_EQ(state_of(9), "blocked");
        EXPECT_THAT(reasons(), ElementsAre("approval_unrequested"));
    }
    EXPECT_EQ(resolve_all("approval_unrequested", eva()), 1);
    run_well({pay});
    EXPECT_EQ(state_of(9), "paying");
    EXPECT_THAT(reasons(), IsEmpty());
    expect_clean_ledger();
}

TEST_F(Approving, a_draw_that_may_not_be_read_delays_no_other) {
    fault(R"({"endpoint": "approve", "kind": "missing_results", "drawId": 1})");
    fault(R"({"endpoint": "read", "kind": "status", "drawId": 1, "code": 401, "times": 1000})");
    run_well({approve});
    EXPECT_EQ(state_of(2), "approved");
    add(6);
    run_well({poll, decide, approve});
    EXPECT_FALSE(run(pay).ok) << "draw 1 could not be read again";
    EXPECT_EQ(state_of(6), "paying");
    EXPECT_THAT(reasons(), Contains("bad_record"));
}

TEST_F(Approving, runs_that_cannot_read_back_are_an_exception_too) {
    fault(R"({"endpoint": "approve", "kind": "close_after_commit"})");
    EXPECT_FALSE(run(approve).ok);
    connect();  // without a token
    fault(R"({"endpoint": "token", "kind": "status", "code": 401, "times": 1000})");
    for (int run_number = 2; run_number <= 3; ++run_number) {
        EXPECT_THAT(reasons(), IsEmpty());
        EXPECT_FALSE(run(approve).ok);
    }
    EXPECT_THAT(reasons(), ElementsAre("approvals_failing"));
}

TEST_F(Approving, a_draw_missing_from_the_answer_and_still_pending_is_submitted_again) {
    fault(R"({"endpoint": "approve", "kind": "status", "code": 200, "body": "[]"})");
    run_well({approve});
    EXPECT_THAT(reasons(), IsEmpty());
    EXPECT_EQ(sandbox_.requests("approve"), 1) << "the next run retries, not this one";
    run_well({approve});
    for (DrawId id = 1; id <= 5; ++id) {
        EXPECT_EQ(state_of(id), "approved");
        EXPECT_EQ(approved(id), 1);
    }
    expect_clean_ledger();
}

// The service takes the approval and shows the draw as pending: it waits for another approver, or is not done yet.
TEST_F(Approving, a_draw_that_the_service_took_without_approving_it_is_not_submitted_again) {
    const std::string taken = R"([{\"drawId\": 1, \"error\": null, \"draw\": {\"id\": 1, \"status\": 3}}])";
    for (DrawId id = 1; id <= 5; ++id)
        sandbox_.act(id, "approve");
    for (const std::string& body : {taken, std::string()}) {
        const auto calls = sandbox_.requests("approve");
        const DrawId draw = body.empty() ? 7 : 6;
        add(draw, 3, "PAYEE-1");
        run_well({poll, decide});
        std::string answer = body;
        if (!answer.empty()) answer.replace(answer.find(": 1"), 3, ": 6").replace(answer.rfind(": 1,"), 3, ": 6");
        fault((R"({"endpoint": "approve", "kind": "status", "code": 200, "times": 100, "body": ")" + answer + "\"}")
                  .c_str());
        for (int run_number = 0; run_number < 3; ++run_number)
            run_well({poll, approve});
        EXPECT_EQ(sandbox_.requests("approve"), calls + 1);
        EXPECT_EQ(state_of(draw), "held");
        sandbox_.clear_faults();
        sandbox_.act(draw, "approve");
        run_well({poll});
        EXPECT_EQ(state_of(draw), "approved");
        EXPECT_THAT(reasons(), IsEmpty()) << "what the exception waited for has come";
    }
    expect_clean_ledger();
}

// One 404 is no answer about the approval: its exception closes when the draw is shown again.
TEST_F(Approving, a_draw_that_could_not_be_found_once_is_not_forgotten) {
    fault(R"({"endpoint": "approve", "kind": "close_before_commit"})");
    EXPECT_FALSE(run(approve).ok);
    fault(R"({"endpoint": "read", "kind": "status", "drawId": 1, "code": 404, "times": 2})");
    static_cast<void>(run(approve));
    EXPECT_THAT(reasons(), ElementsAre("draw_gone"));
    run_well({poll, approve});
    run_well({approve});
    EXPECT_EQ(state_of(1), "approved");
    EXPECT_EQ(approved(1), 1);
    EXPECT_THAT(reasons(), IsEmpty());
    expect_clean_ledger();
}

TEST_F(Approving, a_draw_that_is_disbursed_with_its_approval_needs_a_person) {
    fault(R"({"endpoint": "approve", "kind": "close_after_commit"})");
    EXPECT_FALSE(run(approve).ok);
    sandbox_.act(1, "disburse");
    run_well({approve, poll, pay});
    EXPECT_THAT(reasons(), ElementsAre("approval_overtaken"));
    EXPECT_EQ(state_of(2), "paying");
    EXPECT_NE(state_of(1), "paying");
    expect_clean_ledger();
}

// The service refuses the call for one draw, and has approved the others.
TEST_F(Approving, results_in_a_refusal_count) {
    const std::string results =
        R"([{\"drawId\": 1, \"error\": \"no budget\"}, {\"drawId\": 2, \"error\": null, \"draw\": {\"id\": 2, \"status\": 4}}])";
    for (DrawId id = 2; id <= 5; ++id)
        sandbox_.act(id, "approve");
    fault((R"({"endpoint": "approve", "kind": "status", "code": 422, "body": ")" + results + "\"}").c_str());
    run_well({approve});
    EXPECT_EQ(sandbox_.requests("approve"), 1);
    EXPECT_EQ(state_of(1), "held");
    for (DrawId id = 2; id <= 5; ++id)
        EXPECT_EQ(state_of(id), "approved");
    EXPECT_THAT(reasons(), ElementsAre("approval_refused"));
}

TEST_F(Approving, a_draw_missing_from_repeated_answers_becomes_an_exception) {
    fault(R"({"endpoint": "approve", "kind": "status", "code": 200, "body": "[]", "times": 100})");
    for (int run_number = 0; run_number < 8; ++run_number)
        run_well({approve});
    EXPECT_THAT(reasons(), ::testing::Each("approval_not_taking"));
    for (DrawId id = 1; id <= 5; ++id)
        EXPECT_EQ(state_of(id), "held");
    EXPECT_EQ(sandbox_.requests("approve"), 2 + 3 * 5) << "twice together, three times each alone";
    // Further approvers approve it in the portal: it is paid like any other draw.
    sandbox_.clear_faults();
    sandbox_.act(1, "approve");
    run_well({poll, pay});
    EXPECT_EQ(state_of(1), "paying");
    expect_clean_ledger();
}

// The service needs two approvals, and the first leaves a draw pending.
class ApprovingWithTwo : public Approving {
  protected:
    ApprovingWithTwo() { sandbox_.portal("PUT", "/workflows/12", {{"approvalsNeeded", 2}}); }
    void expect_one_approval_and_no_payment() {
        for (int cycle = 0; cycle < 3; ++cycle)
            run_well({poll, decide, approve, pay});
        for (DrawId id = 1; id <= 5; ++id) {
            EXPECT_EQ(state_of(id), "held");
            EXPECT_EQ(approved(id), 1) << "a rule gave the first approval, so it must not give the second";
            EXPECT_EQ(asked(id), 1);
        }
        expect_clean_ledger();
    }
    void order(DrawId id) {
        ledger_->transaction([&] {
            ledger::DecisionRecord record;
            record.draw_id = id;
            record.reading_id = ledger::newest_reading(*ledger_, id)->reading_id;
            record.approve = true;
            record.rule_set_sha256 = context_->rules.sha256;
            record.rule = record.decided_by = "uid 8 (bo)";
            record.reason = "checked";
            record.approver_id = 1202;
            record.explanation_json = R"({"outcome": "approve", "reason": "checked"})";
            ledger::record_decision(*ledger_, record, {clock_.now(), "uid 8 (bo)", 8});
        });
    }
};

TEST_F(ApprovingWithTwo, the_rules_give_one_approval_whatever_the_answer_shows) {
    run_well({approve});
    EXPECT_THAT(reasons(), ::testing::Each("approval_not_taking"));
    expect_one_approval_and_no_payment();
    // New rules approve it no more than the old ones.
    use_rules("version: 1\napprover_id: 1201\nrules:\n  - name: new\n    when: always\n    approve: {}\n");
    expect_one_approval_and_no_payment();
    // A person gives the second approval.
    order(1);
    run_well({approve, poll, pay});
    EXPECT_EQ(approved(1), 2);
    EXPECT_EQ(state_of(1), "paying");
    EXPECT_EQ(approved(2), 1);
}

TEST_F(ApprovingWithTwo, an_approval_that_waits_for_the_second_counts_against_limits) {
    run_well({approve});
    use_rules(
        "version: 1\napprover_id: 1201\nlimits: [{count: 6, per: day}]\nrules:\n  - {name: new, when: always, "
        "approve: {}}\n");
    add(8, 3, "PAYEE-1");
    add(9, 3, "PAYEE-1");
    run_well({poll, decide, approve});
    EXPECT_EQ(asked(8) + asked(9), 1) << "five count already";
    expect_clean_ledger();
}

TEST_F(ApprovingWithTwo, the_rules_give_one_approval_although_the_request_changes) {
    run_well({approve});
    sandbox_.edit(1, {{"description", "March utility bill, unit 2"}});
    sandbox_.edit(2, {{"amountRequested", e2e::json_amount(90'00)}});
    expect_one_approval_and_no_payment();
}

TEST_F(ApprovingWithTwo, a_request_that_changes_after_the_draw_was_approved_is_decided_again) {
    run_well({approve});
    sandbox_.act(1, "approve");
    run_well({poll});
    EXPECT_EQ(state_of(1), "approved");
    sandbox_.act(1, "reopen", {{"status", 3}});
    run_well({poll, decide, approve});
    EXPECT_EQ(asked(1), 1) << "the request is the same";
    sandbox_.edit(1, {{"description", "March utility bill, unit 2"}});
    run_well({poll, decide, approve});
    EXPECT_EQ(asked(1), 2);
    EXPECT_EQ(state_of(1), "approved");
}

TEST_F(ApprovingWithTwo, the_rules_give_one_approval_when_the_answer_shows_no_draw) {
    const auto count = [](DrawId id) { return R"({\"drawId\":)" + std::to_string(id) + R"(,\"error\":null})"; };
    std::string results;
    for (DrawId id = 1; id <= 5; ++id)
        results += (results.empty() ? "" : ",") + count(id);
    fault((R"({"endpoint": "approve", "kind": "status", "code": 200, "body": "[)" + results + R"(]"})").c_str());
    run_well({approve});
    // As the service does for the first of two approvals.
    for (DrawId id = 1; id <= 5; ++id)
        sandbox_.edit(id, {{"modifiedBy", "m.okafor@draws.example.gov"}});
    run_well({pay});
    EXPECT_THAT(reasons(), ::testing::Each("still_pending"));
    for (int cycle = 0; cycle < 3; ++cycle)
        run_well({poll, decide, approve, pay});
    for (DrawId id = 1; id <= 5; ++id)
        EXPECT_EQ(state_of(id), "held");
    EXPECT_EQ(sandbox_.requests("approve"), 1);
    expect_clean_ledger();
}

TEST_F(ApprovingWithTwo, the_rules_give_one_approval_when_the_answer_is_lost) {
    fault(R"({"endpoint": "approve", "kind": "close_after_commit"})");
    EXPECT_FALSE(run(approve).ok);
    // The next poll shows the change before the draws are read back.
    expect_one_approval_and_no_payment();
    EXPECT_THAT(reasons(), ::testing::Each("approval_not_taking"));
}

TEST_F(Approving, a_draw_that_changes_without_being_approved_is_submitted_at_most_five_times) {
    fault(R"({"endpoint": "approve", "kind": "status", "code": 200, "body": "[]", "times": 100})");
    for (int cycle = 0; cycle < 8; ++cycle) {
        run_well({poll, decide, approve});
        sandbox_.edit(1, {{"modifiedBy", "robot@example.gov"}});
    }
    EXPECT_EQ(state_of(1), "held");
    EXPECT_EQ(sandbox_.requests("approve"), 2 + 3 * 5) << "twice together, three times each alone";
    expect_clean_ledger();
}

TEST_F(Approving, a_refused_draw_does_not_affect_the_others) {
    fault(R"({"endpoint": "approve", "kind": "refuse_draw", "drawId": 3, "message": "budget exceeded"})");
    run_well({approve, approve});
    EXPECT_EQ(state_of(3), "held");
    EXPECT_EQ(asked(3), 1) << "it is not submitted again automatically";
    EXPECT_THAT(reasons(), ElementsAre("approval_refused"));
    EXPECT_EQ(state_of(4), "approved");
    // Somebody changes the draw: it is decided again, approved, and the exception closes.
    sandbox_.edit(3, {{"description", "within budget now"}});
    run_well({poll, decide, approve, poll});
    EXPECT_EQ(state_of(3), "approved");
    EXPECT_THAT(reasons(), IsEmpty());
}

TEST_F(Approving, a_call_refused_as_a_whole_is_split) {
    fault(R"({"endpoint": "approve", "kind": "status", "code": 422, "body": "one of them is odd"})");
    run_well({approve});
    for (DrawId id = 1; id <= 5; ++id) {
        EXPECT_EQ(state_of(id), "approved");
        EXPECT_EQ(approved(id), 1);
    }
}

TEST_F(Approving, draws_refused_alone_become_exceptions) {
    for (const DrawId id : {2, 3, 4, 5}) {
        fault((R"({"endpoint": "approve", "kind": "status", "code": 422, "times": 100, "drawId": )" +
               std::to_string(id) + "}")
                  .c_str());
    }
    run_well({approve});
    EXPECT_EQ(state_of(1), "approved");
    EXPECT_THAT(reasons(), ElementsAre("approval_refused", "approval_refused", "approval_refused", "approval_refused"));
    const auto calls = sandbox_.requests("approve");
    run_well({approve});
    EXPECT_EQ(sandbox_.requests("approve"), calls) << "they are not submitted again";
}

TEST_F(Approving, one_or_two_draws_that_are_all_that_waits_become_exceptions_when_refused) {
    run_well({approve});
    for (const int count : {1, 2}) {
        for (int i = 0; i < count; ++i)
            add(count * 10 + i, 3, "PAYEE-1");
        fault(R"({"endpoint": "approve", "kind": "status", "code": 400, "times": 100})");
        run_well({poll, decide, approve});
        EXPECT_EQ(state_of(count * 10), "held");
        sandbox_.clear_faults();
    }
    EXPECT_THAT(reasons(), ElementsAre("approval_refused", "approval_refused", "approval_refused"));
}

// The service refuses, or fails at, each call that has draw 3 in it.
class ApprovingBesideABadDraw : public Approving {
  protected:
    void use_bad_draw(int code) {
        fault((R"({"endpoint": "approve", "kind": "status", "drawId": 3, "times": 1000, "code": )" +
               std::to_string(code) + "}")
                  .c_str());
    }
    void expect_others_approved() {
        for (const DrawId id : {1, 2, 4, 5}) {
            EXPECT_EQ(state_of(id), "approved");
            EXPECT_EQ(approved(id), 1);
        }
        expect_clean_ledger();
    }
};

TEST_F(ApprovingBesideABadDraw, a_draw_for_which_calls_are_forbidden_or_unknown_becomes_an_exception) {
    for (const int code : {400, 403, 404, 409}) {
        add(code);
        sandbox_.edit(3, {{"description", "before code " + std::to_string(code)}});
        run_well({poll, decide});
        use_bad_draw(code);
        run_well({approve});
        expect_others_approved();
        EXPECT_EQ(state_of(code), "approved");
        EXPECT_EQ(state_of(3), "held");
        EXPECT_THAT(reasons(), ElementsAre("approval_refused"));
        sandbox_.clear_faults();
    }
}

TEST_F(ApprovingBesideABadDraw, a_draw_at_which_calls_fail_delays_no_other_and_becomes_an_exception) {
    use_bad_draw(500);
    EXPECT_FALSE(run(approve).ok);
    EXPECT_FALSE(run(approve).ok) << "draw 3 failed alone";
    expect_others_approved();
    for (int run_number = 3; run_number <= 8; ++run_number)
        static_cast<void>(run(approve));
    EXPECT_EQ(state_of(3), "held");
    EXPECT_THAT(reasons(), ElementsAre("approval_not_taking"));
    EXPECT_EQ(approved(3), 0);
}

TEST_F(Approving, approvals_that_all_fail_are_one_exception_and_use_up_no_attempts) {
    for (const int code : {400, 403, 404, 405, 409, 413, 415, 422, 500}) {
        fault((R"({"endpoint": "approve", "kind": "status", "times": 1000, "code": )" + std::to_string(code) + "}")
                  .c_str());
        for (int run_number = 1; run_number <= 2; ++run_number)
            EXPECT_FALSE(run(approve).ok);
        EXPECT_THAT(reasons(), IsEmpty()) << "a short outage only delays approvals";
        for (int run_number = 3; run_number <= 8; ++run_number)
            EXPECT_FALSE(run(approve).ok);
        EXPECT_THAT(reasons(), ElementsAre("approvals_failing"));
        EXPECT_EQ(state_of(1), "approving");
        sandbox_.clear_faults();
        run_well({approve});
        EXPECT_THAT(reasons(), IsEmpty());
        for (DrawId id = 1; id <= 5; ++id) {
            EXPECT_EQ(state_of(id), "approved");
            sandbox_.act(id, "reopen", {{"status", 3}});
            sandbox_.edit(id, {{"description", "after code " + std::to_string(code)}});
        }
        run_well({poll, decide});
        expect_clean_ledger();
    }
}

TEST_F(Approving, decisions_of_withdrawn_rules_are_not_submitted) {
    use_rules(
        "version: 1\napprover_id: 1201\nrules: [{name: none, when: {amountRequested: {gt: 1000}}, approve: {}}]\n");
    run_well({approve, decide, approve});
    EXPECT_EQ(state_of(1), "held");
    EXPECT_EQ(asked(1), 0);
}

TEST_F(Approving, an_amount_raised_before_the_call_arrived_is_approved_but_never_paid) {
    sandbox_.edit(2, {{"amountRequested", 9999.0}});
    run_well({approve, pay});
    EXPECT_EQ(state_of(1), "paying");
    EXPECT_EQ(state_of(2), "blocked");
    EXPECT_THAT(reasons(), Contains("amount_changed"));
    expect_clean_ledger();
}

}  // namespace
}  // namespace drawbridge::pipeline
