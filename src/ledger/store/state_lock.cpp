#include "store/state_lock.hpp"

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include <cerrno>
#include <system_error>

namespace drawbridge::ledger {

Result<StateLock> StateLock::take(const std::filesystem::path& state_dir) {
    const auto path = state_dir / "lock";
    const int fd = ::open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0600);
    if (fd < 0 && errno == EACCES) {
        return fail(ErrorCode::unavailable,
                    path.string() +
                        ": no daemon runs, and only root and the service's user may work without one: ask "
                        "an administrator to start the daemon, or run this as the service's user");
    }
    if (fd < 0) {
        return fail(ErrorCode::unavailable,
                    path.string() + ": cannot open the lock file: " + std::generic_category().message(errno) +
                        ": check that the state folder exists and belongs to this user");
    }
    StateLock lock(fd);
    if (::flock(fd, LOCK_EX | LOCK_NB) == 0) return lock;
    return fail(ErrorCode::in_use, state_dir.string() + ": another drawbridge process owns this ledger: stop it first");
}

StateLock::~StateLock() {
    if (fd_ >= 0) ::close(fd_);
}

}  // namespace drawbridge::ledger
