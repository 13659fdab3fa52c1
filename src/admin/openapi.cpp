#include "openapi.hpp"

#include <algorithm>
#include <array>

#include "drawbridge/ledger/people.hpp"
#include "routes.hpp"

namespace drawbridge::admin {
namespace {

// What the table of routes does not say. `names`: of the `*` in the pattern, the query's parameters, the body's keys
// and the keys of a good answer, each separated by blanks; a key with `?` may be missing.
struct Words {
    std::string_view method, pattern, summary;
    std::string_view variables = {}, query = {}, body = {}, answer = {};
};

constexpr std::string_view page_parameters = "limit after total";

constexpr std::array route_words{
    Words{"GET", "/status", "The pipeline at a glance", "", "", "", "at needs_attention states runs daemon ledger"},
    Words{"GET", "/pulse", "Whether anything changed", "", "", "",
          "audit_seq paused open_exceptions files_waiting doing"},
    Words{"GET", "/find", "What a number, name, hash or amount may be", "", "q", "", "matches"},
    Words{"GET", "/draws", "Draws, filtered and sorted", "",
          "state workflow payee min_amount max_amount text sort fields limit after total", "",
          "draws next_after total? sum? without_amount?"},
    Words{"GET", "/draws/*", "One draw with its timeline", "id", "", "", "draw fields? forecast exceptions timeline"},
    Words{"POST", "/draws/*/explain", "What rules say of a draw", "id", "", "rules? file?", "draw_id decision"},
    Words{"POST", "/draws/approve", "Approve held draws", "", "", "ids approver_id? reason"},
    Words{"POST", "/draws/refresh", "Read draws from the service again", "", "", "ids",
          "asked changed failed problem at"},
    Words{"POST", "/draws/*/reissue", "Pay again what came back", "id", "", "reason", "draw_id after_payment"},
    Words{"POST", "/rules/backtest", "What rules would have decided", "", "", "rules? file? base? since? after?"},
    Words{"GET", "/rules", "The rules in force", "", "", "",
          "sha256 text limits rules no_rule never_matched problems warnings"},
    Words{"POST", "/rules/check", "What is wrong with a rule file", "", "", "rules file?", "ok diagnostics"},
    Words{"GET", "/rules/*", "The text of a rule set", "sha256", "", "", "sha256 text"},
    Words{"GET", "/exceptions", "Exceptions, open or closed", "", "state reason step limit after total", "",
          "exceptions next_after total?"},
    Words{"GET", "/exceptions/*", "One exception with its proposals", "id", "", "", "exception line proposals"},
    Words{"POST", "/exceptions/resolve", "Resolve exceptions, all or none", "", "", "ids reason", "resolved"},
    Words{"POST", "/exceptions/*/resolve", "Resolve an exception", "id", "", "reason match?", "exception"},
    Words{"POST", "/exceptions/*/undo", "Undo a resolution", "id", "", "reason", "undone exception"},
    Words{"POST", "/exceptions/*/reissue", "Pay the draw of an exception again", "id", "", "reason",
          "draw_id after_payment"},
    Words{"POST", "/exceptions/*/deliver", "Say whether the bank has the file of an exception", "id", "", "reason how",
          "file"},
    Words{"GET", "/files", "Payment files", "", "state order limit after total", "", "files next_after total?"},
    Words{"GET", "/files/*", "One payment file", "name", "payments_after payments_limit", "",
          "file batches control effective_entry_dates settlement_deadline may_release first_time_payees "
          "largest_payment earlier_file payments next_payments_after"},
    Words{"POST", "/files/*/release", "Release a file to the bank", "name", "", "reason expect?", "file"},
    Words{"POST", "/files/*/void", "Void a file that has not left", "name", "", "reason", "file"},
    Words{"POST", "/files/*/deliver", "Say whether the bank has a file", "name", "", "reason how", "file"},
    Words{"POST", "/files/*/acknowledge", "Record what the bank acknowledged", "name", "", "reason payments total",
          "file outcome"},
    Words{"POST", "/payments/*/void", "Void a payment with its file", "id", "", "reason", "payment_id draw_id file"},
    Words{"GET", "/confirmations", "Confirmation files, newest first", "", page_parameters, "",
          "confirmations next_after total?"},
    Words{"GET", "/confirmations/*", "One confirmation file with its lines", "sha256", page_parameters, "",
          "confirmation lines problems next_after total?"},
    Words{"GET", "/calendar", "Banking days, cut-offs and settlements", "", "from to", "", "today days"},
    Words{"GET", "/forecast", "Cash by the day on which it settles", "", "days", "",
          "days next_run_at because checks_outstanding"},
    Words{"GET", "/checks", "The check register", "", page_parameters, "", "checks next_after total?"},
    Words{"POST", "/checks/*/void", "Order a check void", "number", "", "reason"},
    Words{"POST", "/checks/*/stop", "Order a stop of a check", "number", "", "reason"},
    Words{"POST", "/checks/*/withdraw", "Withdraw an order about a check", "number", "", "reason"},
    Words{"POST", "/ingest", "Begin to hand over a confirmation file", "", "", "", "upload"},
    Words{"POST", "/ingest/*/bytes", "The next bytes of an upload", "upload", "offset", "", "size"},
    Words{"POST", "/ingest/*/preview", "What taking a file would do", "upload", "", "name profile? limit? keep?",
          "fate sha256 lines problems"},
    Words{"POST", "/ingest/*/take", "Take a confirmation file", "upload", "", "name profile? limit? reason? sha256?",
          "fate sha256 lines problems"},
    Words{"POST", "/pay", "Plan payments now", "", "", "reason", "ok summary problems"},
    Words{"POST", "/pause", "Pause all movement of money", "", "", "reason", "paused"},
    Words{"POST", "/resume", "Resume all movement of money", "", "", "reason nothing_else_sent? despite_exceptions?"},
    Words{"POST", "/reload", "Read rules and payees again", "", "", "reason?", "in_force"},
    Words{"GET", "/alerts", "Alerts, newest first", "", page_parameters, ""},
    Words{"POST", "/alerts/test", "Send a test alert", "", "", "reason", "tests"},
    Words{"GET", "/runs", "Runs of the steps", "", page_parameters, "", "pay_runs runs next_after total?"},
    Words{"GET", "/metrics", "Metrics for Prometheus"},
    Words{"GET", "/healthz", "Whether the process works"},
    Words{"GET", "/readyz", "Whether draws move"},
    Words{"GET", "/verify", "Check every invariant", "", "entry", ""},
    Words{"GET", "/reconcile", "A slice of the reconciliation report", "", "from to as_of overdue_after after", ""},
    Words{"GET", "/archive", "Files of the archive"},
    Words{"POST", "/archive/show", "Bytes of an archived file", "", "", "name reason offset?"},
    Words{"POST", "/backup", "Make a verified backup", "", "", "file?"},
    Words{"GET", "/backups", "Backups, newest first", "", page_parameters, "", "backups next_after total?"},
    Words{"GET", "/exports", "Files that were let go"},
    Words{"GET", "/audit", "The audit trail, newest first", "", "actor action subject limit after total", "",
          "audit next_after total?"},
    Words{"GET", "/acts/*", "A signed act, verified", "id", "", "",
          "act_id at person_id request text passkey client_data authenticator_data signature verifies fault"},
    Words{"GET", "/openapi.json", "This document", "", "", "", "openapi info paths components"},
    Words{"GET", "/changes", "Changes of rules and payees", "", "limit", ""},
    Words{"GET", "/changes/*", "One change", "sha256"},
    Words{"POST", "/changes/*/accept", "Accept a change", "sha256", "", "reason"},
    Words{"POST", "/changes/*/reject", "Reject a change", "sha256", "", "reason"},
    Words{"GET", "/people", "Persons and proposed changes", "", "", "", "set_up people waiting"},
    Words{"POST", "/people", "Add a person", "", "", "name reason", "person"},
    Words{"POST", "/people/*/link", "Propose a link", "id", "", "uid? email? approver_id? reason"},
    Words{"POST", "/people/*/unlink", "Propose to unlink", "id", "", "uid? email? approver_id? reason"},
    Words{"POST", "/people/*/grant", "Propose a role", "id", "", "role reason"},
    Words{"POST", "/people/*/revoke", "Propose to revoke a role", "id", "", "role reason"},
    Words{"POST", "/people/*/lock", "Propose to lock a person", "id", "", "reason"},
    Words{"POST", "/people/*/unlock", "Propose to unlock a person", "id", "", "reason"},
    Words{"POST", "/people/changes/*/confirm", "Confirm a change to people", "id", "", "reason", "confirmed change"},
    Words{"POST", "/people/changes/*/reject", "Reject a change to people", "id", "", "reason", "rejected change"},
    Words{"POST", "/people/*/invite", "Invite a person to enroll a passkey", "id", "", "reason", "code expires origin"},
    Words{"GET", "/passkeys", "Every passkey", "", "", "", "passkeys"},
    Words{"POST", "/passkeys/*/confirm", "Confirm another person's passkey", "fingerprint", "", "reason", "passkey"},
    Words{"POST", "/passkeys/*/lock", "Lock a passkey for good", "fingerprint", "", "reason", "passkey"},
    Words{"POST", "/console/link", "A link to a session that only looks", "", "", "reason", "code expires origin"},
};

struct Name {
    std::string text;
    bool required = true;
};
std::vector<Name> names_in(std::string_view list) {
    std::vector<Name> names;
    while (!list.empty()) {
        const auto end = std::min(list.find(' '), list.size());
        Name name{std::string(list.substr(0, end)), true};
        if (name.text.ends_with('?')) name = {name.text.substr(0, name.text.size() - 1), false};
        names.push_back(std::move(name));
        list.remove_prefix(std::min(end + 1, list.size()));
    }
    return names;
}

const Words* words_of(const Route& route) {
    const auto found = std::ranges::find_if(
        route_words, [&](const Words& one) { return one.method == route.method && one.pattern == route.pattern; });
    return found == route_words.end() ? nullptr : &*found;
}

// "/files/*/release" → "/files/{name}/release"
std::string documented_path(const Route& route, const Words& about) {
    std::string path(route.pattern);
    for (const auto& variable : names_in(about.variables))
        path.replace(path.find('*'), 1, "{" + variable.text + "}");
    return path;
}

json object_of(std::string_view list) {
    json properties = json::object();
    json required = json::array();
    for (const auto& name : names_in(list)) {
        properties[name.text] = json::object();
        if (name.required) required.push_back(name.text);
    }
    json schema = {{"type", "object"}, {"properties", std::move(properties)}};
    if (!required.empty()) schema["required"] = std::move(required);
    return schema;
}

std::string_view name_of_over(Over over) {
    switch (over) {
        case Over::as_method: break;
        case Over::session: return "session";
        case Over::passkey: return "passkey";
        case Over::signature: return "signature";
        case Over::not_served: return "not served";
    }
    return "";
}

json operation_of(const Route& route, const Words& about) {
    json parameters = json::array();
    for (const auto& name : names_in(about.variables)) {
        parameters.push_back(
            {{"name", name.text}, {"in", "path"}, {"required", true}, {"schema", {{"type", "string"}}}});
    }
    for (const auto& name : names_in(about.query)) {
        parameters.push_back(
            {{"name", name.text}, {"in", "query"}, {"required", name.text == "q"}, {"schema", {{"type", "string"}}}});
    }
    json roles = json::array();
    for (const auto role : ledger::all_roles) {
        if (route.allowed.roles().has(role)) roles.push_back(to_string(role));
    }
    json operation = {
        {"summary", about.summary},
        {"parameters", std::move(parameters)},
        {"x-roles", std::move(roles)},
        {"x-console", name_of_over(over_console(route))},
        {"responses",
         {{"200",
           {{"description", "done"}, {"content", {{"application/json", {{"schema", object_of(about.answer)}}}}}}},
          {"default", {{"$ref", "#/components/responses/Error"}}}}}};
    if (!about.body.empty()) {
        operation["requestBody"] = {{"content", {{"application/json", {{"schema", object_of(about.body)}}}}}};
    }
    return operation;
}

std::string lower_case(std::string_view method) {
    return method == "GET" ? "get" : "post";
}

}  // namespace

Answer openapi(AdminContext& /*context*/) {
    json paths = json::object();
    for (const auto& route : routes()) {
        if (const Words* about = words_of(route))
            paths[documented_path(route, *about)][lower_case(route.method)] = operation_of(route, *about);
    }
    const json error = {{"type", "object"},
                        {"required", {"error"}},
                        {"properties",
                         {{"error",
                           {{"type", "object"},
                            {"required", {"code", "message"}},
                            {"properties", {{"code", {{"type", "string"}}}, {"message", {{"type", "string"}}}}}}}}}};
    return json{
        {"openapi", "3.1.0"},
        {"info",
         {{"title", "Drawbridge operators' API"},
          {"version", "1"},
          {"description",
           "Served on the operators' socket to local users and on the console's socket to sessions. x-roles: "
           "any one of these roles may use it. x-console: what the console's socket asks for."}}},
        {"paths", std::move(paths)},
        {"components",
         {{"responses",
           {{"Error", {{"description", "an error"}, {"content", {{"application/json", {{"schema", error}}}}}}}}}}}};
}

}  // namespace drawbridge::admin
