// An open file and the system calls on it. Errors are std::system_error and name the file.
#pragma once

#include <sys/types.h>

#include <cstddef>
#include <filesystem>
#include <functional>
#include <string_view>
#include <utility>

namespace drawbridge::files {

class FileDescriptor {
  public:
    FileDescriptor() = default;
    explicit FileDescriptor(int fd) : fd_(fd) {}
    FileDescriptor(const FileDescriptor&) = delete;
    FileDescriptor& operator=(const FileDescriptor&) = delete;
    FileDescriptor(FileDescriptor&& other) noexcept : fd_(std::exchange(other.fd_, -1)) {}
    FileDescriptor& operator=(FileDescriptor&& other) noexcept {
        std::swap(fd_, other.fd_);
        return *this;
    }
    ~FileDescriptor();
    [[nodiscard]] int get() const { return fd_; }
    [[nodiscard]] bool is_open() const { return fd_ >= 0; }
    // Closes and returns the error of close(): on some network file systems, that of an earlier write.
    [[nodiscard]] int close_now();

  private:
    int fd_ = -1;
};

// "cannot open PATH: No such file or directory"
[[noreturn]] void throw_system_error(int error, std::string_view doing, const std::filesystem::path& path);

// With O_CLOEXEC.
[[nodiscard]] FileDescriptor open_file(const std::filesystem::path& path, int flags, mode_t mode = 0);
// One read(), retried on EINTR; 0 at the end of the file.
[[nodiscard]] std::size_t read_some(const FileDescriptor& file, const std::filesystem::path& path, char* buffer,
                                    std::size_t size);
// From where it is read next to its end, in parts.
void read_whole(const FileDescriptor& file, const std::filesystem::path& path,
                const std::function<void(std::string_view)>& take);
// Continues after a short write and EINTR.
void write_all(const FileDescriptor& file, const std::filesystem::path& path, std::string_view bytes);
// On return the file's content, or the folder's entries, survive power loss.
void sync_file(const FileDescriptor& file, const std::filesystem::path& path);
// Like renameat(), but never replaces an existing file. Returns 0 or the errno.
[[nodiscard]] int move_new(int from_folder, const char* from, int to_folder, const char* to);

}  // namespace drawbridge::files
