// The routes about persons: what an admin or root proposes, and who confirms it. Private to this module.
//
// Root appoints the first admin: while no admin is able to act, root's links, unlinks, locks and unlocks, and that one
// appointment, take effect at once. Every other change waits: one that an admin proposed for a different admin or,
// while there is only one, for root; one that root proposed for an admin.
#pragma once

#include "call.hpp"

namespace drawbridge::admin {

[[nodiscard]] Answer people_view(AdminContext& context);
[[nodiscard]] Answer add_person(AdminContext& context, const Call& call);
[[nodiscard]] Answer change_link(AdminContext& context, const Call& call);
[[nodiscard]] Answer change_role(AdminContext& context, const Call& call);
[[nodiscard]] Answer change_lock(AdminContext& context, const Call& call);
[[nodiscard]] Answer confirm_person_change(AdminContext& context, const Call& call);
[[nodiscard]] Answer reject_person_change(AdminContext& context, const Call& call);

}  // namespace drawbridge::admin
