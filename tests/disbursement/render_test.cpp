#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "disbursement/sample_plan.hpp"
#include "drawbridge/disbursement/plan.hpp"

namespace drawbridge::disbursement {
namespace {

using ::testing::HasSubstr;

Plan sample_plan() {
    return plan(testing::payables(), testing::directory(), testing::settings(), testing::numbers(), testing::now());
}

TEST(Render, writes_the_golden_files_byte_for_byte) {
    for (const PlannedFile& file : sample_plan().files) {
        const auto bytes = render(file, profile_for(testing::settings(), file.rail));
        ASSERT_TRUE(bytes) << bytes.error().message;
        EXPECT_EQ(*bytes, testing::read_data(file.name)) << file.name;
        const auto good = verify_rendered(*bytes, file, profile_for(testing::settings(), file.rail));
        EXPECT_TRUE(good) << good.error().message;
    }
}

TEST(Render, renders_the_same_bytes_from_the_stored_profile) {
    for (const PlannedFile& file : sample_plan().files) {
        const FileProfile profile = profile_for(testing::settings(), file.rail);
        const auto stored = profile_from_json(to_json(profile));
        ASSERT_TRUE(stored) << stored.error().message;
        EXPECT_EQ(render(file, *stored), render(file, profile));
    }
}

TEST(Render, ends_lines_as_the_profile_says) {
    PlanSettings settings = testing::settings();
    settings.ach->line_end = nacha::LineEnd::crlf;
    const PlannedFile file = sample_plan().files.at(0);
    const auto bytes = render(file, profile_for(settings, Rail::ach));
    ASSERT_TRUE(bytes);
    EXPECT_EQ(bytes->size(), 10U * 96U);
    EXPECT_TRUE(verify_rendered(*bytes, file, profile_for(settings, Rail::ach)));
}

TEST(Render, omits_padding_when_the_bank_wants_none) {
    PlanSettings settings = testing::settings();
    settings.ach->padding = nacha::Padding::none;
    auto payables = testing::payables();
    payables.erase(payables.begin());  // without it there are exactly ten records
    const PlannedFile file =
        plan(payables, testing::directory(), testing::settings(), testing::numbers(), testing::now()).files.at(0);
    const auto bytes = render(file, profile_for(settings, Rail::ach));
    ASSERT_TRUE(bytes);
    EXPECT_EQ(bytes->find(std::string(94, '9')), std::string::npos);
    EXPECT_NE(bytes->size() % (10 * 95), 0U);
    EXPECT_TRUE(verify_rendered(*bytes, file, profile_for(settings, Rail::ach)));
}

TEST(Render, refuses_a_profile_of_the_other_rail) {
    const auto bytes = render(sample_plan().files.at(0), profile_for(testing::settings(), Rail::check));
    ASSERT_FALSE(bytes);
    EXPECT_THAT(bytes.error().message, HasSubstr("different rails"));
}

TEST(Render, refuses_a_payment_without_what_its_rail_needs) {
    PlannedFile file = sample_plan().files.at(0);
    file.payments[1].payee.account_number.reset();
    const auto ach = render(file, profile_for(testing::settings(), Rail::ach));
    ASSERT_FALSE(ach);
    EXPECT_THAT(ach.error().message, HasSubstr("P0000000502 has no bank details"));
    file = sample_plan().files.at(1);
    file.payments[1].check_number.reset();
    const auto check = render(file, profile_for(testing::settings(), Rail::check));
    ASSERT_FALSE(check);
    EXPECT_THAT(check.error().message, HasSubstr("P0000000506 has no check number"));
}

TEST(Render, refuses_configured_words_that_no_bank_can_read) {
    const struct {
        const char* says;
        std::string AchProfile::* words;
    } cases[] = {
        {"company name", &AchProfile::company_name},
        {"discretionary data", &AchProfile::company_discretionary},
        {"entry description", &AchProfile::entry_description},
        {"origin name", &AchProfile::origin_name},
        {"ODFI name", &AchProfile::odfi_name},
    };
    for (const auto& row : cases) {
        AchProfile profile = *testing::settings().ach;
        profile.*row.words = "\xE6\x9D\xB1";  // a Chinese character
        PlannedFile file = sample_plan().files.at(0);
        for (auto& payment : file.payments)
            payment.entry_description.clear();  // so that the profile's counts
        const auto bytes = render(file, profile);
        ASSERT_FALSE(bytes) << row.says;
        EXPECT_THAT(bytes.error().message, HasSubstr(row.says));
    }
}

}  // namespace
}  // namespace drawbridge::disbursement
