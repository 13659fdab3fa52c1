// BAI2 transaction types: what each means for a payment of ours. The type includes the direction of the money and is
// never read against it.
#pragma once

#include <string_view>

namespace drawbridge::statements {

enum class Bai2Meaning {
    check_paid,       // debit: the bank paid a check
    check_returned,   // credit: a check's money came back
    credit_sent,      // debit: one of our ACH credits was paid
    credit_returned,  // credit: the money of one of our ACH credits came back
    check_adjusted,   // either direction: a person finds out what happened to the check
    credit_adjusted,  // either direction: a person finds out what happened to the ACH credit
    other,            // fees, deposits, lump sums, …; a person looks at one that names a payment of ours
};

[[nodiscard]] Bai2Meaning bai2_meaning(std::string_view type);

}  // namespace drawbridge::statements
