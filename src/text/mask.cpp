#include "drawbridge/text/mask.hpp"

#include <algorithm>

#include "drawbridge/domain/ascii.hpp"

namespace drawbridge::text {
namespace {

constexpr std::size_t max_shown = 8;
constexpr std::size_t digits_kept = 4;

void append_masked(std::string& into, std::string_view quoted) {
    while (!quoted.empty()) {
        const auto* const end = std::ranges::find_if_not(quoted, is_digit);
        const auto digits = static_cast<std::size_t>(end - quoted.begin());
        if (digits > max_shown) {
            into.append("****").append(quoted.substr(digits - digits_kept, digits_kept));
        } else {
            into.append(quoted.substr(0, digits));
        }
        quoted.remove_prefix(digits);
        const auto others = static_cast<std::size_t>(std::ranges::find_if(quoted, is_digit) - quoted.begin());
        into.append(quoted.substr(0, others));
        quoted.remove_prefix(others);
    }
}

// Position of the quote that closes the one before `from`. An apostrophe within a word ("file's") does not close a
// quote.
std::size_t find_closing(std::string_view text, std::size_t from) {
    for (auto at = text.find('\'', from); at != std::string_view::npos; at = text.find('\'', at + 1)) {
        if (at + 1 == text.size() || !is_letter_or_digit(text[at + 1])) return at;
    }
    return text.size();
}

}  // namespace

std::string mask_quoted_numbers(std::string_view message) {
    std::string masked;
    std::size_t at = 0;
    while (at < message.size()) {
        const bool opens = message[at] == '\'' && (at == 0 || !is_letter_or_digit(message[at - 1]));
        masked += message[at++];
        if (!opens) continue;
        const auto end = find_closing(message, at);
        append_masked(masked, message.substr(at, end - at));
        if (end < message.size()) masked += '\'';
        at = end + 1;
    }
    return masked;
}

}  // namespace drawbridge::text
