#include "store/state_lock.hpp"

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <fstream>
#include <string>
#include <system_error>
#include <thread>
#include <tuple>

#include "drawbridge/ledger/store/ledger.hpp"

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

bool lock_within(int fd, std::chrono::milliseconds max_wait) {
    constexpr std::chrono::milliseconds between_tries{20};
    const auto give_up = std::chrono::steady_clock::now() + max_wait;
    while (::flock(fd, LOCK_EX | LOCK_NB) != 0) {
        if (std::chrono::steady_clock::now() >= give_up) return false;
        std::this_thread::sleep_for(between_tries);
    }
    return true;
}

// The program and its command, without options: "drawbridge run".
std::string own_command() {
    std::ifstream in("/proc/self/cmdline", std::ios::binary);
    std::string program;
    std::getline(in, program, '\0');
    program.erase(0, program.rfind('/') + 1);
    for (std::string word; std::getline(in, word, '\0');) {
        const bool is_command = !word.empty() && std::ranges::all_of(word, [](char c) { return c >= 'a' && c <= 'z'; });
        if (is_command) return program + " " + word;
    }
    return program;
}

// For the message of whoever fails to get the lock. Without space on the disk, the message names nobody.
void write_owner(int fd) {
    const std::string owner = "pid " + std::to_string(::getpid()) + ", " + own_command();
    if (::ftruncate(fd, 0) != 0) return;
    if (::pwrite(fd, owner.data(), owner.size(), 0) != static_cast<ssize_t>(owner.size()))
        std::ignore = ::ftruncate(fd, 0);
}

// " (pid 4242, drawbridge run)"; empty: unknown.
std::string named_owner(int fd) {
    std::array<char, 200> buffer{};
    const auto size = ::pread(fd, buffer.data(), buffer.size(), 0);
    if (size <= 0) return {};
    return " (" + std::string(buffer.data(), static_cast<std::size_t>(size)) + ")";
}

}  // namespace

Result<StateLock> StateLock::take(const std::filesystem::path& state_dir, std::chrono::milliseconds max_wait) {
    const auto path = state_dir / "lock";
    const int fd = ::open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0600);
    if (fd < 0) {
        return fail(ErrorCode::unavailable, path.string() + ": cannot open the lock file: " +
                                                std::generic_category().message(errno) + ": " + remedy_for(errno));
    }
    StateLock lock(fd);
    if (!lock_within(fd, max_wait)) {
        return fail(ErrorCode::in_use, state_dir.string() + ": another drawbridge process owns this ledger" +
                                           named_owner(fd) + ": stop it first");
    }
    write_owner(fd);
    return lock;
}

bool wait_for_lock(const std::filesystem::path& state_dir, std::chrono::milliseconds max_wait) {
    const int fd = ::open((state_dir / "lock").c_str(), O_RDONLY | O_CLOEXEC | O_NOFOLLOW);
    if (fd < 0) return true;  // whoever takes the lock says why it cannot
    const bool is_free = lock_within(fd, max_wait);
    ::close(fd);
    return is_free;
}

StateLock::~StateLock() {
    if (fd_ >= 0) ::close(fd_);
}

}  // namespace drawbridge::ledger
