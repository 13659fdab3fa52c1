// The files of the archive, plain or sealed: spool/archive/YYYY/MM/DD/NAME, with NAME.sealed next to it or instead of
// it.
//
// It seals, opens, checks and removes files. The caller decides which file and when, and records that in the ledger. It
// keeps no folder open and shares no state, so it may run on its own thread. A file never disappears in between: the
// sealed form is durable and read back before the plain form is removed.
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <set>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

#include "drawbridge/domain/error.hpp"
#include "drawbridge/domain/sealing_key.hpp"
#include "drawbridge/domain/time.hpp"

namespace drawbridge::spool {

inline constexpr std::string_view sealed_suffix = ".sealed";

// The key of StoredFiles is the path of the plain form below spool/archive: "2026/11/22/NAME".
struct StoredFile {
    BusinessDate day;
    bool is_plain = false, is_sealed = false;
    std::uint64_t size = 0;  // of the plain form, if it exists; else of the sealed form
};
using StoredFiles = std::map<std::string, StoredFile>;

// Facts about the plain bytes.
struct FileFacts {
    std::string sha256;
    std::uint64_t size = 0;
    friend bool operator==(const FileFacts&, const FileFacts&) = default;
};

// What the folders contain. Every file of the archive is read to its end.
struct ArchiveContent {
    std::map<std::string, FileFacts> sealed;  // sealed files that open
    std::vector<std::string> damaged;         // what is wrong with those that do not open
    std::set<std::string>
        hashes;  // SHA-256 of each file in the archive, in quarantine, or claimed and on its way there
};

class Archive {
  public:
    // The first key seals; every key opens.
    Archive(const std::filesystem::path& state_dir, std::vector<ArchiveKey> keys);

    [[nodiscard]] StoredFiles list() const;
    // nullopt: there is no plain file.
    [[nodiscard]] std::optional<FileFacts> plain_facts(const std::string& path) const;
    // Errors: the file does not exist, or does not open completely.
    [[nodiscard]] Result<FileFacts> sealed_facts(const std::string& path) const;
    // Writes the sealed form of the plain file, complete and durable, and reads it back. An existing sealed form is
    // only read. The plain file stays. Error: the existing sealed form has different bytes.
    [[nodiscard]] Result<FileFacts> seal(const std::string& path) const;
    // Reads plain bytes from `offset`, at most `max_bytes`.
    [[nodiscard]] Result<std::string> read(const std::string& path, std::uint64_t offset, std::size_t max_bytes) const;
    void remove_plain(const std::string& path) const;
    void remove(const std::string& path) const;
    // nullopt: `stop` was requested. It does not miss a file that moves from claimed/ into the archive meanwhile. There
    // and in quarantine, files of more than `max_bytes` are not read: whoever hands in files decides their size.
    [[nodiscard]] std::optional<ArchiveContent> read_all(std::uint64_t max_bytes, const std::stop_token& stop) const;

  private:
    std::filesystem::path spool_, quarantine_;
    std::vector<ArchiveKey> keys_;
};

}  // namespace drawbridge::spool
