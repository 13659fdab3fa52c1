// The routes for people: admins or root propose changes, and another person confirms them. Private to this module.
//
// Root appoints the first admin: while no admin is able to act, root's links, unlinks, locks and unlocks, and that
// appointment, take effect at once. Every other change waits for a second person (second_person.hpp).
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
