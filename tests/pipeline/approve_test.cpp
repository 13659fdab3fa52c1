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

TEST_F(Approving, a_draw_missing_from_repeated_answers_becomes_an_exception) {
    fault(R"({"endpoint": "approve", "kind": "status", "code": 200, "body": "[]", "times": 100})");
    for (int run_number = 0; run_number < 8; ++run_number)
        run_well({approve});
    EXPECT_EQ(sandbox_.requests("approve"), 5);
    EXPECT_THAT(reasons(), ::testing::Each("approval_not_taking"));
    for (DrawId id = 1; id <= 5; ++id)
        EXPECT_EQ(state_of(id), "held");
    // Further approvers approve it in the portal: it is paid like any other draw.
    sandbox_.clear_faults();
    sandbox_.act(1, "approve");
    run_well({poll, pay});
    EXPECT_EQ(state_of(1), "paying");
    expect_clean_ledger();
}

TEST_F(Approving, a_draw_that_accepted_the_approval_and_is_pending_is_not_submitted_again) {
    // As after the first of two approvers: the draw has changed and is pending.
    fault(R"({"endpoint": "approve", "kind": "status", "code": 200, "body": "[]"})");
    sandbox_.edit(1, {{"description", "one of two approvals"}});
    run_well({approve});
    EXPECT_THAT(reasons(), ElementsAre("approval_not_taking"));
    run_well({approve});
    EXPECT_EQ(approved(1), 0) << "it waits for a person or for a new decision";
    EXPECT_EQ(state_of(2), "approved");
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
    fault(R"({"endpoint": "approve", "kind": "status", "code": 422, "times": 100})");
    run_well({approve});
    EXPECT_THAT(reasons(), ElementsAre("approval_refused", "approval_refused", "approval_refused", "approval_refused",
                                       "approval_refused"));
    const auto calls = sandbox_.requests("approve");
    run_well({approve});
    EXPECT_EQ(sandbox_.requests("approve"), calls) << "they are not submitted again";
}

TEST_F(Approving, an_outage_only_delays_approvals) {
    fault(R"({"endpoint": "approve", "kind": "status", "code": 403})");
    EXPECT_FALSE(run(approve).ok);
    EXPECT_THAT(reasons(), IsEmpty());
    run_well({approve});
    EXPECT_EQ(state_of(1), "approved");
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
