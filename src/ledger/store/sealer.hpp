// Seals and opens single values: XChaCha20-Poly1305 with a random nonce each, bound to ledger, column and row. Private
// to this module.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "drawbridge/domain/sealing_key.hpp"

namespace drawbridge::ledger {

using FactHash = std::array<std::uint64_t, 4>;

class Sealer {
  public:
    Sealer(const SealingKey& key, std::string ledger_id);

    // Identifies the key; reveals nothing about it.
    [[nodiscard]] std::string check_value() const;

    // "sealed:1:" and base64. `field` is "payment.account_number"; `row` identifies the row and never changes.
    [[nodiscard]] std::string seal(std::string_view field, std::string_view row, std::string_view text) const;
    // nullopt: not sealed with this key for this row of this ledger, or changed since.
    [[nodiscard]] std::optional<std::string> open(std::string_view field, std::string_view row,
                                                  std::string_view sealed) const;
    // A keyed hash that nobody can compute without the key.
    [[nodiscard]] FactHash hash_of_fact(std::string_view bytes) const;
    // The key that seals the archive's files; different for each ledger.
    [[nodiscard]] ArchiveKey archive_key() const;

  private:
    std::string ledger_id_;
    Secret sealing_key_;
    Secret check_key_;  // of keyed hashes about the ledger: the check value, the archive key and its id
    Secret fact_key_;
};

[[nodiscard]] bool is_sealed(std::string_view text);

}  // namespace drawbridge::ledger
