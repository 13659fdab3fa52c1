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

// Relative paths begin in the folder of the configuration file.
struct Origin {
    std::filesystem::path folder;
    [[nodiscard]] std::filesystem::path resolve(const std::filesystem::path& path) const {
        return (folder / path).lexically_normal();
    }
};

// The whole file. The message gives the reason; the caller says which file it is.
[[nodiscard]] Result<std::string> read_file(const std::filesystem::path& path);

// The one line in `file`; when there is no such file, in the systemd credential of its file name, and where systemd
// gives none, as to a person at the console, in the file of that name in credentials/ beside the configuration, which
// is where the units load credentials from. Reports what is wrong at `node`, which named the file; the content is never
// part of a message.
[[nodiscard]] std::optional<Secret> read_secret(text::YamlReader& reader, const text::YamlNode& node,
                                                std::string_view what, const Origin& origin,
                                                const std::filesystem::path& file);

// The same, of a secret of many lines, like a private key.
[[nodiscard]] std::optional<Secret> read_secret_text(text::YamlReader& reader, const text::YamlNode& node,
                                                     std::string_view what, const Origin& origin,
                                                     const std::filesystem::path& file);

// The credential of that name alone; nullopt without a word when there is none.
[[nodiscard]] std::optional<Secret> read_credential(text::YamlReader& reader, std::string_view name,
                                                    const Origin& origin);

}  // namespace drawbridge::config
