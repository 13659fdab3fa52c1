// What the makers of a file ask about persons. Private to this room.
#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <string>

#include "drawbridge/ledger/ledger.hpp"

namespace drawbridge::ledger {

// Every person that a uid ever belonged to.
[[nodiscard]] std::set<std::int64_t> persons_of(Ledger& ledger, std::int64_t uid);
// Their names: "Anna Berg, Bert Ode"; empty: none.
[[nodiscard]] std::string person_names(Ledger& ledger, std::int64_t uid);
// Who may release now: persons with the role and a uid, not locked; with their names.
[[nodiscard]] std::map<std::int64_t, std::string> releasers_of(Ledger& ledger);

}  // namespace drawbridge::ledger
