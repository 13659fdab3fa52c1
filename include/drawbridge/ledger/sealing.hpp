// The key that seals account numbers in the ledger: making one, keeping it in a file, changing it.
//
// What is sealed: the account numbers of payments and prenotes, the bank profiles stored with payment files, the key of
// the payees' fingerprints, the bytes of rules and payees under change control, the settings last seen, the archive
// keys of earlier sealing keys. Each is bound to its row: a sealed value that was copied to another row does not open.
// The ledger keeps a value by which it knows its key again, never the key.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string_view>

#include "drawbridge/domain/sealing_key.hpp"
#include "drawbridge/ledger/ledger.hpp"

namespace drawbridge::ledger {

// In the state folder, where no key is given to Ledger::open().
inline constexpr std::string_view default_sealing_key_name = "sealing.key";

[[nodiscard]] SealingKey make_sealing_key();
// Mode 0600; on return it survives power loss. Errors: the file is there already, it cannot be written.
[[nodiscard]] Result<void> write_sealing_key(const std::filesystem::path& path, const SealingKey& key);
[[nodiscard]] Result<SealingKey> read_sealing_key(const std::filesystem::path& path);

// Seals everything anew with `key`, in one transaction, and overwrites what was there; from then on the ledger opens
// with `key` alone. How many values it sealed.
std::int64_t change_sealing_key(Ledger& ledger, const SealingKey& key, std::string_view reason, const Stamp& stamp);
// Whether it is the key by which the ledger is open.
[[nodiscard]] bool is_sealed_with(Ledger& ledger, const SealingKey& key);

}  // namespace drawbridge::ledger
