#include "store/state_lock.hpp"

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include <cerrno>
#include <string>
#include <system_error>

namespace drawbridge::ledger {
namespace {

std::string remedy_for(int error) {
    if (error == EACCES) {
        return "without a daemon only root and the service's user can use this folder: ask an administrator to start "
               "the daemon, or make this user the owner of the folder and of this file";
    }
    if (error == EROFS) return "repair the disk, or mount it so that it can be written";
    if (error == ENOSPC || error == EDQUOT) return "free some space";
    return "check that the state folder exists and belongs to this user";
}

}  // namespace

Result<StateLock> StateLock::take(const std::filesystem::path& state_dir) {
    const auto path = state_dir / "lock";
    const int fd = ::open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0600);
    if (fd < 0) {
        return fail(ErrorCode::unavailable, path.string() + ": cannot open the lock file: " +
                                                std::generic_category().message(errno) + ": " + remedy_for(errno));
    }
    StateLock lock(fd);
    if (::flock(fd, LOCK_EX | LOCK_NB) == 0) return lock;
    return fail(ErrorCode::in_use, state_dir.string() + ": another drawbridge process owns this ledger: stop it first");
}

StateLock::~StateLock() {
    if (fd_ >= 0) ::close(fd_);
}

}  // namespace drawbridge::ledger
