// The system calls under the spool, with errors as std::system_error that name the file. Private to this module.
#pragma once

#include <sys/stat.h>

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace drawbridge::spool {

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
    // Closes and reports what close() reports: on some network file systems the error of an earlier write.
    [[nodiscard]] int close_now();

  private:
    int fd_ = -1;
};

[[noreturn]] void throw_system_error(int error, std::string_view doing, const std::filesystem::path& path);

// One read() with EINTR retried; 0 at the end of the file.
[[nodiscard]] std::size_t read_some(const FileDescriptor& file, const std::filesystem::path& path, char* buffer,
                                    std::size_t size);
// Goes on after a short write and EINTR.
void write_all(const FileDescriptor& file, const std::filesystem::path& path, std::string_view bytes);
void sync_file(const FileDescriptor& file, const std::filesystem::path& path);

// An open folder. Every step goes by its descriptor, so that nobody can move the ground under it.
class Folder {
  public:
    Folder() = default;
    // Opens it; creates it, and its missing parents (0750), durably, with exactly this mode, when it is not there.
    static Folder open_or_create(const std::filesystem::path& path, mode_t mode);

    [[nodiscard]] const std::filesystem::path& path() const { return path_; }
    [[nodiscard]] std::filesystem::path path_of(std::string_view name) const { return path_ / std::string(name); }

    // On return, names created, removed and renamed in it survive power loss.
    void sync() const;
    // Of the name itself, links not followed. nullopt: there is none.
    [[nodiscard]] std::optional<struct stat> status(const std::string& name) const;
    // Links are not followed, and a pipe does not block. The result may be closed: errno is in `error`.
    [[nodiscard]] FileDescriptor try_open(const std::string& name, int& error) const;
    // For writing at its end; the result may be closed.
    [[nodiscard]] FileDescriptor try_append(const std::string& name) const;
    // A new file with exactly this mode.
    [[nodiscard]] FileDescriptor create(const std::string& name, mode_t mode) const;
    // For writing at its end; a new one has exactly this mode.
    [[nodiscard]] FileDescriptor open_to_append(const std::string& name, mode_t mode) const;
    // nullopt: no such file, or not a regular one.
    [[nodiscard]] std::optional<std::string> read(const std::string& name) const;
    // False: it was not there.
    // A new file without a name, to write and to read; it is gone when it is closed.
    [[nodiscard]] FileDescriptor create_nameless() const;
    // The errno of the failure, 0 when it is gone.
    [[nodiscard]] int try_remove(const std::string& name) const;
    // False: it was not there.
    bool remove(const std::string& name) const;
    // Every name but "." and "..", sorted by its bytes.
    [[nodiscard]] std::vector<std::string> names() const;
    [[nodiscard]] bool is_readable(const std::string& name) const;
    // At most some hundred bytes. nullopt: no such file.
    [[nodiscard]] std::optional<std::string> small_text(const std::string& name) const;
    // nullopt: no such file, not a regular one, or one that may not be read.
    [[nodiscard]] std::optional<std::string> sha256(const std::string& name) const;

    // Replaces what is there.
    void rename(const std::string& from, const std::string& to) const;
    // Never over a file that is there. 0, or the errno.
    [[nodiscard]] int move_new(const std::string& from, const Folder& to, const std::string& new_name) const;

  private:
    Folder(FileDescriptor fd, std::filesystem::path path) : fd_(std::move(fd)), path_(std::move(path)) {}
    FileDescriptor fd_;
    std::filesystem::path path_;
};

// Removes a temporary file unless it was put in place.
class TemporaryFile {
  public:
    TemporaryFile(const Folder& folder, std::string name) : folder_(folder), name_(std::move(name)) {}
    TemporaryFile(const TemporaryFile&) = delete;
    TemporaryFile& operator=(const TemporaryFile&) = delete;
    ~TemporaryFile();
    [[nodiscard]] const std::string& name() const { return name_; }
    void keep() { name_.clear(); }

  private:
    const Folder& folder_;
    std::string name_;
};

}  // namespace drawbridge::spool
