#include "drawbridge/disbursement/payees.hpp"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "disbursement/sample_plan.hpp"
#include "drawbridge/domain/digest.hpp"

namespace drawbridge::disbursement {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

constexpr const char* header =
    "key,name,rail,routing_number,account_number,account_type,sec_code,address1,address2,city,state,zip\n";

TEST(Payees, reads_the_directory) {
    const PayeeDirectory directory = testing::directory();
    ASSERT_EQ(directory.payees().size(), 5U);
    EXPECT_EQ(directory.sha256(), sha256_hex(testing::read_data("payees.csv")));
    const Payee* ach = directory.find("V-003");
    ASSERT_NE(ach, nullptr);
    EXPECT_EQ(ach->name, "Smith, John");
    EXPECT_EQ(ach->rail, Rail::ach);
    EXPECT_EQ(ach->routing_number->to_string(), "011401533");
    EXPECT_EQ(ach->account_number->reveal(), "SAV0099887");
    EXPECT_EQ(ach->account_type, AccountType::savings);
    EXPECT_EQ(ach->sec_code, SecCode::ppd);
    const Payee* check = directory.find("V-004");
    ASSERT_NE(check, nullptr);
    EXPECT_EQ(check->rail, Rail::check);
    EXPECT_EQ(check->account_number, std::nullopt);
    EXPECT_EQ(check->address2, "Suite 4");
    EXPECT_EQ(check->zip, "12180-1234");
}

TEST(Payees, matches_a_key_exactly_except_for_outer_spaces) {
    const PayeeDirectory directory = testing::directory();
    EXPECT_NE(directory.find("  V-001\t"), nullptr);
    for (const char* key : {"v-001", "V-00", "V-0011", "V 001", "", " "})
        EXPECT_EQ(directory.find(key), nullptr) << key;
    EXPECT_EQ(PayeeDirectory().find("V-001"), nullptr);
}

TEST(Payees, accepts_columns_in_any_order) {
    const auto directory = PayeeDirectory::read(
        "zip,state,city,address2,address1,sec_code,account_type,account_number,routing_number,rail, name ,key\n"
        ",,,,,CCD,checking,42,021000021,ach,  Acme , K1 \n",
        "payees.csv");
    ASSERT_TRUE(directory) << text::to_string(directory.error());
    ASSERT_NE(directory->find("K1"), nullptr);
    EXPECT_EQ(directory->find("K1")->name, "Acme");
    EXPECT_EQ(directory->find("K1")->sec_code, SecCode::ccd);
}

TEST(Payees, reports_each_problem_with_line_and_column) {
    struct Case {
        std::string csv;
        const char* message;
    };
    const std::string head = header;
    const Case table[] = {
        {"", "p.csv:1: the file has no header line"},
        {"key,name,rail\n", "column 'zip' is missing"},
        {"nmae," + head, "p.csv:1:1: unknown column 'nmae': did you mean 'name'?"},
        {"key," + head, "p.csv:1:5: column 'key' appears twice"},
        {head + "A,B,ach,021000021\n", "p.csv:2: the line has 4 fields, but the header has 12"},
        {head + ",B,ach,021000021,77441122,checking,PPD,,,,,\n", "p.csv:2:1: key is empty"},
        {head + "A,,ach,021000021,77441122,checking,PPD,,,,,\n", "p.csv:2:3: name is empty"},
        {head + "A,B,wire,021000021,77441122,checking,PPD,,,,,\n", "p.csv:2:5: rail must be ach or check"},
        {head + "A,B,ach,021000022,77441122,checking,PPD,,,,,\n", "p.csv:2:9: routing_number has a wrong check digit"},
        {head + "A,B,ach,77441122,77441122,checking,PPD,,,,,\n", "p.csv:2:9: routing_number must be nine digits"},
        {head + "A,B,ach,,77441122,checking,PPD,,,,,\n", "p.csv:2:9: routing_number is empty"},
        {head + "A,B,ach,021000021,,checking,PPD,,,,,\n", "p.csv:2:19: account_number is empty"},
        {head + "A,B,ach,021000021,7744 1122,checking,PPD,,,,,\n", "p.csv:2:19: character 5 of the account number"},
        {head + "A,B,ach,021000021,774411227744112277,checking,PPD,,,,,\n", "has 18 characters"},
        {head + "A,B,ach,021000021,77441122,current,PPD,,,,,\n", "account_type must be checking or savings"},
        {head + "A,B,ach,021000021,77441122,checking,WEB,,,,,\n", "sec_code must be PPD, CCD or CTX"},
        {head + "A,B,ach,021000021,77441122,checking,,,,,,\n", "sec_code is empty"},
        {head + "A,B,check,,,,,,,Troy,NY,12180\n", "p.csv:2:15: address1 is empty: a check payee needs it"},
        {head + "A,B,check,,,,,1 Elm,,,NY,12180\n", "city is empty"},
        {head + "A,B,check,,,,,1 Elm,,Troy,New York,12180\n", "state is not a two-letter"},
        {head + "A,B,check,,,,,1 Elm,,Troy,ny,12180\n", "state is not a two-letter"},
        {head + "A,B,check,,,,,1 Elm,,Troy,N1,12180\n", "state is not a two-letter"},
        {head + "A,B,check,,,,,1 Elm,,Troy,NY,1218\n", "zip is not a ZIP code"},
        {head + "A,B,ach,400000008,77441122,checking,PPD,,,,,\n",
         "p.csv:2:9: routing_number is not assigned to a bank: no routing number begins with 40"},
        {head + "A,00 0,ach,021000021,77441122,checking,PPD,,,,,\n", "p.csv:2:3: name is only zeros"},
        {head + "A,B,check,021000022,,,,1 Elm,,Troy,NY,12180\n", "wrong check digit"},
        {head + "A,\"B\nC\",check,,,,,1 Elm,,Troy,NY,12180\n", "name has a control character"},
        {head + "A,\"B\n", "p.csv:2"},
        {head + "A\u00a0,B,check,,,,,1 Elm,,Troy,NY,12180\n",
         "p.csv:2:1: key begins or ends with a blank that is not an ordinary space: type the key again without it"},
        {head + "\u200bA,B,check,,,,,1 Elm,,Troy,NY,12180\n", "p.csv:2:1: key begins or ends with a blank"},
        {head + "A,B,check,,,,,1 Elm,,Troy,NY,12180\nA ,C,check,,,,,1 Elm,,Troy,NY,12180\n",
         "p.csv:3:1: key 'A' is already on line 2"},
    };
    for (const auto& [csv, message] : table) {
        const auto directory = PayeeDirectory::read(csv, "p.csv");
        ASSERT_FALSE(directory) << csv;
        EXPECT_THAT(text::to_string(directory.error()), HasSubstr(message)) << csv;
        EXPECT_THAT(text::to_string(directory.error()), Not(HasSubstr("7744"))) << "an account number is shown";
    }
}

TEST(Payees, a_number_that_a_spreadsheet_changed_is_to_be_exported_again) {
    const std::string ask = "ask the payee for it again";
    const std::string export_again = "a spreadsheet may have changed it: format the column as text and export it again";
    struct Case {
        const char *routing_number, *account_number;
        std::string hint;
    };
    const Case cases[] = {{"21000021", "77441122", export_again},  {"021000021.0", "77441122", export_again},
                          {"021000021", "7.74E+11", export_again}, {"021000021", "77441122.0", export_again},
                          {"021000021", "########", export_again}, {"021000022", "77441122", ask},
                          {"0210000210", "77441122", ask},         {"021000021", "7744 1122", ask}};
    for (const auto& [routing_number, account_number, hint] : cases) {
        const auto read = PayeeDirectory::read(
            header + fmt::format("A,B,ach,{},{},checking,PPD,,,,,\n", routing_number, account_number), "p.csv");
        ASSERT_FALSE(read) << routing_number << " " << account_number;
        ASSERT_EQ(read.error().size(), 1U) << text::to_string(read.error());
        EXPECT_THAT(read.error()[0].hint, ::testing::StartsWith(hint)) << routing_number << " " << account_number;
    }
}

TEST(Payees, a_file_that_a_spreadsheet_exported_otherwise_is_one_error) {
    std::string semicolons = header, tabs = header;
    std::ranges::replace(semicolons, ',', ';');
    std::ranges::replace(tabs, ',', '\t');
    const std::pair<std::string, const char*> cases[] = {
        {semicolons + "A;\"B; C\";check\n", "p.csv:1: the columns are separated by ';': export it with commas\n"},
        {tabs + "A\tB\n", "p.csv:1: the columns are separated by tabs: export it with commas\n"},
        {"sep=,\r\n" + std::string(header), "p.csv:1: the first line is 'sep=,', for Excel: remove it\n"},
        {"A,Ana Alvarez,ach,021000021,77441122,checking,PPD,,,,,\n",
         "p.csv:1: the first line names no column: add a header line: "
         "key,name,rail,routing_number,account_number,account_type,sec_code,address1,address2,city,state,zip\n"}};
    for (const auto& [csv, said] : cases) {
        const auto read = PayeeDirectory::read(csv, "p.csv");
        ASSERT_FALSE(read) << csv;
        EXPECT_EQ(text::to_string(read.error()), said);
    }
}

TEST(Payees, reports_all_problems_at_once) {
    const auto directory = PayeeDirectory::read(
        std::string(header) + "A,,ach,021000022,,current,PPD,,,,,\nB,C,wire,,,,,,,,,\nA,D,check,,,,,,,,,\n", "p.csv");
    ASSERT_FALSE(directory);
    EXPECT_EQ(directory.error().size(), 4U + 1U + 5U) << text::to_string(directory.error());
}

TEST(Payees, parses_and_prints_its_keywords) {
    for (const Rail rail : {Rail::ach, Rail::check})
        EXPECT_EQ(parse_rail(to_string(rail)), rail);
    for (const AccountType type : {AccountType::checking, AccountType::savings}) {
        EXPECT_EQ(parse_account_type(to_string(type)), type);
    }
    for (const SecCode code : {SecCode::ppd, SecCode::ccd})
        EXPECT_EQ(parse_sec_code(to_string(code)), code);
    EXPECT_EQ(parse_rail("ACH"), std::nullopt);
    EXPECT_EQ(parse_sec_code("ppd"), std::nullopt);
}

TEST(Payees, refuses_a_file_without_header_without_repeating_its_numbers) {
    const auto read = PayeeDirectory::read("PAYEE-1,Ana Alvarez,ach,021000021,123456789,checking,PPD,,,,,\n", "p.csv");
    ASSERT_FALSE(read);
    const std::string said = text::to_string(read.error());
    EXPECT_NE(said.find("p.csv:1:"), std::string::npos);
    EXPECT_EQ(said.find("123456789"), std::string::npos) << said;
    EXPECT_EQ(said.find("021000021"), std::string::npos) << said;
}

}  // namespace
}  // namespace drawbridge::disbursement
