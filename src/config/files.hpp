// The files that the configuration names: where they are, and the secrets in some of them.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>

#include "drawbridge/domain/error.hpp"
#include "drawbridge/domain/secret.hpp"
#include "drawbridge/text/yaml.hpp"

namespace drawbridge::config {

// The whole file. The message gives the reason; the caller says which file it is.
[[nodiscard]] Result<std::string> read_file(const std::filesystem::path& path);

// The one line in the file at `path`, or in the systemd credential of that file's name when there is no such file.
// Reports what is wrong at `node`, which named the file; the content is never part of a message.
[[nodiscard]] std::optional<Secret> read_secret(text::YamlReader& reader, const text::YamlNode& node,
                                                std::string_view what, const std::filesystem::path& path);

// The same of the systemd credential of that name; nullopt without a word when there is none.
[[nodiscard]] std::optional<Secret> read_credential(text::YamlReader& reader, std::string_view name);

// The same, of a secret of many lines, like a private key.
[[nodiscard]] std::optional<Secret> read_secret_text(text::YamlReader& reader, const text::YamlNode& node,
                                                     std::string_view what, const std::filesystem::path& path);

}  // namespace drawbridge::config
