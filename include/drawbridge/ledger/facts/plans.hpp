// The plan of a pay run as an intent: files, payments and the numbers that they use up. A large run is recorded in
// parts, each in its own transaction; its files are complete, and may be written, only once record_planned() has said
// so.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "drawbridge/disbursement/plan.hpp"
#include "drawbridge/ledger/facts/payments.hpp"

namespace drawbridge::ledger {

// Adds a part to its files. Throws if a draw has a live payment.
void record_plan_part(Ledger& ledger, const disbursement::Plan& part, const disbursement::PlanSettings& settings,
                      const Stamp& stamp);
// The file has all its payments. `rows_digest` is a RowsDigest of them.
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

// SHA-256 over every column of a file's payments that matters for money, in file order. The audit trail contains it
// from the time of planning, so `verify` detects a payment that was changed afterwards. The file must not get payments
// meanwhile.
class RowsDigest {
  public:
    RowsDigest(Ledger& ledger, FileId file_id);
    ~RowsDigest();
    RowsDigest(RowsDigest&&) noexcept;
    RowsDigest& operator=(RowsDigest&&) = delete;

    // Reads up to that many payments. False: there are no more.
    [[nodiscard]] bool read_some(int payments);
    [[nodiscard]] std::string hex();

  private:
    struct State;
    std::unique_ptr<State> state_;
};

}  // namespace drawbridge::ledger
