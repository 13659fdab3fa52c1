// Reads a file that people write: the configuration, and what it names.
#pragma once

#include <filesystem>
#include <string>

#include "drawbridge/domain/error.hpp"

namespace drawbridge::config {

// The whole file. The error message gives the reason; the caller adds the file name. Errors: not_found; unauthorized:
// this user may not read it; invalid_input.
[[nodiscard]] Result<std::string> read_file(const std::filesystem::path& path);

}  // namespace drawbridge::config
