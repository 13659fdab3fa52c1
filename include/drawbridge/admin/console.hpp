// What the console's socket adds to the operators' API: sessions, passkeys and signed acts.
//
// Only the console's uid may connect, and that gives no right at all: a request is made in the name of the person whose
// session it names with `Authorization: Session TOKEN`, and roles decide as on the operators' socket. A session alone
// only reads. Every act but a pause is signed by one of the person's passkeys over a text that the daemon makes, and
// the daemon verifies the signature. All binary values are base64url without padding.
//
//     POST   /session/link       {"code", "address"}: {"token", "me"}: a read-only session from `drawbridge console
//     open`;
//                                "address" is the browser's, for GET /sessions, and proves nothing
//     POST   /session/challenge  {}: {"challenge", "rp_id", "origin"}
//     POST   /session            {"credential_id", "client_data", "authenticator_data", "signature", "address"}:
//                                {"token", "me"}
//     DELETE /session            {"ended": true}
//     GET    /me                 {"person": {"id", "name"}, "roles", "how": "link" | "passkey", "expires", "read_only",
//                                "timezone", "closures": the office's; "keys": [{"fingerprint", "label", "state",
//                                ...}]}
//     POST   /acts/challenge     {"method", "path", "body"}: {"act_id", "text", "challenge", "rp_id", "credentials",
//                                "expires"}: "challenge" is the SHA-256 of "text"; "body" holds the reason
//     POST   /acts/ACT_ID        {"credential_id", "client_data", "authenticator_data", "signature"}: performs that act
//                                once and answers what it answers
//     POST   /enroll/begin       {"code"}: {"person", "user_handle", "challenge", "rp_id"}
//     POST   /enroll             {"code", "client_data", "attestation_object", "label"}: {"fingerprint", "state":
//                                "unconfirmed"}: another person confirms it with `drawbridge people confirm`
//
// Of the operators' API it serves what reads; with a passkey session, without a signature, POST /pause, POST
// /draws/refresh and an upload up to its preview; with a signature the rest. Not served at all: /console/link,
// /people/ID/invite, /passkeys/FINGERPRINT/confirm, which must come past the console.
// A person has one report, replay, preview or verification under way at a time; another is answered with 503.
// Answers 401 where the session is missing or over, 403 where a role or a signature is missing.
#pragma once

#include <memory>

#include "drawbridge/admin/handlers.hpp"

namespace drawbridge::admin {

// Sessions, one-time codes and acts that wait for their signature: all in memory, so a restart ends them. Only hashes
// of tokens and codes are kept.
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
