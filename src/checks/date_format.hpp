// Dates in a bank's pattern: YYYY, YY, MM and DD, with '-', '/', '.' and space as literals.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "drawbridge/domain/time.hpp"

namespace drawbridge::checks {

// Year, month and day once each, and otherwise only separators.
[[nodiscard]] bool is_date_format(std::string_view format);
// `format` must be a date format; a two-digit year means 2000 to 2099.
[[nodiscard]] std::string format_date_as(BusinessDate date, std::string_view format);
// The whole text must be a valid date; nullopt otherwise.
[[nodiscard]] std::optional<BusinessDate> parse_date_as(std::string_view text, std::string_view format);

}  // namespace drawbridge::checks
