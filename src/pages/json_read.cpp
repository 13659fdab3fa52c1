#include "json_read.hpp"

namespace drawbridge::pages {
namespace {

template <class T>
std::optional<T> or_nothing(Result<T> read) {
    if (!read) return std::nullopt;
    return *read;
}

}  // namespace

const Json& field(const Json& from, std::string_view key) {
    static const Json nothing = nullptr;
    if (!from.is_object()) return nothing;
    const auto found = from.find(key);
    return found == from.end() ? nothing : *found;
}

const Json& list_in(const Json& from, std::string_view key) {
    static const Json empty = Json::array();
    const Json& value = field(from, key);
    return value.is_array() ? value : empty;
}

std::string text_of(const Json& value) {
    if (value.is_string()) return value.get<std::string>();
    if (value.is_number_integer()) return std::to_string(value.get<std::int64_t>());
    if (value.is_number() || value.is_boolean()) return value.dump();
    return {};
}

std::string text_in(const Json& from, std::string_view key) {
    return text_of(field(from, key));
}

std::optional<std::int64_t> number_in(const Json& from, std::string_view key) {
    const Json& value = field(from, key);
    if (!value.is_number_integer()) return std::nullopt;
    return value.get<std::int64_t>();
}

std::int64_t count_in(const Json& from, std::string_view key) {
    return number_in(from, key).value_or(0);
}

bool flag_in(const Json& from, std::string_view key) {
    const Json& value = field(from, key);
    return value.is_boolean() && value.get<bool>();
}

std::optional<Money> money_in(const Json& from, std::string_view key) {
    const std::string text = text_in(from, key);
    if (text.empty()) return std::nullopt;
    if (text.starts_with('-')) {
        const auto lost = or_nothing(Money::parse(std::string_view(text).substr(1)));
        return lost ? std::optional(Money() - *lost) : std::nullopt;
    }
    return or_nothing(Money::parse(text));
}

std::optional<Instant> instant_in(const Json& from, std::string_view key) {
    return or_nothing(parse_instant(text_in(from, key)));
}

std::optional<BusinessDate> date_in(const Json& from, std::string_view key) {
    return or_nothing(parse_date(text_in(from, key)));
}

}  // namespace drawbridge::pages
