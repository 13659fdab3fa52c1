// A file for the bank's certification: as the office's profile writes files, with payees that do not exist.
//
// It takes no number from any ledger and can't be mistaken for a payment file: its name begins with TEST, its payees
// are called TEST, each entry is for one cent at most, and its id modifier is the last that a real day would come to.
#pragma once

#include <string>

#include "drawbridge/disbursement/plan.hpp"

namespace drawbridge::disbursement {

struct SampleFile {
    std::string name;   // "TEST-ACH-20261120-9.ach"
    std::string bytes;  // PPD, CCD and CTX, checking and savings, with addenda; prenotes in a batch of their own
};
// Errors: ACH is not configured; what the profile says does not make a valid file.
[[nodiscard]] Result<SampleFile> sample_file(const PlanSettings& settings, Instant now);

}  // namespace drawbridge::disbursement
