// The caller and their roles: from the people in the ledger once people are set up, before that from the owners of the
// folders. Private to this module.
#pragma once

#include <optional>
#include <string>

#include "drawbridge/admin/handlers.hpp"
#include "drawbridge/ledger/facts/people.hpp"

namespace drawbridge::admin {

struct Standing {
    ledger::Roles roles;
    bool set_up = false;   // people are set up; otherwise the folders' owner and groups give the roles
    bool is_root = false;  // uid 0, which is nobody in particular
    bool locked = false;
    std::optional<ledger::PersonId> person = {};  // the person with this uid
    std::string login = {};  // whose subordinate uid this is: that login would have two; empty: nobody's
};

// Before people are set up: the state folder's owner and group are operator and releaser and may read everything, the
// inbox's group is finance, and root has every role; a subordinate uid (subordinate_uids.hpp) has none. Once people are
// set up, the roles are those of the person with the uid; a locked person has none. The uid of this process belongs to
// no person and may only read. Root then has no roles; the routes decide what root may do.
[[nodiscard]] Standing standing_of(AdminContext& context, const Request& request);

}  // namespace drawbridge::admin
