// What other processes may see of this one.
#include <gtest/gtest.h>
#include <sys/prctl.h>
#include <sys/resource.h>

#include <cstdlib>

#include "drawbridge/daemon/programs.hpp"

namespace drawbridge::daemon {
namespace {

bool closes() {
    close_to_other_eyes();
    rlimit core = {};
    return ::getrlimit(RLIMIT_CORE, &core) == 0 && core.rlim_cur == 0 && core.rlim_max == 0 &&
           ::prctl(PR_GET_DUMPABLE, 0, 0, 0, 0) == 0;
}

// In a process of its own: what is closed stays closed.
TEST(OtherEyes, see_no_core_dump_and_no_memory) {
#ifdef __SANITIZE_ADDRESS__
    GTEST_SKIP() << "the leak check looks into the process from outside";
#endif
    EXPECT_EXIT(std::_Exit(closes() ? 0 : 1), testing::ExitedWithCode(0), "");
}

}  // namespace
}  // namespace drawbridge::daemon
