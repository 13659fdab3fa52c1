// The responses of the operators' API. Private to this module.
#pragma once

#include <string_view>

#include "call.hpp"

namespace drawbridge::admin {

// {"error": {"code", "message"}}, with the members of `more` beside them. Replaces bytes that are not UTF-8.
[[nodiscard]] Response error_answer(int status, std::string_view code, std::string_view message,
                                    const json& more = json::object());
// 405. `what`: "POST /status". `allowed`: "GET, HEAD".
[[nodiscard]] Response refuse_method(const std::string& what, const std::string& allowed);
// What a handler answers.
[[nodiscard]] Response respond(const Answer& answer);

}  // namespace drawbridge::admin
