// A check is voided from the command line. The program dies at each durable step, restarts and finishes. The bank gets
// the order once, and only then does the draw count as returned.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <csignal>
#include <string>

#include "e2e/office.hpp"

namespace drawbridge::e2e {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

class CheckOrders : public testing::TestWithParam<const char*> {
  protected:
    void SetUp() override {
        house_.sandbox.add({1, 200'00, "CHK-1"});
        house_.sandbox.add({2, 300'00, "CHK-2"});
        house_.office.run_once();
        house_.office.run_once();
        const auto register_before = house_.office.json({"checks"}).at("checks");
        ASSERT_EQ(register_before.size(), 2U);
        number_ = register_before[0].at("number").dump();
    }
    int order_files() {
        const auto files = house_.office.json({"files"}).at("files");
        return static_cast<int>(
            std::ranges::count_if(files, [](const Json& file) { return file.at("kind") == "check_orders"; }));
    }

    std::string waiting_file() {
        const auto answer = house_.office.json({"files"});
        for (const auto& file : answer.at("files")) {
            if (file.at("state") == "staged") return file.at("name");
        }
        return "none";
    }

    House house_;
    std::string number_;
};

TEST_P(CheckOrders, the_bank_gets_the_order_once) {
    house_.office.json({"void", "--check", number_, "--reason", "lost in the mail"});
    EXPECT_EQ(house_.office.state_of(1), "paying");
    const std::string point = std::string(GetParam()) + ":1";
    auto died = house_.office.run_to_crash(point);
    if (died.exit.signal == 0) {  // written; it waits for another person
        died = house_.office.run_test_program(
            {"release", waiting_file(), "--reason", "agreed"},
            {{"DRAWBRIDGE_CRASH_AT", point}, {"DRAWBRIDGE_ACTING_UID", std::to_string(second_person)}});
    }
    EXPECT_EQ(died.exit.signal, SIGKILL) << died.err;
    house_.office.expect_verified();
    house_.office.run_once();
    house_.office.release_what_waits();
    house_.office.run_once();
    EXPECT_EQ(order_files(), 1);
    EXPECT_EQ(house_.office.state_of(1), "returned");
    EXPECT_EQ(house_.office.state_of(2), "paying");
    EXPECT_THAT(house_.office.open_exceptions(), ElementsAre("check_voided"));
    const auto row = house_.office.json({"checks"}).at("checks")[0];
    EXPECT_EQ(row.at("state"), "void_transmitted");
    EXPECT_EQ(row.at("order").at("reason"), "lost in the mail");
    house_.office.expect_verified();
}

std::string test_name(const testing::TestParamInfo<const char*>& point) {
    std::string name = point.param;
    std::ranges::replace(name, '.', '_');
    return name;
}

INSTANTIATE_TEST_SUITE_P(AtEveryPoint, CheckOrders,
                         testing::Values("checks.orders_committed", "pay.staged_written", "pay.staged_synced",
                                         "pay.staged_renamed", "pay.staged_durable", "pay.staged_committed",
                                         "pay.release_committed", "pay.manifest_written", "pay.manifest_durable",
                                         "pay.released_renamed", "pay.released_durable", "pay.released_committed"),
                         test_name);

using CheckCommands = CheckOrders;
TEST_P(CheckCommands, report_what_they_did) {
    const auto ordered = house_.office.run({"void", "--check", number_, "--reason", "lost"});
    EXPECT_EQ(to_string(ordered.exit), "exit 0") << ordered.err;
    EXPECT_THAT(ordered.out, HasSubstr("void ordered. The next pay run writes the file"));
    const auto again = house_.office.run({"stop", "--check", number_, "--reason", "lost"});
    EXPECT_EQ(to_string(again.exit), "exit 1");
    EXPECT_THAT(again.err, HasSubstr("has no code for a stop"));
    EXPECT_THAT(house_.office.run({"checks"}).out, HasSubstr("void_requested"));
    EXPECT_THAT(house_.office.run({"checks", "--csv"}).out, testing::StartsWith("number,last_number,state,"));
    EXPECT_THAT(house_.office.run({"status"}).out, HasSubstr("1 void or stop order not yet at the bank"));
    const auto withdrawn = house_.office.run({"void", "--check", number_, "--withdraw", "--reason", "found"});
    EXPECT_THAT(withdrawn.out, HasSubstr("the order is canceled; the check remains payable"));
    EXPECT_EQ(to_string(house_.office.run({"void", "--reason", "x"}).exit), "exit 2");
    EXPECT_EQ(to_string(house_.office.run({"void", "A.ach", "--check", "1", "--reason", "x"}).exit), "exit 2");
}
INSTANTIATE_TEST_SUITE_P(Once, CheckCommands, testing::Values("without_a_crash"), test_name);

}  // namespace
}  // namespace drawbridge::e2e
