// ACH credits that the bank has not reported on, and the record that time without a return confirms them.
#pragma once

#include <cstdint>
#include <vector>

#include "drawbridge/domain/money.hpp"
#include "drawbridge/domain/time.hpp"
#include "drawbridge/ledger/store/ledger.hpp"

namespace drawbridge::ledger {

struct UnconfirmedCredit {
    std::int64_t payment_id = 0;
    Money amount;
    BusinessDate effective_entry_date;
    Instant at_bank_since;           // by the delivery evidence
    std::int64_t at_bank_after = 0;  // the newest run of a step then
};

// ACH payments due by `due_until`, in files that the bank is known to have (evidence.hpp), on which the bank has not
// reported. Left out: payments with an open exception of another step than `report`, and payments whose amount equals
// that of an open return that matches no payment, because the return may be theirs. Empty while such a return has no
// amount or one that no credit has, because it may be the rejection of a whole file or the sum of several returns; and
// while a refused confirmation file waits to be corrected, because it may hold any return.
[[nodiscard]] std::vector<UnconfirmedCredit> unconfirmed_credits(Ledger& ledger, BusinessDate due_until);

// The payment counts as paid on that day. A later return reopens it like any other payment. In a transaction.
void confirm_by_time(Ledger& ledger, const UnconfirmedCredit& credit, BusinessDate paid_on, int banking_days,
                     const Stamp& stamp);

}  // namespace drawbridge::ledger
