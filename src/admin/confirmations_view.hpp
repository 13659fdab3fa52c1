// GET /confirmations: the files that the bank sent, and what became of each line. Private to this module.
#pragma once

#include "call.hpp"

namespace drawbridge::admin {

[[nodiscard]] Answer get_confirmations(AdminContext& context, const Call& call);
[[nodiscard]] Answer get_confirmation(AdminContext& context, const Call& call);

}  // namespace drawbridge::admin
