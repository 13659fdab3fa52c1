// What a planned payment looks like in a file, for the renderer and for the check of what it rendered.
#pragma once

#include <string>
#include <vector>

#include "drawbridge/checks/issue_file.hpp"
#include "drawbridge/disbursement/plan.hpp"

namespace drawbridge::disbursement {

// The payee's name in the characters that banks read; not cut.
[[nodiscard]] Result<std::string> bank_name(const PlannedPayment& payment);
// `who` it is for, in the error: "prenote 091000010000041".
[[nodiscard]] Result<std::string> bank_name(const Payee& payee, const std::string& who);

// The payment related information of each addenda; empty: the entry has none. PPD and CCD hold one, cut on the right.
[[nodiscard]] std::vector<std::string> addenda_texts(const PlannedPayment& payment);

[[nodiscard]] Result<checks::CheckIssue> issue_of(const PlannedPayment& payment);

}  // namespace drawbridge::disbursement
