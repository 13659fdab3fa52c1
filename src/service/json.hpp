// JSON whose numbers keep their text: an amount must never pass through floating point. It only reads; the codecs
// interpret the values.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "drawbridge/domain/error.hpp"

namespace drawbridge::service {

struct JsonValue;
struct JsonMember;

// As written.
struct JsonNumber {
    std::string text;
};
using JsonArray = std::vector<JsonValue>;
using JsonObject = std::vector<JsonMember>;  // in order, with repeated names

struct JsonValue {
    std::variant<std::monostate, bool, JsonNumber, std::string, JsonArray, JsonObject> value;

    [[nodiscard]] bool is_null() const { return std::holds_alternative<std::monostate>(value); }
    [[nodiscard]] const JsonObject* object() const { return std::get_if<JsonObject>(&value); }
    [[nodiscard]] const JsonArray* array() const { return std::get_if<JsonArray>(&value); }
    [[nodiscard]] const std::string* string() const { return std::get_if<std::string>(&value); }
    [[nodiscard]] const JsonNumber* number() const { return std::get_if<JsonNumber>(&value); }
};

struct JsonMember {
    std::string name;
    JsonValue value;
};

struct JsonEnd;
// Why a text is no JSON that can be read: it is empty, a page for a browser, or wrong or beyond a limit at a byte.
[[nodiscard]] std::string why_not_json(std::string_view text, const JsonEnd& end);

// ErrorCode::protocol says why the text is not JSON.
[[nodiscard]] Result<JsonValue> parse_json(std::string_view text);

// The first member with that name, or nullptr.
[[nodiscard]] const JsonValue* find(const JsonObject& object, std::string_view name);

// A number with the value of a 64-bit integer in any notation: "100", "100.0", "1e2".
[[nodiscard]] std::optional<std::int64_t> to_integer(std::string_view number);

// Compact JSON text, for messages to people.
[[nodiscard]] std::string to_text(const JsonValue& value);

}  // namespace drawbridge::service
