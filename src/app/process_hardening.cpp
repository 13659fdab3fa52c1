// Protects secrets: no core dumps, no memory access by other processes.
#include <sys/prctl.h>
#include <sys/resource.h>

#include "drawbridge/app/programs.hpp"

namespace drawbridge::app {

// A failure here (an older kernel, a sandbox) leaves the system's defaults in effect. The process continues.
void harden_process() {
    const rlimit none{0, 0};
    static_cast<void>(::setrlimit(RLIMIT_CORE, &none));
#ifndef __SANITIZE_ADDRESS__  // its leak checker attaches to the process
    static_cast<void>(::prctl(PR_SET_DUMPABLE, 0, 0, 0, 0));
#endif
}

}  // namespace drawbridge::app
