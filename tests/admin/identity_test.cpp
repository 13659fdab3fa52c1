#include "drawbridge/admin/identity.hpp"

#include <gtest/gtest.h>

namespace drawbridge::admin {
namespace {

TEST(UserNames, ask_the_system_once_a_minute_for_each_uid) {
    int asked = 0;
    UserNames names([&asked](uid_t uid) {
        ++asked;
        return describe_user(uid);
    });
    const UserNames::SteadyTime start{std::chrono::hours(1)};
    EXPECT_EQ(names.describe(0, start), "uid 0 (root)");
    EXPECT_EQ(names.describe(0, start + std::chrono::seconds(59)), "uid 0 (root)");
    EXPECT_EQ(asked, 1);
    EXPECT_EQ(names.describe(4'000'000'000U, start), "uid 4000000000");
    EXPECT_EQ(names.describe(4'000'000'000U, start), "uid 4000000000");
    EXPECT_EQ(asked, 2) << "a missing name is cached too";
    EXPECT_EQ(names.describe(0, start + std::chrono::seconds(60)), "uid 0 (root)");
    EXPECT_EQ(asked, 3);
}

}  // namespace
}  // namespace drawbridge::admin
