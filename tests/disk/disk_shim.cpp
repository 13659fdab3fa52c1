// Preloaded into the program under test (LD_PRELOAD): counts every call that changes a folder on the disk, writes each
// of them to a log, and lets one of them fail or kills the process before it. Private to the disk tests; disk_log.hpp
// reads the log.
//
//   DRAWBRIDGE_DISK_FOLDER=DIR   the folder that counts, as an absolute path without symbolic links
//   DRAWBRIDGE_DISK_LOG=FILE     where the log goes; outside the folder
//   DRAWBRIDGE_DISK_DIE=N        kill this process (SIGKILL) in place of call N; the first is 1
//   DRAWBRIDGE_DISK_FAIL=N       call N fails
//   DRAWBRIDGE_DISK_FAIL_FROM=N  call N and all later ones fail
//   DRAWBRIDGE_DISK_ERRNO=E      with this error number (default EIO)
//   DRAWBRIDGE_DISK_LIES=1       syncs report success and do not get into the log
//
// A simulation links it into its own program instead, and says by failing_disk.hpp what fails, or when the power goes
// off; then the log stays in memory.
//
// SQLite's shared memory (*-shm) does not count: it is rebuilt from the write-ahead log.
#include <dlfcn.h>
#include <fcntl.h>
#include <sys/sendfile.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <climits>
#include <csignal>
#include <cstdarg>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <mutex>
#include <string>
#include <string_view>

#include "disk/disk_log_format.hpp"
#include "disk/failing_disk.hpp"

namespace {

using drawbridge::disk::Call;
using drawbridge::disk::LogHead;

struct Shim {
    std::string folder;
    int log = -1;
    long die = 0, fail = 0, fail_from = 0;
    int error = EIO;
    bool lies = false;
    long off = 0;          // the power goes off at this call
    std::string house;     // and with it everything in this folder
    std::string recorded;  // the log of a simulation
    std::atomic<bool> is_off = false;
    long calls = 0, failed = 0;
    std::atomic<bool> counts = false;
    std::mutex mutex;

    Shim() {
        const char* dir = std::getenv("DRAWBRIDGE_DISK_FOLDER");
        const char* file = std::getenv("DRAWBRIDGE_DISK_LOG");
        if (dir == nullptr || file == nullptr) return;
        folder = std::string(dir) + "/";
        counts = true;
        log = static_cast<int>(::syscall(SYS_openat, AT_FDCWD, file, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600));
        if (log < 0) ::abort();
        die = number("DRAWBRIDGE_DISK_DIE");
        fail = number("DRAWBRIDGE_DISK_FAIL");
        fail_from = number("DRAWBRIDGE_DISK_FAIL_FROM");
        lies = number("DRAWBRIDGE_DISK_LIES") != 0;
        if (const long given = number("DRAWBRIDGE_DISK_ERRNO"); given != 0) error = static_cast<int>(given);
    }
    static long number(const char* name) {
        const char* text = std::getenv(name);
        return text == nullptr ? 0 : std::strtol(text, nullptr, 10);
    }
};

Shim& shim() {
    static auto* const one = new Shim;  // never destroyed: other destructors may still write
    return *one;
}

// The function that this one stands in for.
#define NEXT(name)                                                                                \
    [] {                                                                                          \
        static auto* const next = reinterpret_cast<decltype(&::name)>(::dlsym(RTLD_NEXT, #name)); \
        return next;                                                                              \
    }()

bool counts(std::string_view path) {
    const auto& folder = shim().folder;
    if (path.ends_with("-shm")) return false;
    if (shim().is_off && path.starts_with(shim().house)) return true;
    return path.starts_with(folder) || path == std::string_view(folder).substr(0, folder.size() - 1);
}

// The path that the descriptor has now; empty: none.
std::string path_of(int fd) {
    char target[PATH_MAX];
    char link[40];
    std::snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
    const auto size = ::readlink(link, target, sizeof target);
    if (size <= 0 || target[0] != '/') return {};
    std::string path(target, static_cast<std::size_t>(size));
    return path.ends_with(" (deleted)") ? std::string() : path;
}

std::string path_at(int dir, const char* path) {
    if (path == nullptr) return {};
    if (path[0] == '/') return path;
    std::string base;
    if (dir == AT_FDCWD) {
        char cwd[PATH_MAX];
        if (::getcwd(cwd, sizeof cwd) == nullptr) return {};
        base = cwd;
    } else {
        base = path_of(dir);
    }
    return base + "/" + path;
}

std::uint64_t inode_of(int fd) {
    struct stat found{};
    return ::fstat(fd, &found) == 0 ? found.st_ino : 0;
}

void write_log(const void* bytes, std::size_t size) {
    if (shim().off != 0) return static_cast<void>(shim().recorded.append(static_cast<const char*>(bytes), size));
    if (::syscall(SYS_write, shim().log, bytes, size) != static_cast<long>(size)) ::abort();
}

struct Entry {
    Call call;
    std::uint64_t inode = 0;
    std::uint64_t offset = 0;  // of a write; the new size of a truncation
    std::string_view path = {};
    std::string_view other = {};  // the new name
    const void* data = nullptr;
    std::size_t size = 0;
};

// Records the call, which is about to happen. False: it must fail, and errno is set.
bool begin(const Entry& entry) {
    auto& state = shim();
    const std::lock_guard lock(state.mutex);
    ++state.calls;
    if (state.off != 0 && state.calls >= state.off) state.is_off = true;
    if (state.is_off) {
        errno = EIO;
        return false;
    }
    if (state.calls == state.die) {
        ::kill(::getpid(), SIGKILL);
        ::pause();
    }
    if (state.calls == state.fail || (state.fail_from != 0 && state.calls >= state.fail_from)) {
        ++state.failed;
        errno = state.error;
        return false;
    }
    if (state.log < 0 && state.off == 0) return true;
    LogHead head{};
    head.call = entry.call;
    head.inode = entry.inode;
    head.offset = entry.offset;
    head.path_size = static_cast<std::uint32_t>(entry.path.size());
    head.other_size = static_cast<std::uint32_t>(entry.other.size());
    head.data_size = static_cast<std::uint32_t>(entry.size);
    std::string text(reinterpret_cast<const char*>(&head), sizeof head);
    text += entry.path;
    text += entry.other;
    if (entry.size != 0) text.append(static_cast<const char*>(entry.data), entry.size);
    write_log(text.data(), text.size());
    return true;
}

bool begin_write(int fd, const void* data, std::size_t size, std::int64_t offset) {
    if (!shim().counts) return true;
    const auto path = path_of(fd);
    if (!counts(path)) return true;
    if (offset < 0) {
        const bool appends = (::fcntl(fd, F_GETFL) & O_APPEND) != 0;
        offset = static_cast<std::int64_t>(::syscall(SYS_lseek, fd, 0, SEEK_CUR));
        struct stat found{};
        if (appends && ::fstat(fd, &found) == 0) offset = found.st_size;
    }
    return begin({.call = Call::write,
                  .inode = inode_of(fd),
                  .offset = static_cast<std::uint64_t>(offset),
                  .path = path,
                  .data = data,
                  .size = size});
}

bool begin_sync(int fd) {
    if (!shim().counts) return true;
    const auto path = path_of(fd);
    if (!counts(path) || shim().lies) return true;
    return begin({.call = Call::sync, .inode = inode_of(fd), .path = path});
}

bool begin_resize(int fd, std::int64_t size) {
    if (!shim().counts) return true;
    const auto path = path_of(fd);
    if (!counts(path)) return true;
    return begin(
        {.call = Call::resize, .inode = inode_of(fd), .offset = static_cast<std::uint64_t>(size), .path = path});
}

// Opening with O_CREAT or O_TRUNC changes the disk if the file is missing, or is not empty.
bool begin_open(const std::string& path, int flags) {
    if (!shim().counts) return true;
    if ((flags & O_TMPFILE) == O_TMPFILE || !counts(path)) return true;
    struct stat found{};
    const bool exists = ::stat(path.c_str(), &found) == 0;
    if (!exists && (flags & O_CREAT) != 0) return begin({.call = Call::create, .path = path});
    if (exists && (flags & O_TRUNC) != 0 && found.st_size > 0)
        return begin({.call = Call::resize, .inode = found.st_ino, .offset = 0, .path = path});
    return true;
}

bool begin_names(Call call, const std::string& path, const std::string& other = {}) {
    if (!shim().counts) return true;
    if (!counts(path) && (other.empty() || !counts(other))) return true;
    struct stat found{};
    const std::uint64_t inode = ::lstat(path.c_str(), &found) == 0 ? found.st_ino : 0;
    // A call that fails anyway changes nothing.
    if (inode == 0 && call != Call::make_folder) return true;
    return begin({.call = call, .inode = inode, .path = path, .other = other});
}

mode_t mode_of(int flags, va_list arguments) {
    return (flags & (O_CREAT | O_TMPFILE)) != 0 ? static_cast<mode_t>(va_arg(arguments, int)) : 0;
}

}  // namespace

namespace drawbridge::disk {

void fail_disk(const std::filesystem::path& folder, long call, bool for_good, int error) {
    auto& state = shim();
    const std::lock_guard lock(state.mutex);
    state.folder = folder.string() + "/";
    state.fail = for_good ? 0 : call;
    state.fail_from = for_good ? call : 0;
    state.error = error;
    state.calls = state.failed = 0;
    state.counts = true;
}

long mend_disk() {
    auto& state = shim();
    const std::lock_guard lock(state.mutex);
    state.counts = false;
    return state.failed;
}

void cut_power(const std::filesystem::path& house, const std::filesystem::path& folder, long call) {
    auto& state = shim();
    const std::lock_guard lock(state.mutex);
    state.house = house.string() + "/";
    state.folder = folder.string() + "/";
    state.fail = state.fail_from = state.calls = 0;
    state.off = call;
    state.recorded.clear();
    state.counts = true;
}

void cut_power_now() {
    shim().is_off = true;
}

void lie_about_syncs(bool lies) {
    shim().lies = lies;
}

bool power_is_off() {
    return shim().is_off;
}

std::string restore_power() {
    auto& state = shim();
    const std::lock_guard lock(state.mutex);
    state.counts = false;
    state.is_off = false;
    state.off = 0;
    return std::move(state.recorded);
}

}  // namespace drawbridge::disk

extern "C" {

#define OPEN(name)                                                  \
    int name(const char* path, int flags, ...) {                    \
        va_list arguments;                                          \
        va_start(arguments, flags);                                 \
        const mode_t mode = mode_of(flags, arguments);              \
        va_end(arguments);                                          \
        if (!begin_open(path_at(AT_FDCWD, path), flags)) return -1; \
        return NEXT(name)(path, flags, mode);                       \
    }
#define OPENAT(name)                                           \
    int name(int dir, const char* path, int flags, ...) {      \
        va_list arguments;                                     \
        va_start(arguments, flags);                            \
        const mode_t mode = mode_of(flags, arguments);         \
        va_end(arguments);                                     \
        if (!begin_open(path_at(dir, path), flags)) return -1; \
        return NEXT(name)(dir, path, flags, mode);             \
    }
OPEN(open)
OPEN(open64)
OPENAT(openat)
OPENAT(openat64)

ssize_t write(int fd, const void* data, size_t size) {
    return begin_write(fd, data, size, -1) ? NEXT(write)(fd, data, size) : -1;
}
ssize_t pwrite(int fd, const void* data, size_t size, off_t offset) {
    return begin_write(fd, data, size, offset) ? NEXT(pwrite)(fd, data, size, offset) : -1;
}
ssize_t pwrite64(int fd, const void* data, size_t size, off64_t offset) {
    return begin_write(fd, data, size, offset) ? NEXT(pwrite64)(fd, data, size, offset) : -1;
}
ssize_t writev(int fd, const struct iovec* pieces, int count) {
    std::string all;
    for (int i = 0; i < count; ++i)
        all.append(static_cast<const char*>(pieces[i].iov_base), pieces[i].iov_len);
    return begin_write(fd, all.data(), all.size(), -1) ? NEXT(writev)(fd, pieces, count) : -1;
}
// Copies inside the kernel show no bytes: callers fall back to reading and writing.
ssize_t sendfile(int to, int from, off_t* offset, size_t size) {
    if (!shim().counts) return NEXT(sendfile)(to, from, offset, size);
    errno = EINVAL;
    return -1;
}
ssize_t sendfile64(int to, int from, off64_t* offset, size_t size) {
    if (!shim().counts) return NEXT(sendfile64)(to, from, offset, size);
    errno = EINVAL;
    return -1;
}
ssize_t copy_file_range(int from, off64_t* from_offset, int to, off64_t* to_offset, size_t size, unsigned flags) {
    if (!shim().counts) return NEXT(copy_file_range)(from, from_offset, to, to_offset, size, flags);
    errno = EXDEV;
    return -1;
}
int fsync(int fd) {
    return begin_sync(fd) ? NEXT(fsync)(fd) : -1;
}
int fdatasync(int fd) {
    return begin_sync(fd) ? NEXT(fdatasync)(fd) : -1;
}
int ftruncate(int fd, off_t size) noexcept {
    return begin_resize(fd, size) ? NEXT(ftruncate)(fd, size) : -1;
}
int ftruncate64(int fd, off64_t size) noexcept {
    return begin_resize(fd, size) ? NEXT(ftruncate64)(fd, size) : -1;
}
// Only sizes that grow; nothing relies on the reserved space.
int fallocate(int, int, off_t, off_t) {
    errno = EOPNOTSUPP;
    return -1;
}
int fallocate64(int, int, off64_t, off64_t) {
    errno = EOPNOTSUPP;
    return -1;
}

int rename(const char* from, const char* to) noexcept {
    return begin_names(Call::rename, path_at(AT_FDCWD, from), path_at(AT_FDCWD, to)) ? NEXT(rename)(from, to) : -1;
}
int renameat(int from_dir, const char* from, int to_dir, const char* to) noexcept {
    return begin_names(Call::rename, path_at(from_dir, from), path_at(to_dir, to))
               ? NEXT(renameat)(from_dir, from, to_dir, to)
               : -1;
}
int renameat2(int from_dir, const char* from, int to_dir, const char* to, unsigned flags) noexcept {
    return begin_names(Call::rename, path_at(from_dir, from), path_at(to_dir, to))
               ? NEXT(renameat2)(from_dir, from, to_dir, to, flags)
               : -1;
}
int link(const char* from, const char* to) noexcept {
    return begin_names(Call::link, path_at(AT_FDCWD, from), path_at(AT_FDCWD, to)) ? NEXT(link)(from, to) : -1;
}
int linkat(int from_dir, const char* from, int to_dir, const char* to, int flags) noexcept {
    return begin_names(Call::link, path_at(from_dir, from), path_at(to_dir, to))
               ? NEXT(linkat)(from_dir, from, to_dir, to, flags)
               : -1;
}
int unlink(const char* path) noexcept {
    return begin_names(Call::remove, path_at(AT_FDCWD, path)) ? NEXT(unlink)(path) : -1;
}
int unlinkat(int dir, const char* path, int flags) noexcept {
    return begin_names(Call::remove, path_at(dir, path)) ? NEXT(unlinkat)(dir, path, flags) : -1;
}
int rmdir(const char* path) noexcept {
    return begin_names(Call::remove, path_at(AT_FDCWD, path)) ? NEXT(rmdir)(path) : -1;
}
int remove(const char* path) noexcept {
    return begin_names(Call::remove, path_at(AT_FDCWD, path)) ? NEXT(remove)(path) : -1;
}
int mkdir(const char* path, mode_t mode) noexcept {
    return begin_names(Call::make_folder, path_at(AT_FDCWD, path)) ? NEXT(mkdir)(path, mode) : -1;
}
int mkdirat(int dir, const char* path, mode_t mode) noexcept {
    return begin_names(Call::make_folder, path_at(dir, path)) ? NEXT(mkdirat)(dir, path, mode) : -1;
}

}  // extern "C"
