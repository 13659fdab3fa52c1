#pragma once
// Owns how a draw and its values are written as JSON, and read from JSON and query text.
// Must never compute with an amount in floating point: cents in, decimal text out.

#include <cstdint>
#include <expected>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <string_view>

#include "draw.hpp"

namespace draws_sandbox {

// The fields of a draw to write: the published draw record, or everything that the portal shows.
enum class View { published, portal };

void append_json_string(std::string& out, std::string_view text);
// 100, 100.5, 100.25: as a service that stores a double prints it.
void append_amount(std::string& out, std::int64_t cents);
void append_draw(std::string& out, const Draw& draw, View view);
[[nodiscard]] std::string draw_json(const Draw& draw, View view);

// Parses decimal text with at most two decimals into cents.
[[nodiscard]] std::optional<std::int64_t> parse_cents(std::string_view text);

// Parses a body. nullopt: not valid JSON, or nested deeper than 64 levels, which would exhaust the stack of a recursive
// walk.
[[nodiscard]] std::optional<nlohmann::json> parse_json(std::string_view text);

// A value for `field` from a JSON body; the error names what was expected but not the field.
[[nodiscard]] std::expected<Value, std::string> value_from_json(Field field, const nlohmann::json& json);

}  // namespace draws_sandbox
