#include "openapi_words.hpp"

namespace drawbridge::admin {
namespace {

#define PAGE "limit:int after:int total:true"
#define NEXT " next_after:int? total?:int"
#define UPLOAD_RESULT                                                                                            \
    "fate:text name:text sha256:text? size_bytes:int format:text? recognized_by:text? profile:text? "            \
    "bank_file_id:text? date:date? line_count:int nothing_came_back:bool applied:int paid:money duplicates:int " \
    "exceptions:int without_effect:int lines:[any] lines_left_out:int acknowledgments:[any] remarks:[text] "     \
    "problems:[any] kept_in:text?"
#define CHANGED_PERSON "change:text person_id:int in_effect:bool"
#define DRAW_STATES "pending|held|approving|approved|blocked|paying|paid|disbursed|reported|returned|cancelled|external"
#define FILE_STATES "planned|staged|releasing|released|voided"
#define CHECK_STATES                                                                                            \
    "planned|issued|stale|paid|void_requested|stop_requested|void_transmitted|stopped|voided_by_bank|returned|" \
    "not_issued|never_used"
#define STEPS "poll|decide|approve|pay|confirm|report"

constexpr Shape all_shapes[] = {
    {"Draw", "id:int state:" DRAW_STATES " status:int status_name:text amount:money? workflow_id:int case_name:text? "
             "description:text? since:instant why:text? fields?:any"},
    {"TimelineEntry", "at:instant what:text by:text? detail:text payment_id:text? file:text? exception_id:int?"},
    {"Exception",
     "id:int opened_at:instant step:text reason_code:text title:text? draw_id:int? payment_id:int? "
     "amount:money? subject:text? detail:text what_to_do:text? acts:[text] resolve_lifts:bool "
     "closed_at:instant? closed_by:text? closed_reason:text? proposal?:Proposal? meaning?:text? "
     "resolve_does?:text?"},
    {"Proposal", "payment_id:text score:int because:[text] obstacle:text?"},
    {"BankLine",
     "file:text line:int says:text amount:money currency:text date:date references:[Reference] "
     "bank_code:text? payee_name:text? note:text? payment_id:text? matched_to:text?"},
    {"Reference", "kind:text text:text"},
    {"File", "name:text kind:payments|check_orders rail:ach|check state:" FILE_STATES
             " started_by:text created_at:instant payments:int prenotes:int total:money entry_hash:int? sha256:text? "
             "staged_at:instant? release_ordered_at:instant? release_ordered_by:text? release_waits_for:text? "
             "release_waits_since:instant? released_at:instant? voided_at:instant? voided_by:text? makers?:[Maker] "
             "delivery?:any evidence?:[Evidence] release_reason?:text? void_reason?:text?"},
    {"Maker", "uid:int? by:text hand:text draws:int"},
    {"Evidence", "kind:text at:instant by:text detail:text"},
    {"Batch",
     "number:int sec_code:text effective_entry_date:text payments:int prenotes:int addenda:int credits:money "
     "debits:money"},
    {"Control", "batch_count:int block_count:int entry_addenda_count:int entry_hash:int debits:money credits:money"},
    {"FilePayment",
     "payment_id:text draw_id:int amount:money payee_key:text payee_name:text account:text? "
     "trace_number:text? check_number:int? effective_entry_date?:text? case_name?:text? "
     "approved_by?:text? first_time?:bool"},
    {"EarlierFile", "name:text payments:int total:money largest:money"},
    {"MayRelease", "ok:bool because:text"},
    {"Sum", "count:int amount:money"},
    {"Match", "kind:draw|payment|file|exception|check|confirmation id:text title:text path:text"},
    {"Rule",
     "name:text action:approve|hold enabled:bool shadow:bool limits:[text] line:int text:text draws:int "
     "amount:money last_hit:instant?"},
    {"RuleHits", "draws:int amount:money"},
    {"Diagnostic", "file:text line:int column:int message:text hint:text? severity:error|warning"},
    {"Confirmation",
     "id:int sha256:text name:text size_bytes:int recorded_at:instant outcome:applied|refused "
     "line_count:int handed_in_by:[text] outcomes:any"},
    {"ConfirmationLine",
     "line:int says:text payment_reference:text amount:money currency:text date:text "
     "bank_code:text? payee_name:text? outcome:text reason_code:text? detail:text? "
     "payment_id:text? draw_id:int? exception_id:int?"},
    {"CalendarDay", "date:date banking_day:bool closed_for:text? cutoffs:[instant] files:[SettlingFile] settles:Sum"},
    {"SettlingFile", "name:text went_out:bool count:int amount:money"},
    {"CashDay", "date:date released:Sum waiting:Sum approved:Sum possible:Sum"},
    {"Check", "number:int last_number:int state:" CHECK_STATES
              " payment_id:text? draw_id:int? payee_name:text? amount:money? check_date:date? file:text? "
              "settled_on:date? order:CheckOrder? replaces:text? replaced_by:text?"},
    {"CheckOrder", "action:text ordered_at:instant ordered_by:text reason:text file:text? transmitted_at:instant?"},
    {"Run", "step:text started_at:instant ended_at:instant ok:bool summary:text last_ok:instant?"},
    {"PayRun",
     "at:instant by:text approved:Sum exported:Sum held:Sum exceptions:Sum unread:int moved_on:int "
     "complete:bool"},
    {"StateTotal", "state:" DRAW_STATES " count:int amount:money without_amount:int oldest:instant?"},
    {"Alert", "id:int kind:text at:instant title:text text:text items:[any] deliveries:[AlertSend]"},
    {"AlertSend", "channel:webhook|email outcome:text outcome_at:instant? failed_attempts:int last_error:text?"},
    {"AuditEntry",
     "seq:int at:instant actor:text action:text subject:text detail:text draw_id:int? payment_id:text? "
     "file:text?"},
    {"Invariant", "number:int title:text checked:int ok:bool violations:[text]"},
    {"TrailEntry", "entry:int at:instant hash:text"},
    {"Backup", "at:instant by:text file:text sha256:text bytes:int audit_seq:int audit_head:text scheduled:bool"},
    {"ArchivedFile", "path:text state:text bytes:int sha256:text? sealed_at:instant? deleted_at:instant?"},
    {"Person", "id:int name:text locked:bool roles:[text] uids:[int] emails:[text] approver_ids:[int]"},
    {"ProposedChange", "id:int person_id:int change:text proposed_at:instant proposed_by:text reason:text"},
    {"Passkey",
     "fingerprint:text person_id:int label:text state:text algorithm:text credential_id:text "
     "public_key:text aaguid:text backup_eligible:bool enrolled_at:instant confirmed_at:instant? "
     "confirmed_by:text? locked_at:instant? last_signed_at:instant?"},
};

constexpr RouteWords all_routes[] = {
    {"GET", "/status", "The pipeline at a glance", "", "", "",
     "at:instant needs_attention:any states:[StateTotal] runs:[Run] daemon:any ledger:any alerts:any backup:Backup? "
     "change_control:any checks:any controls:[any] inbox:any last_pay_run:PayRun? no_space:text? reconciliation:any "
     "reload_problems:[text] return_rates:any rule_set:text? service:any undelivered:any waiting_for_portal:any "
     "witness:any"},
    {"GET", "/pulse", "Whether anything changed", "", "", "",
     "audit_seq:int paused:bool open_exceptions:int files_waiting:int doing:text?"},
    {"GET", "/find", "What a number, name, hash or amount may be", "", "q:text", "", "matches:[Match]"},
    {"GET", "/draws", "Draws, filtered and sorted", "",
     "state:" DRAW_STATES " workflow:int payee:text min_amount:money max_amount:money text:text "
     "sort:id|-id|amount|-amount|since|-since fields:true " PAGE,
     "", "draws:[Draw]" NEXT " sum?:money without_amount?:int"},
    {"GET", "/draws/*", "One draw with its timeline", "id:int", "", "",
     "draw:Draw fields?:any forecast:any exceptions:[Exception] timeline:[TimelineEntry]"},
    {"POST", "/draws/*/explain", "What rules say of a draw", "id:int", "", "rules?:text file?:text",
     "draw_id:int status:text as_if_pending:bool at:instant decision:any approver_id?:int notes?:text notify?:[text]"},
    {"POST", "/draws/approve", "Approve held draws", "", "", "ids:[int] approver_id?:int reason:text"},
    {"POST", "/draws/refresh", "Read draws from the service again", "", "", "ids:[int]",
     "asked:int changed:int failed:int problem:text at:instant"},
    {"POST", "/draws/*/reissue", "Pay again what came back", "id:int", "", "reason:text",
     "draw_id:int after_payment:text"},
    {"POST", "/rules/backtest", "What rules would have decided", "", "",
     "rules?:text file?:text base?:text since?:instant after?:int",
     "base:text candidate:text draws:int amount:money changes:[any] not_replayed:[text] approximations:[text] "
     "next_after:int?"},
    {"GET", "/rules", "The rules in force", "", "", "",
     "sha256:text? text:text limits:[text] rules:[Rule] no_rule:RuleHits never_matched:[text] problems:[text] "
     "warnings:[Diagnostic]"},
    {"POST", "/rules/check", "What is wrong with a rule file", "", "", "rules:text file?:text",
     "ok:bool diagnostics:[Diagnostic]"},
    {"GET", "/rules/*", "The text of a rule set", "sha256:text", "", "", "sha256:text text:text"},
    {"GET", "/exceptions", "Exceptions, open or closed", "", "state:open|closed reason:text step:" STEPS " " PAGE, "",
     "exceptions:[Exception]" NEXT},
    {"GET", "/exceptions/*", "One exception with its proposals", "id:int", "", "",
     "exception:Exception line:BankLine? proposals:[Proposal]"},
    {"POST", "/exceptions/resolve", "Resolve exceptions, all or none", "", "", "ids:[int] reason:text",
     "resolved:[int]"},
    {"POST", "/exceptions/*/resolve", "Resolve an exception", "id:int", "", "reason:text match?:text",
     "exception:Exception"},
    {"POST", "/exceptions/*/undo", "Undo a resolution", "id:int", "", "reason:text", "undone:int exception:Exception"},
    {"POST", "/exceptions/*/reissue", "Pay the draw of an exception again", "id:int", "", "reason:text",
     "draw_id:int after_payment:text"},
    {"POST", "/exceptions/*/deliver", "Say whether the bank has the file of an exception", "id:int", "",
     "reason:text how:by_hand|again", "file:File"},
    {"GET", "/files", "Payment files, newest first", "", "state:" FILE_STATES " order:newest|oldest " PAGE, "",
     "files:[File]" NEXT},
    {"GET", "/files/*", "One payment file", "name:text", "payments_after:int payments_limit:int", "",
     "file:File batches:[Batch] control:Control? effective_entry_dates:[date] settlement_deadline:instant? "
     "may_release:MayRelease first_time_payees:Sum largest_payment:money earlier_file:EarlierFile? "
     "payments:[FilePayment] next_payments_after:int?"},
    {"POST", "/files/*/release", "Release a file to the bank", "name:text", "", "reason:text expect?:any", "file:File"},
    {"POST", "/files/*/void", "Void a file that has not left", "name:text", "", "reason:text", "file:File"},
    {"POST", "/files/*/deliver", "Say whether the bank has a file", "name:text", "", "reason:text how:by_hand|again",
     "file:File"},
    {"POST", "/files/*/acknowledge", "Record what the bank acknowledged", "name:text", "",
     "reason:text payments:int total:money", "file:text line:int? payments:int total:money outcome:text detail:text"},
    {"POST", "/payments/*/void", "Void a payment with its file", "id:text", "", "reason:text",
     "payment_id:text draw_id:int file:File"},
    {"GET", "/confirmations", "Confirmation files, newest first", "", PAGE, "", "confirmations:[Confirmation]" NEXT},
    {"GET", "/confirmations/*", "One confirmation file with its lines", "sha256:text", PAGE, "",
     "confirmation:Confirmation lines:[ConfirmationLine] problems:[text]" NEXT},
    {"GET", "/calendar", "Banking days, cut-offs and settlements", "", "from:date to:date", "",
     "today:date days:[CalendarDay]"},
    {"GET", "/forecast", "Cash by the day on which it settles", "", "days:int", "",
     "days:[CashDay] next_run_at:instant? because:text checks_outstanding:Sum?"},
    {"GET", "/checks", "The check register", "", "state:" CHECK_STATES " " PAGE, "", "checks:[Check]" NEXT},
    {"POST", "/checks/*/void", "Order a check void", "number:int", "", "reason:text", "check:Check"},
    {"POST", "/checks/*/stop", "Order a stop of a check", "number:int", "", "reason:text", "check:Check"},
    {"POST", "/checks/*/withdraw", "Withdraw an order about a check", "number:int", "", "reason:text", "check:Check"},
    {"POST", "/ingest", "Begin to hand over a confirmation file", "", "", "", "upload:text"},
    {"POST", "/ingest/*/bytes", "The next bytes of an upload", "upload:text", "offset:int", "", "size:int"},
    {"POST", "/ingest/*/preview", "What taking a file would do", "upload:text", "",
     "name:text profile?:text limit?:int keep?:bool", UPLOAD_RESULT},
    {"POST", "/ingest/*/take", "Take a confirmation file", "upload:text", "",
     "name:text profile?:text limit?:int reason?:text sha256?:text", UPLOAD_RESULT},
    {"POST", "/pay", "Plan payments now", "", "", "reason:text", "ok:bool summary:text problems:[text]"},
    {"POST", "/pause", "Pause all movement of money", "", "", "reason:text", "paused:bool"},
    {"POST", "/resume", "Resume all movement of money", "", "",
     "reason:text nothing_else_sent?:bool despite_exceptions?:bool"},
    {"POST", "/reload", "Read rules and payees again", "", "", "reason?:text", "in_force:text"},
    {"GET", "/alerts", "Alerts, newest first", "", PAGE, "", "alerts:[Alert] ways:any" NEXT},
    {"POST", "/alerts/test", "Send a test alert", "", "", "reason:text", "tests:[any]"},
    {"GET", "/runs", "Runs of the steps", "", PAGE, "", "pay_runs:[PayRun] runs:[Run]" NEXT},
    {"GET", "/metrics", "Metrics for Prometheus"},
    {"GET", "/healthz", "Whether the process works"},
    {"GET", "/readyz", "Whether draws move"},
    {"GET", "/verify", "Check every invariant", "", "entry:int", "",
     "invariants:[Invariant] clean:bool trail:TrailEntry"},
    {"GET", "/reconcile", "A slice of the reconciliation report", "",
     "from:date to:date as_of:instant overdue_after:int after:text"},
    {"GET", "/archive", "Files of the archive", "", PAGE, "", "files:[ArchivedFile]" NEXT},
    {"POST", "/archive/show", "Bytes of an archived file", "", "", "name:text reason:text offset?:int"},
    {"POST", "/backup", "Make a verified backup", "", "", "file?:text", "backup:Backup"},
    {"GET", "/backups", "Backups, newest first", "", PAGE, "", "backups:[Backup]" NEXT},
    {"GET", "/exports", "Files that were let go", "", "", "", "ledger:text exports:[any]"},
    {"GET", "/audit", "The audit trail, newest first", "", "actor:text action:text subject:text " PAGE, "",
     "audit:[AuditEntry]" NEXT},
    {"GET", "/acts/*", "A signed act, verified", "id:text", "", "",
     "act_id:text at:instant person_id:int request:any text:text passkey:any client_data:text "
     "authenticator_data:text signature:text verifies:bool fault:text?"},
    {"GET", "/openapi.json", "This document", "", "", "", "openapi:text info:any paths:any components:any"},
    {"GET", "/changes", "Changes of rules and payees", "", "limit:int", "", "changes:[any] control:any"},
    {"GET", "/changes/*", "One change", "sha256:text"},
    {"POST", "/changes/*/accept", "Accept a change", "sha256:text", "", "reason:text"},
    {"POST", "/changes/*/reject", "Reject a change", "sha256:text", "", "reason:text"},
    {"GET", "/people", "Persons and proposed changes", "", "", "",
     "set_up:bool people:[Person] waiting:[ProposedChange]"},
    {"POST", "/people", "Add a person", "", "", "name:text reason:text", "person:Person"},
    {"POST", "/people/*/link", "Propose a link", "id:int", "", "uid?:int email?:text approver_id?:int reason:text",
     CHANGED_PERSON " waits_as?:int"},
    {"POST", "/people/*/unlink", "Propose to unlink", "id:int", "", "uid?:int email?:text approver_id?:int reason:text",
     CHANGED_PERSON " waits_as?:int"},
    {"POST", "/people/*/grant", "Propose a role", "id:int", "", "role:text reason:text",
     CHANGED_PERSON " waits_as?:int"},
    {"POST", "/people/*/revoke", "Propose to revoke a role", "id:int", "", "role:text reason:text",
     CHANGED_PERSON " waits_as?:int"},
    {"POST", "/people/*/lock", "Propose to lock a person", "id:int", "", "reason:text",
     CHANGED_PERSON " waits_as?:int"},
    {"POST", "/people/*/unlock", "Propose to unlock a person", "id:int", "", "reason:text",
     CHANGED_PERSON " waits_as?:int"},
    {"POST", "/people/changes/*/confirm", "Confirm a change to people", "id:int", "", "reason:text",
     "confirmed:int change:text"},
    {"POST", "/people/changes/*/reject", "Reject a change to people", "id:int", "", "reason:text",
     "rejected:int change:text"},
    {"POST", "/people/*/invite", "Invite a person to enroll a passkey", "id:int", "", "reason:text",
     "code:text expires:instant origin:text"},
    {"GET", "/passkeys", "Every passkey", "", "", "", "passkeys:[Passkey]"},
    {"POST", "/passkeys/*/confirm", "Confirm another person's passkey", "fingerprint:text", "", "reason:text",
     "passkey:Passkey"},
    {"POST", "/passkeys/*/lock", "Lock a passkey for good", "fingerprint:text", "", "reason:text", "passkey:Passkey"},
    {"POST", "/console/link", "A link to a session that only looks", "", "", "reason:text",
     "code:text expires:instant origin:text"},
};

}  // namespace

std::span<const RouteWords> route_words() {
    return all_routes;
}
std::span<const Shape> shapes() {
    return all_shapes;
}

}  // namespace drawbridge::admin
