// One configuration, one ledger: a mistyped state_dir must not begin a second one, which would pay again what the first
// has paid. Each state folder names the configuration that it belongs to; a new ledger looks for such a folder beside
// its own. Private to this module.
#pragma once

#include <filesystem>
#include <string>

#include "drawbridge/domain/error.hpp"

namespace drawbridge::daemon {

// In the state folder: the path of the configuration whose ledger it holds.
inline constexpr const char* configuration_note = "ledger.config";

// Error: there is no ledger in `state_dir`, and a folder beside it (or /var/lib/drawbridge) holds the one of this
// configuration.
[[nodiscard]] Result<void> check_no_second_ledger(const std::filesystem::path& state_dir,
                                                  const std::filesystem::path& config_file);

// Says in the state folder whose ledger it holds. What cannot be written is no reason to stop.
void note_configuration(const std::filesystem::path& state_dir, const std::filesystem::path& config_file);

}  // namespace drawbridge::daemon
