#include "drawbridge/text/mask.hpp"

#include <gtest/gtest.h>

namespace drawbridge::text {
namespace {

TEST(MaskQuotedNumbers, keeps_the_last_four_digits_of_a_long_quoted_number) {
    struct Case {
        const char* message;
        const char* masked;
    };
    const Case cases[] = {
        {"", ""},
        {"f.csv:3:8: '70318842650' is not a date", "f.csv:3:8: '****2650' is not a date"},
        {"'x123456789y, 987654321' is odd", "'x****6789y, ****4321' is odd"},
        {"'20260231' is not a valid date", "'20260231' is not a valid date"},
        {"statement-20261121093000.bai:3: no", "statement-20261121093000.bai:3: no"},
        {"the file's 123456789 is ours, the bank's '123456789' is not",
         "the file's 123456789 is ours, the bank's '****6789' is not"},
        {"'O'Neil 123456789' is no name", "'O'Neil ****6789' is no name"},
        {"'' and '123456789", "'' and '****6789"},
        {"'a' is not 'b', and 123456789 is not '123456789'", "'a' is not 'b', and 123456789 is not '****6789'"},
    };
    for (const auto& [message, masked] : cases)
        EXPECT_EQ(mask_quoted_numbers(message), masked);
}

TEST(MaskNumbers, masks_account_numbers_and_keeps_what_our_own_texts_need) {
    struct Case {
        const char* text;
        const char* masked;
    };
    const Case cases[] = {
        {"", ""},
        {"12345", "12345"},
        {"123456", "****56"},
        {"'12345678'", "'****78'"},
        {"4400-1234-5678", "****5678"},
        {"acct 4400 1234 5678.", "acct ****5678."},
        {"LANDLORDS' 440012345678", "LANDLORDS' ****5678"},
        {"acct-440012345678.csv", "acct-****5678.csv"},
        {"ACCT440012345678X", "ACCT****5678X"},
        {"12 345  678901", "12 345  ****01"},
        {"by 2026-11-27, at 2026-11-27T15:04:05.000Z", "by 2026-11-27, at 2026-11-27T15:04:05.000Z"},
        {"paid 440012345678 2026-11-27", "paid ****5678 2026-11-27"},
        {"ACH-20261127-A.ach.pgp, CHV-20261127-12.csv", "ACH-20261127-A.ach.pgp, CHV-20261127-12.csv"},
        {"ACH-20261127-440012345678.ach", "ACH-20261127-****5678.ach"},
        {"20261327 is no date", "****27 is no date"},
        {"statement-20261121093000.bai:3: no", "statement-20261121093000.bai:3: no"},
        {"20260304T050607089Z-000001-bad.csv", "20260304T050607089Z-000001-bad.csv"},
        {"130 payments, $1,223,986.08, 1223986.08", "130 payments, $1,223,986.08, 1223986.08"},
        {"P0000000017, P00000000171", "P0000000017, P****0171"},
        {"draw 1234567, draws 123456789, exception 123456, #123456",
         "draw 1234567, draws 123456789, exception 123456, #123456"},
        {"draw 4400123456", "draw ****3456"},
        {"overdraw 123456", "overdraw ****56"},
        {"trace number 091000010000001, 091000010000001", "trace number 091000010000001, ****0001"},
        {"sha256 9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08",
         "sha256 9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08"},
        {"12345678901234567890123456789012", "****9012"},
    };
    for (const auto& [text, masked] : cases) {
        EXPECT_EQ(mask_numbers(text), masked);
        EXPECT_EQ(mask_numbers(masked), masked) << "what is masked stays masked";
    }
}

}  // namespace
}  // namespace drawbridge::text
