// The key that seals account numbers in the ledger: 32 bytes, stored in a file as 64 hexadecimal digits on one line.
//
// It never appears in the ledger, a log or a message. The ledger module generates it.
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
    // For the key file.
    [[nodiscard]] Secret to_hex() const;

  private:
    explicit SealingKey(Secret bytes) : bytes_(std::move(bytes)) {}
    Secret bytes_;
};

// The key that seals files in the archive, derived from a sealing key and a ledger. A sealed file names it by its id,
// which reveals nothing about the key.
struct ArchiveKey {
    std::string id;  // 16 bytes
    Secret key;      // 32 bytes
};

}  // namespace drawbridge
