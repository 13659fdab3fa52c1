// The key under which the ledger seals account numbers: 32 bytes, in a file as 64 hexadecimal digits on one line.
//
// It is never in the ledger, in a log or in a message; making one is ledger/'s.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "drawbridge/domain/error.hpp"
#include "drawbridge/domain/secret.hpp"

namespace drawbridge {

class SealingKey {
  public:
    static constexpr std::size_t size_bytes = 32;

    [[nodiscard]] static Result<SealingKey> parse(std::string_view hex);
    // Exactly size_bytes.
    [[nodiscard]] static SealingKey from_bytes(std::string_view bytes);

    [[nodiscard]] const std::string& bytes() const { return bytes_.reveal(); }
    // For the file that keeps it.
    [[nodiscard]] Secret to_hex() const;

  private:
    explicit SealingKey(Secret bytes) : bytes_(std::move(bytes)) {}
    Secret bytes_;
};

// The key under which the archive's files are sealed; it follows from a sealing key and a ledger. A sealed file names
// it by its id, which says nothing of the key.
struct ArchiveKey {
    std::string id;  // 16 bytes
    Secret key;      // 32 bytes
};

}  // namespace drawbridge
