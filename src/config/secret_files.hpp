// The secrets in files that the configuration names, and the folder that its paths are relative to.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>

#include "drawbridge/domain/secret.hpp"
#include "drawbridge/text/yaml.hpp"

namespace drawbridge::config {

// Resolves paths relative to the folder of the configuration file.
struct Origin {
    std::filesystem::path folder;
    [[nodiscard]] std::filesystem::path resolve(const std::filesystem::path& path) const {
        return (folder / path).lexically_normal();
    }
};

// The file of the systemd credential `name`: where systemd put it, or where the units load it from.
[[nodiscard]] std::optional<std::filesystem::path> credential(const std::string& name, const Origin& origin);

// The file that read_secret() reads for `path`, which is absolute. nullopt: there is none.
[[nodiscard]] std::optional<std::filesystem::path> find_secret(const std::filesystem::path& path, const Origin& origin);

// The secret on the single line of `file`. If the file does not exist: the systemd credential of that file name. If
// systemd passes none, as for a command run by a person: the file of that name in credentials/ next to the
// configuration, where the units load credentials from. Reports errors at `node`, which named the file. The content is
// never part of a message.
[[nodiscard]] std::optional<Secret> read_secret(text::YamlReader& reader, const text::YamlNode& node,
                                                std::string_view what, const Origin& origin,
                                                const std::filesystem::path& file);

// The same for a secret of several lines, such as a private key.
[[nodiscard]] std::optional<Secret> read_secret_text(text::YamlReader& reader, const text::YamlNode& node,
                                                     std::string_view what, const Origin& origin,
                                                     const std::filesystem::path& file);

// The systemd credential of that name. If there is none: nullopt, without an error.
[[nodiscard]] std::optional<Secret> read_credential(text::YamlReader& reader, std::string_view name,
                                                    const Origin& origin);

}  // namespace drawbridge::config
