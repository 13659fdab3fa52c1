// Sessions of the console: how they begin and end, and the list of them. Private to this module.
#pragma once

#include "call.hpp"
#include "console_state.hpp"

namespace drawbridge::admin {

[[nodiscard]] Answer open_by_link(AdminContext& context, const json& body);
[[nodiscard]] Answer make_session_challenge(AdminContext& context);
[[nodiscard]] Answer open_by_passkey(AdminContext& context, const json& body);
[[nodiscard]] Answer end_session(AdminContext& context, const std::string& token);
[[nodiscard]] json me_view(AdminContext& context, const Session& session);
// Whether nothing but looking is possible: opened by a link, or with a passkey that nobody confirmed yet.
[[nodiscard]] bool is_read_only(AdminContext& context, const Session& session);

// An admin gets the sessions of everybody, others get their own.
[[nodiscard]] Answer get_sessions(AdminContext& context, const Call& call);
// The one that the path names, as it is listed. Error (not_found): the caller may know of none.
[[nodiscard]] Result<json> session_to_end(AdminContext& context, const Call& call);
// Ends it early.
[[nodiscard]] Answer end_session_of(AdminContext& context, const Call& call);

}  // namespace drawbridge::admin
