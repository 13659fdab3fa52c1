#include "values.hpp"

#include <algorithm>
#include <charconv>

#include "drawbridge/config/keys.hpp"

namespace drawbridge::config {

using text::YamlNode;

const YamlNode* Values::node(std::string_view path) const {
    const YamlNode* at = root_;
    while (at != nullptr && !path.empty()) {
        const auto dot = std::min(path.find('.'), path.size());
        const bool is_map = at->kind() == YamlNode::Kind::map;
        at = is_map ? text::YamlReader::find(*at, path.substr(0, dot)) : nullptr;
        path.remove_prefix(std::min(dot + 1, path.size()));
    }
    return at;
}

std::string Values::text(std::string_view path) const {
    const YamlNode* found = node(path);
    if (found != nullptr && found->kind() == YamlNode::Kind::scalar) return found->scalar();
    const auto key = std::ranges::find(keys(), path, &Key::path);
    std::string fallback(key == keys().end() ? std::string_view() : key->fallback);
    std::erase(fallback, '"');
    return fallback;
}

std::int64_t Values::number(std::string_view path) const {
    const auto digits = text(path);
    std::int64_t value = 0;
    std::from_chars(digits.data(), digits.data() + digits.size(), value);
    return value;
}

disbursement::NumberRange Values::range(std::string_view from, std::string_view to) const {
    return {number(from), number(to)};
}

}  // namespace drawbridge::config
