#include "drawbridge/config/admin_socket.hpp"

#include <string>

#include "drawbridge/config/input_files.hpp"
#include "drawbridge/config/read_file.hpp"
#include "drawbridge/text/yaml.hpp"
#include "secret_files.hpp"

namespace drawbridge::config {
namespace {

namespace fs = std::filesystem;
using text::YamlNode;

const YamlNode* scalar_at(const YamlNode& map, std::string_view key) {
    if (map.kind() != YamlNode::Kind::map) return nullptr;
    const YamlNode* node = text::YamlReader::find(map, key);
    return node != nullptr && node->kind() == YamlNode::Kind::scalar ? node : nullptr;
}

}  // namespace

std::optional<fs::path> find_admin_socket(const fs::path& config_file) {
    std::error_code error;
    const fs::path file = fs::absolute(config_file, error).lexically_normal();
    const auto root = read_map(file);
    if (!root) return std::nullopt;
    const auto resolve = [&](const std::string& path) { return (file.parent_path() / path).lexically_normal(); };
    if (const YamlNode* admin = text::YamlReader::find(*root, "admin")) {
        if (const YamlNode* socket = scalar_at(*admin, "socket")) return resolve(socket->scalar());
    }
    const YamlNode* state_dir = scalar_at(*root, "state_dir");
    return resolve(state_dir == nullptr ? default_state_dir : state_dir->scalar()) / "drawbridge.sock";
}

}  // namespace drawbridge::config
