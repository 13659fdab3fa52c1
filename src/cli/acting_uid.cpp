// For tests only: a sub-command that runs without a daemon takes DRAWBRIDGE_ACTING_UID as its caller.
#include <sys/syscall.h>
#include <unistd.h>

#include <cstdlib>

// Replaces the C library's function.
extern "C" uid_t getuid() noexcept {
    const char* const text = std::getenv("DRAWBRIDGE_ACTING_UID");
    return static_cast<uid_t>(text == nullptr ? ::syscall(SYS_getuid) : std::atol(text));
}
