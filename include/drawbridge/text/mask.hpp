// Masks account numbers: in messages that quote a file from outside, and in texts that leave this machine.
#pragma once

#include <string>
#include <string_view>

namespace drawbridge::text {

// Inside 'quotes', keeps only the last four digits of every number of nine digits or more (a date has eight):
// "'****6789' is not a date". Text outside quotes is our own and stays unchanged.
[[nodiscard]] std::string mask_quoted_numbers(std::string_view message);

// Masks every number of six digits or more, quoted or not, also if single blanks or hyphens divide it: "****5678", or
// "****78" if it has fewer than nine digits. Not masked, by its form alone:
// - a date (2026-11-27, 20261127), also with a time (20261127093000) or with up to six digits after a hyphen, as in the
//   names of our files;
// - an amount: up to ten digits, a point and two digits;
// - a payment id (P0000000017); up to nine digits after "draw ", "draws ", "exception " or "#"; 15 digits after
//   "trace number ";
// - a hash or fingerprint: 32 or more hexadecimal digits, with a letter.
[[nodiscard]] std::string mask_numbers(std::string_view text);

}  // namespace drawbridge::text
