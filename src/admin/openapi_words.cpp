#include "openapi_words.hpp"

#include <algorithm>
#include <map>
#include <optional>
#include <sstream>
#include <typeindex>

#include "drawbridge/admin/session_record.hpp"
#include "drawbridge/admin/status_record.hpp"
#include "drawbridge/domain/assert.hpp"
#include "drawbridge/ledger/reports/file_details.hpp"

namespace drawbridge::admin {
namespace {

using nlohmann::json;

#define PAGE "limit:int after:int total:true"
#define NEXT " next_after:int? total?:int"
#define CHANGED_PERSON "change:text person_id:int in_effect:bool"

// The words of described records. A record comes after those that its members have.
class ShapeList {
  public:
    // `words` replace those of the members that they name.
    template <class T>
    void add(std::string_view name, std::string_view words = {}) {
        std::string members;
        for_each_member<T>([&]<class M>(const char* member, M T::*) {
            members += (members.empty() ? "" : " ") + word_in(words, member).value_or(word_of<M>(member));
        });
        shapes_.push_back({std::string(name), std::move(members)});
        names_.emplace(typeid(T), name);
    }
    void add(std::string_view name, std::string_view members) {
        shapes_.push_back({std::string(name), std::string(members)});
    }
    [[nodiscard]] std::vector<Shape> take() { return std::move(shapes_); }

  private:
    // "state:planned|staged" in the words of a record.
    static std::optional<std::string> word_in(std::string_view words, std::string_view member) {
        std::istringstream in{std::string(words)};
        for (std::string word; in >> word;) {
            if (word.starts_with(member) && word[member.size()] == ':') return word;
        }
        return std::nullopt;
    }
    template <class M>
    std::string word_of(const std::string& member) const {
        if constexpr (api::is_maybe<M>) {
            return member + "?:" + type_of<typename M::value_type>();
        } else {
            return member + ":" + type_of<M>();
        }
    }
    template <class M>
    std::string type_of() const {
        if constexpr (api::is_optional<M>) {
            return type_of<typename M::value_type>() + "?";
        } else if constexpr (api::is_list<M>) {
            return "[" + type_of<typename M::value_type>() + "]";
        } else if constexpr (Record<M>) {
            const auto known = names_.find(typeid(M));
            DRAWBRIDGE_ASSERT(known != names_.end(), "a record comes after those that its members have");
            return std::string(known->second);
        } else if constexpr (boost::describe::has_describe_enumerators<M>::value) {
            std::string choices;
            boost::mp11::mp_for_each<boost::describe::describe_enumerators<M>>([&](auto enumerator) {
                choices += (choices.empty() ? "" : "|") + std::string(to_string(enumerator.value));
            });
            return choices;
        } else if constexpr (std::is_same_v<M, json>) {
            return "any";
        } else if constexpr (std::is_same_v<M, bool>) {
            return "bool";
        } else if constexpr (std::is_integral_v<M>) {
            return "int";
        } else if constexpr (std::is_floating_point_v<M>) {
            return "number";
        } else if constexpr (std::is_same_v<M, Money>) {
            return "money";
        } else if constexpr (std::is_same_v<M, Instant>) {
            return "instant";
        } else if constexpr (std::is_same_v<M, BusinessDate>) {
            return "date";
        } else {
            static_assert(std::is_same_v<M, std::string> || std::is_enum_v<M>, "a type of openapi_words.hpp");
            return "text";
        }
    }

    std::vector<Shape> shapes_;
    std::map<std::type_index, std::string_view> names_;
};

void add_status(ShapeList& list) {
    list.add<ledger::Movement>("Pause");
    list.add<ledger::Restoration>("Restoration");
    list.add<ledger::ExceptionTotal>("ExceptionTotal");
    list.add<records::NeedsAttention>("NeedsAttention");
    list.add<records::DaemonState>("DaemonState");
    list.add<records::ServiceHealth>("ServiceHealth", "circuit:closed|open|half-open");
    list.add<records::Balance>("Balance");
    list.add<records::WaitingForPortal>("WaitingForPortal");
    list.add<ledger::OutstandingChecks>("OutstandingChecks");
    list.add<reconciliation::ConfiguredControl>("ConfiguredControl");
    list.add<records::ReturnRate>("ReturnRate");
    list.add<records::Undelivered>("Undelivered");
    list.add<records::InboxFile>("InboxFile");
    list.add<records::Inbox>("Inbox");
    list.add<ledger::StandbySeen>("Standby");
    list.add<ledger::ServerStandby>("ServerStandby");
    list.add<ledger::Hosts>("Hosts");
    list.add<records::LedgerState>("LedgerState");
    list.add<records::Status>("Status");
}

std::vector<Shape> all_shapes() {
    ShapeList list;
    list.add<records::Draw>("Draw", "state:draw_state");
    list.add("Health", "status:text problems:[text]");
    list.add("DrawToApprove", "id:int amount:money payee:text?");
    list.add<ledger::TimelineEntry>("TimelineEntry");
    list.add<records::Proposal>("Proposal");
    list.add<records::Exception>("Exception");
    list.add<records::Reference>("Reference");
    list.add<records::BankLine>("BankLine");
    list.add<records::Maker>("Maker");
    list.add<ledger::Evidence>("Evidence", "kind:text");
    list.add<records::DeliveryStep>("DeliveryStep");
    list.add<records::Delivery>("Delivery", "by:sftp|folder");
    list.add<records::File>("File");
    list.add<ledger::BatchRow>("Batch");
    list.add<records::Control>("Control");
    list.add<records::FilePayment>("FilePayment");
    list.add<ledger::EarlierFile>("EarlierFile");
    list.add<records::MayRelease>("MayRelease");
    list.add<Sum>("Sum");
    list.add<records::Match>("Match", "kind:draw|payment|file|exception|check|confirmation");
    list.add<records::Rule>("Rule", "action:approve|hold");
    list.add<records::RuleHits>("RuleHits");
    list.add<records::Decided>("Decided");
    list.add<records::ChangedDecision>("ChangedDecision");
    list.add<records::Backtest>("Backtest");
    list.add<records::Diagnostic>("Diagnostic", "severity:error|warning");
    list.add<records::Confirmation>("Confirmation", "outcome:applied|recording|refused");
    list.add<records::ConfirmationLine>("ConfirmationLine");
    list.add<records::SettlingFile>("SettlingFile");
    list.add<records::CalendarDay>("CalendarDay");
    list.add<records::CashDay>("CashDay");
    list.add<records::CheckOrder>("CheckOrder");
    list.add<records::Check>("Check");
    list.add<records::Run>("Run");
    list.add<records::PayRun>("PayRun");
    list.add<ledger::StateTotal>("StateTotal", "state:draw_state");
    list.add<ledger::AlertSend>("AlertSend");
    list.add<records::Alert>("Alert");
    list.add<records::AuditEntry>("AuditEntry");
    list.add<records::Invariant>("Invariant");
    list.add<records::TrailEntry>("TrailEntry");
    list.add<records::Backup>("Backup");
    list.add<records::ArchivedFile>("ArchivedFile");
    list.add<records::Person>("Person");
    list.add<records::ProposedChange>("ProposedChange");
    list.add<records::Passkey>("Passkey");
    list.add<records::Session>("Session", "how:link|passkey");
    list.add<records::SignedAct>("SignedAct");
    list.add<records::Acceptance>("Acceptance");
    list.add<records::Change>("Change");
    list.add<records::ChangeControl>("ChangeControl");
    list.add<records::Comparison>("Comparison");
    list.add<records::IngestedLine>("IngestedLine");
    list.add<records::IngestedFile>("IngestedFile");
    list.add<ledger::WaitingAlerts>("WaitingAlerts");
    list.add<records::AlertChannels>("AlertChannels");
    add_status(list);
    return list.take();
}

constexpr RouteWords all_routes[] = {
    {"GET", "/status", "The pipeline at a glance", "", "", "", "Status"},
    {"GET", "/pulse", "Whether anything changed", "", "", "",
     "audit_seq:int paused:bool open_exceptions:int files_waiting:int breach:any doing:text?"},
    {"GET", "/find", "What a number, name, hash or amount may be", "", "q:text", "", "matches:[Match]"},
    {"GET", "/draws", "Draws, filtered and sorted", "",
     "state:draw_state workflow:int payee:text min_amount:amount max_amount:amount text:text "
     "sort:id|-id|amount|-amount|since|-since fields:true " PAGE,
     "", "draws:[Draw]" NEXT " sum?:money without_amount?:int"},
    {"GET", "/draws/*", "One draw with its timeline", "id:int", "", "",
     "draw:Draw payee_name?:text fields?:any forecast:any exceptions:[Exception] timeline:[TimelineEntry]"},
    {"POST", "/draws/*/explain", "What rules say of a draw", "id:int", "", "rules?:content file?:text",
     "draw_id:int status:text as_if_pending:bool at:instant decision:any approver_id?:int notes?:text notify?:[text] "
     "held_because?:text"},
    {"POST", "/draws/approve", "Approve held draws", "", "",
     "ids:[int] approver_id?:int? reason:text expect?:SeenDraws preview?:bool",
     "approved?:[int] amount?:money approver_id?:int decided_by?:text draws?:[DrawToApprove] total?:money "
     "expect?:SeenDraws"},
    {"POST", "/draws/refresh", "Read draws from the service again", "", "", "ids:[int]",
     "asked:int changed:int failed:int problem:text at:instant"},
    {"POST", "/draws/*/reissue", "Pay again what came back", "id:int", "", "reason:text expect?:SeenPayment",
     "draw_id:int after_payment:text"},
    {"POST", "/rules/backtest", "What rules would have decided", "", "",
     "rules:content file?:text base?:content base_file?:text since?:instant after?:int", "Backtest"},
    {"GET", "/rules", "The rules in force", "", "", "",
     "sha256:text? text:text limits:[text] rules:[Rule] no_rule:RuleHits never_matched:[text] problems:[text] "
     "warnings:[Diagnostic]"},
    {"POST", "/rules/check", "What is wrong with a rule file", "", "", "rules:content file?:text",
     "ok:bool diagnostics:[Diagnostic]"},
    {"GET", "/rules/*", "The text of a rule set", "sha256:text", "", "", "sha256:text text:text"},
    {"GET", "/exceptions", "Exceptions, open or closed", "",
     "state:open|closed reason:text step:step closed_on:date " PAGE, "", "exceptions:[Exception]" NEXT},
    {"GET", "/exceptions/*", "One exception with its proposals", "id:int", "", "",
     "exception:Exception line:BankLine? proposals:[Proposal]"},
    {"POST", "/exceptions/resolve", "Resolve exceptions, all or none", "", "", "ids:[int] reason:text",
     "resolved:[int]"},
    {"POST", "/exceptions/*/resolve", "Resolve an exception", "id:int", "", "reason:text match?:text",
     "exception:Exception"},
    {"POST", "/exceptions/*/undo", "Undo a resolution", "id:int", "", "reason:text", "undone:int exception:Exception"},
    {"POST", "/exceptions/*/reissue", "Pay the draw of an exception again", "id:int", "",
     "reason:text expect?:SeenPayment", "draw_id:int after_payment:text"},
    {"POST", "/exceptions/*/deliver", "Say whether the bank has the file of an exception", "id:int", "",
     "reason:text how:by_hand|again", "file:File"},
    {"GET", "/files", "Payment files, newest first", "", "state:file_state order:newest|oldest " PAGE, "",
     "files:[File]" NEXT},
    {"GET", "/files/*", "One payment file", "name:text", "payments_after:int payments_limit:int", "",
     "file:File batches:[Batch] control:Control? effective_entry_dates:[date] settlement_deadline:instant? "
     "may_release:MayRelease first_time_payees:Sum largest_payment:money earlier_file:EarlierFile? "
     "payments:[FilePayment] next_payments_after:int?"},
    {"POST", "/files/*/release", "Release a file to the bank", "name:text", "", "reason:text expect?:SeenFile",
     "file:File"},
    {"POST", "/files/*/void", "Void a file that has not left", "name:text", "", "reason:text", "file:File"},
    {"POST", "/files/*/deliver", "Say whether the bank has a file", "name:text", "", "reason:text how:by_hand|again",
     "file:File"},
    {"POST", "/files/*/acknowledge", "Record what the bank acknowledged", "name:text", "",
     "reason:text payments:int total:amount", "Comparison"},
    {"POST", "/payments/*/void", "Void a payment with its file", "id:text", "", "reason:text",
     "payment_id:text draw_id:int file:File"},
    {"GET", "/confirmations", "Confirmation files, newest first", "", PAGE, "", "confirmations:[Confirmation]" NEXT},
    {"GET", "/confirmations/*", "One confirmation file with its lines", "sha256:text", PAGE, "",
     "confirmation:Confirmation lines:[ConfirmationLine] problems:[text]" NEXT},
    {"GET", "/calendar", "Banking days, cut-offs and settlements", "", "from:date to:date", "",
     "today:date days:[CalendarDay]"},
    {"GET", "/forecast", "Cash by the day on which it settles", "", "days:int", "",
     "days:[CashDay] next_run_at:instant? because:text checks_outstanding:Sum? overdue:Sum?"},
    {"GET", "/checks", "The check register", "", "state:check_state " PAGE, "", "checks:[Check]" NEXT},
    {"POST", "/checks/*/void", "Order a check void", "number:int", "", "reason:text", "check:Check"},
    {"POST", "/checks/*/stop", "Order a stop of a check", "number:int", "", "reason:text", "check:Check"},
    {"POST", "/checks/*/withdraw", "Withdraw an order about a check", "number:int", "", "reason:text", "check:Check"},
    {"POST", "/ingest", "Begin to hand over a confirmation file", "", "", "", "upload:text"},
    {"POST", "/ingest/*/bytes", "The next bytes of an upload", "upload:text", "offset:int", "", "size:int"},
    {"POST", "/ingest/*/preview", "What taking a file would do", "upload:text", "",
     "name:text profile?:text? limit?:int keep?:bool", "IngestedFile"},
    {"POST", "/ingest/*/take", "Take a confirmation file", "upload:text", "",
     "name:text profile?:text? limit?:int reason?:text? sha256?:text", "IngestedFile"},
    {"POST", "/pay", "Plan payments now", "", "", "reason:text", "ok:bool summary:text problems:[text]"},
    {"POST", "/pause", "Pause all movement of money", "", "", "reason:text", "paused:bool"},
    {"POST", "/resume", "Resume all movement of money", "", "",
     "reason:text nothing_else_sent?:bool despite_exceptions?:bool", "paused:bool"},
    {"POST", "/reload", "Read rules and payees again", "", "", "reason?:text", "in_force:text"},
    {"GET", "/alerts", "Alerts, newest first", "", PAGE, "", "alerts:[Alert] ways:AlertChannels" NEXT},
    {"POST", "/alerts/test", "Send a test alert", "", "", "reason:text", "tests:[any]"},
    {"GET", "/runs", "Runs of the steps", "", PAGE, "", "pay_runs:[PayRun] runs:[Run]" NEXT},
    {"GET", "/metrics", "Metrics for Prometheus"},
    {"GET", "/healthz", "Whether the process works", "", "", "", "Health"},
    {"GET", "/readyz", "Whether draws move", "", "", "", "Health"},
    {"GET", "/verify", "Check every invariant", "", "entry:int", "",
     "invariants:[Invariant] clean:bool trail:TrailEntry"},
    {"GET", "/reconcile", "A slice of the reconciliation report", "",
     "from:date to:date as_of:instant overdue_after:int after:text", "",
     "head:any totals:any lines:[any] files:[any] next:text? counted:any"},
    {"GET", "/archive", "Files of the archive", "", PAGE, "", "files:[ArchivedFile]" NEXT},
    {"POST", "/archive/show", "Bytes of an archived file", "", "", "name:text reason:text offset?:int"},
    {"POST", "/backup", "Make a verified backup", "", "", "file?:text reason?:text", "backup:Backup"},
    {"GET", "/backups", "Backups, newest first", "", PAGE, "", "backups:[Backup]" NEXT},
    {"GET", "/exports", "Files that were let go", "", "", "", "ledger:text exports:[any]"},
    {"GET", "/audit", "The audit trail, newest first", "", "actor:text action:text subject:text " PAGE, "",
     "audit:[AuditEntry]" NEXT},
    {"GET", "/acts", "Signed acts with their proof, oldest first", "", PAGE, "", "acts:[SignedAct]" NEXT},
    {"GET", "/acts/*", "A signed act, verified", "id:int", "", "",
     "act_id:int at:instant person_id:int request:text text:text client_data:text authenticator_data:text "
     "signature:text fingerprint:text algorithm:text public_key:text confirmed_by:text? passkey:Passkey "
     "verifies:bool fault:text?"},
    {"GET", "/openapi.json", "This document", "", "", "", "openapi:text info:any paths:any components:any"},
    {"GET", "/changes", "Changes of rules and payees", "", "limit:int", "", "changes:[Change] control:ChangeControl"},
    {"GET", "/changes/*", "One change", "sha256:text", "", "",
     "change:Change accepted_by_you:bool rules?:any payees?:[any]"},
    {"POST", "/changes/*/accept", "Accept a change", "sha256:text", "", "reason:text expect?:SeenChange",
     "accepted:text kind:text in_force:bool"},
    {"POST", "/changes/*/reject", "Reject a change", "sha256:text", "", "reason:text", "rejected:text kind:text"},
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
     "confirmed:int person:text change:text"},
    {"POST", "/people/changes/*/reject", "Reject a change to people", "id:int", "", "reason:text",
     "rejected:int person:text change:text"},
    {"POST", "/people/*/invite", "Invite a person to enroll a passkey", "id:int", "", "reason:text",
     "code:text expires:instant origin:text"},
    {"GET", "/passkeys", "Every passkey", "", "", "", "passkeys:[Passkey]"},
    {"POST", "/passkeys/*/confirm", "Confirm another person's passkey", "fingerprint:text", "", "reason:text",
     "passkey:Passkey"},
    {"POST", "/passkeys/*/lock", "Lock a passkey for good", "fingerprint:text", "", "reason:text", "passkey:Passkey"},
    {"GET", "/sessions", "Open sessions of the console: all to an admin, to others their own", "", "", "",
     "sessions:[Session]"},
    {"POST", "/sessions/*/end", "End a session of the console", "id:text", "", "reason:text", "ended:text"},
    {"POST", "/console/link", "A link to a read-only session", "", "", "reason:text",
     "code:text expires:instant origin:text"},
};

}  // namespace

const RouteWords* words_of(std::string_view method, std::string_view pattern) {
    const auto* const found = std::ranges::find_if(
        all_routes, [&](const RouteWords& one) { return one.method == method && one.pattern == pattern; });
    return found == std::end(all_routes) ? nullptr : found;
}

std::vector<Member> members_in(std::string_view list) {
    std::vector<Member> members;
    while (!list.empty()) {
        const auto end = std::min(list.find(' '), list.size());
        const auto word = list.substr(0, end);
        const auto colon = word.find(':');
        DRAWBRIDGE_ASSERT(colon != std::string_view::npos, "a member has a type");
        Member member{std::string(word.substr(0, colon)), std::string(word.substr(colon + 1))};
        if (member.name.ends_with('?')) {
            member.name.pop_back();
            member.required = false;
        }
        members.push_back(std::move(member));
        list.remove_prefix(std::min(end + 1, list.size()));
    }
    return members;
}

std::span<const Shape> request_shapes() {
    static const std::vector<Shape> all = {{"SeenDraws", "draws?:int total?:money seen?:[text]"},
                                           {"SeenFile", "sha256?:text payments?:int total?:money"},
                                           {"SeenPayment", "draw:int amount:money payee:text name:text account:text"},
                                           {"SeenChange", "kind:text in_force:bool"}};
    return all;
}

const std::vector<Shape>& shapes() {
    static const std::vector<Shape> all = all_shapes();
    return all;
}

}  // namespace drawbridge::admin
