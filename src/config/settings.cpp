#include "drawbridge/config/settings.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>

#include "drawbridge/domain/digest.hpp"
#include "drawbridge/text/sanitize.hpp"
#include "drawbridge/text/yaml.hpp"
#include "secret_files.hpp"

namespace drawbridge::config {
namespace {

using text::YamlNode;

void flatten(const YamlNode& node, const std::string& path, std::vector<std::string>& lines) {
    switch (node.kind()) {
        case YamlNode::Kind::null: lines.push_back(fmt::format("{}: ", path)); return;
        case YamlNode::Kind::scalar:
            lines.push_back(fmt::format("{}: {}", path, text::for_terminal(node.scalar())));
            return;
        case YamlNode::Kind::sequence:
            for (std::size_t i = 0; i < node.items().size(); ++i)
                flatten(node.items()[i], fmt::format("{}[{}]", path, i), lines);
            return;
        case YamlNode::Kind::map:
            for (const auto& entry : node.entries())
                flatten(entry.value, path.empty() ? entry.key : fmt::format("{}.{}", path, entry.key), lines);
            return;
    }
}

using Settings = std::map<std::string_view, std::string_view>;

Settings parse(std::string_view lines) {
    Settings settings;
    while (!lines.empty()) {
        const auto line = lines.substr(0, lines.find('\n'));
        lines.remove_prefix(std::min(lines.size(), line.size() + 1));
        const auto colon = line.find(": ");
        if (colon != std::string_view::npos) settings.emplace(line.substr(0, colon), line.substr(colon + 2));
    }
    return settings;
}

// Decides by the last part of the path, without the index in a list.
bool is_shown(std::string_view path) {
    if (path.ends_with("_file") || path.find("_files[") != std::string_view::npos) return true;  // a path
    auto name = path.substr(path.rfind('.') + 1);
    name = name.substr(0, name.find('['));
    constexpr std::string_view hidden[] = {"url",         "account",     "secret", "passphrase", "password",
                                           "signing_key", "sealing_key", "proxy",  "client_id",  "token"};
    return std::ranges::none_of(hidden, [&](auto word) { return name.find(word) != std::string_view::npos; }) ||
           name == "base_url" || path.starts_with("ach.offset.account_type");
}

std::string value(std::string_view path, std::string_view text) {
    return is_shown(path) ? std::string(text) : "(not shown)";
}

}  // namespace

std::string settings_of(const YamlNode& root) {
    std::vector<std::string> lines;
    flatten(root, "", lines);
    std::ranges::sort(lines);
    return fmt::format("{}\n", fmt::join(lines, "\n"));
}

std::vector<std::string> what_changed(std::string_view before, std::string_view now) {
    const auto old = parse(before), fresh = parse(now);
    std::vector<std::string> changes;
    for (const auto& [path, text] : old) {
        const auto found = fresh.find(path);
        if (found == fresh.end()) {
            changes.push_back(fmt::format("{}: removed {}", path, value(path, text)));
        } else if (found->second != text) {
            changes.push_back(fmt::format("{}: {} -> {}", path, value(path, text), value(path, found->second)));
        }
    }
    for (const auto& [path, text] : fresh) {
        if (!old.contains(path)) changes.push_back(fmt::format("{}: added {}", path, value(path, text)));
    }
    std::ranges::sort(changes);
    return changes;
}

std::string digest_of_settings(std::string_view settings) {
    constexpr std::string_view of_one_machine[] = {
        "state_dir: ", "ledger.witness: ", "ledger.read_url: ", "metrics.listen: "};
    Sha256 common;
    while (!settings.empty()) {
        const auto line = settings.substr(0, settings.find('\n') + 1);
        settings.remove_prefix(line.size());
        if (std::ranges::none_of(of_one_machine, [&](auto word) { return line.starts_with(word); }))
            common.update(line);
    }
    return common.hex();
}

}  // namespace drawbridge::config
