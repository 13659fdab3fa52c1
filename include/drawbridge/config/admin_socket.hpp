// Where the daemon listens, for sub-commands of people who may not read the secrets that the configuration names.
#pragma once

#include <filesystem>
#include <optional>

namespace drawbridge::config {

// admin.socket, or drawbridge.sock in state_dir. Whatever else is wrong in the file is not looked at; nullopt: the file
// cannot be read or is no YAML.
[[nodiscard]] std::optional<std::filesystem::path> find_admin_socket(const std::filesystem::path& config_file);

}  // namespace drawbridge::config
