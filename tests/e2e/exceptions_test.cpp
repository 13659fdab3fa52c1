// Payments and reports that must not happen raise an exception with a reason. None is skipped silently.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>

#include "e2e/office.hpp"

namespace drawbridge::e2e {
namespace {

using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;

constexpr auto late_payee = "LATE-1,Late Payee,ach,091000019,7790001,checking,PPD,,,,,\n";

TEST(Exceptions, a_draw_without_payee_is_blocked_until_the_payee_is_added) {
    House house;
    house.sandbox.add({1, 250'00, "LATE-1"});
    house.sandbox.add({2, 350'00, ""});
    house.office.run_once();
    house.office.run_once();
    EXPECT_EQ(house.office.state_of(1), "blocked");
    EXPECT_EQ(house.office.state_of(2), "blocked");
    EXPECT_THAT(house.office.open_exceptions(1), ElementsAre("no_payee"));
    EXPECT_THAT(house.office.open_exceptions(2), ElementsAre("payee_key_missing"));
    EXPECT_THAT(files_in(house.office.outgoing()), IsEmpty());

    house.office.write_payees(late_payee);
    house.office.run_once();
    EXPECT_EQ(house.office.state_of(1), "paying");
    EXPECT_THAT(house.office.open_exceptions(1), IsEmpty());
    EXPECT_THAT(house.bank.collect(house.office.outgoing()), SizeIs(1));
    house.office.expect_verified();
}

// The response of the approval is lost, so the approving run pays nothing. Then the amount is edited.
TEST(Exceptions, an_amount_that_changed_after_our_approval_is_not_paid) {
    House house;
    house.sandbox.add({1, 250'00, "ACH-1"});
    house.sandbox.arm_fault({{"endpoint", "approve"}, {"kind", "close_after_commit"}});
    house.sandbox.arm_fault({{"endpoint", "read"}, {"kind", "status"}, {"code", 400}, {"times", 100}});
    house.office.run_once(/*expected_code=*/1);
    ASSERT_EQ(house.sandbox.draw(1).at("status"), 4);
    house.sandbox.clear_faults();
    house.sandbox.edit(1, {{"amountApproved", 950.00}});

    house.office.run_once();
    EXPECT_EQ(house.office.state_of(1), "blocked");
    EXPECT_THAT(house.office.open_exceptions(1), ElementsAre("amount_changed"));
    EXPECT_THAT(files_in(house.office.outgoing()), IsEmpty());

    house.sandbox.edit(1, {{"amountApproved", 250.00}});
    house.office.run_once();
    EXPECT_EQ(house.office.state_of(1), "paying");
    EXPECT_THAT(house.office.open_exceptions(1), IsEmpty());
    house.office.expect_verified();
}

TEST(Exceptions, an_amount_that_changed_since_people_approved_it_is_not_paid) {
    House house;
    house.sandbox.add({1, 250'00, "LATE-1", 12, /*status=*/4});
    house.office.run_once();
    ASSERT_EQ(house.office.state_of(1), "blocked");
    house.sandbox.edit(1, {{"amountApproved", 250.01}});
    house.office.write_payees(late_payee);
    house.office.run_once();
    EXPECT_THAT(house.office.open_exceptions(1), ElementsAre("amount_changed"));
    EXPECT_THAT(files_in(house.office.outgoing()), IsEmpty());
}

TEST(Exceptions, an_approved_draw_without_an_amount_is_not_paid) {
    House house;
    house.sandbox.add({1, std::nullopt, "ACH-1", 12, /*status=*/4});
    house.sandbox.add({2, 0, "ACH-1", 12, /*status=*/4});
    house.office.run_once();
    EXPECT_THAT(house.office.open_exceptions(1), ElementsAre("amount_missing"));
    EXPECT_THAT(house.office.open_exceptions(2), ElementsAre("amount_zero"));
    EXPECT_EQ(house.office.state_of(1), "blocked");
    EXPECT_EQ(house.office.state_of(2), "blocked");
    EXPECT_THAT(files_in(house.office.outgoing()), IsEmpty());
}

TEST(Exceptions, a_draw_that_is_cancelled_after_approval_is_not_paid) {
    House house;
    house.sandbox.add({1, 250'00, "LATE-1"});
    house.office.run_once();
    ASSERT_EQ(house.sandbox.draw(1).at("status"), 4);
    ASSERT_EQ(house.office.state_of(1), "blocked");

    house.sandbox.act(1, "cancel");
    house.office.write_payees(late_payee);
    house.office.run_once();
    EXPECT_EQ(house.office.state_of(1), "cancelled");
    EXPECT_THAT(house.office.open_exceptions(1), IsEmpty());
    EXPECT_THAT(files_in(house.office.outgoing()), IsEmpty());
    house.office.expect_verified();
}

TEST(Exceptions, a_draw_cancelled_after_its_payment_is_an_exception_and_never_reported) {
    House house;
    house.sandbox.add({1, 250'00, "ACH-1"});
    house.office.run_once();
    house.sandbox.act(1, "cancel");
    house.office.drop("bank.csv", confirmation_csv(house.bank.collect(house.office.outgoing())));
    house.office.run_once();
    house.office.run_once();
    EXPECT_THAT(house.office.open_exceptions(1), ElementsAre("cancelled_after_payment"));
    EXPECT_EQ(house.sandbox.requests("patch"), 0);
    EXPECT_THAT(files_in(house.office.outgoing()), IsEmpty());
    house.office.expect_verified();
}

TEST(Exceptions, a_draw_that_the_service_refuses_does_not_affect_the_others) {
    House house;
    house.sandbox.add({1, 250'00, "ACH-1"});
    house.sandbox.add({2, 350'00, "ACH-2"});
    house.sandbox.arm_fault({{"endpoint", "approve"}, {"kind", "refuse_draw"}, {"drawId", 1}});
    house.office.run_once();
    house.office.run_once();
    EXPECT_EQ(house.office.state_of(1), "held");
    EXPECT_EQ(house.office.state_of(2), "paying");
    EXPECT_THAT(house.office.open_exceptions(1), ElementsAre("approval_refused"));
    EXPECT_EQ(house.sandbox.approvals_asked(), Json({{"1", 1}, {"2", 1}}));
}

// The ledger's reading is Disbursed but the service's status is not, and the poll fails.
TEST(Exceptions, a_draw_that_may_be_disbursed_no_more_is_read_before_its_report) {
    House house;
    house.sandbox.add({1, 250'00, "ACH-1"});
    house.office.run_once();
    house.sandbox.act(1, "disburse");
    house.office.run_once();
    house.sandbox.act(1, "reopen", {{"status", 4}});
    house.office.drop("bank.csv", confirmation_csv(house.bank.collect(house.office.outgoing())));
    house.sandbox.arm_fault({{"endpoint", "list"}, {"kind", "status"}, {"code", 400}, {"times", 100}});
    house.office.run_once(/*expected_code=*/1);
    house.sandbox.clear_faults();
    EXPECT_EQ(house.sandbox.requests("patch"), 0);
    EXPECT_EQ(house.office.state_of(1), "paid");
    EXPECT_THAT(house.office.open_exceptions(1), IsEmpty());

    house.office.run_once();
    EXPECT_EQ(house.sandbox.requests("patch"), 0) << "not before the draw is Disbursed again";
    house.sandbox.act(1, "disburse");
    house.office.run_once();
    EXPECT_EQ(house.office.state_of(1), "reported");
    EXPECT_EQ(house.sandbox.requests("patch"), 1);
    house.office.expect_verified();
}

TEST(Exceptions, another_payee_key_pauses_all_movement_until_a_person_has_looked) {
    House house;
    house.office.run_once();
    house.sandbox.add({1, 250'00, "ACH-1"});
    house.sandbox.edit(1, {{"fieldB", "ACH-2"}});
    const auto file = house.office.folder() / "drawbridge.yaml";
    auto yaml = read_file(file);
    const std::string key = "key: fieldA";
    yaml.replace(yaml.find(key), key.size(), "key: fieldB");
    std::ofstream(file) << yaml;
    for (int i = 0; i < 2; ++i)
        house.office.run({"run", "--once"});
    EXPECT_THAT(house.office.open_exceptions(), ElementsAre("payee_key_changed"));
    EXPECT_THAT(files_in(house.office.outgoing()), IsEmpty());
    const auto id = house.office.json({"exceptions"}).at("exceptions").back().at("id").dump();
    EXPECT_THAT(house.office.run({"resume", "--reason", "agreed"}).err, HasSubstr("exception " + id));
    house.office.json({"resolve", id, "--reason", "agreed"});
    EXPECT_EQ(to_string(house.office.run({"resume", "--reason", "agreed"}).exit), "exit 0");
    house.office.run_once();
    EXPECT_EQ(house.office.state_of(1), "paying");
    house.office.expect_verified();
}

TEST(Exceptions, a_workflow_without_disbursement_dates_raises_one_exception_after_three_attempts) {
    House house;
    house.sandbox.portal("PUT", "/workflows/14", {{"manualDisbursementDate", false}});
    house.sandbox.add({1, 250'00, "ACH-1", /*workflow=*/14});
    house.sandbox.add({2, 350'00, "ACH-2", /*workflow=*/12});
    house.office.run_once();
    house.people_do_their_part("bank.csv");
    for (int i = 0; i < 3; ++i)
        house.office.run_once();
    EXPECT_THAT(house.office.open_exceptions(1), ElementsAre("disbursed_date_forbidden"));
    EXPECT_EQ(house.office.state_of(1), "disbursed");
    EXPECT_EQ(house.office.state_of(2), "reported");
    const auto patches = house.sandbox.requests("patch");
    EXPECT_EQ(patches, 4);

    for (int i = 0; i < 3; ++i)
        house.office.run_once();
    EXPECT_EQ(house.sandbox.requests("patch"), patches);
    EXPECT_THAT(house.office.open_exceptions(1), ElementsAre("disbursed_date_forbidden"));
    house.office.expect_verified();
}

}  // namespace
}  // namespace drawbridge::e2e
