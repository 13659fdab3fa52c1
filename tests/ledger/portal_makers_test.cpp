// People who act in the portal under an address, or an approver's id, that is linked to them.
#include "ledger/makers_fixture.hpp"

#include <gmock/gmock.h>

namespace drawbridge::ledger {
namespace {

using ::testing::Contains;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

using PortalMakers = Makers;

TEST_F(PortalMakers, whoever_requested_or_approved_a_draw_in_the_portal_counts_if_linked) {
    person(1, "Anna", {anna});
    const auto file = planned();
    EXPECT_TRUE(may(file, anna));
    link(1, "email", "ana@example.org");
    EXPECT_THAT(refusal(file, by(anna)), HasSubstr("requested draw 1 in the portal"));
    EXPECT_FALSE(may(file, root)) << "Anna may be behind root";
    EXPECT_TRUE(may(file, bert));
}

TEST_F(PortalMakers, whoever_changed_a_draw_in_the_portal_counts_for_the_file_that_voids_its_check) {
    person(1, "Anna", {anna});
    person(2, "Carla", {carla});
    const auto file = check_ordered(bert);
    EXPECT_TRUE(may(file, anna));
    link(1, "email", "ana@example.org");
    EXPECT_THAT(refusal(file, by(anna)), HasSubstr("requested draw 1 in the portal"));
    link(2, "email", "c@example.org");
    EXPECT_TRUE(may(file, carla));
    auto draw = test::sample_draw(1, DrawStatus::approved);
    draw.field_a = "PAYEE-3";
    draw.approved_by = "C@example.org ";
    read(draw);
    EXPECT_THAT(refusal(file, by(carla)), HasSubstr("approved draw 1 in the portal"));
    EXPECT_THAT(violations(), IsEmpty());
}

TEST_F(PortalMakers, a_link_that_ended_before_the_file_was_planned_counts) {
    person(1, "Anna", {anna});
    link(1, "email", "ana@example.org");
    run_sql("UPDATE person_portal SET unlinked_at = 1");
    const auto file = planned();
    EXPECT_THAT(refusal(file, by(anna)), HasSubstr("requested draw 1 in the portal"));
}

TEST_F(PortalMakers, a_link_counts_until_the_file_has_left) {
    person(1, "Anna", {anna});
    const auto file = planned();
    ASSERT_TRUE(release(file, anna));
    ASSERT_TRUE(check_releaser_may_still(*ledger, find_file(*ledger, file.name).value()));
    link(1, "email", "ana@example.org");
    EXPECT_FALSE(check_releaser_may_still(*ledger, find_file(*ledger, file.name).value()));
}

TEST_F(PortalMakers, a_link_counts_for_files_that_wait_and_not_for_those_that_left) {
    person(1, "Anna", {anna});
    const auto left = planned();
    ASSERT_TRUE(release(left, anna));
    ledger->transaction([&] { record_released(*ledger, left.file_id, stamp()); });
    read(test::sample_draw(2, DrawStatus::approved));
    pay(/*release=*/false);
    link(1, "email", "ana@example.org");
    EXPECT_THAT(refusal(waiting(), by(anna)), HasSubstr("requested draw 2 in the portal"));
    EXPECT_THAT(describe(makers_of(*ledger, left.file_id)), IsEmpty());
    EXPECT_THAT(violations(), IsEmpty());
}

TEST_F(PortalMakers, an_approval_by_the_rules_is_not_an_act_of_the_approver) {
    person(1, "Anna", {anna});
    link(1, "email", "boss@example.org");
    link(1, "approver_id", "1201");
    read(test::sample_draw(1, DrawStatus::pending_approval));
    decide(1, true);
    for (const auto& item : submit())
        answer(item, ApprovalOutcome::approved);
    auto draw = test::sample_draw(1, DrawStatus::approved);
    draw.approved_by = "Boss@example.org";
    read(draw);
    auto in_portal = test::sample_draw(2, DrawStatus::approved);
    in_portal.field_a = "PAYEE-3";
    in_portal.approved_by = "Boss@example.org";
    read(in_portal);
    pay(/*release=*/false);
    for (const auto& file : payment_files(*ledger, true))
        EXPECT_EQ(may(file, anna), file.rail == disbursement::Rail::ach) << refusal(file, by(anna));
}

class InThePortal : public Makers {
  protected:
    InThePortal() {
        person(1, "Eve", {anna});
        link(1, "email", "eve@example.org");
    }
    void show(DrawStatus status, const char* amount_approved, const char* approved_by, const char* modified_by) {
        now += std::chrono::seconds(1);
        auto draw = test::sample_draw(1, status);
        if (*amount_approved != '\0') draw.amount_approved = Money::parse(amount_approved).value();
        if (*approved_by != '\0') draw.approved_by = approved_by;
        draw.modified_by = modified_by;
        draw.modified_date = now;
        read(draw);
    }
    void pending() { show(DrawStatus::pending_approval, "", "", "clerk@example.org"); }
    void reopened() { show(DrawStatus::pending_approval, "", "", "eve@example.org"); }
    void approved_by(const std::string& name) {
        show(DrawStatus::approved, "100.00", (name + "@example.org").c_str(), (name + "@example.org").c_str());
    }
    void changed_by_eve(const char* amount) {
        show(DrawStatus::approved, amount, "boss@example.org", "eve@example.org");
    }
    OpenApproval submitted() {
        pending();
        decide(1, /*approve=*/true);
        return submit().front();
    }
    std::string hands() {
        pay(/*release=*/false);
        return describe(makers_of(*ledger, waiting().file_id));
    }
};

// The answer is lost. Before the draw is read back, somebody reopens it and approves it.
TEST_F(InThePortal, an_approval_after_a_reopening_is_not_ours_whenever_we_learned_of_ours) {
    const auto item = submitted();
    approved_by("boss");
    reopened();
    approved_by("eve");
    answer(item, ApprovalOutcome::approved, LearnedBy::read_back);
    EXPECT_THAT(hands(), HasSubstr("Eve approved draw 1 in the portal"));
}

TEST_F(InThePortal, an_approval_after_a_reopening_is_not_ours_even_if_ours_was_never_seen) {
    const auto item = submitted();
    reopened();
    approved_by("eve");
    answer(item, ApprovalOutcome::approved, LearnedBy::read_back);
    EXPECT_THAT(hands(), HasSubstr("Eve approved draw 1 in the portal"));
}

// The clock was fast while the rules approved, and then it was set right.
TEST_F(InThePortal, an_approval_after_a_reopening_is_not_ours_when_the_clock_went_back) {
    const auto item = submitted();
    now += std::chrono::hours(2);
    answer(item, ApprovalOutcome::approved);
    approved_by("boss");
    now -= std::chrono::hours(2);
    reopened();
    approved_by("eve");
    EXPECT_THAT(hands(), HasSubstr("Eve approved draw 1 in the portal"));
}

TEST_F(InThePortal, an_approval_in_another_name_than_ours_is_not_ours) {
    answer(submitted(), ApprovalOutcome::approved);
    approved_by("boss");
    approved_by("eve");
    EXPECT_THAT(hands(), HasSubstr("Eve approved draw 1 in the portal"));
}

// Nobody knows whose approval the reading shows: ours was sent, and the service did not answer it.
TEST_F(InThePortal, an_approval_whose_answer_was_lost_counts_for_the_person_whom_readings_show) {
    const auto item = submitted();
    approved_by("eve");
    answer(item, ApprovalOutcome::approved, LearnedBy::read_back);
    EXPECT_THAT(hands(), HasSubstr("Eve approved draw 1 in the portal"));
}

TEST_F(InThePortal, an_approval_whose_answer_was_lost_is_ours_if_its_approver_is_that_person) {
    link(1, "approver_id", "1201");
    const auto item = submitted();
    approved_by("eve");
    answer(item, ApprovalOutcome::approved, LearnedBy::read_back);
    EXPECT_EQ(hands(), "");
}

TEST_F(InThePortal, a_late_answer_from_before_our_approval_makes_nobody_a_maker) {
    const auto item = submitted();
    auto late = newest_reading(*ledger, 1)->draw;
    late.approved_by = "clerk@example.org";
    read(late);
    answer(item, ApprovalOutcome::approved);
    approved_by("eve");  // in whose name the rules approve
    EXPECT_EQ(hands(), "");
}

TEST_F(InThePortal, whoever_changes_the_approved_amount_counts) {
    pending();
    approved_by("boss");
    EXPECT_EQ(hands(), "");
    changed_by_eve("9000.00");
    EXPECT_THAT(describe(makers_of(*ledger, waiting().file_id)), HasSubstr("Eve changed draw 1 in the portal"));
}

TEST_F(InThePortal, whoever_changes_an_approved_draw_before_it_is_first_read_counts) {
    pending();
    changed_by_eve("9000.00");
    EXPECT_THAT(hands(), HasSubstr("Eve changed draw 1 in the portal"));
}

TEST_F(InThePortal, a_second_change_by_the_same_name_ends_the_kept_answer) {
    pending();
    approved_by("boss");
    auto draw = newest_reading(*ledger, 1)->draw;
    draw.modified_by = "eve@example.org";
    draw.approved_date = now;
    read(draw);
    EXPECT_EQ(hands(), "");
    changed_by_eve("9000.00");
    EXPECT_THAT(describe(makers_of(*ledger, waiting().file_id)), HasSubstr("Eve changed draw 1 in the portal"));
}

TEST_F(InThePortal, whoever_brings_back_a_cancelled_draw_counts) {
    pending();
    show(DrawStatus::cancelled, "", "", "boss@example.org");
    reopened();
    decide(1, /*approve=*/true);
    answer(submit().front(), ApprovalOutcome::approved);
    approved_by("boss");
    EXPECT_THAT(hands(), HasSubstr("Eve changed draw 1 in the portal"));
    EXPECT_FALSE(may(waiting(), anna));
}

TEST_F(InThePortal, whoever_sets_the_approved_amount_of_a_pending_draw_counts) {
    pending();
    show(DrawStatus::pending_approval, "9000.00", "", "eve@example.org");
    show(DrawStatus::approved, "9000.00", "boss@example.org", "boss@example.org");
    EXPECT_THAT(hands(), HasSubstr("Eve changed draw 1 in the portal"));
}

TEST_F(InThePortal, whoever_changes_neither_status_nor_amount_of_a_pending_draw_does_not_count) {
    pending();
    reopened();  // nothing else changed
    approved_by("boss");
    EXPECT_EQ(hands(), "");
}

// The owner of a file in the inbox, whom no role was asked for.

TEST_F(PortalMakers, verify_finds_an_approval_in_their_name_that_was_removed_from_a_file_that_waits) {
    person(1, "Anna", {anna});
    link(1, "approver_id", "1201");
    const auto file = approved_by_hand(bert);
    EXPECT_THAT(refusal(file, by(anna)), HasSubstr("approved draw 1 in the portal"));
    ASSERT_THAT(violations(), IsEmpty());
    run_sql("DROP TRIGGER file_portal_act_no_delete");
    run_sql("DELETE FROM file_portal_act");
    EXPECT_THAT(violations(), Contains(HasSubstr("draw 1 was approved in the name of Anna is not recorded for it")));
}

}  // namespace
}  // namespace drawbridge::ledger
