// Dates in a bank's pattern: year (YYYY, YY), month (MM, M, MON) and day (DD, D) once each, with any characters except
// letters and digits between them.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "drawbridge/domain/time.hpp"

namespace drawbridge::text {

[[nodiscard]] bool is_date_pattern(std::string_view pattern);
// The same, with only YYYY, YY, MM and DD and the separators '-', '/', '.' and space: every date is as long as the
// pattern.
[[nodiscard]] bool is_fixed_date_pattern(std::string_view pattern);

// The whole text must be a valid date. YY means 2000 to 2099; M and D take one or two digits; MON is Jan to Dec.
[[nodiscard]] std::optional<BusinessDate> parse_date_as(std::string_view text, std::string_view pattern);
// `pattern` must be a fixed one.
[[nodiscard]] std::string format_date_as(BusinessDate date, std::string_view pattern);

}  // namespace drawbridge::text
