#include "drawbridge/domain/bank_numbers.hpp"
#include "drawbridge/domain/assigned_routing.hpp"

#include <gtest/gtest.h>

namespace drawbridge {
namespace {

TEST(RoutingNumber, accepts_numbers_with_a_valid_check_digit) {
    for (const std::string_view text : {"091000019", "021000021", "011000015", "121000248", "322271627", "231380104"}) {
        const auto number = RoutingNumber::parse(text);
        ASSERT_TRUE(number) << text;
        EXPECT_EQ(number->to_string(), text);
        EXPECT_EQ(number->identification(), text.substr(0, 8));
        EXPECT_EQ(RoutingNumber::check_digit(text.substr(0, 8)), text[8]);
    }
}

TEST(RoutingNumber, rejects_all_other_text) {
    for (const std::string_view text :
         {"", "09100001", "0910000190", "09100001a", "091 00019", "-91000019", "000000000", "091000018", "901000019",
          "\xEF\xBC\x90"
          "91000019"}) {
        EXPECT_FALSE(RoutingNumber::parse(text)) << text;
    }
}

TEST(RoutingNumber, rejects_numbers_that_the_aba_does_not_assign) {
    std::string assigned;
    for (int first_two = 0; first_two < 100; ++first_two) {
        if (is_assigned_routing(first_two)) assigned += std::to_string(first_two) + " ";
    }
    EXPECT_EQ(
        assigned,
        "0 1 2 3 4 5 6 7 8 9 10 11 12 21 22 23 24 25 26 27 28 29 30 31 32 61 62 63 64 65 66 67 68 69 70 71 72 80 ");
    EXPECT_TRUE(parse_assigned_routing("091000019"));
    EXPECT_TRUE(RoutingNumber::parse("400000008"));
    const auto refused = parse_assigned_routing("400000008");
    ASSERT_FALSE(refused);
    EXPECT_EQ(refused.error().message,
              "routing number 400000008 is not assigned to a bank: no routing number begins with 40");
}

TEST(RoutingNumber, detects_every_single_digit_error) {
    const std::string good = "091000019";
    for (std::size_t at = 0; at < good.size(); ++at) {
        for (char digit = '0'; digit <= '9'; ++digit) {
            std::string text = good;
            text[at] = digit;
            EXPECT_EQ(RoutingNumber::parse(text).has_value(), text == good) << text;
        }
    }
}

TEST(RoutingNumber, reports_the_expected_check_digit) {
    const auto number = RoutingNumber::parse("091000018");
    ASSERT_FALSE(number);
    EXPECT_NE(number.error().message.find("check digit 8, but its first eight digits give 9"), std::string::npos);
}

TEST(AccountNumber, accepts_what_fits_a_nacha_entry) {
    for (const std::string_view text : {"1", "12345678901234567", "00012-345", "AbC-9"})
        EXPECT_EQ(AccountNumber::parse(text).value().reveal(), text);
}

TEST(AccountNumber, rejects_other_text_without_repeating_it) {
    for (const std::string_view text :
         {"123456789012345678", "1234 5678", "1234_5678", "1234\n", "123\xC3\xA9", "000", "0-0", "---"}) {
        const auto number = AccountNumber::parse(text);
        ASSERT_FALSE(number) << text;
        EXPECT_EQ(number.error().message.find("'" + std::string(text)), std::string::npos);
        EXPECT_EQ(number.error().message.find("1234 "), std::string::npos);
    }
    EXPECT_FALSE(AccountNumber::parse(""));
}

TEST(AccountNumber, masks_all_but_the_last_four_and_at_least_half) {
    struct Case {
        std::string_view text;
        std::string_view masked;
    };
    const Case cases[] = {{"1", "****"},      {"12", "****2"},          {"123", "****3"},
                          {"1234", "****34"}, {"12345678", "****5678"}, {"12345678901234567", "****4567"}};
    for (const Case& c : cases)
        EXPECT_EQ(AccountNumber::parse(c.text).value().masked(), c.masked);
}

}  // namespace
}  // namespace drawbridge
