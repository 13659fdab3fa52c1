#include "drawbridge/files/subordinate_uids.hpp"

#include <gtest/gtest.h>

#include <fstream>

#include "support/temporary_folder.hpp"

namespace drawbridge::files {
namespace {

TEST(SubordinateUids, belong_to_the_login_whose_range_has_them) {
    const test::TemporaryFolder folder;
    const auto ranges = folder.path() / "subuid";
    std::ofstream(ranges) << "anna:100000:65536\n\nbert:165536:1\n:200000:9\ncarla:x:9\ncarla:300000\n5004:400000:10";
    const auto login = [&](uid_t uid) { return login_of_subordinate(uid, ranges).value_or("none"); };
    EXPECT_EQ(login(99'999), "none");
    EXPECT_EQ(login(100'000), "anna");
    EXPECT_EQ(login(165'535), "anna");
    EXPECT_EQ(login(165'536), "bert");
    EXPECT_EQ(login(165'537), "none");
    EXPECT_EQ(login(200'000), "none") << "no login";
    EXPECT_EQ(login(300'000), "none") << "no count";
    EXPECT_EQ(login(400'009), "5004");
    EXPECT_EQ(login_of_subordinate(100'000, folder.path() / "none"), std::nullopt);
}

}  // namespace
}  // namespace drawbridge::files
