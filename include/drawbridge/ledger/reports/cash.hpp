// Money by the day on which it settles: what went out, what waits for a release, what is approved and not planned yet.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "drawbridge/ledger/facts/payments.hpp"

namespace drawbridge::ledger {

struct SettlingFile {
    BusinessDate date;  // the effective entry date of these entries
    std::string file;
    bool went_out = false;  // its release was ordered
    std::int64_t payments = 0;
    Money amount;
};
// ACH entries that take effect on these days, both included, of files that are not void; by date and file. A
// return is a credit of its own and changes no earlier day, so a payment that came back is still in here.
[[nodiscard]] std::vector<SettlingFile> settling_between(Ledger& ledger, BusinessDate from, BusinessDate to);

}  // namespace drawbridge::ledger
