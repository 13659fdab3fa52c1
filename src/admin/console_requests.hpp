// The console's socket: whose request it is, and whether a session, a passkey or a signature is behind it. Private to
// this module.
#pragma once

#include "call.hpp"
#include "console_state.hpp"

namespace drawbridge::admin {

[[nodiscard]] asio::awaitable<Response> answer_console(AdminContext& context, Request request);

// Signed acts (console_acts.cpp).
[[nodiscard]] asio::awaitable<Answer> make_act_challenge(AdminContext& context, Session session, std::string token,
                                                         json body);
// What the act answers.
[[nodiscard]] asio::awaitable<Response> perform_act(AdminContext& context, Session session, std::string token,
                                                    std::string act_id, json body);

// Enrollment (console_enrollment.cpp).
[[nodiscard]] Answer begin_enrollment(AdminContext& context, const json& body);
[[nodiscard]] Answer enroll(AdminContext& context, const json& body);

// As the session's person would ask it.
[[nodiscard]] Request in_the_name_of(const Session& session, Request request);

}  // namespace drawbridge::admin
