// The sealing key of the ledger: making it, storing it in a file, changing it.
//
// Sealed are the account numbers of payments and prenotes, the bank profiles stored with payment files, the key of the
// payees' fingerprints, the bytes of rules and payees under change control, the settings last seen, and the archive
// keys of earlier sealing keys. Each value is bound to its row: copied to another row it does not open. The ledger
// stores a check value that identifies its key, never the key.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string_view>

#include "drawbridge/domain/sealing_key.hpp"
#include "drawbridge/ledger/store/ledger.hpp"

namespace drawbridge::ledger {

// The key file in the state folder, used if no key is passed to Ledger::open().
inline constexpr std::string_view default_sealing_key_name = "sealing.key";

[[nodiscard]] SealingKey make_sealing_key();
// Mode 0600; on return it survives power loss. Errors: the file exists, or cannot be written.
[[nodiscard]] Result<void> write_sealing_key(const std::filesystem::path& path, const SealingKey& key);
[[nodiscard]] Result<SealingKey> read_sealing_key(const std::filesystem::path& path);

// Seals every value again with `key`, in one transaction, and overwrites the old values. From then on the ledger opens
// only with `key`. Returns how many values it sealed.
std::int64_t change_sealing_key(Ledger& ledger, const SealingKey& key, std::string_view reason, const Stamp& stamp);
// Whether `key` is the key in use.
[[nodiscard]] bool is_sealed_with(Ledger& ledger, const SealingKey& key);

}  // namespace drawbridge::ledger
