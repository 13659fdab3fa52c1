// A response from what a handler answers. Private to this module.
#pragma once

#include "call.hpp"

namespace drawbridge::admin {

[[nodiscard]] Response respond(const Answer& answer);

}  // namespace drawbridge::admin
