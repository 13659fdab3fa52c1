#include "drawbridge/config/read_file.hpp"

#include <cerrno>
#include <fstream>
#include <sstream>
#include <system_error>
#include <utility>

#include "drawbridge/text/show.hpp"

namespace drawbridge::config {

namespace fs = std::filesystem;

Result<std::string> read_file(const fs::path& path, std::uint64_t max_bytes) {
    const auto refuse = [](const std::string& why) { return fail(ErrorCode::invalid_input, "cannot be read: " + why); };
    const auto no_permission = [] {
        return fail(ErrorCode::unauthorized, "cannot be read: " + std::generic_category().message(EACCES));
    };
    std::error_code error;
    const auto status = fs::status(path, error);
    if (status.type() == fs::file_type::not_found) return fail(ErrorCode::not_found, "no such file");
    if (error == std::errc::permission_denied) return no_permission();
    if (error) return refuse(error.message());
    if (status.type() != fs::file_type::regular) return refuse("not a regular file");
    if (fs::file_size(path, error) > max_bytes && !error)
        return refuse("it has more than " + text::grouped(static_cast<std::int64_t>(max_bytes)) + " bytes");
    errno = 0;
    std::ifstream stream(path, std::ios::binary);
    if (!stream && errno == EACCES) return no_permission();
    if (!stream) return refuse(std::generic_category().message(errno));
    std::ostringstream content;
    content << stream.rdbuf();
    if (stream.bad()) return refuse("reading failed");
    return std::move(content).str();
}

std::optional<text::YamlNode> read_map(const fs::path& path) {
    const auto content = read_file(path);
    if (!content) return std::nullopt;
    auto root = text::parse_yaml(*content, path.string());
    if (!root || root->kind() != text::YamlNode::Kind::map) return std::nullopt;
    return std::move(*root);
}

}  // namespace drawbridge::config
