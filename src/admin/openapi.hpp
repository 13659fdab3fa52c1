// GET /openapi.json: the operators' API as an OpenAPI 3.1 document, made from the table of routes. Private to this
// module.
#pragma once

#include "call.hpp"

namespace drawbridge::admin {

[[nodiscard]] Answer openapi(AdminContext& context);

}  // namespace drawbridge::admin
