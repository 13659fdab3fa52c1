#include "folder.hpp"

#include <dirent.h>
#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdio>
#include <memory>
#include <mutex>
#include <system_error>

#include "drawbridge/domain/digest.hpp"
#include "drawbridge/text/sanitize.hpp"

namespace drawbridge::spool {
namespace {

// With exactly this mode: the umask must not decide who may drop files. A chmod would clear the setgid bit that a new
// folder has from the one above it, with which whoever may open the archive may open each day in it, and systemd's
// RestrictSUIDSGID= lets no program set that bit. Files that another thread creates meanwhile have modes of their own.
bool make_folder(const std::filesystem::path& path, mode_t mode) {
    static std::mutex umask_in_use;  // it belongs to the whole process
    const std::scoped_lock lock(umask_in_use);
    const mode_t usual = ::umask(static_cast<mode_t>(~mode & 0777U));
    const bool is_made = ::mkdir(path.c_str(), mode) == 0;
    const int error = errno;
    ::umask(usual);
    errno = error;
    return is_made;
}

}  // namespace

Folder Folder::open_or_create(const std::filesystem::path& path, mode_t mode) {
    bool created = make_folder(path, mode);
    if (!created && errno == ENOENT && path.has_parent_path() && path.parent_path() != path) {
        open_or_create(path.parent_path(), 0750);
        created = make_folder(path, mode);
    }
    if (!created && errno != EEXIST) throw_system_error(errno, "create the folder", path);
    FileDescriptor fd(::open(path.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
    if (!fd.is_open()) throw_system_error(errno, "open the folder", path);
    if (created) {
        sync_file(fd, path);
        const std::filesystem::path parent = path.has_parent_path() ? path.parent_path() : ".";
        const FileDescriptor parent_fd(::open(parent.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
        if (!parent_fd.is_open()) throw_system_error(errno, "open the folder", parent);
        sync_file(parent_fd, parent);
    }
    return {std::move(fd), path};
}

bool Folder::is_in_place() const {
    struct stat named{}, open{};
    if (::fstat(fd_.get(), &open) != 0) throw_system_error(errno, "look at", path_);
    return ::stat(path_.c_str(), &named) == 0 && named.st_dev == open.st_dev && named.st_ino == open.st_ino;
}

void Folder::sync() const {
    sync_file(fd_, path_);
}

std::optional<struct stat> Folder::status(const std::string& name) const {
    struct stat status{};
    if (::fstatat(fd_.get(), name.c_str(), &status, AT_SYMLINK_NOFOLLOW) == 0) return status;
    if (errno != ENOENT) throw_system_error(errno, "look at", path_of(name));
    return std::nullopt;
}

FileDescriptor Folder::try_open(const std::string& name, int& error) const {
    FileDescriptor file(::openat(fd_.get(), name.c_str(), O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC));
    error = file.is_open() ? 0 : errno;
    return file;
}

FileDescriptor Folder::try_append(const std::string& name) const {
    return FileDescriptor(::openat(fd_.get(), name.c_str(), O_WRONLY | O_APPEND | O_NOFOLLOW | O_CLOEXEC));
}

FileDescriptor Folder::create_nameless() const {
    const std::string name = ".nameless.tmp";
    remove(name);
    FileDescriptor file(
        ::openat(fd_.get(), name.c_str(), O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, S_IRUSR | S_IWUSR));
    if (!file.is_open()) throw_system_error(errno, "create", path_of(name));
    remove(name);
    return file;
}

FileDescriptor Folder::create(const std::string& name, mode_t mode) const {
    FileDescriptor file(::openat(fd_.get(), name.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, mode));
    if (!file.is_open()) throw_system_error(errno, "create", path_of(name));
    if (::fchmod(file.get(), mode) != 0) throw_system_error(errno, "set the mode of", path_of(name));
    return file;
}

FileDescriptor Folder::open_to_append(const std::string& name, mode_t mode) const {
    const bool is_new = !status(name);
    FileDescriptor file(
        ::openat(fd_.get(), name.c_str(), O_WRONLY | O_APPEND | O_CREAT | O_NOFOLLOW | O_CLOEXEC, mode));
    if (!file.is_open()) throw_system_error(errno, "write to", path_of(name));
    if (is_new && ::fchmod(file.get(), mode) != 0) throw_system_error(errno, "set the mode of", path_of(name));
    return file;
}

std::optional<FileDescriptor> Folder::open_regular(const std::string& name) const {
    int error = 0;
    FileDescriptor file = try_open(name, error);
    if (error == ENOENT || error == ELOOP) return std::nullopt;
    if (error != 0) throw_system_error(error, "open", path_of(name));
    struct stat status{};
    if (::fstat(file.get(), &status) != 0) throw_system_error(errno, "look at", path_of(name));
    if (!S_ISREG(status.st_mode)) return std::nullopt;
    return file;
}

std::optional<std::string> Folder::read(const std::string& name) const {
    const auto file = open_regular(name);
    if (!file) return std::nullopt;
    std::string bytes;
    files::read_whole(*file, path_of(name), [&](std::string_view part) { bytes += part; });
    return bytes;
}

int Folder::try_remove(const std::string& name) const {
    return ::unlinkat(fd_.get(), name.c_str(), 0) == 0 || errno == ENOENT ? 0 : errno;
}

bool Folder::remove(const std::string& name) const {
    if (::unlinkat(fd_.get(), name.c_str(), 0) == 0) return true;
    if (errno != ENOENT) throw_system_error(errno, "remove", path_of(name));
    return false;
}

std::vector<std::string> Folder::names() const {
    // A new descriptor, because the read position belongs to the open file and not to the call.
    const int fd = ::openat(fd_.get(), ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (fd < 0) throw_system_error(errno, "read the folder", path_);
    struct Close {
        void operator()(DIR* dir) const { ::closedir(dir); }
    };
    const std::unique_ptr<DIR, Close> dir(::fdopendir(fd));
    if (!dir) {
        const int error = errno;
        ::close(fd);
        throw_system_error(error, "read the folder", path_);
    }
    std::vector<std::string> names;
    for (;;) {
        errno = 0;
        const dirent* entry = ::readdir(dir.get());
        if (entry == nullptr && errno != 0) throw_system_error(errno, "read the folder", path_);
        if (entry == nullptr) break;
        std::string name = static_cast<const char*>(entry->d_name);
        if (name != "." && name != "..") names.push_back(std::move(name));
    }
    std::ranges::sort(names);
    return names;
}

int Folder::try_writable() const {
    return ::faccessat(fd_.get(), ".", W_OK | X_OK, AT_EACCESS) == 0 ? 0 : errno;
}

bool Folder::is_readable(const std::string& name) const {
    return ::faccessat(fd_.get(), name.c_str(), R_OK, AT_EACCESS) == 0;
}

std::optional<std::string> Folder::small_text(const std::string& name) const {
    int error = 0;
    const FileDescriptor file = try_open(name, error);
    if (error != 0) return std::nullopt;
    std::array<char, 512> buffer;
    return std::string(buffer.data(), read_some(file, path_of(name), buffer.data(), buffer.size()));
}

std::optional<std::string> Folder::sha256(const std::string& name) const {
    int error = 0;
    const FileDescriptor file = try_open(name, error);
    // No file, a link, a socket, or a file that this program may not read.
    if (error == ENOENT || error == ELOOP || error == ENXIO || error == EACCES || error == EPERM) return std::nullopt;
    if (error != 0) throw_system_error(error, "open", path_of(name));
    struct stat status{};
    if (::fstat(file.get(), &status) != 0) throw_system_error(errno, "look at", path_of(name));
    if (!S_ISREG(status.st_mode)) return std::nullopt;
    Sha256 hash;
    files::read_whole(file, path_of(name), [&](std::string_view part) { hash.update(part); });
    return hash.hex();
}

void Folder::rename(const std::string& from, const std::string& to) const {
    if (::renameat(fd_.get(), from.c_str(), fd_.get(), to.c_str()) != 0)
        throw_system_error(errno, "rename", path_of(from));
}

int Folder::move_new(const std::string& from, const Folder& to, const std::string& new_name) const {
    return files::move_new(fd_.get(), from.c_str(), to.fd_.get(), new_name.c_str());
}

TemporaryFile::~TemporaryFile() {
    if (name_.empty()) return;
    try {
        folder_.remove(name_);
    } catch (const std::system_error& error) {
        // Another error is already on its way out and says more. The next attempt replaces the leftover.
        std::fprintf(stderr, "%s\n", text::for_log(error.what()).c_str());
    }
}

}  // namespace drawbridge::spool
