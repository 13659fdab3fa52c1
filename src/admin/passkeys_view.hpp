// The operators' side of the console: links, invitations, the passkeys of people, signed acts. Private to this module.
#pragma once

#include "call.hpp"

namespace drawbridge::admin {

// A one-time code for a read-only session, in the caller's name.
[[nodiscard]] Answer make_console_link(AdminContext& context, const Call& call);
// A one-time code with which this person enrolls a passkey.
[[nodiscard]] Answer invite_person(AdminContext& context, const Call& call);
[[nodiscard]] Answer passkeys_view(AdminContext& context);
// By an admin who is another person; by root while there is no such admin.
[[nodiscard]] Answer confirm_passkey(AdminContext& context, const Call& call);
[[nodiscard]] Answer lock_passkey(AdminContext& context, const Call& call);
// A page of all, with public keys: an auditor verifies them without this program.
[[nodiscard]] Answer get_signed_acts(AdminContext& context, const Call& call);
[[nodiscard]] Answer get_signed_act(AdminContext& context, const Call& call);

}  // namespace drawbridge::admin
