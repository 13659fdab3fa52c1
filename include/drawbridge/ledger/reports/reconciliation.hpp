// Facts for the reconciliation report, in slices by ascending id, so that a long report neither fills the memory nor
// blocks the daemon.
//
// It returns what was recorded until `period.as_of`; the reconciliation module decides what the facts mean.
#pragma once

#include <cstdint>
#include <vector>

#include "drawbridge/ledger/store/ledger.hpp"
#include "drawbridge/reconciliation/facts.hpp"
#include "drawbridge/reconciliation/totals.hpp"

namespace drawbridge::ledger {

// Fewer than `limit` rows: there are no more.
[[nodiscard]] std::vector<reconciliation::DrawFacts> facts_of_draws(Ledger& ledger, DrawId after, int limit,
                                                                    const reconciliation::Period& period,
                                                                    const TimeZone& zone);
[[nodiscard]] std::vector<reconciliation::BankLineFacts> facts_of_bank_lines(Ledger& ledger, std::int64_t after,
                                                                             int limit,
                                                                             const reconciliation::Period& period);
[[nodiscard]] std::vector<reconciliation::PaymentFileFacts> facts_of_payment_files(Ledger& ledger, std::int64_t after,
                                                                                   int limit,
                                                                                   const reconciliation::Period& period,
                                                                                   const TimeZone& zone);
// Exceptions about no draw that the ledger knows.
[[nodiscard]] std::vector<reconciliation::ExceptionFacts> facts_of_exceptions(Ledger& ledger, std::int64_t after,
                                                                              int limit,
                                                                              const reconciliation::Period& period);

// Control counts, computed in another way than the facts: from the totals of the files that payments and lines came in.
[[nodiscard]] reconciliation::Counted count_for_reconciliation(Ledger& ledger, const reconciliation::Period& period);

struct BankFileCounts {
    std::int64_t taken = 0, refused = 0;
};
[[nodiscard]] BankFileCounts bank_files_of(Ledger& ledger, const reconciliation::Period& period, const TimeZone& zone);

}  // namespace drawbridge::ledger
