// What the console's socket adds to the operators' API: sessions, passkeys and signed acts.
//
// Only the console's uid may connect, and the uid has no role: each request names a session with
// `Authorization: Session TOKEN` and acts for that session's person, whose roles count as on the operators' socket. A
// session alone can only read. For every act except a pause, one of the person's passkeys signs a text that the daemon
// writes, and the daemon verifies the signature. All binary values are base64url without padding. A request with
// `Drawbridge-By-Itself` (an open page asks) does not prolong the session.
//
//     POST   /session/link       {"code", "address"}: {"token", "me"}: a read-only session, from the code of
//                                `drawbridge console open`; "address" is the browser's, for GET /sessions, and proves
//                                nothing
//     POST   /session/challenge  {}: {"challenge", "rp_id", "origin"}
//     POST   /session            {"credential_id", "client_data", "authenticator_data", "signature", "address"}:
//                                {"token", "me"}
//     DELETE /session            {"ended": true}
//     GET    /me                 {"person": {"id", "name"}, "roles", "how": "link" | "passkey", "expires", "read_only",
//                                "timezone", "closures": the office's; "keys": [{"fingerprint", "label", "state",
//                                ...}]}
//     POST   /acts/challenge     {"method", "path", "body"}: {"act_id", "text", "challenge", "rp_id", "credentials",
//                                "expires"}: "challenge" is the SHA-256 of "text"; "body" has the reason
//     POST   /acts/ACT_ID        {"credential_id", "client_data", "authenticator_data", "signature"}: performs that act
//                                once; the answer is the act's
//     POST   /enroll/begin       {"code"}: {"person", "user_handle", "challenge", "rp_id"}
//     POST   /enroll             {"code", "client_data", "attestation_object", "label"}: {"fingerprint", "state":
//                                "unconfirmed"}: another person confirms it with `drawbridge people confirm`
//
// A session may use the routes of the operators' API that only read. One that was opened with a passkey may also POST
// /pause and /draws/refresh, and upload a file up to its preview. Everything else needs a signature. Never served:
// /console/link, /people/ID/invite and /passkeys/FINGERPRINT/confirm, which must not pass through the console.
// A person has one report, replay, preview or verification at a time; the answer to another is 503.
// 401: the session is missing or has ended. 403: a role or a signature is missing.
#pragma once

#include <memory>

#include "drawbridge/admin/handlers.hpp"

namespace drawbridge::admin {

// Sessions, one-time codes, and acts that wait for their signature. All are in memory, so a restart ends them. Only
// hashes of tokens and codes are stored.
class Console {
  public:
    Console();
    Console(const Console&) = delete;
    Console& operator=(const Console&) = delete;
    ~Console();

    // For this module's own functions.
    struct State;
    [[nodiscard]] State& state() { return *state_; }

  private:
    std::unique_ptr<State> state_;
};

}  // namespace drawbridge::admin
