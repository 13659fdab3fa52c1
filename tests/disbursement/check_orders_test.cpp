#include "drawbridge/disbursement/check_orders.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "disbursement/sample_plan.hpp"

namespace drawbridge::disbursement {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::SizeIs;

checks::IssueLayout shipped(const std::string& name) {
    const std::string path = std::string(DRAWBRIDGE_SOURCE_DIR) + "/config/layouts/" + name;
    return checks::read_issue_layout(testing::read_file(path), name).value();
}

// An order about a check that an earlier run issued.
CheckOrder order(std::int64_t number, checks::CheckAction action, const std::string& account = "9988776655") {
    CheckOrder order{.order_id = number - 10000,
                     .payment = {},
                     .issued = {AccountNumber::parse(account).value(), shipped("issue-csv.yaml")}};
    order.payment.payment_id = number;
    order.payment.draw_id = number * 2;
    order.payment.rail = Rail::check;
    order.payment.amount = Money::from_cents(number);
    order.payment.payee.key = "V-004";
    order.payment.payee.name = "Łódź Roofing LLC";
    order.payment.check_number = number;
    order.payment.check_date = testing::day(2026, 3, 4);
    order.payment.check_action = action;
    return order;
}

TEST(CheckOrders, are_split_where_the_trailer_is_full) {
    PlanSettings settings = testing::settings();
    settings.check->layout = shipped("issue-csv.yaml");
    settings.check->layout.amount_format = checks::AmountFormat::decimal;
    settings.check->layout.trailer_record = {testing::control_column(checks::ColumnKind::count, 1),
                                             testing::control_column(checks::ColumnKind::total, 6)};
    std::vector<CheckOrder> orders;
    for (std::int64_t number = 10001; number <= 10010; ++number)
        orders.push_back(order(number, checks::CheckAction::void_check));
    for (CheckOrder& one : orders)
        one.payment.amount = Money::from_cents(100);
    EXPECT_THAT(plan_check_orders(orders, settings, 7, testing::now()).files, SizeIs(2)) << "nine for each";
    orders.pop_back();
    orders[7].payment.amount = Money::from_cents(99'900);
    EXPECT_THAT(plan_check_orders(orders, settings, 7, testing::now()).files, SizeIs(2)) << "$999.99 for each";
    EXPECT_EQ(plan_check_orders(orders, settings, 7, testing::now()).next_file_sequence, 9);
}

TEST(CheckOrders, are_written_to_one_file_per_account) {
    PlanSettings settings = testing::settings();
    settings.check->layout = shipped("issue-arp.yaml");
    const auto plan =
        plan_check_orders({order(10001, checks::CheckAction::void_check), order(10002, checks::CheckAction::stop),
                           order(10003, checks::CheckAction::void_check, "1122334455")},
                          settings, 7, testing::now());
    ASSERT_THAT(plan.files, SizeIs(2));
    EXPECT_EQ(plan.next_file_sequence, 9);
    EXPECT_THAT(plan.refused, IsEmpty());
    EXPECT_EQ(plan.files[0].file.name, "CHV-20261120-0007.txt");
    EXPECT_THAT(plan.files[0].order_ids, ElementsAre(1, 2));
    EXPECT_EQ(plan.files[0].file.total, Money::from_cents(20003));
    EXPECT_EQ(plan.files[1].profile.account, AccountNumber::parse("1122334455").value());
    const auto bytes = render(plan.files[0].file, plan.files[0].profile);
    ASSERT_TRUE(bytes) << bytes.error().message;
    EXPECT_EQ(*bytes, testing::read_data("check-orders-arp.txt"));
    EXPECT_TRUE(verify_rendered(*bytes, plan.files[0].file, plan.files[0].profile));
    PlannedFile other = plan.files[0].file;
    other.payments[0].check_action = checks::CheckAction::stop;
    EXPECT_FALSE(verify_rendered(*bytes, other, plan.files[0].profile));
}

TEST(CheckOrders, are_refused_when_the_layout_has_no_code) {
    const auto plan =
        plan_check_orders({order(10001, checks::CheckAction::stop)}, testing::settings(), 7, testing::now());
    EXPECT_THAT(plan.files, IsEmpty());
    ASSERT_THAT(plan.refused, SizeIs(1));
    EXPECT_EQ(plan.refused[0].draw_id, 20002);
    EXPECT_THAT(plan.refused[0].detail, HasSubstr("check 10001: the layout issue-csv.yaml has no code for a stop"));
    EXPECT_EQ(plan.next_file_sequence, 7);
}

TEST(CheckOrders, use_the_layout_of_the_issue_when_checks_are_no_longer_configured) {
    PlanSettings settings = testing::settings();
    settings.check.reset();
    const auto plan = plan_check_orders({order(10001, checks::CheckAction::void_check)}, settings, 7, testing::now());
    ASSERT_THAT(plan.files, SizeIs(1));
    EXPECT_EQ(render(plan.files[0].file, plan.files[0].profile).value(),
              "C,9988776655,10001,030426,100.01,LODZ ROOFING LLC\n");
}

}  // namespace
}  // namespace drawbridge::disbursement
