#include "drawbridge/daemon/private_tmp.hpp"

#include <gtest/gtest.h>

#include <sstream>

namespace drawbridge::daemon {
namespace {

constexpr const char* of_a_service =
    "1 0 8:1 / / ro,relatime shared:1 - ext4 /dev/sda1 rw\n"
    "36 1 8:1 /var/backups/drawbridge /var/backups/drawbridge rw,relatime - ext4 /dev/sda1 rw\n"
    "37 1 0:40 /systemd-private-9f2c-drawbridge.service-Xa1b2C/tmp /tmp rw,nosuid shared:9 - tmpfs tmpfs rw\n"
    "38 1 8:1 /var/tmp/systemd-private-9f2c-drawbridge.service-Yd3e4F/tmp /var/tmp rw - ext4 /dev/sda1 rw\n";

TEST(PrivateTmp, is_the_tmp_and_var_tmp_that_systemd_mounts_for_a_service) {
    const auto is_private = [](const char* folder, const char* mounts) {
        std::istringstream in(mounts);
        return is_in_private_tmp(folder, in);
    };
    for (const char* folder : {"/tmp", "/tmp/copies", "/var/tmp", "/var/tmp/a/b"})
        EXPECT_TRUE(is_private(folder, of_a_service)) << folder;
    for (const char* folder : {"/", "/var", "/tmpfiles", "/mnt/tmp", "/var/backups/drawbridge"})
        EXPECT_FALSE(is_private(folder, of_a_service)) << folder;
    EXPECT_FALSE(is_private("/tmp", "1 0 8:1 / / rw - ext4 /dev/sda1 rw\n37 1 0:40 / /tmp rw - tmpfs tmpfs rw\n"))
        << "not a service, so everybody sees this /tmp";
}

}  // namespace
}  // namespace drawbridge::daemon
