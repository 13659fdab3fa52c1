// SHA-256 for content hashes and the audit chain, in lowercase hex.
#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <string_view>

namespace drawbridge {

[[nodiscard]] std::string sha256_hex(std::string_view bytes);

// For content that does not fit into memory.
class Sha256 {
  public:
    Sha256();
    ~Sha256();
    Sha256(Sha256&&) noexcept;
    Sha256& operator=(Sha256&&) noexcept;
    void update(std::string_view bytes);
    // Finishes the hash; call once.
    [[nodiscard]] std::string hex();

  private:
    struct State;
    std::unique_ptr<State> state_;
};

}  // namespace drawbridge
