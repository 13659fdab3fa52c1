// Durable operations on the files beside the ledger. Errors are std::system_error and name the file. Private to this
// module.
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <filesystem>
#include <string>

namespace drawbridge::ledger {

[[noreturn]] void throw_errno(const std::filesystem::path& path);

// On return the file's content, or the folder's entries, survive power loss.
void sync_file(const std::filesystem::path& path);
void sync_folder(const std::filesystem::path& path);

// An open file, closed on destruction.
class Descriptor {
  public:
    Descriptor(std::filesystem::path path, int flags, mode_t mode = 0);
    Descriptor(const Descriptor&) = delete;
    Descriptor& operator=(const Descriptor&) = delete;
    ~Descriptor();
    [[nodiscard]] int get() const { return fd_; }
    [[nodiscard]] const std::filesystem::path& path() const { return path_; }

  private:
    std::filesystem::path path_;
    int fd_;
};

// Creates a file (0600) with the same bytes, synced; replaces any file of that name.
void copy_durably(const Descriptor& from, const std::filesystem::path& to);

struct FileDigest {
    std::string sha256;
    std::int64_t size_bytes = 0;
};
[[nodiscard]] FileDigest digest_of(const std::filesystem::path& path);

}  // namespace drawbridge::ledger
