#include "drawbridge/disbursement/profile.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <functional>

#include "disbursement/sample_plan.hpp"

namespace drawbridge::disbursement {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

TEST(Profile, survives_a_round_trip_through_json) {
    AchProfile ach = *testing::settings().ach;
    ach.line_end = nacha::LineEnd::crlf;
    ach.padding = nacha::Padding::none;
    ach.company_discretionary = "É \"quoted\"";
    CheckProfile check = *testing::settings().check;
    check.layout.crlf = true;
    check.layout.amount_format = checks::AmountFormat::cents;
    check.layout.columns.push_back({checks::ColumnKind::constant, "Filler", 3, "x,y"});
    for (const FileProfile& profile : {FileProfile(ach), FileProfile(check)}) {
        const std::string json = to_json(profile);
        EXPECT_EQ(json.find('\n'), std::string::npos);
        const auto back = profile_from_json(json);
        ASSERT_TRUE(back) << back.error().message;
        EXPECT_EQ(*back, profile);
    }
}

TEST(Profile, keeps_a_fixed_layout_with_header_and_trailer) {
    const std::string yaml = testing::read_file(std::string(DRAWBRIDGE_SOURCE_DIR) + "/config/layouts/issue-arp.yaml");
    const CheckProfile check{AccountNumber::parse("9988776655").value(),
                             checks::read_issue_layout(yaml, "issue-arp.yaml").value()};
    const auto back = profile_from_json(to_json(check));
    ASSERT_TRUE(back) << back.error().message;
    EXPECT_EQ(*back, FileProfile(check));
}

TEST(Profile, refuses_invalid_json_without_showing_it) {
    std::string cut = to_json(*testing::settings().check);
    cut.pop_back();
    const std::string table[] = {"",
                                 "{}",
                                 "[]",
                                 cut,
                                 R"({"rail":"wire"})",
                                 R"({"rail":"ach","odfi":"091000010"})",
                                 R"({"rail":"check","account":"99887 76655","layout":{}})",
                                 R"({"rail":"check","account":9988776655,"layout":{}})"};
    for (const std::string& json : table) {
        const auto profile = profile_from_json(json);
        ASSERT_FALSE(profile) << json;
        EXPECT_THAT(profile.error().message, Not(HasSubstr("99887")));
    }
}

TEST(Profile, reports_what_a_bank_would_reject) {
    EXPECT_TRUE(check_profile(*testing::settings().ach));
    struct Case {
        std::function<void(AchProfile&)> change;
        const char* message;
    };
    const Case table[] = {
        {[](AchProfile& p) { p.origin_id = "12345678"; }, "ach.origin.id"},
        {[](AchProfile& p) { p.origin_id = "12345-6789"; }, "ach.origin.id"},
        {[](AchProfile& p) { p.company_id = ""; }, "ach.company.id"},
        {[](AchProfile& p) { p.company_id = "12345678901"; }, "ach.company.id"},
        {[](AchProfile& p) { p.company_name = ""; }, "ach.company.name"},
        {[](AchProfile& p) { p.company_name = "CITY HOUSING OFFICE"; }, "longer than 16"},
        {[](AchProfile& p) { p.entry_description = "DRAW PAYMENT"; }, "longer than 10"},
        {[](AchProfile& p) { p.entry_description = " PAY"; }, "begin with a space"},
        {[](AchProfile& p) { p.odfi_name = "银行"; }, "ach.odfi.name"},
        {[](AchProfile& p) { p.company_discretionary = std::string(21, 'x'); }, "ach.company.discretionary"},
    };
    for (const Case& row : table) {
        AchProfile profile = *testing::settings().ach;
        row.change(profile);
        const auto good = check_profile(profile);
        ASSERT_FALSE(good) << row.message;
        EXPECT_THAT(good.error().message, HasSubstr(row.message));
    }
}

}  // namespace
}  // namespace drawbridge::disbursement
