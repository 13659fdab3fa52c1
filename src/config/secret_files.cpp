#include "secret_files.hpp"

#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <functional>
#include <system_error>
#include <utility>
#include <vector>

#include "drawbridge/config/read_file.hpp"

namespace drawbridge::config {
namespace {

namespace fs = std::filesystem;

constexpr std::uintmax_t max_secret_bytes = 64UL * 1024;

// The folder that the units load credentials from.
fs::path credentials_folder(const Origin& origin) {
    return origin.resolve("credentials");
}

}  // namespace

std::optional<fs::path> credential(const std::string& name, const Origin& origin) {
    std::vector<fs::path> places;
    if (const char* directory = std::getenv("CREDENTIALS_DIRECTORY"); directory != nullptr && *directory != '\0') {
        // LoadCredential=NAME:… gives NAME. A folder, LoadCredential=drawbridge:/folder, gives drawbridge_NAME.
        places = {fs::path(directory) / name, fs::path(directory) / ("drawbridge_" + name)};
    }
    places.push_back(credentials_folder(origin) / name);
    const auto found = std::ranges::find_if(places, [](const fs::path& place) {
        std::error_code error;
        return fs::is_regular_file(place, error);
    });
    if (found == places.end()) return std::nullopt;
    return *found;
}

std::optional<fs::path> find_secret(const fs::path& path, const Origin& origin) {
    std::error_code error;
    const bool is_missing = fs::status(path, error).type() == fs::file_type::not_found;
    // systemd reads the folder of credentials as root and gives this user copies.
    if (is_missing || (access(path.c_str(), R_OK) != 0 && errno == EACCES)) {
        if (auto given = credential(path.filename(), origin)) return given;
    }
    return is_missing ? std::nullopt : std::optional(path);
}

namespace {

// Where to write a secret that is missing.
std::string remedy_for_missing(const fs::path& path, const Origin& origin) {
    const auto folder = credentials_folder(origin);
    const std::string name = path.filename().string();
    const bool has_folder = access(folder.c_str(), F_OK) == 0;
    if (has_folder && (std::getenv("CREDENTIALS_DIRECTORY") != nullptr || access(folder.c_str(), X_OK) == 0))
        return "write it to " + (folder / name).string() + ", which only root can read (mode 0600)";
    if (has_folder) return "if it is in " + folder.string() + ", which you cannot read, run this as root";
    return "create it with mode 0600, or give the service a systemd credential named " + name;
}

bool is_control(char c) {
    const auto byte = static_cast<unsigned char>(c);
    return byte < 0x20 || byte == 0x7F;
}

// Editors add one newline at the end. It is not part of the secret.
void trim_newline(std::string& text) {
    if (text.ends_with('\n')) text.pop_back();
    if (text.ends_with('\r')) text.pop_back();
}

using ErrorReport = std::function<void(std::string message, std::string hint)>;

// The text of the file. Errors go to `report`, without the content.
std::optional<std::string> content_of(const fs::path& source, const ErrorReport& report) {
    std::error_code error;
    if (fs::is_regular_file(source, error) && fs::file_size(source, error) > max_secret_bytes) {
        report(source.string() + " is too large for a secret", "check that it is the right file");
        return std::nullopt;
    }
    auto content = read_file(source);
    if (!content) {
        report(source.string() + ": " + content.error().message, "give the service's user permission to read it");
        return std::nullopt;
    }
    return std::move(*content);
}

// The secret on the single line of the file.
std::optional<Secret> single_line_secret(const fs::path& source, const ErrorReport& report) {
    auto content = content_of(source, report);
    if (!content) return std::nullopt;
    trim_newline(*content);
    if (content->find_first_not_of(' ') == std::string::npos) {
        report(source.string() + " is empty", "write the value to it, on one line");
        return std::nullopt;
    }
    if (std::ranges::any_of(*content, is_control)) {
        report(source.string() + " contains more than one line of text", "write only the value to it");
        return std::nullopt;
    }
    return Secret(std::move(*content));
}

// A secret of several lines, such as a private key.
std::optional<Secret> multi_line_secret(const fs::path& source, const ErrorReport& report) {
    auto content = content_of(source, report);
    if (!content) return std::nullopt;
    if (content->find_first_not_of(" \r\n") == std::string::npos) {
        report(source.string() + " is empty", "write the key to it");
        return std::nullopt;
    }
    return Secret(std::move(*content));
}

// The named file, or the credential of that file name.
std::optional<fs::path> source_of(text::YamlReader& reader, const text::YamlNode& node, const std::string& name,
                                  const Origin& origin, const fs::path& file) {
    const fs::path path = origin.resolve(file);
    auto source = find_secret(path, origin);
    if (!source) reader.error(node, name + ": no such file: " + path.string(), remedy_for_missing(path, origin));
    if (struct stat found{};
        source == path && stat(path.c_str(), &found) == 0 && (found.st_mode & (S_IRWXG | S_IRWXO)) != 0) {
        reader.warning(node, name + ": other users can read " + path.string(), "run chmod 600 " + path.string());
    }
    return source;
}

ErrorReport report_at(text::YamlReader& reader, const text::YamlNode& node, const std::string& name) {
    return [&reader, &node, name](std::string message, std::string hint) {
        reader.error(node, name + ": " + std::move(message), std::move(hint));
    };
}

}  // namespace

std::optional<Secret> read_secret(text::YamlReader& reader, const text::YamlNode& node, std::string_view what,
                                  const Origin& origin, const fs::path& file) {
    const auto source = source_of(reader, node, std::string(what), origin, file);
    if (!source) return std::nullopt;
    return single_line_secret(*source, report_at(reader, node, std::string(what)));
}

std::optional<Secret> read_secret_text(text::YamlReader& reader, const text::YamlNode& node, std::string_view what,
                                       const Origin& origin, const fs::path& file) {
    const auto source = source_of(reader, node, std::string(what), origin, file);
    if (!source) return std::nullopt;
    return multi_line_secret(*source, report_at(reader, node, std::string(what)));
}

std::optional<Secret> read_credential(text::YamlReader& reader, std::string_view name, const Origin& origin) {
    const auto source = credential(std::string(name), origin);
    if (!source) return std::nullopt;
    return single_line_secret(*source, [&](std::string message, std::string hint) {
        reader.error(0, 0, "the systemd credential " + std::string(name) + ": " + message, std::move(hint));
    });
}

}  // namespace drawbridge::config
