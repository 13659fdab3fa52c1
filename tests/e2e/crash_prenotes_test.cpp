// Balanced files and prenotes with a crash at each durable step of pay: each account gets one prenote, each draw is
// paid once, and every file balances.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <csignal>
#include <string>
#include <vector>

#include "drawbridge/domain/crash_point.hpp"
#include "e2e/office.hpp"

namespace drawbridge::e2e {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

OfficeOptions options() {
    OfficeOptions options;
    options.ach =
        "  offset: {routing_number: \"091000019\", account_number_file: check_account}\n"
        "  prenotes: {required: true}\n";
    return options;
}

// Prenotes have their own file, so a run passes each point twice, except the plan.
std::vector<std::string> every_point_of_pay() {
    std::vector<std::string> all{"pay.part_committed:1", "pay.plan_committed:1"};
    for (const auto name : crash_points) {
        if (!name.starts_with("pay.") || name == "pay.part_committed" || name == "pay.plan_committed") continue;
        all.push_back(std::string(name) + ":1");
        all.push_back(std::string(name) + ":2");
    }
    return all;
}

std::string test_name(const testing::TestParamInfo<std::string>& info) {
    return test_name_of(info.param);
}

class PrenotesAndOffsets : public testing::TestWithParam<std::string> {};

TEST_P(PrenotesAndOffsets, are_sent_once) {
    House house(options());
    const Office& office = house.office;
    house.sandbox.add({9, 200'09, "ACH-9"});
    office.run_once();  // its payees are the first known ones
    office.write_payees("NEW,Payee New,ach,091000019,880011,checking,PPD,,,,,\n");
    house.sandbox.add({1, 200'01, "ACH-1"});
    house.sandbox.add({2, 200'02, "ACH-2"});
    house.sandbox.add({3, 200'03, "NEW"});
    const auto died = office.run_to_crash(GetParam());
    EXPECT_EQ(died.exit.signal, SIGKILL) << died.out << died.err;
    office.expect_verified();
    house.bank.collect(office.outgoing());
    for (int run = 0; run < 3; ++run) {
        office.run_once();
        house.bank.collect(office.outgoing());
    }
    std::vector<std::int64_t> paid;
    std::vector<std::string> prenoted;
    for (const auto& instruction : house.bank.instructions()) {
        if (instruction.prenote) {
            prenoted.push_back(instruction.payee);
        } else {
            paid.push_back(instruction.cents);
        }
    }
    std::ranges::sort(paid);
    EXPECT_THAT(paid, ElementsAre(200'01, 200'02, 200'09));
    EXPECT_THAT(prenoted, ElementsAre("PAYEE NEW"));
    EXPECT_THAT(house.bank.references_used_twice(), IsEmpty());
    EXPECT_THAT(office.open_exceptions(), ElementsAre("prenote_waiting"));
    office.expect_verified();
}

INSTANTIATE_TEST_SUITE_P(AtEveryPoint, PrenotesAndOffsets, testing::ValuesIn(every_point_of_pay()), test_name);

}  // namespace
}  // namespace drawbridge::e2e
