#include "drawbridge/config/input_files.hpp"

#include <algorithm>
#include <string_view>
#include <system_error>
#include <utility>

#include "drawbridge/config/read_file.hpp"
#include "drawbridge/text/yaml.hpp"
#include "secret_files.hpp"
#include "sections.hpp"
#include "values.hpp"

namespace drawbridge::config {
namespace {

namespace fs = std::filesystem;
using text::YamlNode;

std::optional<fs::path> path_in(const YamlNode* node, const Origin& origin) {
    if (node == nullptr || node->kind() != YamlNode::Kind::scalar || node->scalar().empty()) return std::nullopt;
    return origin.resolve(node->scalar());
}

std::optional<fs::path> if_exists(fs::path path) {
    std::error_code error;
    if (!fs::exists(path, error)) return std::nullopt;
    return path;
}

// The named file, whether it exists or not; otherwise the default file, if it exists.
std::optional<fs::path> file_in(const YamlNode* node, const fs::path& usual, const Origin& origin) {
    auto named = path_in(node, origin);
    return named ? named : if_exists(origin.resolve(usual));
}

void add_profiles(InputFiles& files, const YamlNode* profiles, const Origin& origin) {
    if (profiles == nullptr || profiles->kind() != YamlNode::Kind::sequence) return;
    for (const YamlNode& item : profiles->items()) {
        const Values values(&item);
        const auto file = path_in(values.node("profile"), origin);
        const YamlNode* format = values.node("format");
        if (!file || format == nullptr || format->kind() != YamlNode::Kind::scalar) continue;
        const bool is_csv = format->scalar() == "csv" || format->scalar() == "acknowledgment";
        if (!is_csv && format->scalar() != "paid_checks") continue;
        auto& list = is_csv ? files.csv_profiles : files.paid_check_layouts;
        if (std::ranges::find(list, *file) == list.end()) list.push_back(*file);
    }
}

}  // namespace

InputFiles find_input_files(const fs::path& config_file) {
    std::error_code error;
    const fs::path file = fs::absolute(config_file, error).lexically_normal();
    const Origin origin{file.parent_path()};
    InputFiles files;
    const auto content = read_file(file);
    if (!content) return files;
    const auto parsed = text::parse_yaml(*content, file.string());
    const Values values(parsed ? &*parsed : nullptr);
    files.rules = file_in(values.node("rules.file"), "rules.yaml", origin);
    files.rule_tests = path_in(values.node("rules.tests"), origin);
    if (!files.rule_tests && files.rules) files.rule_tests = if_exists(files.rules->parent_path() / "rules.test.yaml");
    files.payees = file_in(values.node("payees.file"), "payees.csv", origin);
    if (!parsed || values.node("checks") != nullptr)
        files.check_layout = file_in(values.node("checks.layout"), "layouts/issue-csv.yaml", origin);
    add_profiles(files, values.node("confirmations.profiles"), origin);
    files.state_dir = path_in(values.node("state_dir"), origin);
    const auto key = path_in(values.node("ledger.sealing_key_file"), origin);
    files.sealing_key = key ? find_secret(*key, origin) : credential("sealing_key", origin);
    files.is_ledger_on_server = values.node("ledger.url") != nullptr;
    return files;
}

}  // namespace drawbridge::config
