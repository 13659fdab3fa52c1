// Other processes cannot read this process's memory.
#include <gtest/gtest.h>
#include <sys/prctl.h>
#include <sys/resource.h>

#include <cstdlib>

#include "drawbridge/app/programs.hpp"

namespace drawbridge::app {
namespace {

bool is_hardened() {
    harden_process();
    rlimit core = {};
    return ::getrlimit(RLIMIT_CORE, &core) == 0 && core.rlim_cur == 0 && core.rlim_max == 0 &&
           ::prctl(PR_GET_DUMPABLE, 0, 0, 0, 0) == 0;
}

// In a child process, because hardening cannot be undone.
TEST(ProcessHardening, disables_core_dumps_and_memory_access) {
#ifdef __SANITIZE_ADDRESS__
    GTEST_SKIP() << "the leak checker attaches to the process";
#endif
    EXPECT_EXIT(std::_Exit(is_hardened() ? 0 : 1), testing::ExitedWithCode(0), "");
}

}  // namespace
}  // namespace drawbridge::app
