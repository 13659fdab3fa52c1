// LIKE patterns from text that somebody typed. Private to this module.
#pragma once

#include <string>
#include <string_view>

namespace drawbridge::ledger {

// Contains this text, of any case (A-Z); for LIKE ? ESCAPE '\'.
[[nodiscard]] inline std::string like_pattern(std::string_view text) {
    std::string pattern = "%";
    for (const char c : text) {
        if (c == '%' || c == '_' || c == '\\') pattern.push_back('\\');
        pattern.push_back(c);
    }
    return pattern + "%";
}

}  // namespace drawbridge::ledger
