// Dates by a bank's pattern: YYYY, YY, MM and DD, with '-', '/', '.' and blank standing for themselves.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "drawbridge/domain/time.hpp"

namespace drawbridge::checks {

// Year, month and day each once, and nothing else but separators.
[[nodiscard]] bool is_date_format(std::string_view format);
// `format` is a date format; a two-digit year is one of 2000 to 2099.
[[nodiscard]] std::string format_date_as(BusinessDate date, std::string_view format);
// The whole text, a day that exists; nullopt otherwise.
[[nodiscard]] std::optional<BusinessDate> parse_date_as(std::string_view text, std::string_view format);

}  // namespace drawbridge::checks
