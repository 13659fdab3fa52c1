// The archive's files, plain or sealed: spool/archive/YYYY/MM/DD/NAME, or NAME.sealed beside it or in its place.
//
// It seals, opens, checks and removes; which file, and when, is the caller's decision, recorded in the ledger. It holds
// no open folder and shares nothing, so it may work in a thread of its own. A file is never gone in between: the sealed
// form is durable and was read back before the plain one may go.
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

inline constexpr std::string_view sealed_ending = ".sealed";

// A path below spool/archive, of the plain form: "2026/11/22/NAME".
struct StoredFile {
    BusinessDate day;
    bool is_plain = false, is_sealed = false;
    std::uint64_t size = 0;  // of the plain form; of the sealed form where there is no other
};
using StoredFiles = std::map<std::string, StoredFile>;

// Of the plain bytes.
struct FileFacts {
    std::string sha256;
    std::uint64_t size = 0;
    friend bool operator==(const FileFacts&, const FileFacts&) = default;
};

// What the folders hold, each file read to its end.
struct ArchiveContent {
    std::map<std::string, FileFacts> sealed;  // those that open
    std::vector<std::string> damaged;         // what is wrong with those that do not
    std::set<std::string> kept;  // SHA-256 of each file there, in quarantine, or claimed and on its way to one of them
};

class Archive {
  public:
    // The first key is the one that seals.
    Archive(const std::filesystem::path& state_dir, std::vector<ArchiveKey> keys);

    [[nodiscard]] StoredFiles list() const;
    // nullopt: there is no plain file.
    [[nodiscard]] std::optional<FileFacts> plain_facts(const std::string& path) const;
    // Errors: it is not there, or does not open to its end.
    [[nodiscard]] Result<FileFacts> sealed_facts(const std::string& path) const;
    // Writes the sealed form of the plain file, whole and durable, and reads it back; where there is one already, it is
    // only read. The plain file stays. Errors: the sealed form that is there holds other bytes.
    [[nodiscard]] Result<FileFacts> seal(const std::string& path) const;
    // Of the plain bytes, at most so many from there on.
    [[nodiscard]] Result<std::string> read(const std::string& path, std::uint64_t offset, std::size_t most) const;
    void remove_plain(const std::string& path) const;
    void remove(const std::string& path) const;
    // nullopt: `stop` was requested. A file that moves from claimed/ into the archive meanwhile is not missed.
    [[nodiscard]] std::optional<ArchiveContent> read_all(const std::stop_token& stop) const;

  private:
    std::filesystem::path spool_, quarantine_;
    std::vector<ArchiveKey> keys_;
};

}  // namespace drawbridge::spool
