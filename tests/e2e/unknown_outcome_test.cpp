// Calls with an unknown outcome: the service dies or the connection breaks around its commit.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <csignal>

#include "e2e/office.hpp"

namespace drawbridge::e2e {
namespace {

using testing::Each;
using testing::IsEmpty;
using testing::Pair;
using testing::SizeIs;

void add_draws(House& house) {
    for (std::int64_t id = 1; id <= 12; ++id)
        house.sandbox.add({id, 100'00 + id, (id % 2 == 0 ? "ACH-" : "CHK-") + std::to_string(id % 9 + 1)});
}

void expect_each_approved_and_paid_once(House& house) {
    house.people_do_their_part("bank.csv");
    house.office.run_once();
    EXPECT_THAT(house.office.states(), Each(Pair(testing::_, "reported")));
    for (std::int64_t id = 1; id <= 12; ++id) {
        EXPECT_EQ(house.sandbox.draw(id).at("approvalCount"), 1) << "draw " << id;
        EXPECT_EQ(house.bank.times_paid()[100'00 + id], 1) << "draw " << id;
    }
    house.office.expect_verified();
}

TEST(UnknownOutcome, a_bulk_approval_is_not_repeated_after_the_services_commit) {
    House house;
    add_draws(house);
    house.sandbox.arm_fault({{"endpoint", "approve"}, {"kind", "die_after_commit"}});
    house.office.run_once(/*expected_code=*/1);
    ASSERT_EQ(to_string(house.sandbox.process().wait(std::chrono::seconds(5)).value()),
              "killed by signal " + std::to_string(SIGKILL));
    EXPECT_THAT(house.office.states(), Each(Pair(testing::_, "approving")));

    house.sandbox.restart();
    house.office.run_once();
    EXPECT_THAT(house.sandbox.approvals_asked(), IsEmpty()) << "each was named once, before the service died";
    expect_each_approved_and_paid_once(house);
}

TEST(UnknownOutcome, a_bulk_approval_is_repeated_if_the_service_died_before_its_commit) {
    House house;
    add_draws(house);
    house.sandbox.arm_fault({{"endpoint", "approve"}, {"kind", "die_before_commit"}});
    house.office.run_once(/*expected_code=*/1);
    house.sandbox.restart();
    house.office.run_once();
    EXPECT_THAT(house.sandbox.approvals_asked(), SizeIs(12));
    expect_each_approved_and_paid_once(house);
}

TEST(UnknownOutcome, an_approval_with_a_lost_response_is_read_back) {
    House house;
    add_draws(house);
    house.sandbox.arm_fault({{"endpoint", "approve"}, {"kind", "close_after_commit"}});
    house.office.run_once(/*expected_code=*/1);
    house.office.run_once();
    EXPECT_THAT(house.sandbox.approvals_asked(), Each(1));
    expect_each_approved_and_paid_once(house);
}

TEST(UnknownOutcome, a_patch_with_a_lost_response_sets_one_date) {
    House house;
    house.sandbox.add({1, 250'00, "ACH-1"});
    house.office.run_once();
    house.people_do_their_part("bank.csv");
    house.sandbox.arm_fault({{"endpoint", "patch"}, {"kind", "die_after_commit"}});
    const auto broken = house.office.run({"run", "--once"});
    house.sandbox.restart();
    const auto date = house.sandbox.draw(1).at("disbursedDate");
    house.office.run_once();
    EXPECT_EQ(house.office.state_of(1), "reported") << broken.err;
    EXPECT_EQ(house.sandbox.draw(1).at("disbursedDate"), date);
    house.office.expect_verified();
}

}  // namespace
}  // namespace drawbridge::e2e
