#include "drawbridge/nacha/describe.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "nacha/sample_files.hpp"

namespace drawbridge::nacha {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

std::string describe(const std::string& bytes, std::int64_t entries_shown = 100) {
    std::string text;
    Describer describer([&](std::string_view line) { text += std::string(line) + "\n"; }, entries_shown);
    FileReader reader({}, [&](const Record& record) { describer.add(record); });
    reader.feed(bytes);
    describer.finish(reader.finish());
    return text;
}

TEST(Describe, shows_a_file_without_its_account_numbers) {
    EXPECT_EQ(describe(testing::read_data("credits.ach")),
              R"(File A of 2026-11-20 09:05, from CITY HOUSING OFFICE (1123456789) to FIRST BANK (091000019)
Batch 1: PPD credits of CITY HOUSING (1123456789), DRAWPMT, effective 2026-11-23
  091000010000001  $1,250.00  checking credit  021000021  ****6789  P0000000001  JANE DOE
      05  RENT ASSISTANCE NOVEMBER
  091000010000002  $75.00  savings credit  011401533  ****9887  P0000000002  A NAME THAT IS LONGER
  3 records of entries and addenda, debits $0.00, credits $1,325.00, entry hash 3240155
Batch 2: CTX credits of CITY HOUSING (1123456789), DRAWPMT, effective 2026-11-23
  091000010000003  $1.00  checking credit  121042882  ****566  P0000000003  ACME SUPPLY HOLD
      05  ISA*00*          *00*          *ZZ*CITY
      05  SE*8*0001\
  3 records of entries and addenda, debits $0.00, credits $1.00, entry hash 12104288
Total: 2 batches, 6 records of entries and addenda, debits $0.00, credits $1,326.00, entry hash 15344443
)");
}

TEST(Describe, shows_a_return) {
    const std::string text = describe(testing::read_data("nacha-return-web.ach"));
    EXPECT_THAT(text, HasSubstr("checking credit return or notification of change"));
    EXPECT_THAT(text, HasSubstr("99  return R03 of entry 091400600000003\n"));
}

TEST(Describe, masks_the_numbers_of_people_in_enrollments_and_death_notices_but_no_words_of_a_bill) {
    const std::string text = describe(testing::read_data("every-sec-code.ach"));
    EXPECT_THAT(text, HasSubstr("05  22*****0004*3*****4321*****7777*DOE*JOHN*1\\\n")) << text;
    EXPECT_THAT(text, HasSubstr("05  DATE OF DEATH*****0218*CUSTOMER SSN*****7777*AMOUNT*2400.00\\\n"));
    EXPECT_THAT(text, HasSubstr("REFONEAREFTERM021000491112123456Target Store"));
}

TEST(Describe, omits_a_corrected_account_number) {
    const std::string text = describe(testing::read_data("nacha-noc.ach"));
    EXPECT_THAT(text, HasSubstr("98  notification of change C01 for entry 121042880000001"));
    EXPECT_THAT(text, Not(HasSubstr("1918171614")));
    EXPECT_THAT(text, Not(HasSubstr("744-5678-99")));
}

TEST(Describe, names_every_transaction_code) {
    const std::pair<int, const char*> table[] = {{22, "checking credit"},       {23, "checking prenote credit"},
                                                 {27, "checking debit"},        {32, "savings credit"},
                                                 {38, "savings prenote debit"}, {55, "loan debit"},
                                                 {42, "general ledger credit"}, {25, "transaction code 25"},
                                                 {57, "transaction code 57"},   {99, "transaction code 99"},
                                                 {81, "credit advice"},         {82, "debit advice"},
                                                 {87, "credit advice"},         {88, "debit advice"},
                                                 {80, "transaction code 80"},   {89, "transaction code 89"},
                                                 {0, "transaction code 0"}};
    for (const auto& [code, text] : table)
        EXPECT_EQ(describe_transaction_code(code), text);
}

}  // namespace
}  // namespace drawbridge::nacha
