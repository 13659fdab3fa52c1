// What the operators' API answers with: one struct for each kind of record, from which its JSON, its schema in
// /openapi.json and its reading by the commands follow. Ledger rows that are returned unchanged are described in the
// ledger's own headers.
#pragma once

#include <boost/describe/class.hpp>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "drawbridge/api/record_json.hpp"
#include "drawbridge/ledger/facts/alerts.hpp"
#include "drawbridge/ledger/facts/evidence.hpp"
#include "drawbridge/ledger/facts/guards.hpp"
#include "drawbridge/ledger/facts/people.hpp"
#include "drawbridge/ledger/reports/check_register.hpp"

namespace drawbridge::admin::records {

using api::Maybe;

struct Draw {
    DrawId id = 0;
    std::string state;
    int status = 0;
    std::string status_name;
    std::optional<Money> amount = {};
    std::optional<std::string> payee = {};  // its key
    std::int64_t workflow_id = 0;
    std::optional<std::string> case_name = {}, description = {};
    Instant since;
    std::optional<std::string> why = {};  // it is held or blocked
    std::string seen;                     // digest of what a person who approves it must have seen: amount and payee
    Maybe<nlohmann::json> fields = {};    // under the service's names
};
BOOST_DESCRIBE_STRUCT(Draw, (),
                      (id, state, status, status_name, amount, payee, workflow_id, case_name, description, since, why,
                       seen, fields))

// A payment that a line without an exact match may be about.
struct Proposal {
    std::string payment_id;
    int score = 0;
    std::vector<std::string> because = {};
    std::optional<std::string> obstacle = {};  // why the line cannot be applied to it
};
BOOST_DESCRIBE_STRUCT(Proposal, (), (payment_id, score, because, obstacle))

struct Exception {
    std::int64_t id = 0;
    Instant opened_at;
    std::string step, reason_code;
    std::optional<std::string> title = {};
    std::optional<DrawId> draw_id = {};
    std::optional<std::string> payment_id = {};  // "P0000000003"
    std::optional<Money> amount = {};
    std::optional<std::string> subject = {};
    std::string detail;
    std::optional<std::string> what_to_do = {};
    std::vector<std::string> acts = {};  // what a person may do now
    bool resolve_lifts = false;
    std::optional<Instant> closed_at = {};
    std::optional<std::string> closed_by = {}, closed_reason = {};
    Maybe<std::optional<Proposal>> proposal = {};  // in lists: the likeliest
    Maybe<std::optional<std::string>> meaning = {}, resolve_does = {};
};
BOOST_DESCRIBE_STRUCT(Exception, (),
                      (id, opened_at, step, reason_code, title, draw_id, payment_id, amount, subject, detail,
                       what_to_do, acts, resolve_lifts, closed_at, closed_by, closed_reason, proposal, meaning,
                       resolve_does))

struct Reference {
    std::string kind, text;
};
BOOST_DESCRIBE_STRUCT(Reference, (), (kind, text))

// The line of a confirmation file that an exception is about.
struct BankLine {
    std::string file;
    std::int64_t line = 0;
    std::string says;
    Money amount;
    std::string currency;
    BusinessDate date;
    std::vector<Reference> references = {};
    std::optional<std::string> bank_code = {}, payee_name = {}, note = {}, payment_id = {}, matched_to = {};
};
BOOST_DESCRIBE_STRUCT(BankLine, (),
                      (file, line, says, amount, currency, date, references, bank_code, payee_name, note, payment_id,
                       matched_to))

struct Maker {
    std::optional<std::int64_t> uid = {};
    std::string by;
    std::string hand;  // "approved draw 7 by hand"
    std::int64_t draws = 0;
};
BOOST_DESCRIBE_STRUCT(Maker, (), (uid, by, hand, draws))

struct DeliveryStep {
    Instant at;
    std::string by, step;
    std::optional<std::string> server = {}, temporary_name = {};
    std::string detail;
};
BOOST_DESCRIBE_STRUCT(DeliveryStep, (), (at, by, step, server, temporary_name, detail))

// How a payment file reaches the bank, and how far it is.
struct Delivery {
    std::string state, by, name;  // by: "sftp", "folder"
    std::optional<std::string> sha256 = {}, encrypted_to = {}, server = {};
    std::int64_t uploads = 0, failures = 0;
    std::optional<std::string> last_problem = {};
    std::optional<Instant> delivered_at = {};
    std::optional<std::string> delivered_by = {}, archived_as = {};
    Maybe<std::vector<DeliveryStep>> steps = {};
};
BOOST_DESCRIBE_STRUCT(Delivery, (),
                      (state, by, name, sha256, encrypted_to, server, uploads, failures, last_problem, delivered_at,
                       delivered_by, archived_as, steps))

struct File {
    std::string name;
    disbursement::FileKind kind = disbursement::FileKind::payments;
    disbursement::Rail rail = disbursement::Rail::ach;
    ledger::FileState state = ledger::FileState::planned;
    std::string started_by;
    Instant created_at;
    std::int64_t payments = 0, prenotes = 0;
    Money total;
    std::optional<std::int64_t> entry_hash = {};  // ACH
    std::optional<std::string> sha256;
    std::optional<Instant> staged_at = {}, release_ordered_at = {};
    std::optional<std::string> release_ordered_by = {}, release_waits_for = {};
    std::optional<Instant> release_waits_since = {}, released_at = {}, voided_at = {};
    std::optional<std::string> voided_by = {};
    Maybe<std::vector<Maker>> makers = {};
    Maybe<std::optional<Delivery>> delivery = {};
    Maybe<std::vector<ledger::Evidence>> evidence = {};
    Maybe<std::optional<std::string>> release_reason = {}, void_reason = {};
    Maybe<bool> missed_settlement = {};  // it would not settle on its date if it were sent now
    Maybe<bool> may_be_at_bank = {};     // it may have left before the ledger was restored: it is never released
};
BOOST_DESCRIBE_STRUCT(File, (),
                      (name, kind, rail, state, started_by, created_at, payments, prenotes, total, entry_hash, sha256,
                       staged_at, release_ordered_at, release_ordered_by, release_waits_for, release_waits_since,
                       released_at, voided_at, voided_by, makers, delivery, evidence, release_reason, void_reason,
                       missed_settlement, may_be_at_bank))

// What the bank's receipt says of an ACH file, in its order.
struct Control {
    std::int64_t batch_count = 0, block_count = 0, entry_addenda_count = 0, entry_hash = 0;
    Money debits, credits;
};
BOOST_DESCRIBE_STRUCT(Control, (), (batch_count, block_count, entry_addenda_count, entry_hash, debits, credits))

// In a file of check orders: the check that it voids or stops, without the last four.
struct FilePayment {
    std::string payment_id;
    DrawId draw_id = 0;
    Money amount;
    std::string payee_key, payee_name;
    std::optional<std::string> account = {};  // masked
    std::optional<std::string> trace_number = {};
    std::optional<std::int64_t> check_number = {};
    Maybe<std::optional<std::string>> effective_entry_date = {}, case_name = {}, approved_by = {};
    Maybe<bool> first_time = {};
};
BOOST_DESCRIBE_STRUCT(FilePayment, (),
                      (payment_id, draw_id, amount, payee_key, payee_name, account, trace_number, check_number,
                       effective_entry_date, case_name, approved_by, first_time))

struct MayRelease {
    bool ok = false;
    std::string because;
};
BOOST_DESCRIBE_STRUCT(MayRelease, (), (ok, because))

// One result of GET /find.
struct Match {
    std::string kind, id, title;
    std::string path;  // of the route that answers with it
};
BOOST_DESCRIBE_STRUCT(Match, (), (kind, id, title, path))

struct RuleHits {
    std::int64_t draws = 0;
    Money amount;
};
BOOST_DESCRIBE_STRUCT(RuleHits, (), (draws, amount))

struct Rule {
    std::string name, action;
    bool enabled = false, shadow = false;
    std::vector<std::string> limits = {};
    int line = 0;
    std::string text;
    std::int64_t draws = 0;
    Money amount = {};
    std::optional<Instant> last_hit = {};
};
BOOST_DESCRIBE_STRUCT(Rule, (), (name, action, enabled, shadow, limits, line, text, draws, amount, last_hit))

// A decision that other rules would have made.
struct Decided {
    std::string outcome;
    std::optional<std::string> rule = {};
    std::string reason;
};
BOOST_DESCRIBE_STRUCT(Decided, (), (outcome, rule, reason))

struct ChangedDecision {
    DrawId draw_id = 0;
    Instant decided_at;
    std::optional<Money> amount = {};
    Decided base = {}, candidate = {};
};
BOOST_DESCRIBE_STRUCT(ChangedDecision, (), (draw_id, decided_at, amount, base, candidate))

// What a candidate rule file would have decided; the API answers with a slice of it.
struct Backtest {
    std::string base, candidate;  // SHA-256 of the rule sets
    std::int64_t draws = 0;
    Money amount = {};
    std::vector<ChangedDecision> changes = {};
    std::vector<std::string> not_replayed = {}, approximations = {};
    Maybe<std::optional<std::int64_t>> next_after = {};  // of a slice
    Maybe<Instant> since = {};                           // of the whole
};
BOOST_DESCRIBE_STRUCT(Backtest, (),
                      (base, candidate, draws, amount, changes, not_replayed, approximations, next_after, since))

struct Diagnostic {
    std::string file;
    int line = 0, column = 0;
    std::string message;
    std::optional<std::string> hint = {};
    std::string severity;
};
BOOST_DESCRIBE_STRUCT(Diagnostic, (), (file, line, column, message, hint, severity))

// A confirmation file.
struct Confirmation {
    std::int64_t id = 0;
    std::string sha256;  // empty, with the size 0: the file was too large to read
    std::string name;
    std::int64_t size_bytes = 0;
    Instant recorded_at;
    std::string outcome;
    std::int64_t line_count = 0;
    Money paid, returned;  // by the applied lines; `returned` includes voided checks
    std::vector<std::string> handed_in_by = {};
    nlohmann::json outcomes;  // lines and amount of each outcome
};
BOOST_DESCRIBE_STRUCT(Confirmation, (),
                      (id, sha256, name, size_bytes, recorded_at, outcome, line_count, paid, returned, handed_in_by,
                       outcomes))

struct ConfirmationLine {
    std::int64_t line = 0;
    std::string says, payment_reference;
    Money amount;
    std::string currency, date;
    std::optional<std::string> bank_code = {}, payee_name = {};
    std::string outcome;
    std::optional<std::string> reason_code = {}, detail = {}, payment_id = {};
    std::optional<DrawId> draw_id = {};
    std::optional<std::int64_t> exception_id = {};
};
BOOST_DESCRIBE_STRUCT(ConfirmationLine, (),
                      (line, says, payment_reference, amount, currency, date, bank_code, payee_name, outcome,
                       reason_code, detail, payment_id, draw_id, exception_id))

struct SettlingFile {
    std::string name;
    bool went_out = false;
    std::int64_t count = 0;
    Money amount;
};
BOOST_DESCRIBE_STRUCT(SettlingFile, (), (name, went_out, count, amount))

struct CalendarDay {
    BusinessDate date;
    bool banking_day = false;
    std::optional<std::string> closed_for = {};
    std::vector<Instant> cutoffs = {};
    std::vector<SettlingFile> files = {};
    Sum settles = {};
};
BOOST_DESCRIBE_STRUCT(CalendarDay, (), (date, banking_day, closed_for, cutoffs, files, settles))

struct CashDay {
    BusinessDate date;
    Sum released = {}, waiting = {}, approved = {}, possible = {};
};
BOOST_DESCRIBE_STRUCT(CashDay, (), (date, released, waiting, approved, possible))

struct CheckOrder {
    std::string action;
    Instant ordered_at;
    std::string ordered_by, reason;
    std::optional<std::string> file = {};
    std::optional<Instant> transmitted_at = {};
};
BOOST_DESCRIBE_STRUCT(CheckOrder, (), (action, ordered_at, ordered_by, reason, file, transmitted_at))

// For a gap in the numbers, everything below the state is null.
struct Check {
    std::int64_t number = 0, last_number = 0;
    ledger::CheckState state = ledger::CheckState::never_used;
    std::optional<std::string> payment_id = {};
    std::optional<DrawId> draw_id = {};
    std::optional<std::string> payee_name = {};
    std::optional<Money> amount = {};
    std::optional<BusinessDate> check_date = {};
    std::optional<std::string> file = {};
    std::optional<BusinessDate> settled_on = {};
    std::optional<CheckOrder> order = {};
    std::optional<std::string> replaces = {}, replaced_by = {};
};
BOOST_DESCRIBE_STRUCT(Check, (),
                      (number, last_number, state, payment_id, draw_id, payee_name, amount, check_date, file,
                       settled_on, order, replaces, replaced_by))

// The last run of a step.
struct Run {
    std::string step;
    Instant started_at, ended_at;
    bool ok = false;
    std::string summary;
    std::optional<Instant> last_ok = {};
};
BOOST_DESCRIBE_STRUCT(Run, (), (step, started_at, ended_at, ok, summary, last_ok))

struct Alert {
    std::int64_t id = 0;
    std::string kind;
    Instant at;
    std::string title, text;
    std::vector<nlohmann::json> items = {};
    std::vector<ledger::AlertSend> sends = {};
};
BOOST_DESCRIBE_STRUCT(Alert, (), (id, kind, at, title, text, items, sends))

struct AlertChannels {
    std::vector<std::string> channels = {};
    std::vector<ledger::WaitingAlerts> waiting = {};
};
BOOST_DESCRIBE_STRUCT(AlertChannels, (), (channels, waiting))

struct AuditEntry {
    std::int64_t seq = 0;
    Instant at;
    std::string actor;                       // as recorded: "uid 5001 (anna)"
    std::optional<std::string> person = {};  // whose uid it is: "Anna Berg (uid 5001)"
    std::string action, subject, detail;
    std::optional<DrawId> draw_id = {};
    std::optional<std::string> payment_id = {}, file = {};
};
BOOST_DESCRIBE_STRUCT(AuditEntry, (), (seq, at, actor, person, action, subject, detail, draw_id, payment_id, file))

struct ArchivedFile {
    std::string path, state;
    std::int64_t bytes = 0;
    std::optional<std::string> sha256;
    std::optional<Instant> sealed_at = {}, deleted_at = {};
};
BOOST_DESCRIBE_STRUCT(ArchivedFile, (), (path, state, bytes, sha256, sealed_at, deleted_at))

struct Backup {
    Instant at;
    std::string by, file, sha256;
    std::int64_t bytes = 0, audit_seq = 0;
    std::string audit_head;
    bool scheduled = false;
};
BOOST_DESCRIBE_STRUCT(Backup, (), (at, by, file, sha256, bytes, audit_seq, audit_head, scheduled))

struct TrailEntry {
    std::int64_t entry = 0;
    Instant at;
    std::string hash;
};
BOOST_DESCRIBE_STRUCT(TrailEntry, (), (entry, at, hash))

struct Invariant {
    int number = 0;
    std::string title;
    std::int64_t checked = 0;
    bool ok = false;
    std::vector<std::string> violations = {};
};
BOOST_DESCRIBE_STRUCT(Invariant, (), (number, title, checked, ok, violations))

struct PayRun {
    Instant at;
    std::string by;
    Sum approved = {}, exported = {}, held = {}, exceptions = {};
    std::int64_t unread = 0, moved_on = 0;
    bool complete = false;
};
BOOST_DESCRIBE_STRUCT(PayRun, (), (at, by, approved, exported, held, exceptions, unread, moved_on, complete))

struct Person {
    ledger::PersonId id = 0;
    std::string name;
    bool locked = false;
    std::vector<std::string> roles = {};
    std::vector<std::int64_t> uids = {};
    std::vector<std::string> emails = {}, approver_ids = {};
};
BOOST_DESCRIBE_STRUCT(Person, (), (id, name, locked, roles, uids, emails, approver_ids))

// A change to a person that waits for confirmation.
struct ProposedChange {
    std::int64_t id = 0;
    ledger::PersonId person_id = 0;
    std::string person;  // the name
    std::string change;
    Instant proposed_at;
    std::string proposed_by, reason;
};
BOOST_DESCRIBE_STRUCT(ProposedChange, (), (id, person_id, person, change, proposed_at, proposed_by, reason))

struct Passkey {
    std::string fingerprint;
    ledger::PersonId person_id = 0;
    std::string label, site;  // site: the host that it was made for
    std::string invited_by;
    std::string state;
    std::string algorithm, credential_id, public_key, aaguid;
    bool backup_eligible = false;
    Instant enrolled_at;
    std::optional<Instant> confirmed_at = {};
    std::optional<std::string> confirmed_by = {};
    std::optional<Instant> locked_at = {}, last_signed_at = {};
};
BOOST_DESCRIBE_STRUCT(Passkey, (),
                      (fingerprint, person_id, label, site, invited_by, state, algorithm, credential_id, public_key,
                       aaguid, backup_eligible, enrolled_at, confirmed_at, confirmed_by, locked_at, last_signed_at))

// With all that it takes to verify it: the bytes as base64url, the key as PEM.
struct SignedAct {
    std::int64_t act_id = 0;
    Instant at;
    ledger::PersonId person_id = 0;
    std::string request, text, client_data, authenticator_data, signature;
    std::string fingerprint, algorithm, public_key;
    std::optional<std::string> confirmed_by = {};  // the passkey
};
BOOST_DESCRIBE_STRUCT(SignedAct, (),
                      (act_id, at, person_id, request, text, client_data, authenticator_data, signature, fingerprint,
                       algorithm, public_key, confirmed_by))

// One person's acceptance of changed rules or payees.
struct Acceptance {
    Instant at;
    std::string by, reason;
    bool counts = false;  // false: the person is locked or lost the role since
};
BOOST_DESCRIBE_STRUCT(Acceptance, (), (at, by, reason, counts))

struct Change {
    std::string kind, sha256, state;
    bool in_force = false;
    Instant proposed_at;
    std::optional<std::int64_t> file_uid = {};
    std::optional<std::string> file_by = {};  // whose file it is, by name
    std::vector<Acceptance> accepted = {};
    std::optional<Instant> closed_at = {};
    std::optional<std::string> closed_by = {}, closed_reason = {};
};
BOOST_DESCRIBE_STRUCT(Change, (),
                      (kind, sha256, state, in_force, proposed_at, file_uid, file_by, accepted, closed_at, closed_by,
                       closed_reason))

struct ChangeControl {
    std::string rules, payees;
    std::vector<Change> waiting = {};
};
BOOST_DESCRIBE_STRUCT(ChangeControl, (), (rules, payees, waiting))

// What the bank says it received, next to what was sent.
struct Comparison {
    std::string file;
    std::optional<std::int64_t> line = {};
    std::int64_t payments = 0;
    Money total = {};
    std::string outcome, detail;
};
BOOST_DESCRIBE_STRUCT(Comparison, (), (file, line, payments, total, outcome, detail))

struct IngestedLine {
    std::int64_t line = 0;
    std::string says, payment_reference;
    Money amount;
    std::string currency;
    BusinessDate date;
    std::optional<std::string> bank_code = {}, payee_name = {};
    std::string outcome;
    std::optional<std::string> reason_code = {}, payment_id = {};
    std::optional<DrawId> draw_id = {};
    std::optional<std::string> detail = {};
    std::optional<Proposal> proposal = {};
};
BOOST_DESCRIBE_STRUCT(IngestedLine, (),
                      (line, says, payment_reference, amount, currency, date, bank_code, payee_name, outcome,
                       reason_code, payment_id, draw_id, detail, proposal))

// What taking a confirmation file did, or would do.
struct IngestedFile {
    std::string fate, name;
    std::optional<std::string> sha256 = {};
    std::int64_t size_bytes = 0;
    std::optional<std::string> format = {}, recognized_by = {}, profile = {}, bank_file_id = {};
    std::optional<BusinessDate> date = {};
    std::int64_t line_count = 0;
    bool nothing_came_back = false;
    std::int64_t applied = 0;
    Money paid = {}, returned = {};
    std::int64_t duplicates = 0, exceptions = 0, without_effect = 0;
    std::vector<IngestedLine> lines = {};
    std::int64_t lines_left_out = 0;
    std::vector<Comparison> acknowledgments = {};
    std::vector<std::string> remarks = {}, problems = {};
    std::optional<std::string> kept_in = {};
};
BOOST_DESCRIBE_STRUCT(IngestedFile, (),
                      (fate, name, sha256, size_bytes, format, recognized_by, profile, bank_file_id, date, line_count,
                       nothing_came_back, applied, paid, returned, duplicates, exceptions, without_effect, lines,
                       lines_left_out, acknowledgments, remarks, problems, kept_in))

}  // namespace drawbridge::admin::records
