// Reads a file that people write: the configuration, and what it names.
#pragma once

#include <filesystem>
#include <optional>
#include <string>

#include "drawbridge/domain/error.hpp"
#include "drawbridge/text/yaml.hpp"

namespace drawbridge::config {

// The whole file. The error message gives the reason; the caller adds the file name. Errors: not_found; unauthorized:
// this user may not read it; invalid_input.
[[nodiscard]] Result<std::string> read_file(const std::filesystem::path& path);
// A configuration, for those who leave errors to load_config(). nullopt: it cannot be read, or is no map.
[[nodiscard]] std::optional<text::YamlNode> read_map(const std::filesystem::path& path);

}  // namespace drawbridge::config
