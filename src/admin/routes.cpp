#include "routes.hpp"

#include <algorithm>

#include "respond.hpp"

namespace drawbridge::admin {
namespace {

// "ask an admin (person 1, Anna)", for a caller who lacks a role.
std::string who_grants(AdminContext& context, std::optional<ledger::PersonId> caller) {
    std::string names;
    bool is_admin = false;
    for (const auto& person : ledger::active_holders(context.ledger, ledger::Role::admin)) {
        if (person.person_id == caller) {
            is_admin = true;  // nobody gives a role to themselves
            continue;
        }
        names += (names.empty() ? "" : "; ") + ("person " + std::to_string(person.person_id) + ", " + person.name);
    }
    if (names.empty() && is_admin) {
        return "as the only admin, propose a role for yourself (`drawbridge people role " + std::to_string(*caller) +
               " ROLE --reason …`) and have root confirm it";
    }
    if (names.empty()) return "ask root to appoint an admin with `drawbridge people`";
    return "ask an admin (" + names + ")";
}

std::string what_to_do(AdminContext& context, const Standing& standing) {
    if (standing.set_up || standing.locked) return who_grants(context, standing.person);
    if (!standing.login.empty()) return "act as " + standing.login;
    return "join the group that owns " + context.shared.config.state_dir.string() +
           " (operator, releaser) or its inbox (finance), " + "or have root set up people with `drawbridge people`";
}

std::string describe_caller(const Call& call) {
    const auto& standing = call.standing;
    if (standing.is_root) return "uid 0 identifies no particular person";
    if (standing.locked) return "person " + std::to_string(*standing.person) + ", whose uid you have, is locked";
    if (!standing.login.empty())
        return "you (uid " + std::to_string(*call.uid) + ") act under a subordinate uid of " + standing.login +
               " (/etc/subuid), which has no role";
    const std::string who = standing.person ? "you (person " + std::to_string(*standing.person) + ")"
                            : call.uid      ? "you (uid " + std::to_string(*call.uid) + ")"
                                            : "you";
    return who + (standing.roles.empty() ? " have no role" : " have " + to_string(standing.roles));
}

}  // namespace

bool is_report(const Route& route) {
    constexpr std::string_view reports[] = {"/reconcile", "/draws",   "/checks", "/confirmations", "/confirmations/*",
                                            "/audit",     "/exports", "/acts",   "/runs",          "/backups"};
    return route.method == "GET" && std::ranges::find(reports, route.pattern) != std::end(reports);
}

bool matches(std::string_view pattern, const std::vector<std::string>& path) {
    for (const auto& segment : path) {
        if (pattern.empty()) return false;
        pattern.remove_prefix(1);
        const auto part = pattern.substr(0, pattern.find('/'));
        if (part != "*" && part != segment) return false;
        pattern.remove_prefix(part.size());
    }
    return pattern.empty() && !path.empty();
}

const Route* find_route(const Call& call) {
    const auto all = routes();
    const auto found = std::ranges::find_if(
        all, [&](const Route& route) { return route.method == call.method && matches(route.pattern, call.path); });
    return found == all.end() ? nullptr : &*found;
}

Response refuse_unrouted(const Call& call) {
    std::string methods;
    for (const std::string_view method : {"GET", "POST"}) {
        const bool has = std::ranges::any_of(
            routes(), [&](const Route& route) { return route.method == method && matches(route.pattern, call.path); });
        if (has) methods += (methods.empty() ? "" : ", ") + std::string(method);
    }
    const std::string asked = call.method + " " + path_of(call);
    if (!methods.empty()) return refuse_method(asked, methods);
    return respond(fail(ErrorCode::not_found, "no route " + asked));
}

std::unexpected<Error> refuse_role(AdminContext& context, ledger::Roles needed, const Call& call) {
    const std::string roles = to_string(needed);
    return fail(ErrorCode::forbidden, call.method + " " + path_of(call) + ": this needs " +
                                          (roles.contains(',') ? "one of the roles " : "the role ") + roles + ", and " +
                                          describe_caller(call) + ": " + what_to_do(context, call.standing));
}

Result<void> authorize(AdminContext& context, const Route& route, const Call& call) {
    const auto& standing = call.standing;
    if (standing.roles.meets(route.allowed.roles())) return {};
    if (standing.is_root && route.maker != Maker::yes) return {};
    return refuse_role(context, route.allowed.roles(), call);
}

}  // namespace drawbridge::admin
