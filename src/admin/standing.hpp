// Who asks, and what they may do: from the persons in the ledger where roles are set up, otherwise from who owns the
// folders. Private to this module.
#pragma once

#include <optional>

#include "drawbridge/admin/handlers.hpp"
#include "drawbridge/ledger/people.hpp"

namespace drawbridge::admin {

struct Standing {
    ledger::Roles roles;
    bool set_up = false;   // roles are granted to persons; otherwise they follow from the folders' owner and groups
    bool is_root = false;  // uid 0, which is nobody in particular
    bool locked = false;
    std::optional<ledger::PersonId> person = {};  // whose uid it is
};

// Without set-up: the state folder's owner and group are operator and releaser and may read everything, the inbox's
// group is finance, root has every role. Where people are set up roles come from the person that the uid belongs to; a
// locked person has none. The uid that this process runs as belongs to nobody and may only read; what root may do
// beside its roles (none) is the routes' affair.
[[nodiscard]] Standing standing_of(AdminContext& context, const Request& request);

}  // namespace drawbridge::admin
