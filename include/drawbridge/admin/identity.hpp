// How a person is named in the ledger.
#pragma once

#include <sys/types.h>

#include <string>

namespace drawbridge::admin {

// "uid 1000 (anna)"; "uid 1000" when the system knows no name.
[[nodiscard]] std::string describe_user(uid_t uid);

}  // namespace drawbridge::admin
