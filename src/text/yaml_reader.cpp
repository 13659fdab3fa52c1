#include <algorithm>
#include <charconv>
#include <limits>
#include <utility>

#include "drawbridge/text/yaml.hpp"

namespace drawbridge::text {
namespace {

// Describes the node for a message.
std::string describe(const YamlNode& node) {
    switch (node.kind()) {
        case YamlNode::Kind::null: return "nothing";
        case YamlNode::Kind::scalar: {
            constexpr std::size_t shown = 60;
            const std::string& text = node.scalar();
            const std::string cut = text.size() > shown ? text.substr(0, shown) + "..." : text;
            return node.is_quoted() ? "the quoted text '" + cut + "'" : "'" + cut + "'";
        }
        case YamlNode::Kind::sequence: return "a list";
        case YamlNode::Kind::map: return "a map";
    }
    return {};
}

std::string join(const std::vector<std::string_view>& names) {
    std::string list;
    for (const std::string_view name : names) {
        if (!list.empty()) list += ", ";
        list += name;
    }
    return list;
}

bool is_plain(const YamlNode& node) {
    return node.kind() == YamlNode::Kind::scalar && !node.is_quoted();
}

std::optional<std::int64_t> parse_integer(std::string_view text) {
    std::string_view digits = text;
    if (digits.starts_with('-')) digits.remove_prefix(1);
    if (digits.empty() || (digits.size() > 1 && digits.front() == '0')) return std::nullopt;  // 010: eight or ten?
    std::int64_t value = 0;
    const char* first = text.data();
    const char* last = first + text.size();
    const auto [end, error] = std::from_chars(first, last, value);
    if (error != std::errc() || end != last) return std::nullopt;
    return value;
}

// Milliseconds in one unit; 0 for an unknown unit.
std::int64_t unit_ms(std::string_view unit) {
    if (unit == "ms") return 1;
    if (unit == "s") return 1000;
    if (unit == "m") return 60LL * 1000;
    if (unit == "h") return 60LL * 60 * 1000;
    if (unit == "d") return 24LL * 60 * 60 * 1000;
    return 0;
}

}  // namespace

bool YamlReader::check_map(const YamlNode& node, const std::vector<std::string_view>& allowed, std::string_view what) {
    if (node.kind() != YamlNode::Kind::map) {
        error(node, std::string(what) + " must be a map of keys, not " + describe(node),
              "its keys are " + join(allowed));
        return false;
    }
    const auto& entries = node.entries();
    for (std::size_t i = 0; i < entries.size(); ++i) {
        const YamlNode::Entry& entry = entries[i];
        bool known = false;
        for (const std::string_view name : allowed)
            known = known || name == entry.key;
        if (!known) {
            const std::string_view meant = closest_match(entry.key, allowed);
            error(entry.line, entry.column, "unknown key '" + entry.key + "' in " + std::string(what),
                  meant.empty() ? "the keys here are " + join(allowed) : "did you mean '" + std::string(meant) + "'?");
        }
        for (std::size_t earlier = 0; earlier < i; ++earlier) {
            if (entries[earlier].key != entry.key) continue;
            error(entry.line, entry.column,
                  "duplicate key '" + entry.key + "' in " + std::string(what) + ", first on line " +
                      std::to_string(entries[earlier].line),
                  "keep one of them");
            break;
        }
    }
    return true;
}

const YamlNode* YamlReader::find(const YamlNode& map, std::string_view key) {
    if (map.kind() != YamlNode::Kind::map) return nullptr;
    for (const YamlNode::Entry& entry : map.entries()) {
        if (entry.key == key) return &entry.value;
    }
    return nullptr;
}

const YamlNode* YamlReader::require(const YamlNode& map, std::string_view key, std::string_view what) {
    const YamlNode* node = find(map, key);
    if (node == nullptr) {
        error(map, "missing key '" + std::string(key) + "' in " + std::string(what), "add '" + std::string(key) + ":'");
    }
    return node;
}

std::optional<std::string> YamlReader::text(const YamlNode& node, std::string_view what) {
    if (node.kind() != YamlNode::Kind::scalar) {
        error(node, std::string(what) + " must be text, not " + describe(node));
        return std::nullopt;
    }
    if (node.scalar().find_first_not_of(" \t\r\n") == std::string::npos) {
        error(node, std::string(what) + " is empty", "write some text here");
        return std::nullopt;
    }
    return node.scalar();
}

std::optional<std::int64_t> YamlReader::integer(const YamlNode& node, std::string_view what) {
    const auto value = is_plain(node) ? parse_integer(node.scalar()) : std::nullopt;
    if (!value) {
        error(node, std::string(what) + " must be a whole number, not " + describe(node),
              "write it in digits, without quotes, separators or leading zeros");
    }
    return value;
}

std::optional<std::int64_t> YamlReader::integer_in(const YamlNode& node, std::string_view what, std::int64_t low,
                                                   std::int64_t high) {
    const auto value = integer(node, what);
    if (!value) return std::nullopt;
    if (*value < low || *value > high) {
        error(node, std::string(what) + " is " + std::to_string(*value),
              "it must be from " + std::to_string(low) + " to " + std::to_string(high));
        return std::nullopt;
    }
    return value;
}

std::optional<bool> YamlReader::boolean(const YamlNode& node, std::string_view what) {
    if (is_plain(node) && node.scalar() == "true") return true;
    if (is_plain(node) && node.scalar() == "false") return false;
    error(node, std::string(what) + " must be true or false, not " + describe(node),
          "write true or false, without quotes");
    return std::nullopt;
}

std::optional<Money> YamlReader::money(const YamlNode& node, std::string_view what) {
    if (!is_plain(node)) {
        error(node, std::string(what) + " must be an amount, not " + describe(node),
              "write it like 2500.00, without quotes");
        return std::nullopt;
    }
    const std::string_view digits = std::string_view(node.scalar()).substr(node.scalar().starts_with('-') ? 1 : 0);
    const bool has_leading_zero = digits.size() > 1 && digits[0] == '0' && digits[1] != '.';
    if (has_leading_zero || digits.find_first_of("eE") != std::string_view::npos) {
        error(node, std::string(what) + ": '" + node.scalar().substr(0, 40) + "' is not an amount",
              "write it like 2500.00");
        return std::nullopt;
    }
    auto amount = Money::parse(node.scalar());
    if (!amount) {
        error(node, std::string(what) + ": " + amount.error().message);
        return std::nullopt;
    }
    return *amount;
}

std::optional<std::int64_t> parse_duration_ms(std::string_view text) {
    const std::size_t digits = std::min(text.find_first_not_of("0123456789"), text.size());
    const std::int64_t unit = unit_ms(text.substr(digits));
    std::int64_t count = 0;
    const char* first = text.data();
    const auto [end, error_code] = std::from_chars(first, first + digits, count);
    if (unit == 0 || error_code != std::errc() || count > std::numeric_limits<std::int64_t>::max() / unit) {
        return std::nullopt;
    }
    return count * unit;
}

std::optional<std::int64_t> YamlReader::duration_ms(const YamlNode& node, std::string_view what) {
    const auto length = is_plain(node) ? parse_duration_ms(node.scalar()) : std::nullopt;
    if (!length) {
        error(node, std::string(what) + " must be a duration, not " + describe(node),
              "write it like 500ms, 30s, 5m, 24h or 3d");
    }
    return length;
}

std::optional<std::vector<std::string>> YamlReader::texts(const YamlNode& node, std::string_view what) {
    if (node.kind() != YamlNode::Kind::sequence) {
        error(node, std::string(what) + " must be a list, not " + describe(node), "write it like [one, two]");
        return std::nullopt;
    }
    std::vector<std::string> values;
    bool good = true;
    for (const YamlNode& item : node.items()) {
        auto value = text(item, "each of " + std::string(what));
        good = good && value;
        if (value) values.push_back(std::move(*value));
    }
    if (!good) return std::nullopt;
    return values;
}

std::optional<std::vector<std::int64_t>> YamlReader::integers(const YamlNode& node, std::string_view what) {
    if (node.kind() != YamlNode::Kind::sequence) {
        error(node, std::string(what) + " must be a list of numbers, not " + describe(node), "write it like [12, 14]");
        return std::nullopt;
    }
    std::vector<std::int64_t> values;
    bool good = true;
    for (const YamlNode& item : node.items()) {
        const auto value = integer(item, "each of " + std::string(what));
        good = good && value;
        if (value) values.push_back(*value);
    }
    if (!good) return std::nullopt;
    return values;
}

void YamlReader::error(const YamlNode& at, std::string message, std::string hint) {
    error(at.line(), at.column(), std::move(message), std::move(hint));
}

void YamlReader::error(int line, int column, std::string message, std::string hint) {
    into_.push_back({file_, line, column, std::move(message), std::move(hint), Severity::error});
}

void YamlReader::warning(const YamlNode& at, std::string message, std::string hint) {
    into_.push_back({file_, at.line(), at.column(), std::move(message), std::move(hint), Severity::warning});
}

}  // namespace drawbridge::text
