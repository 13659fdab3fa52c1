// GET /audit: the audit trail, newest first. Private to this module.
#pragma once

#include "call.hpp"

namespace drawbridge::admin {

[[nodiscard]] Answer get_audit(AdminContext& context, const Call& call);

}  // namespace drawbridge::admin
