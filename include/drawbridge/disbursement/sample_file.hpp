// A test file for the bank's certification: written with the office's profile, for fictional payees.
//
// It uses no number from any ledger and cannot be mistaken for a payment file: its name begins with TEST, its payees
// are named TEST, each entry is at most one cent, and its id modifier is the last one that a real day would use.
#pragma once

#include <string>

#include "drawbridge/disbursement/plan.hpp"

namespace drawbridge::disbursement {

struct SampleFile {
    std::string name;   // "TEST-ACH-20261120-9.ach"
    std::string bytes;  // PPD, CCD and CTX, checking and savings, with addenda; prenotes in a separate batch
};
// Errors: ACH is not configured; the profile does not produce a valid file.
[[nodiscard]] Result<SampleFile> sample_file(const PlanSettings& settings, Instant now);

}  // namespace drawbridge::disbursement
