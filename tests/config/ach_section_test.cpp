#include <gtest/gtest.h>

#include "config/config_fixture.hpp"

namespace drawbridge::config {
namespace {

const std::string profile = minimal +
                            "ach:\n"
                            "  odfi: {routing_number: \"091000019\", name: FIRST BANK}\n"
                            "  origin: {id: \"1123456789\", name: CITY}\n"
                            "  company: {name: CITY, id: \"1123456789\", entry_description: DRAWPMT}\n";

TEST_F(ConfigTest, reports_each_mistake_in_the_bank_profile_with_its_position) {
    const Case table[] = {
        {"  destination: \"091000018\"\n", "c.yaml:10:16: ach.destination: "},
        {"  reference_code: MUCHTOOLONG\n", "c.yaml:10:19: ach.reference_code has 11 characters"},
        {"  padding: blanks\n", "c.yaml:10:12: ach.padding cannot be 'blanks'"},
        {"  line_end: cr\n", "c.yaml:10:13: ach.line_end cannot be 'cr'"},
        {"  remittance: DRAW {idd}\n",
         "c.yaml:10:15: ach.remittance: unknown placeholder '{idd}': did you mean '{id}'?"},
        {"  remittance: DRAW {id\n", "c.yaml:10:15: ach.remittance: a brace has no match"},
        {"  file_name: ACH-{date}.ach\n", "c.yaml:10:14: ach.file_name: two files would have the same name"},
        {"  file_name: ../{sequence}\n", "c.yaml:10:14: ach.file_name: a file name may contain letters"},
        {"  settle: same_day\n", "c.yaml:10:11: ach.settle: ach.same_day.allowed is not true"},
        {"  bank_cutoff: \"25:00\"\n", "c.yaml:10:16: ach.bank_cutoff is not a time of day"},
        {"  same_day: {limit: 1000000.01}\n", "c.yaml:10:21: ach.same_day.limit is $1,000,000.01"},
        {"  limits: {batch_total: 0}\n", "c.yaml:10:25: ach.limits.batch_total is $0.00"},
        {"  limits: {file_entries: 1}\n", "c.yaml:10:26: "},
        {"  prenotes: {require: true}\n",
         "c.yaml:10:14: unknown key 'require' in 'ach.prenotes': did you mean 'required'?"},
        {"  offset: {routing_number: \"091000019\"}\n", "missing key 'account_number_file'"},
        {"pay: {limits: {day: 0}}\n", "c.yaml:10:21: pay.limits.day is zero"},
        {"pay: {payee_hold: 36h}\n", "c.yaml:10:19: pay.payee_hold is not in whole days"},
        {"pay: {closures: [2026-02-30]}\n", "c.yaml:10:18: pay.closures: "},
    };
    for (const Case& row : table) {
        const std::string said = report(profile + row.yaml);
        EXPECT_NE(said.find(row.report), std::string::npos) << row.yaml << said;
        EXPECT_FALSE(said.starts_with("valid")) << row.yaml;
    }
}

TEST_F(ConfigTest, reads_the_whole_bank_profile) {
    write("offset_account", "998877\n");
    std::string yaml = profile;
    yaml.insert(yaml.rfind('}'), ", discretionary: HOUSING, entry_descriptions: {12: RENT}");
    const auto config = load(yaml +
                             "  destination: \"021000021\"\n"
                             "  settle: same_day\n"
                             "  same_day: {allowed: true, lead: 45m, limit: 500, windows: [\"14:45\"]}\n"
                             "  offset: {routing_number: \"091000019\", account_number_file: offset_account, "
                             "account_type: savings}\n"
                             "  line_end: crlf\n"
                             "  padding: none\n"
                             "  prenotes: {required: true, wait: 5}\n"
                             "  limits: {batch_entries: 10}\n");
    ASSERT_TRUE(config) << to_string(config.error());
    const Ach& ach = *config->ach;
    EXPECT_EQ(ach.odfi_routing_number.to_string(), "091000019");
    EXPECT_EQ(ach.company_discretionary, "HOUSING");
    EXPECT_EQ(ach.entry_descriptions.at(12), "RENT");
    EXPECT_EQ(ach.destination->to_string(), "021000021");
    EXPECT_EQ(ach.settle.settle, disbursement::Settle::same_day);
    EXPECT_EQ(ach.settle.same_day_lead, std::chrono::minutes(45));
    EXPECT_EQ(ach.settle.same_day_limit, Money::from_cents(50000));
    EXPECT_EQ(ach.settle.same_day_windows.size(), 1U);
    EXPECT_TRUE(ach.offset->is_savings);
    EXPECT_EQ(ach.line_end, nacha::LineEnd::crlf);
    EXPECT_EQ(ach.padding, nacha::Padding::none);
    EXPECT_EQ(ach.prenote_wait_days, 5);
    EXPECT_EQ(ach.limits.batch_entries, 10);
}

}  // namespace
}  // namespace drawbridge::config
