// The read-only routes of the operators' API. Private to this module.
#pragma once

#include "call.hpp"

namespace drawbridge::admin {

[[nodiscard]] Answer get_runs(AdminContext& context, const Call& call);
[[nodiscard]] Answer get_draw(AdminContext& context, const Call& call);
[[nodiscard]] Answer get_exception(AdminContext& context, const Call& call);
[[nodiscard]] Answer get_exceptions(AdminContext& context, const Call& call);
[[nodiscard]] Answer get_backups(AdminContext& context, const Call& call);
[[nodiscard]] Answer get_alerts(AdminContext& context, const Call& call);
[[nodiscard]] Answer get_reconcile(AdminContext& context, const Call& call);

}  // namespace drawbridge::admin
