#include "wire.hpp"

#include <fmt/format.h>

#include <charconv>
#include <cmath>
#include <iterator>
#include <nlohmann/json.hpp>

namespace draws_sandbox {
namespace {

constexpr std::int64_t max_cents = 9'000'000'000'000'00;  // above this a double cannot represent every cent

void append_integer(std::string& out, std::int64_t value) {
    fmt::format_to(std::back_inserter(out), "{}", value);
}

void append_value(std::string& out, Kind kind, const Value& value) {
    if (std::holds_alternative<std::monostate>(value)) {
        out += "null";
        return;
    }
    switch (kind) {
        case Kind::integer: append_integer(out, std::get<std::int64_t>(value)); break;
        case Kind::amount: append_amount(out, std::get<std::int64_t>(value)); break;
        case Kind::instant:
            out += '"';
            append_instant(out, Instant{std::chrono::milliseconds{std::get<std::int64_t>(value)}});
            out += '"';
            break;
        case Kind::text: append_json_string(out, std::get<std::string>(value)); break;
    }
}

std::expected<Value, std::string> amount_from_json(const nlohmann::json& json) {
    if (json.is_number_integer()) {
        const auto whole = json.get<std::int64_t>();
        if (std::abs(whole) > max_cents / 100) return std::unexpected("an amount is too large");
        return whole * 100;
    }
    if (!json.is_number_float()) return std::unexpected("expected a number");
    // For every amount of up to 15 digits, the shortest text of the double is the text that was sent.
    const auto cents = parse_cents(fmt::format("{}", json.get<double>()));
    if (!cents) return std::unexpected("expected an amount with at most two decimals");
    return *cents;
}

std::expected<Value, std::string> instant_from_json(const nlohmann::json& json) {
    if (!json.is_string()) return std::unexpected("expected a date-time as a string");
    const auto instant = parse_instant(json.get_ref<const std::string&>());
    if (!instant) return std::unexpected("expected a UTC date-time such as 2025-03-04T05:06:07");
    return instant_value(*instant);
}

}  // namespace

void append_json_string(std::string& out, std::string_view text) {
    out += '"';
    for (const char c : text) {
        switch (c) {
            case '"': out += "\\\""; break;
            case '\\': out += "\\\\"; break;
            case '\n': out += "\\n"; break;
            case '\r': out += "\\r"; break;
            case '\t': out += "\\t"; break;
            default:
                if (static_cast<unsigned char>(c) < 0x20) {
                    fmt::format_to(std::back_inserter(out), "\\u{:04x}", static_cast<unsigned char>(c));
                } else {
                    out += c;
                }
        }
    }
    out += '"';
}

void append_amount(std::string& out, std::int64_t cents) {
    if (cents < 0) {
        out += '-';
        cents = -cents;
    }
    append_integer(out, cents / 100);
    const auto rest = cents % 100;
    if (rest == 0) return;
    out += '.';
    out += static_cast<char>('0' + rest / 10);
    if (rest % 10 != 0) out += static_cast<char>('0' + rest % 10);
}

void append_draw(std::string& out, const Draw& draw, View view) {
    const auto count = view == View::portal ? field_count : published_field_count;
    char separator = '{';
    for (std::size_t i = 0; i < count; ++i) {
        out += separator;
        separator = ',';
        out += '"';
        out += fields[i].name;
        out += "\":";
        append_value(out, fields[i].kind, draw[static_cast<Field>(i)]);
    }
    out += '}';
}

std::string draw_json(const Draw& draw, View view) {
    std::string out;
    out.reserve(1024);
    append_draw(out, draw, view);
    return out;
}

std::optional<std::int64_t> parse_cents(std::string_view text) {
    const bool negative = text.starts_with('-');
    if (negative) text.remove_prefix(1);
    const auto point = text.find('.');
    const auto whole_text = text.substr(0, point);
    const auto decimals = point == std::string_view::npos ? std::string_view{} : text.substr(point + 1);
    if (point != std::string_view::npos && decimals.empty()) return std::nullopt;
    if (whole_text.empty() || decimals.size() > 2) return std::nullopt;
    const auto digits_only = [](std::string_view part) {
        return part.find_first_not_of("0123456789") == std::string_view::npos;
    };
    if (!digits_only(whole_text) || !digits_only(decimals)) return std::nullopt;
    std::int64_t whole = 0;
    if (std::from_chars(whole_text.data(), whole_text.data() + whole_text.size(), whole).ec != std::errc{}) {
        return std::nullopt;
    }
    if (whole > max_cents / 100) return std::nullopt;
    std::int64_t cents = 0;
    if (!decimals.empty()) cents += std::int64_t{10} * (decimals[0] - '0');
    if (decimals.size() == 2) cents += decimals[1] - '0';
    cents += whole * 100;
    return negative ? -cents : cents;
}

std::optional<nlohmann::json> parse_json(std::string_view text) {
    constexpr int deepest = 64;
    bool is_too_deep = false;
    const auto watch = [&](int depth, nlohmann::json::parse_event_t, nlohmann::json&) {
        is_too_deep = is_too_deep || depth > deepest;
        return !is_too_deep;
    };
    auto json = nlohmann::json::parse(text, watch, /*allow_exceptions=*/false);
    if (is_too_deep || json.is_discarded()) return std::nullopt;
    return json;
}

std::expected<Value, std::string> value_from_json(Field field, const nlohmann::json& json) {
    if (json.is_null()) {
        if (!info(field).nullable) return std::unexpected("must not be null");
        return std::expected<Value, std::string>{};  // a null
    }
    switch (info(field).kind) {
        case Kind::integer:
            if (!json.is_number_integer()) return std::unexpected("expected an integer");
            return json.get<std::int64_t>();
        case Kind::amount: return amount_from_json(json);
        case Kind::instant: return instant_from_json(json);
        case Kind::text:
            if (!json.is_string()) return std::unexpected("expected a string");
            return json.get<std::string>();
    }
    return std::unexpected("unknown kind of field");
}

}  // namespace draws_sandbox
