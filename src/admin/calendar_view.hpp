// GET /calendar and GET /forecast: banking days, cut-offs, and cash by the day on which it settles. Private to this
// module.
#pragma once

#include "call.hpp"

namespace drawbridge::admin {

[[nodiscard]] Answer get_calendar(AdminContext& context, const Call& call);
[[nodiscard]] Answer get_forecast(AdminContext& context, const Call& call);

}  // namespace drawbridge::admin
