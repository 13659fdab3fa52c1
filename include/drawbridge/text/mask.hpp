// Takes account numbers out of messages that quote a foreign file.
#pragma once

#include <string>
#include <string_view>

namespace drawbridge::text {

// Of every number of nine digits or more (a date has eight) that stands in 'quotes' only the last four are kept:
// "'****6789' is not a date". What does not stand in quotes is ours, and stays.
[[nodiscard]] std::string mask_quoted_numbers(std::string_view message);

}  // namespace drawbridge::text
