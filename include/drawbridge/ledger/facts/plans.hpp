// The plan of a pay run as an intent: files, payments and the numbers that they use up. A large run is recorded in
// parts, each in its own transaction; its files are complete, and may be written, only once record_planned() has said
// so.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "drawbridge/disbursement/plan.hpp"
#include "drawbridge/ledger/facts/payments.hpp"

namespace drawbridge::ledger {

// The next free numbers. `first_check_number` is the office's, for a ledger that has used no check number yet.
[[nodiscard]] disbursement::NumberBlock number_block(Ledger& ledger, BusinessDate creation_date,
                                                     std::int64_t first_check_number);

// Records a whole plan as an intent: files, payments and the numbers they use up. Throws if a draw has a live payment.
// Only for tests and benchmarks: the product uses record_plan_part().
void record_plan(Ledger& ledger, const disbursement::Plan& plan, const disbursement::PlanSettings& settings,
                 const Stamp& stamp);

// Adds a part to its files. Throws if a draw has a live payment.
void record_plan_part(Ledger& ledger, const disbursement::Plan& part, const disbursement::PlanSettings& settings,
                      const Stamp& stamp);
// The file has all its payments. `rows_digest` is a RowsDigest (payments.hpp) of them.
void record_planned(Ledger& ledger, FileId file_id, std::string_view rows_digest, const Stamp& stamp);

// A file that gets payments, or that a run left when the program ended.
struct UnplannedFile {
    FileId file_id = 0;
    std::int64_t payments = 0;
    Money total;
};
[[nodiscard]] std::vector<UnplannedFile> unplanned_files(Ledger& ledger);
// For end_plan(), after a run that did not end.
[[nodiscard]] disbursement::OpenFile open_file(Ledger& ledger, FileId file_id);

}  // namespace drawbridge::ledger
