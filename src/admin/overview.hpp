// What a page asks all the time and what a person asks in a hurry: the pulse, and find. Private to this module.
#pragma once

#include "call.hpp"

namespace drawbridge::admin {

[[nodiscard]] Answer get_pulse(AdminContext& context);
[[nodiscard]] Answer find_anything(AdminContext& context, const Call& call);

}  // namespace drawbridge::admin
