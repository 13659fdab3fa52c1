#include "bai2_types.hpp"

#include <algorithm>

namespace drawbridge::statements {
namespace {

using enum Bai2Meaning;

struct TransactionType {
    std::string_view code;
    Bai2Meaning meaning;
};

// 100-399 are credits to the account, 400-699 debits. Money that we sent left as a debit and comes back as a credit. A
// debit called "return" takes more money from us. A type that is not listed should not name a payment of ours.
constexpr TransactionType transaction_types[] = {
    // credits
    {"168", credit_adjusted},  // ACH return item or adjustment settlement
    {"252", credit_adjusted},  // debit reversal
    {"253", credit_adjusted},  // posting error correction
    {"254", credit_adjusted},  // posting error correction
    {"255", check_returned},   // check posted and returned
    {"257", credit_returned},  // individual ACH return item
    {"258", credit_adjusted},  // ACH reversal
    {"261", credit_returned},  // individual rejected credit
    {"266", credit_adjusted},  // return item
    {"268", credit_adjusted},  // return item adjustment
    {"395", check_adjusted},   // check reversal
    // debits
    {"447", credit_sent},      // ACH disbursement funding
    {"451", credit_sent},      // ACH debit received
    {"452", credit_sent},      // item in an ACH disbursement or debit
    {"455", credit_sent},      // preauthorized ACH debit
    {"462", credit_sent},      // ACH debit initiated by the account holder
    {"464", credit_sent},      // item in an ACH settlement
    {"466", credit_sent},      // ACH settlement
    {"468", credit_adjusted},  // ACH return item or adjustment settlement
    {"469", credit_sent},      // miscellaneous ACH debit
    {"475", check_paid},       // check paid
    {"552", credit_adjusted},  // credit reversal
    {"554", credit_adjusted},  // posting error correction
    {"555", credit_adjusted},  // deposited item returned
    {"557", credit_adjusted},  // individual ACH return item
    {"558", credit_adjusted},  // ACH reversal
    {"561", credit_adjusted},  // individual rejected debit
};

}  // namespace

Bai2Meaning bai2_meaning(std::string_view type) {
    const auto* const found = std::ranges::find(transaction_types, type, &TransactionType::code);
    return found == std::end(transaction_types) ? other : found->meaning;
}

}  // namespace drawbridge::statements
