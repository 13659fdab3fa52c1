// Reads a file that people write: the configuration, and what it names.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>

#include "drawbridge/domain/error.hpp"
#include "drawbridge/text/yaml.hpp"

namespace drawbridge::config {

// Larger files are not what they are said to be: a thousand rules have half a megabyte, a million payees 150.
inline constexpr std::uint64_t max_yaml_bytes = 16 << 20, max_payee_bytes = 512 << 20;

// The whole file. The error message gives the reason; the caller adds the file name. Errors: not_found; unauthorized:
// this user may not read it; invalid_input, also if it has more bytes.
[[nodiscard]] Result<std::string> read_file(const std::filesystem::path& path,
                                            std::uint64_t max_bytes = max_yaml_bytes);
// A configuration, for those who leave errors to load_config(). nullopt: it cannot be read, or is no map.
[[nodiscard]] std::optional<text::YamlNode> read_map(const std::filesystem::path& path);

}  // namespace drawbridge::config
