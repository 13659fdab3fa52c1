#include "section.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "drawbridge/config/keys.hpp"
#include "drawbridge/domain/assert.hpp"

namespace drawbridge::config {

using text::YamlNode;
using text::YamlReader;

namespace {

// A duration of the table.
std::chrono::milliseconds length(std::string_view text) {
    const auto value = text::parse_duration_ms(text);
    DRAWBRIDGE_ASSERT(value.has_value(), "the table has durations");
    return std::chrono::milliseconds(*value);
}

}  // namespace

Section::Section(YamlReader& reader, const YamlNode* node, std::string name)
    : reader_(reader), node_(node), name_(std::move(name)) {
    const std::string shown = name_.empty() ? "the configuration" : "'" + name_ + "'";
    if (node_ != nullptr && !reader_.check_map(*node_, keys_under(name_), shown)) node_ = nullptr;
    if (node_ == nullptr) return;
    refuse_old_names();
    refuse_shell_paths();
}

// A key that was renamed is an error that names the new key, so that nobody runs with a default by accident.
void Section::refuse_old_names() const {
    for (const Key& key : keys()) {
        if (key.renamed_to.empty()) continue;
        const auto name = key.path.substr(key.path.rfind('.') + 1);
        if (what(name) != key.path) continue;
        const YamlNode* node = find(name);
        if (node == nullptr) continue;
        reader_.error(*node, fmt::format("{} is now called {}", key.path, key.renamed_to),
                      fmt::format("write {} instead", what(key.renamed_to)));
    }
}

// Only a shell expands ~ and $HOME. Drawbridge would create a folder of that name.
void Section::refuse_shell_paths() const {
    for (const Key& key : keys()) {
        if (key.kind != KeyKind::file && key.kind != KeyKind::secret_file) continue;
        const auto name = key.path.substr(key.path.rfind('.') + 1);
        const YamlNode* node = what(name) == key.path ? find(name) : nullptr;
        if (node == nullptr || node->kind() != YamlNode::Kind::scalar) continue;
        if (!node->scalar().starts_with('~') && !node->scalar().starts_with('$')) continue;
        reader_.error(*node,
                      fmt::format("{}: {} is not expanded: only a shell knows ~ and $", key.path, node->scalar()),
                      "write the whole path, like /home/anna/office");
    }
}

Section Section::child(std::string_view key) const {
    return {reader_, find(key), what(key)};
}

const YamlNode* Section::find(std::string_view key) const {
    return node_ == nullptr ? nullptr : YamlReader::find(*node_, key);
}

const YamlNode* Section::require(std::string_view key) const {
    if (node_ == nullptr) return nullptr;  // the caller reports that the whole section is missing
    return reader_.require(*node_, key, name_.empty() ? "the configuration" : "'" + name_ + "'");
}

std::string Section::what(std::string_view key) const {
    return name_.empty() ? std::string(key) : name_ + "." + std::string(key);
}

std::int64_t Section::integer(std::string_view key) const {
    const Key& row = key_at(what(key));
    const std::int64_t low = table_number(row.low);
    const std::int64_t fallback = row.fallback.empty() ? low : table_number(row.fallback);
    const YamlNode* node = find(key);
    if (node == nullptr) return fallback;
    return reader_.integer_in(*node, what(key), low, table_number(row.high)).value_or(fallback);
}

std::chrono::milliseconds Section::duration(std::string_view key) const {
    const Key& row = key_at(what(key));
    // The caller handles a default that is a word ("never"). A wrong duration then counts as the longest.
    const bool is_word = !row.fallback.empty() && row.fallback == row.choices;
    const auto fallback = length(is_word ? row.high : row.fallback.empty() ? row.low : row.fallback);
    const YamlNode* node = find(key);
    if (node == nullptr) return fallback;
    const auto value = reader_.duration_ms(*node, what(key));
    if (!value) return fallback;
    const std::chrono::milliseconds written(*value);
    if (written >= length(row.low) && written <= length(row.high)) return written;
    reader_.error(*node, what(key) + " is " + node->scalar(),
                  fmt::format("it must be from {} to {}", row.low, row.high));
    return fallback;
}

std::string Section::text(std::string_view key, std::string_view fallback) const {
    const YamlNode* node = find(key);
    if (node == nullptr) return std::string(fallback);
    return reader_.text(*node, what(key)).value_or(std::string(fallback));
}

std::optional<std::string> Section::required_text(std::string_view key) const {
    const YamlNode* node = require(key);
    return node == nullptr ? std::nullopt : reader_.text(*node, what(key));
}

std::size_t Section::choice_of(std::string_view key, const std::vector<std::string_view>& names) const {
    const YamlNode* node = find(key);
    if (node == nullptr) return 0;
    const auto written = reader_.text(*node, what(key));
    if (!written) return 0;
    const auto found = std::ranges::find(names, *written);
    if (found != names.end()) return static_cast<std::size_t>(found - names.begin());
    std::string list;
    for (const std::string_view name : names) {
        if (!list.empty()) list += ", ";
        list += name;
    }
    const std::string_view meant = text::closest_match(*written, names);
    reader_.error(*node, what(key) + " cannot be '" + *written + "'",
                  meant.empty() ? "use one of " + list : "did you mean '" + std::string(meant) + "'?");
    return 0;
}

}  // namespace drawbridge::config
