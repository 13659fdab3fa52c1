#include "standing.hpp"

#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>

#include "drawbridge/files/subordinate_uids.hpp"

namespace drawbridge::admin {
namespace {

using ledger::Role;
using ledger::Roles;

constexpr Roles every_role{Role::viewer, Role::auditor, Role::finance, Role::operate, Role::releaser, Role::admin};
constexpr Roles of_office{Role::operate, Role::releaser, Role::viewer, Role::auditor};
constexpr Roles of_finance{Role::finance, Role::viewer};

struct Owner {
    std::int64_t uid = -1, gid = -1;
};

Owner owner_of(const std::filesystem::path& folder) {
    struct stat status{};
    if (::stat(folder.c_str(), &status) != 0) return {};
    return {status.st_uid, status.st_gid};
}

Roles by_folders(const AdminContext& context, const Request& request) {
    const auto in_group = [&](std::int64_t gid) {
        return std::ranges::find(request.groups, gid) != request.groups.end();
    };
    Roles roles;
    const Owner state = owner_of(context.shared.config.state_dir);
    if (request.uid == state.uid || in_group(state.gid)) roles.add(of_office);
    if (in_group(owner_of(context.shared.config.state_dir / "inbox").gid)) roles.add(of_finance);
    return roles;
}

}  // namespace

Standing standing_of(AdminContext& context, const Request& request) {
    Standing standing;
    standing.set_up = ledger::roles_are_set_up(context.ledger);
    if (!request.uid) return standing;
    standing.is_root = *request.uid == 0;
    if (standing.is_root) {
        if (!standing.set_up) standing.roles = every_role;
        return standing;
    }
    if (standing.set_up && *request.uid == ::geteuid()) {
        standing.roles = {Role::viewer, Role::auditor};
        return standing;
    }
    standing.person = request.person ? request.person : ledger::person_of(context.ledger, *request.uid);
    const auto person = standing.person ? ledger::find_person(context.ledger, *standing.person) : std::nullopt;
    standing.locked = person && person->locked;
    if (standing.locked) return standing;
    if (!standing.set_up) {
        standing.login = files::login_of_subordinate(static_cast<uid_t>(*request.uid)).value_or("");
        if (standing.login.empty()) standing.roles = by_folders(context, request);
    } else if (person) {
        standing.roles = person->roles;
    }
    return standing;
}

}  // namespace drawbridge::admin
