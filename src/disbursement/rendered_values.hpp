// What a planned payment looks like in a file, for the renderer and for the check of what it rendered.
#pragma once

#include <string>

#include "drawbridge/checks/issue_file.hpp"
#include "drawbridge/disbursement/plan.hpp"

namespace drawbridge::disbursement {

// The payee's name in the characters that banks read; not cut.
[[nodiscard]] Result<std::string> bank_name(const PlannedPayment& payment);

[[nodiscard]] Result<checks::CheckIssue> issue_of(const PlannedPayment& payment);

}  // namespace drawbridge::disbursement
