// The check register with its filter, and its summary for GET /status. Private to this module.
#pragma once

#include "drawbridge/admin/handlers.hpp"
#include "page.hpp"
#include "views.hpp"

namespace drawbridge::admin {

// Checks dated then or before are stale.
[[nodiscard]] BusinessDate stale_until(const AdminContext& context);

[[nodiscard]] Answer get_checks(AdminContext& context, const Call& call);

// `act` is void, stop or withdraw. Returns the check's row.
[[nodiscard]] Result<json> act_on_check(AdminContext& context, std::int64_t check_number, const std::string& act,
                                        const std::string& reason, const ledger::Stamp& stamp);

}  // namespace drawbridge::admin
