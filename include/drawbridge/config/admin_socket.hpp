// The daemon's socket, for sub-commands of people who cannot read the secrets that the configuration names.
#pragma once

#include <filesystem>
#include <optional>

namespace drawbridge::config {

// admin.socket, or drawbridge.sock in state_dir. Ignores all other errors in the file. nullopt: the file cannot be read
// or is not valid YAML.
[[nodiscard]] std::optional<std::filesystem::path> find_admin_socket(const std::filesystem::path& config_file);

}  // namespace drawbridge::config
