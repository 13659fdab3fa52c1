// BAI2 transaction types: what each says of a payment of ours. Which way the money went is part of the type; a type is
// never read against its direction.
#pragma once

#include <string_view>

namespace drawbridge::statements {

enum class Bai2Meaning {
    check_paid,       // debit: the bank paid a check
    check_returned,   // credit: the money of a check came back
    credit_sent,      // debit: an ACH credit of ours was paid
    credit_returned,  // credit: the money of an ACH credit of ours came back
    check_adjusted,   // either way: a person finds out what happened to the check
    credit_adjusted,  // either way: a person finds out what happened to the ACH credit
    other,            // fees, deposits, lump sums, …
};

[[nodiscard]] Bai2Meaning bai2_meaning(std::string_view type);

}  // namespace drawbridge::statements
