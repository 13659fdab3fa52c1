// A payee key is the same with blanks at its ends: in a draw, in the payee file, and in the history of a payee.
#pragma once

#include <string_view>

#include "drawbridge/domain/ascii.hpp"

namespace drawbridge {

inline constexpr std::string_view payee_key_blanks = " \t";

constexpr std::string_view trimmed_payee_key(std::string_view text) {
    return trimmed(text, payee_key_blanks);
}

}  // namespace drawbridge
