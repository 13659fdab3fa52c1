// What the OpenAPI document says of each route beyond the table of routes. Private to this module.
//
// Members are written `name:type`, separated by blanks; `name?` may be missing, `type?` may be null. Types: text, int,
// number, bool, true, money ("1234.50"), instant, date, any, `a|b` (one of these texts), `[type]` (a list), and the
// names of shapes; of the product's own lists: draw_state, file_state, check_state, step. An answer may be a shape.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace drawbridge::admin {

struct RouteWords {
    std::string_view method, pattern, summary;
    // The `*` of the pattern, the query's parameters, the body's members, and those of a good answer.
    std::string_view variables = {}, query = {}, body = {}, answer = {};
};
[[nodiscard]] std::span<const RouteWords> route_words();

// The records of answers; their members follow from the records' own descriptions.
struct Shape {
    std::string name, members;
};
[[nodiscard]] const std::vector<Shape>& shapes();

}  // namespace drawbridge::admin
