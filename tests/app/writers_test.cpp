// Where the locks of all instances on this machine are.
#include "drawbridge/app/writers.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>

#include "support/temporary_folder.hpp"

namespace drawbridge::app {
namespace {

using testing::HasSubstr;

namespace fs = std::filesystem;

// systemd gives a service a /tmp of its own.
TEST(WriterLock, of_a_service_is_never_where_other_instances_do_not_see_it) {
    if (fs::exists("/run/drawbridge-writers")) GTEST_SKIP() << "Drawbridge is installed here";
    const test::TemporaryFolder folder;
    ::unsetenv("DRAWBRIDGE_WRITERS");
    ::setenv("XDG_RUNTIME_DIR", folder.path().c_str(), 1);
    ::setenv("STATE_DIRECTORY", "/var/lib/drawbridge", 1);
    const auto refused = WriterLock::take({}, "ledger");
    ASSERT_FALSE(refused);
    EXPECT_THAT(refused.error().message, HasSubstr("/run/drawbridge-writers: this service cannot write to it"));
    EXPECT_THAT(refused.error().message, HasSubstr("systemd-tmpfiles --create drawbridge.conf"));
    EXPECT_TRUE(fs::is_empty(folder.path()));
    ::unsetenv("STATE_DIRECTORY");
    EXPECT_TRUE(WriterLock::take({}, "ledger")) << "a process that no unit runs";
    EXPECT_FALSE(fs::is_empty(folder.path()));
    ::unsetenv("XDG_RUNTIME_DIR");
}

}  // namespace
}  // namespace drawbridge::app
