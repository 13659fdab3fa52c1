// One reconciliation of several programs, each with a ledger of its own: their reports, and the sum of them.
//
// Amounts are U.S. dollars in every program. Days are those of each program's own time zone; where these differ, the
// sum says so. A ledger is never counted twice.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "drawbridge/domain/error.hpp"
#include "drawbridge/reconciliation/document.hpp"

namespace drawbridge::reconciliation {

struct ProgramReport {
    std::string name;
    Report report;
    Counted counted;
};

// Errors: two of them are of one ledger, or they are about different days.
[[nodiscard]] Result<void> check_addable(const std::vector<ProgramReport>& programs);

// The totals of all and their control sums; no lines and no files. Its head is the first program's, without what
// belongs to one ledger.
[[nodiscard]] Report sum_of(const std::vector<ProgramReport>& programs);

// What a reader of the sum has to know, one sentence each.
[[nodiscard]] std::vector<std::string> reading_rules(const std::vector<ProgramReport>& programs);

// A table with a row for each program and their sum, then the report of each.
[[nodiscard]] std::string to_text(const std::vector<ProgramReport>& programs, std::size_t max_lines = 25);
// The last member of the object with the reports: `"sum":{…}`.
[[nodiscard]] std::string json_sum(const std::vector<ProgramReport>& programs);

}  // namespace drawbridge::reconciliation
