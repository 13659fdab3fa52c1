// A NACHA file for a person's eyes. Account numbers are masked, and corrected data that holds one is left out.
#pragma once

#include <string>

#include "drawbridge/nacha/records.hpp"

namespace drawbridge::nacha {

// Several lines: the file, each batch, each entry with its addenda, the totals.
[[nodiscard]] std::string describe(const File& file);

// "checking credit", "savings prenote credit", "checking debit return or notification of change" …; "transaction code
// 99" for one that does not exist.
[[nodiscard]] std::string describe_transaction_code(int transaction_code);

}  // namespace drawbridge::nacha
