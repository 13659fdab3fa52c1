// Return rates of our ACH entries, by the classes and limits that Nacha applies to originators (Operating Rules, 2.17:
// unauthorized 0.5 %, administrative 3 %, overall 15 %, over 60 days).
#pragma once

#include <array>
#include <cstdint>

#include "drawbridge/ledger/store/ledger.hpp"
#include "drawbridge/nacha/return_codes.hpp"

namespace drawbridge::ledger {

inline constexpr std::chrono::days return_rate_window{60};

struct ReturnRate {
    nacha::ReturnClass what = nacha::ReturnClass::overall;
    std::int64_t returned = 0;
    std::int64_t entries = 0;  // originated in the window

    [[nodiscard]] double fraction() const;  // 0.005 is 0.5 %; 0 if nothing went out
    // Above Nacha's limit. A single return never counts as high: in a small office it would exceed any limit.
    [[nodiscard]] bool is_high() const;
};
// One rate for each class; "overall" is last and includes the others.
[[nodiscard]] std::array<ReturnRate, 3> return_rates(Ledger& ledger, Instant now);
// "unauthorized 0.62 % (limit 0.5 %): 3 of 480 entries"
[[nodiscard]] std::string describe(const ReturnRate& rate);

}  // namespace drawbridge::ledger
