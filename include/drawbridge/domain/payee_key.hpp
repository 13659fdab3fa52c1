// A payee key is the same with blanks at its ends: in a draw, in the payee file, and in the history of a payee.
#pragma once

#include <string_view>

namespace drawbridge {

inline constexpr std::string_view payee_key_blanks = " \t";

}  // namespace drawbridge
