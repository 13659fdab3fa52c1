// SHA-256 for content hashes, the audit chain and passkeys, and how people give a hash: its first digits.
#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <string_view>

namespace drawbridge {

// 32 bytes.
[[nodiscard]] std::string sha256(std::string_view bytes);
// The digest in lowercase hex.
[[nodiscard]] std::string sha256_hex(std::string_view bytes);

inline constexpr std::size_t hash_digits = 64;
inline constexpr std::size_t min_hash_digits = 8;  // that a person gives of a hash
// Whether the text is 8 to 64 hexadecimal digits in lower case: a hash, or what one begins with.
[[nodiscard]] bool is_hash_prefix(std::string_view text);

// For content that does not fit into memory.
class Sha256 {
  public:
    Sha256();
    ~Sha256();
    Sha256(Sha256&&) noexcept;
    Sha256& operator=(Sha256&&) noexcept;
    void update(std::string_view bytes);
    // Finishes the hash; call one of them, once.
    [[nodiscard]] std::string bytes();
    [[nodiscard]] std::string hex();

  private:
    struct State;
    std::unique_ptr<State> state_;
};

}  // namespace drawbridge
