// Whole files that survive power loss, and that appear complete or not at all. Errors are std::system_error and name
// the file.
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>

#include "drawbridge/files/file_descriptor.hpp"

namespace drawbridge::files {

// Whether this errno says that there is no room: a full disk, a quota, or a limit on the size of files.
[[nodiscard]] bool is_no_space(int error);
// Whether it says that, or that the disk is read-only or broken.
[[nodiscard]] bool is_disk_failure(int error);

// On return the file's content, or the folder's entries, survive power loss.
void sync_file(const std::filesystem::path& path);
void sync_folder(const std::filesystem::path& path);
// The folder in which `file` is: "." for a plain name.
[[nodiscard]] std::filesystem::path folder_of(const std::filesystem::path& file);

// Replaces the file, or creates it, with exactly this mode. Writes NAME.tmp next to it first. One writer at a time.
void replace_durably(const std::filesystem::path& path, std::string_view bytes, mode_t mode);
// Creates the file with exactly this mode. Error EEXIST: it exists, and nothing was changed.
void create_durably(const std::filesystem::path& path, std::string_view bytes, mode_t mode);
// Creates a file (0600) with the rest of the bytes of `from`, synced; replaces any file of that name.
void copy_durably(const FileDescriptor& from, const std::filesystem::path& from_path, const std::filesystem::path& to);

struct FileDigest {
    std::string sha256;
    std::int64_t size_bytes = 0;
};
[[nodiscard]] FileDigest digest_of(const std::filesystem::path& path);

}  // namespace drawbridge::files
