// What the OpenAPI document says of each route beyond the table of routes. Private to this module.
//
// Members are written `name:type`, separated by blanks; `name?` may be missing, `type?` may be null. Types: text,
// content (text that may have any character), int, number, bool, true, money ("1234.50"), amount (also
// "1234.5" and "1234"), instant, date, any, `a|b`
// (one of these texts), `[type]` (a list), and the names of shapes; of the product's own lists: draw_state, file_state,
// check_state, step. An answer may be a shape. documented.cpp refuses requests that these words do not describe.
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
// nullptr: the route has no words.
[[nodiscard]] const RouteWords* words_of(std::string_view method, std::string_view pattern);

struct Member {
    std::string name, type;
    bool required = true;
};
[[nodiscard]] std::vector<Member> members_in(std::string_view list);

// The records of answers; their members follow from the records' own descriptions.
struct Shape {
    std::string name, members;
};
[[nodiscard]] const std::vector<Shape>& shapes();
// The members of "expect": what the person saw. The act is refused if it has changed since.
[[nodiscard]] std::span<const Shape> request_shapes();

}  // namespace drawbridge::admin
