// The error answer of the operators' API. Private to this module.
#pragma once

#include <string_view>

#include "drawbridge/admin/handlers.hpp"

namespace drawbridge::admin {

// {"error": {"code", "message"}}. Replaces bytes that are not UTF-8.
[[nodiscard]] Response error_answer(int status, std::string_view code, std::string_view message);

}  // namespace drawbridge::admin
