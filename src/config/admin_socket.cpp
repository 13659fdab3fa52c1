#include "drawbridge/config/admin_socket.hpp"

#include <string>
#include <system_error>

#include "drawbridge/config/read_file.hpp"
#include "values.hpp"

namespace drawbridge::config {

namespace fs = std::filesystem;

std::optional<fs::path> find_admin_socket(const fs::path& config_file) {
    std::error_code error;
    const fs::path file = fs::absolute(config_file, error).lexically_normal();
    const auto root = read_map(file);
    if (!root) return std::nullopt;
    const Values values(&*root);
    const auto resolve = [&](const std::string& path) { return (file.parent_path() / path).lexically_normal(); };
    const auto* const socket = values.node("admin.socket");
    if (socket != nullptr && socket->kind() == text::YamlNode::Kind::scalar) return resolve(socket->scalar());
    return resolve(values.text("state_dir")) / "drawbridge.sock";
}

}  // namespace drawbridge::config
