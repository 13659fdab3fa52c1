#include "drawbridge/domain/money.hpp"

#include <gtest/gtest.h>

#include <limits>

namespace drawbridge {
namespace {

constexpr std::int64_t most = std::numeric_limits<std::int64_t>::max();

TEST(Money, reads_decimal_text_exactly) {
    struct Case {
        std::string_view text;
        std::int64_t cents;
    };
    const Case cases[] = {
        {"0", 0},
        {"0.00", 0},
        {"0e5", 0},
        {"0e-30", 0},
        {"000", 0},
        {"1", 100},
        {"12", 1200},
        {"12.5", 1250},
        {"12.50", 1250},
        {"12.500", 1250},
        {"12.5000000000", 1250},
        {"0.01", 1},
        {"007.10", 710},
        {"0.1", 10},
        {"0.29", 29},
        {"1.15", 115},
        {"4.35", 435},
        {"1.25e3", 125000},
        {"1.25E+3", 125000},
        {"125e-2", 125},
        {"12345e-2", 12345},
        {"1e2", 10000},
        {"0.0001e4", 100},
        {"2.5e+0", 250},
        {"92233720368547758.07", most},
        {"9223372036854775807e-2", most},
    };
    for (const Case& c : cases) {
        const auto money = Money::parse(c.text);
        ASSERT_TRUE(money) << c.text << " " << money.error().message;
        EXPECT_EQ(money->cents(), c.cents) << c.text;
    }
}

TEST(Money, reads_at_most_sixty_characters_and_none_behind_them) {
    const std::string longest = std::string(57, '0') + "1.5";
    ASSERT_EQ(longest.size(), 60U);
    EXPECT_EQ(Money::parse(longest).value().cents(), 150);
    EXPECT_FALSE(Money::parse("0" + longest));
    EXPECT_EQ(Money::parse(std::string_view("1e25").substr(0, 3)).value().cents(), 10'000);
}

TEST(Money, rejects_invalid_amounts_and_never_rounds) {
    const std::string_view cases[] = {
        "",
        " ",
        ".",
        "-1",
        "+1",
        "-0",
        "12.505",
        "0.001",
        "12.5.0",
        "1,000",
        "1 000",
        "$1",
        "1.",
        ".5",
        "1e",
        "1e+",
        "1e+-2",
        "100e+-2",
        "1e--2",
        "1e31",
        "1e-31",
        "125e-3",
        "12a",
        "0x10",
        "NaN",
        "inf",
        " 1",
        "1 ",
        "1\n",
        "12.505e-1",
        "92233720368547758.08",
        "1e18",
        "1e30",
        "99999999999999999999999999",
        "\xEF\xBC\x91",
    };
    for (const std::string_view text : cases) {
        const auto money = Money::parse(text);
        ASSERT_FALSE(money) << text << " " << money->to_string();
        EXPECT_EQ(money.error().code, ErrorCode::invalid_input);
    }
    EXPECT_FALSE(Money::parse(std::string(100'000, '1')));
    EXPECT_FALSE(Money::parse(std::string("1\0", 2)));
}

TEST(Money, formats_for_files_and_for_people) {
    struct Case {
        std::int64_t cents;
        std::string_view plain;
        std::string_view display;
    };
    const Case cases[] = {
        {0, "0.00", "$0.00"},
        {5, "0.05", "$0.05"},
        {99'999, "999.99", "$999.99"},
        {100'000, "1000.00", "$1,000.00"},
        {123'456'789, "1234567.89", "$1,234,567.89"},
        {-5, "-0.05", "-$0.05"},
        {-100'000, "-1000.00", "-$1,000.00"},
        {most, "92233720368547758.07", "$92,233,720,368,547,758.07"},
        {std::numeric_limits<std::int64_t>::min(), "-92233720368547758.08", "-$92,233,720,368,547,758.08"},
    };
    for (const Case& c : cases) {
        EXPECT_EQ(Money::from_cents(c.cents).to_string(), c.plain);
        EXPECT_EQ(Money::from_cents(c.cents).to_display(), c.display);
    }
}

TEST(Money, parses_what_it_formats) {
    for (std::int64_t cents = 0; cents < 200'000; cents += 7)
        EXPECT_EQ(Money::parse(Money::from_cents(cents).to_string())->cents(), cents);
}

TEST(Money, adds_and_subtracts) {
    Money sum = Money::from_cents(10) + Money::from_cents(20);
    sum += Money::from_cents(5);
    EXPECT_EQ(sum.cents(), 35);
    EXPECT_EQ((Money::from_cents(10) - Money::from_cents(20)).cents(), -10);
    EXPECT_LT(Money::from_cents(1), Money::from_cents(2));
}

TEST(MoneyDeathTest, aborts_instead_of_overflowing) {
    EXPECT_DEATH((void)(Money::from_cents(most) + Money::from_cents(1)), "overflows");
    EXPECT_DEATH((void)(Money::from_cents(-most) - Money::from_cents(2)), "overflows");
    Money money = Money::from_cents(most);
    EXPECT_DEATH(money += money, "overflows");
}

}  // namespace
}  // namespace drawbridge
