// The operators' API, served on the daemon's socket and by the sub-commands without a daemon. JSON in, JSON out.
//
// GET /openapi.json describes every parameter, body and answer. A request that it does not describe is refused (400),
// so that no misspelled flag carries out an act (src/admin/documented.hpp).
//
// Every act that changes anything takes a reason and is recorded with the caller's identity. Amounts are decimal
// strings ("1234.50"), counts are integers, instants are ISO 8601 with "Z". Account numbers never appear. The API
// itself moves no money: what an act does is in pipeline/.
//
//   GET  /status                    the pipeline at a glance
//   GET  /pulse                     {"audit_seq", "paused", "open_exceptions", "files_waiting", "breach": the invariant
//                                   that the newest checks found broken, or null; "doing"}: cheap
//                                   enough to request every second. "audit_seq" grows with every change of the ledger
//   GET  /find?q=                   {"matches": [{"kind", "id", "title", "path"}]}: what a number or name may be.
//                                   "kind": draw, payment, file, exception, check, confirmation; "path": its route
//   GET  /draws                     rows by ascending id. ?state=&workflow=&payee=&min_amount=&max_amount=&text=&sort=
//                                   filter and order ("id", "-id", "amount", "-amount", "since", "-since"); ?fields=
//                                   true adds the fields; ?total=true adds "total", "sum" and "without_amount" of
//                                   the whole selection. This and the other lists (acts alerts archive audit backups
//                                   checks confirmations exceptions files runs) come in pages:
//                                   ?limit=&after=&total=true; "after" is the "next_after" of the page before, null at
//                                   the end
//   GET  /draws/ID                  one draw: its row, its fields, its exceptions, its timeline: {"at", "what", "by",
//                                   "detail", "payment_id", "file", "exception_id"}, null where it is about none
//   POST /draws/ID/explain          {"rules", "file"} or {}: the decision by these rules, or those in force; not an act
//   POST /draws/ID/reissue          {"reason", "expect": {"draw", "amount", "payee", "name", "account"}}: pays again
//                                   what came back; "expect" refuses another amount or payee than was signed
//   POST /draws/approve             {"ids", "approver_id", "reason", "preview", "expect"}: a person approves held ones;
//                                   "preview": true only shows them, with what to "expect"
//   POST /rules/backtest            not an act: {"rules", "file", "base", "base_file", "since", "after"}: a slice of
//                                   the history
//   GET  /rules                     the rules in force: {"sha256", "rules": [{"name", "action", "text", "draws",
//                                   "amount", "last_hit"}], "never_matched": [names], "problems"}
//   POST /rules/check               {"rules", "file"}: what is wrong with these rules; not an act. {"ok",
//                                   "diagnostics": [{"file", "line", "column", "message"}]}
//   GET  /rules/SHA256              the text of a rule set, by its hash or the beginning of it
//   GET  /exceptions                open ones, oldest first; ?state=closed: closed ones, newest first; ?closed_on=DAY:
//                                   those of that day in pay.timezone; ?reason=&step=
//                                   filter. "amount": of its payment, line or draw; "proposal": the likeliest payment
//                                   of an unapplied line; "title", "what_to_do", "acts": from the exception catalog
//   GET  /exceptions/ID             one, open or closed, with its line and "proposals"
//   POST /exceptions/resolve        {"ids", "reason"}: closes several, all or none
//   POST /exceptions/ID/resolve     {"reason", "match"}: closes it; with "match", applies its line to that payment
//   POST /exceptions/ID/undo        {"reason"}: undoes a resolution; answers the exception that is open again
//   POST /exceptions/ID/reissue     {"reason"}: as /draws/ID/reissue, for the draw of an exception
//   GET  /files                     payment files, newest first; ?order=oldest: oldest first; ?state=staged|...
//   GET  /files/NAME                {"file", "batches", "settlement_deadline", "may_release": {"ok", "because"},
//                                   "first_time_payees", "payments", "next_payments_after"}; ?payments_after=&
//                                   payments_limit= pages the payments by their place in the file, 1000 at most
//   POST /files/NAME/release        {"reason", "expect": {"sha256", "payments", "total"}}: "expect" refuses a file that
//                                   is not the one that was looked at
//   POST /files/NAME/void           {"reason"}
//   POST /payments/ID/void          {"reason"}: voids the payment with its whole file; holds its draw
//   POST /files/NAME/deliver        {"reason", "how"}: "by_hand": the bank has it; "again": it does not
//   POST /exceptions/ID/deliver     the same, for the file of an exception
//   POST /files/NAME/acknowledge    {"reason", "payments", "total"}: what the bank received; "outcome":
//                                   "matches", "repeated" or "differs", which pauses everything
//   GET  /confirmations             confirmation files, newest first
//   GET  /confirmations/SHA256      one of them: {"confirmation", "lines", "next_after"}
//   GET  /calendar?from=&to=        {"days": [{"date", "banking_day", "closed_for", "cutoffs", "files", "settles"}]}
//   GET  /forecast?days=            {"days": [{"date", "released", "waiting", "approved", "possible"}]}: cash by day
//                                   on which it settles, each {"count", "amount"}
//   GET  /checks                    the check register: every number, with gaps; ?state=issued|stale|...
//   POST /checks/NUMBER/void        {"reason"}: orders it; the next pay run writes the file for the bank
//   POST /checks/NUMBER/stop        {"reason"}: likewise
//   POST /checks/NUMBER/withdraw    {"reason"}: withdraws an order that is in no file yet
//   POST /ingest                    begins to hand over a confirmation file: {"upload": ID}; not an act until /take
//   POST /ingest/ID/bytes?offset=N  the next piece: the body is the bytes themselves; not an act
//   POST /ingest/ID/preview         {"name", "profile", "limit", "keep"}: what /take would do; not an act.
//                                   "keep": true keeps the upload for a later /take
//   POST /ingest/ID/take            {"name", "profile", "limit", "reason", "sha256"}: like dropping it into the inbox;
//                                   "sha256" refuses other bytes than those
//   POST /pay                       {"reason"}: runs the pay step now
//   POST /pause                     {"reason"}
//   POST /resume                    {"reason", "nothing_else_sent", "despite_exceptions"}: the flags are for after a
//                                   restore, and for a second person
//   POST /reload                    {"reason"} or {}: reads rules and payees again
//   GET  /alerts                    the alerts sent by webhook and email, newest first, with the result of each channel
//   POST /alerts/test               {"reason"}: a test message through every channel, now
//   GET  /runs                      the last run of each step; "pay_runs": approved = exported + held + exceptions
//   GET  /metrics                   metrics in the Prometheus text format
//   GET  /healthz                   200 while the process works, 503 when it should be restarted
//   GET  /readyz                    200 while the pipeline works, 503 with the reasons otherwise
//   GET  /verify?entry=             checks each invariant and the manifests, records the result; the hash of an entry
//                                   of the audit trail
//   POST /draws/refresh             {"ids"}: reads these draws from the service again, at most 500; not an act
//   GET  /reconcile                 a slice of the reconciliation report (reconcile.hpp)
//   GET  /archive                   the archive's files, by path: plain, sealed, deleted
//   POST /archive/show              {"name", "reason", "offset"}: plain bytes of one from there on, at most 4 MiB
//   POST /backup                    {"file"}: a verified copy; without "file" in the configured folder
//   GET  /backups                   those that were made, newest first
//   GET  /exports                   every released file, with the hash of its manifest line
//   GET  /audit                     the audit trail, newest first; ?actor=&action=&subject= filter by part of it
//   GET  /acts                      signed acts, oldest first: text, signature and public key, so that others verify
//   GET  /acts/ID                   a signed act: its text and signature, and whether they verify
//   GET  /openapi.json              this API as an OpenAPI 3.1 document
//   GET  /changes?limit=            changes of rules and payees, newest first, and who accepted them
//   GET  /changes/SHA256            one change, by its hash or at least 8 digits: what it changes
//   POST /changes/SHA256/accept     {"reason"}: in force after the second person accepts
//   POST /changes/SHA256/reject     {"reason"}
//   GET  /people                    people, and the changes that wait for confirmation
//   POST /people                    {"name", "reason"}: adds a person without roles
//   POST /people/ID/link            {"uid" | "email" | "approver_id", "reason"}: proposes the link
//   POST /people/ID/unlink          likewise
//   POST /people/ID/grant           {"role", "reason"}: proposes the role
//   POST /people/ID/revoke          likewise
//   POST /people/ID/lock            {"reason"}: proposes the lock
//   POST /people/ID/unlock          likewise
//   POST /people/changes/ID/confirm {"reason"}: makes a proposed change; refused to its proposer
//   POST /people/changes/ID/reject  {"reason"}
//   POST /people/ID/invite          {"reason"}: {"code", "expires"}: lets this person enroll one passkey
//   GET  /passkeys                  every passkey: {"fingerprint", "person_id", "label", "state", "enrolled_at", ...}
//   POST /passkeys/FINGERPRINT/confirm {"reason"}: it may sign from now on; not by its own person
//   POST /passkeys/FINGERPRINT/lock {"reason"}: at once and for good
//   GET  /sessions                  open sessions of the console: everybody's to an admin, to others their own
//   POST /sessions/ID/end           {"reason"}: ends it at once
//   POST /console/link              {"reason"}: {"code", "expires"}: a read-only console session for the caller
//
// The console's socket serves the same routes to the people of sessions, and some of its own: console.hpp.
// The table in src/admin/handlers.cpp says which roles each route needs.
// An error is {"error": {"code", "message"}} with a fitting HTTP status.
#pragma once

#include <boost/asio/awaitable.hpp>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "drawbridge/admin/metrics.hpp"
#include "drawbridge/admin/program.hpp"
#include "drawbridge/config/config.hpp"
#include "drawbridge/domain/clock.hpp"
#include "drawbridge/domain/time.hpp"
#include "drawbridge/ledger/store/ledger.hpp"
#include "drawbridge/pipeline/context.hpp"
#include "drawbridge/pipeline/turn_lock.hpp"

namespace drawbridge::admin {

namespace asio = boost::asio;

struct Request {
    std::string method;                              // "GET", "POST"
    std::string target;                              // "/draws?state=held&limit=20", percent-encoded
    std::string body;                                // a JSON object, or empty
    std::string actor;                               // "uid 1000 (anna)"; its login name only ever refuses
    std::optional<std::int64_t> uid = std::nullopt;  // what the kernel says of the caller; empty: nobody can be named
    std::vector<std::int64_t> groups = {};           // likewise: the caller's groups, the primary one among them
    std::optional<std::int64_t> person = std::nullopt;  // of a passkey session: whose it is
    bool by_console = false;                            // it came by the console's socket: `session` says whose it is
    std::string session = {};                           // the token of `Authorization: Session TOKEN`
    bool by_itself = false;                             // an open page of the console asks: no use of the session
    // Whether the act was signed by the person; the operators' socket knows its callers without a signature.
    bool is_signed = false;
};

struct Response {
    int status = 200;
    std::string body;
    std::string content_type = "application/json";
    std::string allow = {};      // of a 405: the methods that the path has
    std::string read_from = {};  // the server that was asked, and how old its answer is; empty: the ledger itself
};

// The maximum number of file bytes in one answer.
inline constexpr std::size_t archive_piece_bytes = std::size_t{4} << 20;

class Console;

// Answers report queries in place of the ledger that is written.
class ReportReader {
  public:
    ReportReader() = default;
    ReportReader(const ReportReader&) = delete;
    ReportReader& operator=(const ReportReader&) = delete;
    virtual ~ReportReader() = default;

    // With everything that the ledger has. nullopt: it has to be answered from the ledger itself.
    [[nodiscard]] virtual asio::awaitable<std::optional<Response>> answer(Request request) = 0;
};

struct AdminContext {
    pipeline::Shared& shared;  // ledger, spool, service, rules and payees
    pipeline::TurnLock& turn;  // for acts that must not run during a step
    Program& program;
    Meter* meter = nullptr;           // null: no daemon
    Console* console = nullptr;       // null: no daemon keeps sessions
    ReportReader* reports = nullptr;  // null: all is read from the ledger
    std::string read_from = {};       // of the ledger, if it is one that is only read: for people
    ledger::Ledger& ledger = shared.ledger;
    const Clock& clock = shared.clock;
    const TimeZone& zone = shared.settings.plan.zone;
};

[[nodiscard]] asio::awaitable<Response> handle(AdminContext& context, Request request);

// Requests that any user of this machine may make: GET and HEAD of /metrics, /healthz and /readyz, nothing else.
[[nodiscard]] Response handle_monitoring(AdminContext& context, const Request& request);

}  // namespace drawbridge::admin
