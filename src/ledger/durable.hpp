// Durable steps on the files beside the ledger, with errors as std::system_error that name the file. Private to this
// room.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>

namespace drawbridge::ledger {

[[noreturn]] void throw_errno(const std::filesystem::path& path);

// On return what the file holds, or what names the folder holds, survives power loss.
void sync_file(const std::filesystem::path& path);
void sync_folder(const std::filesystem::path& path);

// A new file (0600) with the same bytes, synced; what is there under that name goes.
void copy_durably(const std::filesystem::path& from, const std::filesystem::path& to);

struct FileDigest {
    std::string sha256;
    std::int64_t size_bytes = 0;
};
[[nodiscard]] FileDigest digest_of(const std::filesystem::path& path);

}  // namespace drawbridge::ledger
