// Masks account numbers in messages that quote a file from outside.
#pragma once

#include <string>
#include <string_view>

namespace drawbridge::text {

// Inside 'quotes', keeps only the last four digits of every number of nine digits or more (a date has eight):
// "'****6789' is not a date". Text outside quotes is our own and stays unchanged.
[[nodiscard]] std::string mask_quoted_numbers(std::string_view message);

}  // namespace drawbridge::text
