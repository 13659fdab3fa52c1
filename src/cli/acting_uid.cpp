// For tests only: in a sub-command that works without a daemon the caller is DRAWBRIDGE_ACTING_UID.
#include <sys/syscall.h>
#include <unistd.h>

#include <cstdlib>

// In place of the one of the C library.
extern "C" uid_t getuid() noexcept {
    const char* const text = std::getenv("DRAWBRIDGE_ACTING_UID");
    return static_cast<uid_t>(text == nullptr ? ::syscall(SYS_getuid) : std::atol(text));
}
