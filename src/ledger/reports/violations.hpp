// What verify() lists of a broken invariant. Private to this module.
#pragma once

#include <string_view>

#include "drawbridge/ledger/reports/verify.hpp"

namespace drawbridge::ledger {

// Runs a query that returns one violation per row, as text in column 0. An invariant lists at most 100, and then says
// that there are more.
void list_violations(Ledger& ledger, std::string_view sql, InvariantResult& into);

}  // namespace drawbridge::ledger
