// What people do about exceptions: resolve, undo, pay again. Private to this module.
#pragma once

#include "call.hpp"

namespace drawbridge::admin {

// POST /exceptions/ID/resolve and /undo
[[nodiscard]] Answer act_on_exception(AdminContext& context, const Call& call);
// POST /exceptions/resolve: all or none, with one reason.
[[nodiscard]] Answer resolve_exceptions(AdminContext& context, const Call& call);
// POST /exceptions/ID/reissue and /draws/ID/reissue
[[nodiscard]] Answer reissue(AdminContext& context, const Call& call);

}  // namespace drawbridge::admin
