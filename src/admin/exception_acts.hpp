// What people do about exceptions: resolve, undo, pay again. Private to this module.
#pragma once

#include <cstdint>
#include <vector>

#include "call.hpp"

namespace drawbridge::admin {

// POST /exceptions/ID/resolve and /undo
[[nodiscard]] Answer act_on_exception(AdminContext& context, const Call& call);
// The exceptions that this is about: at most 500.
[[nodiscard]] Result<std::vector<std::int64_t>> exception_ids(const Call& call);
// POST /exceptions/resolve: all or none, with one reason.
[[nodiscard]] Answer resolve_exceptions(AdminContext& context, const Call& call);
// What a reissue pays and to whom, as the payee is in the directory now: {"draw", "amount", "payee", "name",
// "account"}. A signature is over it. Errors: as the act itself.
[[nodiscard]] Result<json> expected_reissue(AdminContext& context, const Call& call);
// POST /exceptions/ID/reissue and /draws/ID/reissue
[[nodiscard]] Answer reissue(AdminContext& context, const Call& call);

}  // namespace drawbridge::admin
