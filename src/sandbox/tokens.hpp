#pragma once
// Owns the issued access tokens and their expiry. They are in memory only: a restart forgets them, like a service that
// rotates its keys.

#include <chrono>
#include <string>
#include <string_view>
#include <unordered_map>

#include "instant.hpp"

namespace draws_sandbox {

class TokenStore {
  public:
    explicit TokenStore(std::chrono::milliseconds lifetime) : lifetime_(lifetime) {}

    [[nodiscard]] std::string issue(Instant at);
    [[nodiscard]] bool accepts(std::string_view token, Instant at) const;
    void revoke_all() { expiries_.clear(); }
    [[nodiscard]] std::chrono::milliseconds lifetime() const { return lifetime_; }

  private:
    std::chrono::milliseconds lifetime_;
    std::unordered_map<std::string, Instant> expiries_;
};

// Constant time, wherever the two differ.
[[nodiscard]] bool same_secret(std::string_view given, std::string_view expected);

}  // namespace draws_sandbox
