// Values that several of the sample answers have in common.
#pragma once

#include <string>

#include "drawbridge/domain/money.hpp"

namespace drawbridge::pages::samples {

inline constexpr const char* sha = "c0b00d86a5169f3e77a1e2d4b5c6f70812ab34cd56ef78901234567890abcdef";

inline std::string some_amount(int i) {
    return Money::from_cents(61'240 + static_cast<std::int64_t>(i) * 7'919 % 2'400'000).to_string();
}

}  // namespace drawbridge::pages::samples
