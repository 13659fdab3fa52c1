#include "drawbridge/text/mask.hpp"

#include <algorithm>
#include <iterator>

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

// --- mask_numbers

constexpr std::size_t min_masked = 6;

std::size_t digits_in_front(std::string_view text) {
    return static_cast<std::size_t>(std::ranges::find_if_not(text, is_digit) - text.begin());
}

// Two digits at `at`, from `low` to `high`.
bool is_between(std::string_view text, std::size_t at, int low, int high) {
    const int number = (text[at] - '0') * 10 + (text[at + 1] - '0');
    return number >= low && number <= high;
}

// Whether a text that begins with eight digits begins with a date of this century.
bool begins_with_date(std::string_view text) {
    return text.starts_with("20") && is_between(text, 4, 1, 12) && is_between(text, 6, 1, 31);
}

// "2026-11-27", "20261127", "20261127093000", "20261127-000017", "20261127T093000123Z-000017" (the stamp of a claimed
// file). 0: none of them.
std::size_t length_of_date(std::string_view text) {
    const std::size_t digits = digits_in_front(text);
    if (digits == 4 && text.size() >= 10 && text[4] == '-' && digits_in_front(text.substr(5)) == 2 && text[7] == '-' &&
        digits_in_front(text.substr(8)) == 2) {
        return text.starts_with("20") ? 10 : 0;
    }
    if (digits == 14 && begins_with_date(text) && is_between(text, 8, 0, 23) && is_between(text, 10, 0, 59) &&
        is_between(text, 12, 0, 59)) {
        return digits;
    }
    if (digits != 8 || !begins_with_date(text)) return 0;
    if (text.size() >= 26 && text[8] == 'T' && digits_in_front(text.substr(9)) == 9 && text.substr(18, 2) == "Z-" &&
        digits_in_front(text.substr(20)) == 6) {
        return 26;
    }
    const std::size_t more = text.substr(8).starts_with('-') ? digits_in_front(text.substr(9)) : 0;
    return more > 0 && more <= 6 ? 9 + more : 8;
}

// "1234567.89"
std::size_t length_of_amount(std::string_view text) {
    const std::size_t digits = digits_in_front(text);
    const bool has_cents =
        digits <= 10 && text.substr(digits).starts_with('.') && digits_in_front(text.substr(digits + 1)) == 2;
    return has_cents ? digits + 3 : 0;
}

// The digits after `before`, if that says what they are.
std::size_t length_of_id(std::string_view before, std::size_t digits) {
    const auto follows = [&](std::string_view word) {
        if (!before.ends_with(word)) return false;
        const std::string_view rest = before.substr(0, before.size() - word.size());
        return rest.empty() || !is_letter_or_digit(rest.back());
    };
    constexpr std::size_t id_digits = 9, payment_id_digits = 10, trace_digits = 15;
    if (follows("draw ") || follows("draws ") || follows("exception ") || follows("#"))
        return digits <= id_digits ? digits : 0;
    if (follows("P")) return digits == payment_id_digits ? digits : 0;
    return follows("trace number ") && digits == trace_digits ? digits : 0;
}

// What begins with the digit at `at` and is not masked.
std::size_t length_of_known(std::string_view text, std::size_t at) {
    const std::string_view rest = text.substr(at);
    if (const auto date = length_of_date(rest); date > 0) return date;
    if (const auto amount = length_of_amount(rest); amount > 0) return amount;
    return length_of_id(text.substr(0, at), digits_in_front(rest));
}

std::size_t length_of_hash(std::string_view text) {
    constexpr std::size_t min_length = 32;
    const auto* const end = std::ranges::find_if_not(
        text, [](char c) { return is_digit(c) || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F'); });
    const auto length = static_cast<std::size_t>(end - text.begin());
    return length >= min_length && digits_in_front(text) < length ? length : 0;
}

// The digits from `at` on, and those that single blanks or hyphens add to them.
std::size_t length_of_number(std::string_view text, std::size_t at) {
    std::size_t end = at + digits_in_front(text.substr(at));
    while (end + 1 < text.size() && (text[end] == ' ' || text[end] == '-') && is_digit(text[end + 1]) &&
           length_of_known(text, end + 1) == 0 && length_of_hash(text.substr(end + 1)) == 0) {
        end += 1 + digits_in_front(text.substr(end + 1));
    }
    return end - at;
}

std::string masked_number(std::string_view number) {
    std::string digits;
    std::ranges::copy_if(number, std::back_inserter(digits), is_digit);
    if (digits.size() < min_masked) return std::string(number);
    return "****" + digits.substr(digits.size() - (digits.size() > max_shown ? digits_kept : 2));
}

}  // namespace

std::string mask_numbers(std::string_view text) {
    std::string masked;
    for (std::size_t at = 0; at < text.size();) {
        const bool begins_word = at == 0 || !is_letter_or_digit(text[at - 1]);
        std::size_t length = begins_word ? length_of_hash(text.substr(at)) : 0;
        if (length == 0) length = is_digit(text[at]) ? length_of_known(text, at) : 1;
        if (length > 0) {
            masked += text.substr(at, length);
        } else {
            length = length_of_number(text, at);
            masked += masked_number(text.substr(at, length));
        }
        at += length;
    }
    return masked;
}

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
