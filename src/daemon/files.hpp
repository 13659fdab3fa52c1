// Reading the text files that the configuration names.
#pragma once

#include <filesystem>
#include <string>

#include "drawbridge/domain/error.hpp"

namespace drawbridge::daemon {

// The whole file; the message says why it cannot be read.
[[nodiscard]] Result<std::string> read_text_file(const std::filesystem::path& path);

}  // namespace drawbridge::daemon
