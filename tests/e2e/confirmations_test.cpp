// Confirmation files are applied completely or not at all, and once.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>

#include "e2e/office.hpp"

namespace drawbridge::e2e {
namespace {

using testing::AllOf;
using testing::Each;
using testing::ElementsAre;
using testing::EndsWith;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Pair;
using testing::SizeIs;

namespace fs = std::filesystem;

constexpr auto approve_everything =
    "version: 1\n"
    "approver_id: 1201\n"
    "rules:\n"
    "  - name: everything\n"
    "    when: {amountRequested: {gt: 0}}\n"
    "    approve: {notes: \"auto-approved by {rule}\"}\n";

// The payees of the sandbox's generated draws.
std::string generated_payees() {
    std::string csv;
    for (int i = 1; i <= 400; ++i) {
        csv += i % 3 == 0 ? fmt::format("PAYEE-{0:04},Landlord {0},check,,,,,1 Main Street,,Springfield,IL,62701\n", i)
                          : fmt::format("PAYEE-{0:04},Payee {0},ach,091000019,88{0},checking,PPD,,,,,\n", i);
    }
    return csv;
}

std::vector<fs::path> archived(const Office& office) {
    std::vector<fs::path> files;
    for (const auto& entry : fs::recursive_directory_iterator(office.state() / "spool" / "archive")) {
        if (entry.is_regular_file()) files.push_back(entry.path());
    }
    return files;
}

std::map<std::string, int> count_states(const Office& office) {
    std::map<std::string, int> counts;
    for (const auto& [id, step] : office.states())
        ++counts[step];
    return counts;
}

TEST(Confirmations, one_bad_line_refuses_the_file_and_the_corrected_file_applies) {
    House house({}, {"--draws", "1000", "--seed", "11", "--mix", "pending"});
    house.office.write_payees(generated_payees());
    house.office.write_rules(approve_everything);
    house.office.run_once();
    const auto taken = house.bank.collect(house.office.outgoing());
    ASSERT_THAT(taken, SizeIs(1000));
    house.sandbox.disburse_all_approved();

    const std::string good = confirmation_csv(taken);
    const std::string good_line = confirmation_line(taken[500]);
    std::string bad = good;
    bad.replace(bad.find(good_line), good_line.size(),
                taken[500].reference + ",paid,12.345," + taken[500].created_on + "\n");
    house.office.drop("bank.csv", bad);
    house.office.run_once();

    EXPECT_THAT(count_states(house.office), ElementsAre(Pair("paying", 1000)));
    EXPECT_THAT(archived(house.office), IsEmpty());
    const auto quarantine = files_in(house.office.state() / "quarantine");
    ASSERT_THAT(quarantine, SizeIs(2));
    EXPECT_EQ(read_file(quarantine[0]), bad) << "byte for byte";
    ASSERT_THAT(quarantine[1].string(), EndsWith(".report.txt"));
    // Line 502: the header is line 1. The amount is the third column, after two commas.
    const auto column = taken[500].reference.size() + std::string(",paid,").size() + 1;
    EXPECT_THAT(read_file(quarantine[1]), AllOf(HasSubstr("bank.csv:502:" + std::to_string(column) + ": "),
                                                HasSubstr("12.345"), HasSubstr("amount")));

    house.office.drop("bank-corrected.csv", good);
    house.office.run_once();
    EXPECT_THAT(count_states(house.office), ElementsAre(Pair("reported", 1000)));
    ASSERT_THAT(archived(house.office), SizeIs(1));
    EXPECT_EQ(read_file(archived(house.office).front()), good) << "byte for byte";
    house.office.expect_verified();
}

TEST(Confirmations, the_same_file_dropped_twice_changes_nothing) {
    House house;
    house.sandbox.add({1, 250'00, "ACH-1"});
    house.sandbox.add({2, 350'00, "CHK-1"});
    house.office.run_once();
    house.sandbox.disburse_all_approved();
    const auto csv = confirmation_csv(house.bank.collect(house.office.outgoing()));
    house.office.drop("bank.csv", csv);
    house.office.run_once();
    const auto before = house.office.json({"draw", "1"});
    ASSERT_THAT(house.office.states(), Each(Pair(testing::_, "reported")));

    house.office.drop("bank.csv", csv);
    house.office.run_once();
    house.office.drop("bank-again-under-another-name.csv", csv);
    house.office.run_once();
    EXPECT_EQ(house.office.json({"draw", "1"}), before);
    EXPECT_THAT(house.office.open_exceptions(), IsEmpty());
    EXPECT_THAT(files_in(house.office.state() / "inbox"), IsEmpty());
    EXPECT_THAT(files_in(house.office.state() / "quarantine"), IsEmpty());
    EXPECT_EQ(house.sandbox.requests("patch"), 2);
    house.office.expect_verified();
}

TEST(Confirmations, unmatched_lines_raise_exceptions_and_the_other_lines_apply) {
    House house;
    house.sandbox.add({1, 250'00, "ACH-1"});
    house.sandbox.add({2, 350'00, "CHK-1"});
    house.office.run_once();
    auto taken = house.bank.collect(house.office.outgoing());
    ASSERT_THAT(taken, SizeIs(2));
    const auto date = taken[0].created_on;
    house.office.drop("bank.csv", std::string(confirmation_header) + confirmation_line(taken[0]) + taken[1].reference +
                                      ",paid,350.01," + date + "\n999999999999999,paid,1.00," + date + "\n");
    house.office.run_once();
    EXPECT_THAT(house.office.open_exceptions(), testing::UnorderedElementsAre("amount_differs", "unknown_payment"));
    EXPECT_THAT(count_states(house.office), ElementsAre(Pair("paid", 1), Pair("paying", 1)));
    house.office.expect_verified();
}

TEST(Confirmations, a_returned_payment_is_not_reported_and_not_paid_again) {
    House house;
    house.sandbox.add({1, 250'00, "ACH-1"});
    house.office.run_once();
    house.office.drop("returns.csv", confirmation_csv(house.bank.collect(house.office.outgoing()), "returned"));
    house.office.run_once();
    house.office.run_once();
    EXPECT_EQ(house.office.state_of(1), "returned");
    EXPECT_THAT(house.bank.collect(house.office.outgoing()), IsEmpty());
    EXPECT_EQ(house.sandbox.requests("patch"), 0);
    house.office.expect_verified();
}

TEST(Confirmations, a_file_without_a_matching_profile_is_quarantined) {
    House house;
    house.office.run_once();
    house.office.drop("holiday.jpg", "not a statement");
    house.office.run_once();
    EXPECT_THAT(files_in(house.office.state() / "quarantine"), SizeIs(2));
    EXPECT_THAT(files_in(house.office.state() / "inbox"), IsEmpty());
}

}  // namespace
}  // namespace drawbridge::e2e
