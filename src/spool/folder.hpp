// The system calls under the spool. Errors are std::system_error and name the file. Private to this module.
#pragma once

#include <sys/stat.h>

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "drawbridge/files/file_descriptor.hpp"

namespace drawbridge::spool {

using files::FileDescriptor;
using files::throw_system_error;

// An open folder. Every operation uses its descriptor, so that replacing a path component cannot redirect it.
class Folder {
  public:
    Folder() = default;
    // Opens the folder. Creates it and its missing parents (0750) durably if needed, with exactly this mode.
    static Folder open_or_create(const std::filesystem::path& path, mode_t mode);

    [[nodiscard]] const std::filesystem::path& path() const { return path_; }
    [[nodiscard]] std::filesystem::path path_of(std::string_view name) const { return path_ / std::string(name); }

    // On return, names created, removed and renamed in the folder survive power loss.
    void sync() const;
    // Status of the name itself; links are not followed. nullopt: it does not exist.
    [[nodiscard]] std::optional<struct stat> status(const std::string& name) const;
    // Does not follow links, and does not block on a pipe. On failure the result is closed and `error` is the errno.
    [[nodiscard]] FileDescriptor try_open(const std::string& name, int& error) const;
    // Opens for appending; the result may be closed.
    [[nodiscard]] FileDescriptor try_append(const std::string& name) const;
    // A new file with exactly this mode.
    [[nodiscard]] FileDescriptor create(const std::string& name, mode_t mode) const;
    // Opens for appending; a new file has exactly this mode.
    [[nodiscard]] FileDescriptor open_to_append(const std::string& name, mode_t mode) const;
    // Both return nullopt if there is no such file or it is not a regular file.
    [[nodiscard]] std::optional<FileDescriptor> open_regular(const std::string& name) const;
    [[nodiscard]] std::optional<std::string> read(const std::string& name) const;
    // A new file without a name, for writing and reading; it disappears when it is closed.
    [[nodiscard]] FileDescriptor create_nameless() const;
    // 0 on success or if it does not exist; else the errno.
    [[nodiscard]] int try_remove(const std::string& name) const;
    // False: it did not exist.
    bool remove(const std::string& name) const;
    // Every name except "." and "..", sorted by bytes.
    [[nodiscard]] std::vector<std::string> names() const;
    [[nodiscard]] bool is_readable(const std::string& name) const;
    // Whether names can be created and removed in it. 0, or the errno.
    [[nodiscard]] int try_writable() const;
    // The first 512 bytes. nullopt: no such file.
    [[nodiscard]] std::optional<std::string> small_text(const std::string& name) const;
    // nullopt: no such file, not a regular one, or unreadable.
    [[nodiscard]] std::optional<std::string> sha256(const std::string& name) const;

    // Replaces an existing file.
    void rename(const std::string& from, const std::string& to) const;
    // Whether its path still leads to it: nobody moved it away, or mounted something over it.
    [[nodiscard]] bool is_in_place() const;
    // Never replaces an existing file. Returns 0 or the errno.
    [[nodiscard]] int move_new(const std::string& from, const Folder& to, const std::string& new_name) const;

  private:
    Folder(FileDescriptor fd, std::filesystem::path path) : fd_(std::move(fd)), path_(std::move(path)) {}
    FileDescriptor fd_;
    std::filesystem::path path_;
};

// Removes a temporary file on destruction unless keep() was called.
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
