// GET /draws: the selection, its order and its page. Private to this module.
#pragma once

#include "call.hpp"

namespace drawbridge::admin {

[[nodiscard]] Answer get_draws(AdminContext& context, const Call& call);

}  // namespace drawbridge::admin
