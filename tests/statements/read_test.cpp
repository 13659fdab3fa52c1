// Reads whole sample files from banks, and tests how a file's format is found.
#include "drawbridge/statements/read.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>
#include <iterator>

#include "statements/shown.hpp"

namespace drawbridge::statements {
namespace {

using testing::HasSubstr;
using testing::StartsWith;

std::string data(const std::string& name) {
    std::ifstream file(DRAWBRIDGE_TEST_DATA "/statements/" + name, std::ios::binary);
    EXPECT_TRUE(file) << name;
    return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
}

TEST(Statements, reads_bank_files_as_in_the_golden_files) {
    for (const std::string name :
         {"bai2-sample1.txt", "bai2-sample3.txt", "camt053-v02-fi.xml", "camt054-v04-returns.xml",
          "camt054-v04-debit.xml", "pain002-epo.xml", "nacha-noc.ach", "nacha-return-web.ach",
          "bai2-557-adjustment-debit.bai", "bai2-comma-before-88.bai", "bai2-blank-control-total.bai",
          "bai2-checks-in-text.bai", "camt053-in-envelope.xml", "nacha-zero-returns.ach"})
        EXPECT_EQ(shown(data(name), name), data(name + ".golden")) << name;
}

TEST(Statements, never_takes_a_line_of_another_bank_or_company_for_ours) {
    ReadOptions options;
    options.office.odfi_identification = "99999999";
    EXPECT_THAT(shown(data("nacha-noc.ach"), "n.ach", options), HasSubstr("every line is about another"));
    options.office = {
        .odfi_identification = "12104288", .company_ids = {"1111111111"}, .check_accounts = {}, .accounts = {}};
    EXPECT_THAT(shown(data("nacha-noc.ach"), "n.ach", options), HasSubstr("every line is about another"));
    options.office.company_ids = {"121042882"};
    EXPECT_THAT(shown(data("nacha-noc.ach"), "n.ach", options), HasSubstr("corrected"));
}

TEST(Statements, refuses_other_files_and_never_unpacks_archives) {
    struct Case {
        std::string bytes;
        const char* says;
    };
    const Case cases[] = {
        {"PK\x03\x04rest", "ZIP"},
        {std::string("\x1F\x8B\x08", 3), "gzip"},
        {"%PDF-1.7", "PDF"},
        {std::string("\xFF\xFE"
                     "a\0",
                     4),
         "UTF-16"},
        {"\xF1\xF0\xF1\x40", "EBCDIC"},
        {"\xF0\xF1\x6B", "EBCDIC"},
        {"{1:F01BANKUS33AXXX0000000000}", "MT940"},
        {":20:STATEMENT\n", "MT940"},
        {"OFXHEADER:100\n", "OFX"},
        {"", "is empty"},
        {" \n\n", "is empty"},
        {"<html><body/></html>", "this is a web page"},
        {"\n<!DOCTYPE html>\n<html lang=\"en\"><title>Sign in</title></html>", "download the file again"},
        {"<Document><BkToCstmrStmt>", "is not camt.053"},
        {"<!DOCTYPE a [<!ENTITY b \"c\">]><a/>", "DOCTYPE"},
    };
    for (const Case& one : cases)
        EXPECT_THAT(shown(one.bytes, "f"), HasSubstr(one.bytes.starts_with("<Document") ? "ends inside" : one.says))
            << one.bytes;
}

TEST(Statements, says_that_the_start_of_a_file_is_missing) {
    ReadOptions options;
    options.rules = {{"*.csv", Format::csv, ""}};
    const auto says = [&](const std::string& bytes, const std::string& name = "f.txt") {
        return shown(bytes, name, options);
    };
    const std::string nacha = data("nacha-noc.ach"), bai2 = data("bai2-sample1.txt");
    const std::string entry = nacha.substr(nacha.find("\n6") + 1);
    const char* const nacha_start = "f.txt:1: this looks like a NACHA file whose start is missing or damaged";
    EXPECT_THAT(says(entry), StartsWith(nacha_start));
    EXPECT_THAT(says("garbage\n" + nacha), StartsWith(nacha_start));
    EXPECT_THAT(says("102" + nacha.substr(3)), StartsWith(nacha_start));
    const char* const bai2_start = "f.txt:1: this looks like a BAI2 file whose start is missing or damaged";
    EXPECT_THAT(says(bai2.substr(bai2.find("02,"))), StartsWith(bai2_start));
    EXPECT_THAT(says(bai2.substr(bai2.find("03,"))), StartsWith(bai2_start));
    EXPECT_THAT(says("01 ,122099999 ,1/\n02 ,CUST ,1 ,261130/\n"), StartsWith(bai2_start));
    EXPECT_THAT(says("hello\n"), HasSubstr("no profile"));
    EXPECT_THAT(says(entry, "f.csv"), Not(HasSubstr("looks like"))) << "its name says what it is";
    options.rules.clear();
    EXPECT_THAT(says(entry), StartsWith(nacha_start));
    options.profile = "nacha";
    EXPECT_THAT(says(entry), StartsWith(nacha_start));
}

TEST(Statements, prefers_content_to_the_name_and_refuses_a_contradiction) {
    ReadOptions options;
    options.rules = {{"*.TXT", Format::csv, {}}};
    EXPECT_THAT(shown(data("bai2-sample1.txt"), "b.txt", options), StartsWith("bai2 "));
    options.rules = {{"b?.txt", Format::nacha, {}}};
    EXPECT_THAT(shown(data("bai2-sample1.txt"), "b1.txt", options), HasSubstr("its name says nacha"));
    EXPECT_THAT(shown("payment_reference,status,amount,date\n1,paid,1,2026-01-01\n", "b1.txt", options),
                StartsWith("b1.txt: this is not a nacha file, although its name says so"));
    EXPECT_THAT(shown("payment_reference,status,amount,date\n1,paid,1,2026-01-01\n", "other.csv", options),
                StartsWith("other.csv: no profile under 'confirmations' in drawbridge.yaml matches this name"));
    EXPECT_THAT(shown("payment_reference,status,amount,date\n1,paid,1,2026-01-01\n", "other.csv"), StartsWith("csv "));
    options.rules = {{"b?.txt", Format::nacha, {}}, {"B*1*.TXT?", Format::pain002, {}}};
    ReadOptions named;
    named.rules = {options.rules[0]};
    for (const char* other : {"b1.txt.old", "b1.tx", "ab1.txt", "b1.txt "})
        EXPECT_THAT(shown(data("bai2-sample1.txt"), other, named), StartsWith("bai2 ")) << other;
    EXPECT_THAT(shown(data("bai2-sample1.txt"), "b-1-2.txt~", options), HasSubstr("its name says pain002"));
    options.profile = "pain002";
    EXPECT_THAT(shown(data("bai2-sample1.txt"), "x", options),
                HasSubstr("this is a bai2 file, not what 'pain002' reads"));
    options.profile = "nobody";
    EXPECT_THAT(shown("a", "x", options), HasSubstr("there is no profile 'nobody'"));
}

TEST(Statements, reads_paid_checks_by_layout) {
    ReadOptions options;
    std::ifstream file(DRAWBRIDGE_SOURCE_DIR "/config/layouts/paid-fixed.yaml");
    const std::string yaml((std::istreambuf_iterator<char>(file)), std::istreambuf_iterator<char>());
    auto layout = checks::read_paid_layout(yaml, "paid-fixed.yaml");
    ASSERT_TRUE(layout) << text::to_string(layout.error());
    layout->name = "paid-fixed";
    options.paid_check_layouts = {*layout};
    options.rules = {{"paid*.txt", Format::paid_checks, "paid-fixed"}};
    options.office.check_accounts = {*AccountNumber::parse("99887766")};
    const std::string bytes =
        "000099887766       010001000000030000202611241   P\n"
        "000099887766       010002000000012550202611251   S\n"
        "000011111111       010003000000012550202611251   P\n";
    EXPECT_EQ(shown(bytes, "paid1.txt", options),
              "paid_checks by paid-fixed '' -: 3 lines, paid 300.00, returned 0.00\n"
              "1 paid 300.00 USD 2026-11-24 check number=10001\n"
              "2 void 125.50 USD 2026-11-25 check number=10002\n"
              "3 unrelated 125.50 USD 2026-11-25 check number=10003 note='on account ****1111, not one of ours'\n");
    options.paid_check_layouts.front().ignored_codes = {"O", "V"};
    options.received_on = BusinessDate(std::chrono::year(2026), std::chrono::December, std::chrono::day(1));
    EXPECT_THAT(shown("000099887766       01000400000001255000000000    O\n" + bytes, "paid1.txt", options),
                HasSubstr("\n1 unrelated 125.50 USD 2026-12-01 check number=10004\n2 paid 300.00"));
    EXPECT_THAT(shown("000099887766       01000500000001255000000000    S\n" + bytes, "paid1.txt", options),
                HasSubstr("1 void 125.50 USD 2026-12-01 check number=10005"));
    EXPECT_EQ(shown("\xEF\xBB\xBF" + bytes, "paid1.txt", options), shown(bytes, "paid1.txt", options));
    EXPECT_THAT(shown(bytes.substr(bytes.rfind("00001111")), "paid1.txt", options),
                StartsWith("paid1.txt: the file only mentions accounts that are not ours: ****1111"));
    EXPECT_THAT(shown("garbage\n", "paid1.txt", options), StartsWith("paid1.txt:1"));
}

}  // namespace
}  // namespace drawbridge::statements
