#include "drawbridge/files/file_descriptor.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstdio>
#include <string>
#include <system_error>

namespace drawbridge::files {

namespace fs = std::filesystem;

FileDescriptor::~FileDescriptor() {
    if (fd_ >= 0) ::close(fd_);
}

int FileDescriptor::close_now() {
    // Linux closes the descriptor even when it reports EINTR.
    const int result = ::close(std::exchange(fd_, -1));
    return result == 0 || errno == EINTR ? 0 : errno;
}

void throw_system_error(int error, std::string_view doing, const fs::path& path) {
    throw std::system_error(error, std::generic_category(), "cannot " + std::string(doing) + " " + path.string());
}

FileDescriptor open_file(const fs::path& path, int flags, mode_t mode) {
    FileDescriptor file(::open(path.c_str(), flags | O_CLOEXEC, mode));
    if (!file.is_open()) throw_system_error(errno, (flags & O_CREAT) != 0 ? "create" : "open", path);
    return file;
}

std::size_t read_some(const FileDescriptor& file, const fs::path& path, char* buffer, std::size_t size) {
    for (;;) {
        const ssize_t done = ::read(file.get(), buffer, size);
        if (done >= 0) return static_cast<std::size_t>(done);
        if (errno != EINTR) throw_system_error(errno, "read", path);
    }
}

void read_whole(const FileDescriptor& file, const std::filesystem::path& path,
                const std::function<void(std::string_view)>& take) {
    std::array<char, 64UL * 1024> buffer;
    while (const std::size_t size = read_some(file, path, buffer.data(), buffer.size()))
        take({buffer.data(), size});
}

void write_all(const FileDescriptor& file, const fs::path& path, std::string_view bytes) {
    while (!bytes.empty()) {
        const ssize_t done = ::write(file.get(), bytes.data(), bytes.size());
        if (done >= 0) {
            bytes.remove_prefix(static_cast<std::size_t>(done));
        } else if (errno != EINTR) {
            throw_system_error(errno, "write", path);
        }
    }
}

void sync_file(const FileDescriptor& file, const fs::path& path) {
    // A failed fsync is final: the kernel may have dropped the pages, and a second call would report success.
    if (::fsync(file.get()) != 0) throw_system_error(errno, "sync", path);
}

int move_new(int from_folder, const char* from, int to_folder, const char* to) {
    if (::renameat2(from_folder, from, to_folder, to, RENAME_NOREPLACE) == 0) return 0;
    if (errno != EINVAL && errno != ENOSYS) return errno;
    // A file system without RENAME_NOREPLACE (NFS): link() never replaces an existing name.
    if (::linkat(from_folder, from, to_folder, to, 0) != 0) return errno;
    return ::unlinkat(from_folder, from, 0) == 0 ? 0 : errno;
}

}  // namespace drawbridge::files
