// JSON with its numbers kept as the text that came: an amount must never pass through floating point. Owns reading
// only; what the values mean is decided by the codecs.
#pragma once

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
using JsonObject = std::vector<JsonMember>;  // in order, repeated names kept

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

// ErrorCode::protocol says at which byte the text stops being JSON.
[[nodiscard]] Result<JsonValue> parse_json(std::string_view text);

// The first member of that name; nullptr when there is none.
[[nodiscard]] const JsonValue* find(const JsonObject& object, std::string_view name);

// A number whose value is a 64-bit integer, however it is written: "100", "100.0", "1e2".
[[nodiscard]] std::optional<std::int64_t> to_integer(std::string_view number);

// Compact JSON again, for messages to people.
[[nodiscard]] std::string to_text(const JsonValue& value);

}  // namespace drawbridge::service
