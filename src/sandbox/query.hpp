#pragma once
// Owns the query string of the list: percent-decoding, paging, sorting and the filters with their operators.
// Must never ignore a parameter that it doesn't understand unless configured to: a filter that is silently dropped
// shows too much.

#include <cstdint>
#include <expected>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "draw.hpp"
#include "message.hpp"
#include "options.hpp"

namespace draws_sandbox {

enum class Operator : std::uint8_t { equal, gt, gte, lt, lte, contains, starts_with, ends_with };

// A double only for an amount with fractions of a cent, which compares between two cents.
using Operand = std::variant<std::int64_t, double, std::string>;

struct Filter {
    Field field;
    Operator op;
    Operand operand;
};

struct ListQuery {
    std::int64_t page_number = 1;
    std::int64_t page_size = 50;
    Field sort_by = Field::id;
    bool descending = false;
    std::vector<Filter> filters;
    std::int64_t shift = 0;  // set only by a fault: offset of the page in draws
};

using Parameters = std::vector<std::pair<std::string, std::string>>;

// Decodes %XX and '+'; nullopt: an invalid escape. Also for form bodies, which have the same format.
[[nodiscard]] std::optional<Parameters> parse_parameters(std::string_view query);

[[nodiscard]] std::expected<ListQuery, Problem> parse_list_query(std::string_view query, const Options& options);

// All of `text` as a decimal integer.
[[nodiscard]] std::optional<std::int64_t> parse_integer(std::string_view text);

}  // namespace draws_sandbox
