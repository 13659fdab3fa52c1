// Numbers as people type them: as pages show them, with commas between thousands. web/modules/act.js reads them alike.
#pragma once

#include <cstdint>
#include <string_view>

#include "drawbridge/domain/error.hpp"
#include "drawbridge/domain/money.hpp"

namespace drawbridge::pages {

// "1370", "1,370". Error (invalid_input): commas elsewhere, a sign, a point, more than 15 digits.
[[nodiscard]] Result<std::int64_t> read_typed_number(std::string_view typed);
// "1234.5", "1,234.50", "$1,234.50". Error (invalid_input): the same, and more than two decimals.
[[nodiscard]] Result<Money> read_typed_amount(std::string_view typed);

}  // namespace drawbridge::pages
