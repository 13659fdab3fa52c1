#include <gtest/gtest.h>

#include "config/config_fixture.hpp"

namespace drawbridge::config {
namespace {

TEST_F(ConfigTest, reports_each_mistake_in_report_with_its_position) {
    const Case table[] = {
        {"report: {time_of_day: \"25:00\"}\n", "c.yaml:6:23: report.time_of_day is not a time of day"},
        {"report: {write_back: {export: {fieldF: x}}}\n",
         "c.yaml:6:32: unknown key 'fieldF' in 'report.write_back.export'"},
        {"report: {write_back: {exports: {fieldE: x}}}\n", "did you mean 'export'?"},
        {"report: {write_back: {export: {fieldE: \"ACH {trace_numbr}\"}}}\n",
         "c.yaml:6:40: report.write_back.export.fieldE: unknown placeholder '{trace_numbr}': did you mean "
         "'{trace_number}'?"},
        {"report: {write_back: {export: {fieldE: \"{bank_date}\"}}}\n",
         "report.write_back.export.fieldE: '{bank_date}' is not yet known at export"},
        {"report: {write_back: {return: {fieldA: \"{return_code}\"}}}\n",
         "report.write_back.return.fieldA would overwrite the field that names the payee"},
    };
    for (const Case& row : table) {
        const std::string said = report(minimal + row.yaml);
        EXPECT_NE(said.find(row.report), std::string::npos) << row.yaml << said;
        EXPECT_FALSE(said.starts_with("valid")) << row.yaml;
    }
}

TEST_F(ConfigTest, reads_every_key_of_report) {
    EXPECT_EQ(load(minimal)->report.time_of_day, std::chrono::hours(12));
    EXPECT_TRUE(load(minimal)->report.write_back.empty());
    const auto config = load(minimal +
                             "report:\n"
                             "  time_of_day: \"08:30\"\n"
                             "  write_back:\n"
                             "    export: {fieldE: \"ACH {trace_number}\", admin_Description: x}\n"
                             "    return: {fieldE: \"RETURNED {return_code}\"}\n");
    ASSERT_TRUE(config) << to_string(config.error());
    EXPECT_EQ(config->report.time_of_day, std::chrono::minutes(510));
    using disbursement::WriteBackEvent;
    ASSERT_EQ(config->report.write_back.size(), 2U);
    EXPECT_EQ(config->report.write_back.at(WriteBackEvent::export_).size(), 2U);
    EXPECT_EQ(config->report.write_back.at(WriteBackEvent::return_).at("fieldE").expand({{"return_code", "R02"}}),
              "RETURNED R02");
}

TEST_F(ConfigTest, credits_count_as_paid_by_time_only_if_configured) {
    const std::string profile = minimal +
                                "ach:\n"
                                "  odfi: {routing_number: \"091000019\", name: FIRST BANK}\n"
                                "  origin: {id: \"1123456789\", name: CITY}\n"
                                "  company: {name: CITY, id: \"1123456789\", entry_description: DRAWPMT}\n";
    EXPECT_FALSE(load(profile)->ach->confirm_after_banking_days);
    EXPECT_EQ(load(profile + "  confirm_after_banking_days: 5\n")->ach->confirm_after_banking_days, 5);
    EXPECT_NE(report(profile + "  confirm_after_banking_days: 1\n").find("ach.confirm_after_banking_days"),
              std::string::npos);
}

}  // namespace
}  // namespace drawbridge::config
