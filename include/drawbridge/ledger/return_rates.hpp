// How many of the ACH entries that went out came back, by the classes and limits by which Nacha watches originators
// (Operating Rules, 2.17: unauthorized 0.5 %, administrative 3 %, overall 15 %, over 60 days).
#pragma once

#include <array>
#include <cstdint>

#include "drawbridge/ledger/ledger.hpp"
#include "drawbridge/nacha/return_codes.hpp"

namespace drawbridge::ledger {

inline constexpr std::chrono::days return_rate_window{60};

struct ReturnRate {
    nacha::ReturnClass what = nacha::ReturnClass::overall;
    std::int64_t returned = 0;
    std::int64_t entries = 0;  // that went out in the window

    [[nodiscard]] double fraction() const;  // 0.005 is 0.5 %; 0 where nothing went out
    // More than Nacha allows. One return alone never is: in a small office it would be over any limit.
    [[nodiscard]] bool is_high() const;
};
// One for each class, "overall" last, which counts the others too.
[[nodiscard]] std::array<ReturnRate, 3> return_rates(Ledger& ledger, Instant now);
// "unauthorized 0.62 % (limit 0.5 %): 3 of 480 entries"
[[nodiscard]] std::string describe(const ReturnRate& rate);

}  // namespace drawbridge::ledger
