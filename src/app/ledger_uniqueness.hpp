// One configuration, one ledger: a mistyped state_dir must not create a second ledger, which would pay the same draws
// again. Each state folder names its configuration, and a new ledger looks for such a folder next to its own. One
// ledger, one service: a draw of another service has the number of one that was paid. Private to this module.
#pragma once

#include <filesystem>
#include <string>

#include "drawbridge/config/config.hpp"
#include "drawbridge/domain/error.hpp"
#include "drawbridge/ledger/store/ledger.hpp"

namespace drawbridge::app {

// The file in the state folder that contains the path of the ledger's configuration.
inline constexpr const char* configuration_note = "ledger.config";

// Error: there is no ledger in `state_dir`, and a folder next to it (or /var/lib/drawbridge) has the ledger of this
// configuration.
[[nodiscard]] Result<void> check_no_second_ledger(const std::filesystem::path& state_dir,
                                                  const std::filesystem::path& config_file);

// Error: the ledger has draws of another service, and the two are not both on this machine.
[[nodiscard]] Result<void> check_same_service(ledger::Ledger& ledger, const config::Service& service);
// The same; records the service of a new ledger, and one that has moved.
[[nodiscard]] Result<void> take_service(ledger::Ledger& ledger, const config::Service& service, Instant now);

// Writes the configuration's path into the state folder. A failure is ignored.
void note_configuration(const std::filesystem::path& state_dir, const std::filesystem::path& config_file);

}  // namespace drawbridge::app
