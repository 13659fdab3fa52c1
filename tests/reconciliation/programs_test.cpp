#include "drawbridge/reconciliation/programs.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace drawbridge::reconciliation {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

ProgramReport program(const std::string& name, std::int64_t cents, std::int64_t draws_counted = 1) {
    ProgramReport made;
    made.name = name;
    auto& head = made.report.head;
    head.ledger_id = "ledger of " + name;
    head.zone = "America/New_York";
    head.period = {parse_date("2026-03-01").value(), parse_date("2026-03-31").value(),
                   parse_instant("2026-04-01T04:00:00").value()};
    auto& totals = made.report.totals;
    auto& in_flight = totals.classes[LineClass::pending];
    in_flight.lines = in_flight.draws = 1;
    in_flight.amount = Money::from_cents(cents);
    totals.draws.came = totals.draws.closing = {1, Money::from_cents(cents)};
    totals.control_counts.draws = totals.control_counts.draws_listed = 1;
    made.counted.draws = draws_counted;
    made.report.controls = controls(totals, made.counted);
    return made;
}

TEST(Programs, are_added_up) {
    const std::vector programs = {program("housing", 100'00), program("childcare", 50'50)};
    ASSERT_TRUE(check_addable(programs));
    const auto sum = sum_of(programs);
    EXPECT_TRUE(sum.adds_up());
    EXPECT_EQ(sum.totals.of(LineGroup::in_flight).amount, Money::from_cents(150'50));
    EXPECT_THAT(reading_rules(programs), ElementsAre("All amounts are U.S. dollars."));
    const auto text = to_text(programs);
    EXPECT_THAT(text, HasSubstr("2026-03-01 to 2026-03-31, 2 programs\nAll amounts are U.S. dollars.\n\n"
                                "Nothing differs; 2 in flight ($150.50); 0 agree ($0.00)."));
    EXPECT_THAT(text, HasSubstr("\n== childcare\nReconciliation of 2026-03-01 to 2026-03-31 (America/New_York), ledger "
                                "ledger of childcare\n"));
    EXPECT_THAT(json_sum(programs), HasSubstr("\"notes\":[\"All amounts are U.S. dollars.\"]"));
}

TEST(Programs, do_not_make_up_for_each_other) {
    const std::vector programs = {program("housing", 100'00, 2), program("childcare", 50'50, 0)};
    const auto sum = sum_of(programs);
    EXPECT_FALSE(sum.adds_up()) << "one has a draw too many, the other one too few";
    EXPECT_THAT(to_text(programs), HasSubstr("THE CONTROL SUMS DO NOT MATCH"));
    EXPECT_THAT(to_text(programs), HasSubstr("  DOES NOT ADD UP\n"));
}

TEST(Programs, of_one_ledger_or_of_different_days_are_not_added_up) {
    auto same = program("copy", 1);
    same.report.head.ledger_id = "ledger of housing";
    EXPECT_EQ(check_addable({program("housing", 1), same}).error().message,
              "housing and copy are about the same ledger: name each once");
    auto shorter = program("short", 1);
    shorter.report.head.period.to = parse_date("2026-03-30").value();
    EXPECT_EQ(check_addable({program("housing", 1), shorter}).error().message,
              "housing and short are not about the same days: name the period");
}

TEST(Programs, of_different_time_zones_say_so) {
    auto western = program("western", 1);
    western.report.head.zone = "America/Denver";
    EXPECT_THAT(
        reading_rules({program("housing", 1), western}),
        ElementsAre("All amounts are U.S. dollars.",
                    "The time zones differ, and a day is that of each program: housing America/New_York, western "
                    "America/Denver."));
}

}  // namespace
}  // namespace drawbridge::reconciliation
