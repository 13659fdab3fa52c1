// ACH credits that nothing was heard of, and the record that time has settled them.
#pragma once

#include <cstdint>
#include <vector>

#include "drawbridge/domain/money.hpp"
#include "drawbridge/domain/time.hpp"
#include "drawbridge/ledger/ledger.hpp"

namespace drawbridge::ledger {

struct UnconfirmedCredit {
    std::int64_t payment_id = 0;
    Money amount;
    BusinessDate effective_entry_date;
    Instant at_bank_since;  // evidence says so
};

// ACH payments in files that the bank is known to have (evidence.hpp), due until then, of which it has said nothing.
// Left out are all about which an exception is open, and those whose amount an open return has that fits no payment: it
// may be theirs. Nothing at all while a refused confirmation file waits to be mended: it may hold any return.
[[nodiscard]] std::vector<UnconfirmedCredit> unconfirmed_credits(Ledger& ledger, BusinessDate due_until);

// It counts as paid on that day; a later return reopens it like any other. In a transaction.
void confirm_by_time(Ledger& ledger, const UnconfirmedCredit& credit, BusinessDate paid_on, int banking_days,
                     const Stamp& stamp);

}  // namespace drawbridge::ledger
