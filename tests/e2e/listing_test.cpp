// Lists longer than a page, through the daemon's socket: JSON and CSV have every row, text shows the number of further
// rows.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "e2e/office.hpp"

namespace drawbridge::e2e {
namespace {

using testing::EndsWith;
using testing::HasSubstr;
using testing::Not;

constexpr std::int64_t checks = 1'050, unpayable = 1'050, draws = checks + unpayable;

class Listing : public testing::Test {
  protected:
    // The first draws are paid by check; the rest cannot be paid.
    static void SetUpTestSuite() {
        house_ = new House();
        house_->office.write_rules(
            "version: 1\napprover_id: 1201\nrules:\n  - {name: all, when: {id: {gt: 0}}, approve: {}}\n");
        for (std::int64_t id = 1; id <= draws; ++id)
            house_->sandbox.add({id, 100, id <= checks ? "CHK-1" : "NOBODY"});
        house_->office.run_once();
        house_->office.run_once();
        daemon_ = new Process(house_->office.start_daemon());
        ASSERT_TRUE(eventually([] { return std::filesystem::exists(house_->office.state() / "drawbridge.sock"); }));
    }
    static void TearDownTestSuite() {
        delete daemon_;
        delete house_;
    }
    static std::size_t lines(const std::string& text) {
        return static_cast<std::size_t>(std::ranges::count(text, '\n'));
    }
    static Json every(const std::string& command) {
        const auto outcome = house_->office.run({command, "--json"});
        EXPECT_EQ(to_string(outcome.exit), "exit 0") << outcome.err;
        EXPECT_EQ(outcome.err, "");
        return Json::parse(outcome.out, nullptr, /*allow_exceptions=*/false);
    }

    static House* house_;
    static Process* daemon_;
};
House* Listing::house_ = nullptr;
Process* Listing::daemon_ = nullptr;

TEST_F(Listing, json_contains_every_row_once) {
    const struct {
        const char* command;
        const char* key;
        std::int64_t rows;
    } lists[] = {{"draws", "id", draws}, {"exceptions", "id", unpayable}, {"checks", "number", checks}};
    for (const auto& list : lists) {
        const auto answer = every(list.command);
        ASSERT_TRUE(answer.is_object()) << list.command;
        EXPECT_TRUE(answer.at("next_after").is_null()) << list.command;
        std::set<std::int64_t> keys;
        for (const auto& row : answer.at(list.command))
            keys.insert(row.at(list.key).get<std::int64_t>());
        EXPECT_EQ(answer.at(list.command).size(), static_cast<std::size_t>(list.rows)) << list.command;
        EXPECT_EQ(keys.size(), static_cast<std::size_t>(list.rows)) << list.command;
    }
    EXPECT_FALSE(every("files").at("files").empty());
    EXPECT_TRUE(every("runs").contains("pay_runs"));
}

TEST_F(Listing, csv_contains_a_header_and_every_row) {
    EXPECT_EQ(lines(house_->office.run({"draws", "--csv"}).out), static_cast<std::size_t>(draws) + 1);
    EXPECT_EQ(lines(house_->office.run({"checks", "--csv"}).out), static_cast<std::size_t>(checks) + 1);
}

TEST_F(Listing, text_shows_the_number_of_further_rows) {
    const auto cut = house_->office.run({"draws"});
    EXPECT_EQ(lines(cut.out), 1003U) << "a header, the rows, their sum, and the number of further rows";
    EXPECT_THAT(cut.out, EndsWith("\n… 1,100 more: --limit 2100\n"));
    EXPECT_THAT(house_->office.run({"draws", "--limit", "2100"}).out, Not(HasSubstr("more: --limit")));
    EXPECT_THAT(house_->office.run({"draws", "--limit", "3", "--state", "paying"}).out,
                EndsWith("\n… 1,047 more: --limit 1050\n"));
    EXPECT_THAT(house_->office.run({"exceptions"}).out, EndsWith("\n… 50 more: --limit 1050\n"));
    EXPECT_THAT(house_->office.run({"checks"}).out, EndsWith("\n… 50 more: --limit 1050\n"));
    EXPECT_EQ(lines(house_->office.run({"checks", "--limit", "1050"}).out), 1051U);
}

TEST_F(Listing, filters_as_the_api_does) {
    const auto some = Json::parse(house_->office.run({"draws", "--payee", "NOBODY", "--limit", "2", "--json"}).out);
    EXPECT_EQ(some.at("total"), unpayable);
    EXPECT_EQ(Json::parse(house_->office.run({"exceptions", "--closed", "--json"}).out).at("exceptions"),
              Json::array());
    EXPECT_EQ(every("files").at("files").front().at("state"), "released");
    EXPECT_EQ(Json::parse(house_->office.run({"checks", "--state", "issued", "--limit", "2000", "--json"}).out)
                  .at("checks")
                  .size(),
              static_cast<std::size_t>(checks));
    EXPECT_THAT(house_->office.run({"checks", "--state", "paid"}).out, "no checks\n");
    EXPECT_THAT(house_->office.run({"audit", "--action", "file.staged"}).out, HasSubstr("file.staged"));
    EXPECT_THAT(house_->office.run({"find", "1"}).out, HasSubstr("drawbridge draw 1 "));
    EXPECT_THAT(house_->office.run({"rules", "show"}).out, HasSubstr("all"));
    EXPECT_THAT(house_->office.run({"calendar"}).out, HasSubstr("CUT-OFFS"));
    EXPECT_EQ(Json::parse(house_->office.run({"forecast", "--days", "3", "--json"}).out).at("days").size(), 3U);
    EXPECT_EQ(house_->office.run({"confirmations"}).out, "no confirmation files\n");
}

TEST_F(Listing, applies_a_limit_and_shows_the_next_one) {
    const auto three = Json::parse(house_->office.run({"draws", "--limit", "3", "--json"}).out);
    EXPECT_EQ(three.at("draws").size(), 3U);
    EXPECT_EQ(three.at("next_after"), 3);
    const auto most = Json::parse(house_->office.run({"draws", "--limit", "2000", "--after", "50", "--json"}).out);
    EXPECT_EQ(most.at("draws").size(), 2000U);
    EXPECT_EQ(most.at("draws").front().at("id"), 51);
    EXPECT_EQ(most.at("next_after"), 2050);
    const auto csv = house_->office.run({"draws", "--limit", "3", "--csv"});
    EXPECT_EQ(lines(csv.out), 4U);
    EXPECT_THAT(csv.err, HasSubstr("… 2,097 more: --limit 2100"));
}

}  // namespace
}  // namespace drawbridge::e2e
