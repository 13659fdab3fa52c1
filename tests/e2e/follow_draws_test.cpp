// Draws from Pending Approval to reported, with both real programs over HTTP.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "e2e/office.hpp"

namespace drawbridge::e2e {
namespace {

using testing::AllOf;
using testing::Each;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Pair;
using testing::SizeIs;

std::vector<NewDraw> four_on_each_rail() {
    std::vector<NewDraw> draws;
    for (std::int64_t i = 1; i <= 8; ++i) {
        const std::string rail = i <= 4 ? "ACH-" : "CHK-";
        draws.push_back({i, 100'00 * i + i, rail + std::to_string(i), i % 2 == 0 ? 12 : 14, 3});
    }
    return draws;
}

TEST(FollowDraws, reports_draws_paid_over_both_rails) {
    House house;
    for (const auto& draw : four_on_each_rail())
        house.sandbox.add(draw);

    house.office.run_once();
    EXPECT_THAT(house.office.states(), AllOf(SizeIs(8), Each(Pair(testing::_, "paying"))));

    house.sandbox.disburse_all_approved();
    const auto taken = house.bank.collect(house.office.outgoing());
    ASSERT_THAT(taken, SizeIs(8));
    EXPECT_EQ(house.bank.total_cents(), 3600'00 + 36);
    EXPECT_THAT(house.bank.references_used_twice(), IsEmpty());
    house.office.drop("bank.csv", confirmation_csv(taken));

    house.office.run_once();
    EXPECT_THAT(house.office.states(), AllOf(SizeIs(8), Each(Pair(testing::_, "reported"))));
    for (std::int64_t id = 1; id <= 8; ++id) {
        const auto draw = house.sandbox.draw(id);
        EXPECT_EQ(draw.at("approvalCount"), 1) << id;
        EXPECT_THAT(draw.at("disbursedDate").get<std::string>(), testing::StartsWith(taken.front().created_on)) << id;
    }
    EXPECT_EQ(house.sandbox.requests("patch"), 8);
    house.office.expect_verified();
}

TEST(FollowDraws, a_run_without_changes_does_nothing) {
    House house;
    house.sandbox.add({1, 250'00, "ACH-1"});
    house.office.run_once();
    house.people_do_their_part("bank.csv");
    house.office.run_once();
    const auto approvals = house.sandbox.requests("approve");
    const auto patches = house.sandbox.requests("patch");

    house.office.run_once();
    EXPECT_EQ(house.sandbox.requests("approve"), approvals);
    EXPECT_EQ(house.sandbox.requests("patch"), patches);
    EXPECT_THAT(files_in(house.office.outgoing()), IsEmpty());
    EXPECT_EQ(house.office.state_of(1), "reported");
}

TEST(FollowDraws, the_approval_notes_name_the_rule) {
    House house;
    house.sandbox.add({1, 250'00, "ACH-1"});
    house.office.run_once();
    EXPECT_THAT(house.sandbox.draw(1).at("approvalNotes").get<std::string>(), HasSubstr("known-programs"));
}

TEST(FollowDraws, a_confirmed_payment_is_reported_only_after_the_draw_is_disbursed) {
    House house;
    house.sandbox.add({1, 250'00, "ACH-1"});
    house.office.run_once();
    house.office.drop("bank.csv", confirmation_csv(house.bank.collect(house.office.outgoing())));

    house.office.run_once();
    EXPECT_EQ(house.office.state_of(1), "paid");
    EXPECT_EQ(house.sandbox.requests("patch"), 0);

    house.sandbox.act(1, "disburse");
    house.office.run_once();
    EXPECT_EQ(house.office.state_of(1), "reported");
    EXPECT_EQ(house.sandbox.requests("patch"), 1);
}

TEST(FollowDraws, a_draw_that_a_rule_holds_is_never_approved_or_paid) {
    House house;
    house.sandbox.add({1, 30'000'00, "ACH-1"});
    house.sandbox.add({2, 250'00, "ACH-2"});
    house.office.run_once();
    house.office.run_once();

    EXPECT_EQ(house.office.state_of(1), "held");
    EXPECT_EQ(house.sandbox.draw(1).at("status"), 3);
    EXPECT_EQ(house.sandbox.draw(1).at("approvalCount"), 0);
    EXPECT_THAT(house.sandbox.approvals_asked(), SizeIs(1));
    EXPECT_THAT(house.office.run({"draw", "1"}).out, HasSubstr("needs a second pair of eyes"));
    EXPECT_THAT(house.bank.collect(house.office.outgoing()), SizeIs(1));
    house.office.expect_verified();
}

TEST(FollowDraws, a_draw_that_no_rule_matches_is_held) {
    House house;
    house.sandbox.add({1, 250'00, "ACH-1", /*workflow=*/77});
    house.sandbox.add({2, std::nullopt, "ACH-2"});
    house.office.run_once();
    EXPECT_THAT(house.office.states(), ElementsAre(Pair(1, "held"), Pair(2, "held")));
    EXPECT_EQ(house.sandbox.requests("approve"), 0);
}

TEST(FollowDraws, a_held_draw_that_people_approve_in_the_portal_is_paid) {
    House house;
    house.sandbox.add({1, 30'000'00, "CHK-1"});
    house.office.run_once();
    ASSERT_EQ(house.office.state_of(1), "held");
    house.sandbox.act(1, "approve");
    house.office.run_once();
    EXPECT_EQ(house.office.state_of(1), "paying");
    EXPECT_THAT(house.bank.collect(house.office.outgoing()), SizeIs(1));
}

TEST(FollowDraws, with_manual_release_a_file_waits_for_a_person) {
    House house({.release = "manual"});
    house.sandbox.add({1, 250'00, "ACH-1"});
    house.office.run_once();
    ASSERT_THAT(files_in(house.office.outgoing()), IsEmpty());
    const auto staged = files_in(house.office.state() / "spool" / "staged");
    ASSERT_THAT(staged, SizeIs(1));
    const auto bytes = read_file(staged.front());

    const auto name = staged.front().filename().string();
    const auto released = house.office.run({"release", name, "--reason", "checked against the list"});
    EXPECT_EQ(to_string(released.exit), "exit 0") << released.err;
    const auto outgoing = files_in(house.office.outgoing());
    ASSERT_THAT(outgoing, SizeIs(1));
    EXPECT_EQ(read_file(outgoing.front()), bytes);

    const auto again = house.office.run({"release", name, "--reason", "once more"});
    EXPECT_EQ(to_string(again.exit), "exit 1");
    house.office.expect_verified();
}

TEST(FollowDraws, a_pause_stops_approvals_and_payments) {
    House house;
    house.office.run_once();
    house.sandbox.add({1, 250'00, "ACH-1"});
    EXPECT_EQ(to_string(house.office.run({"pause", "--reason", "audit day"}).exit), "exit 0");
    house.office.run_once();
    EXPECT_EQ(house.sandbox.draw(1).at("status"), 3);
    EXPECT_EQ(to_string(house.office.run({"resume", "--reason", "audit is over"}).exit), "exit 0");
    house.office.run_once();
    EXPECT_EQ(house.office.state_of(1), "paying");
}

}  // namespace
}  // namespace drawbridge::e2e
