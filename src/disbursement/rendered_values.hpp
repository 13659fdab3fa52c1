// How a planned payment appears in a file; shared by the renderer and the verification of its output.
#pragma once

#include <string>
#include <vector>

#include "drawbridge/checks/issue_file.hpp"
#include "drawbridge/disbursement/plan.hpp"

namespace drawbridge::disbursement {

// The payee's name in the characters that banks accept, not truncated.
[[nodiscard]] Result<std::string> bank_name(const PlannedPayment& payment);
// `who` names the entry in the error: "prenote 091000010000041".
[[nodiscard]] Result<std::string> bank_name(const Payee& payee, const std::string& who);

// The payment related information of each addenda record; empty: the entry has none. PPD and CCD have one, truncated on
// the right.
[[nodiscard]] std::vector<std::string> addenda_texts(const PlannedPayment& payment);

[[nodiscard]] Result<checks::CheckIssue> issue_of(const PlannedPayment& payment);

// Eight digits of a routing number, into the sum of which ten digits are kept.
void add_to_hash(std::int64_t& entry_hash, std::string_view routing_identification);
void add_to_totals(ControlTotals& totals, const PlannedPayment& payment);

}  // namespace drawbridge::disbursement
