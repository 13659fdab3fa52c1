// The text that a person signs with a passkey: made by the daemon, never by the console. Private to this module.
#pragma once

#include "console_state.hpp"
#include "routes.hpp"

namespace drawbridge::admin {

struct ActText {
    std::string text;
    std::string request;                       // "POST /files/ACH-20260304-A.ach/release"
    json body;                                 // what the act is done with; of a release with "expect"
    std::optional<ledger::FileRow> file = {};  // that the act is about
};

// What the file counts: "payments", or "check orders" that void or stop checks and pay nobody.
[[nodiscard]] std::string_view items_of(const ledger::FileRow& file);

// A line for each fact, "key: value": ledger, site, origin, person, act, request; of an act about a file its name,
// SHA-256, count and total; of an act about a payment or check, its amount, payee and file; of an act about an
// exception, a person, a passkey or a session, what that says; of a change of rules or payees, which of them and
// whether it takes effect; the reason, the rest of the body, a nonce and the expiry. What a caller wrote is quoted as
// JSON, so that it cannot add a line. Errors: the reason is missing; nothing has the number or name in the path; a
// release of a file that cannot go; a file to take without its SHA-256.
[[nodiscard]] Result<ActText> make_act_text(AdminContext& context, const Session& session, const Route& route,
                                            const Call& call, Instant expires);

}  // namespace drawbridge::admin
