// Reads the text files that the configuration names.
#pragma once

#include <filesystem>
#include <string>

#include "drawbridge/domain/error.hpp"

namespace drawbridge::daemon {

// The whole file. The error message gives the reason; the caller adds the file name.
[[nodiscard]] Result<std::string> read_text_file(const std::filesystem::path& path);

}  // namespace drawbridge::daemon
