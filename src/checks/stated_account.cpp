#include "drawbridge/checks/stated_account.hpp"

#include <algorithm>
#include <array>

#include "drawbridge/domain/ascii.hpp"

namespace drawbridge::checks {
namespace {

// Where the mask ends; npos: the number is not masked. A single dot only groups digits.
std::size_t mask_end(std::string_view stated) {
    constexpr std::array<std::string_view, 7> masks = {"X",           "x", "*", "#", "..", "\xE2\x80\xA6",
                                                       "\xE2\x80\xA2"};  // … •
    std::size_t end = 0;
    for (const std::string_view mask : masks) {
        const std::size_t at = stated.rfind(mask);
        if (at != std::string_view::npos) end = std::max(end, at + mask.size());
    }
    return end == 0 ? std::string_view::npos : end;
}

// "4400123456 - CHECKING" without its name.
std::string_view without_name(std::string_view stated) {
    constexpr std::string_view before_name = " - ";
    const std::size_t name = stated.find(before_name);
    const bool is_name = name != std::string_view::npos && name + before_name.size() < stated.size() &&
                         is_letter_or_digit(stated[name + before_name.size()]) &&
                         !is_digit(stated[name + before_name.size()]);
    return is_name ? stated.substr(0, name) : stated;
}

std::string without_grouping(std::string_view text) {
    std::string bare(text);
    std::erase_if(bare, [](char c) { return c == ' ' || c == '-'; });
    return bare;
}

}  // namespace

std::string bare_account(std::string_view stated) {
    std::string bare = without_grouping(stated);
    bare.erase(0, bare.find_first_not_of('0'));
    return bare;
}

bool is_same_account(std::string_view stated, const AccountNumber& ours) {
    constexpr std::size_t min_shown = 3;
    stated = without_name(stated);
    const std::size_t mask = mask_end(stated);
    if (mask == std::string_view::npos) return bare_account(stated) == bare_account(ours.reveal());
    const std::string shown = without_grouping(stated.substr(mask));
    return shown.size() >= min_shown && without_grouping(ours.reveal()).ends_with(shown);
}

bool is_legible_account(std::string_view stated) {
    constexpr int min_digits = 3;
    const std::size_t e = stated.find_first_of("eE");
    const bool is_rounded = e != 0 && e != std::string_view::npos && stated.find_first_not_of("0123456789.,") == e;
    return !is_rounded && std::ranges::count_if(stated, is_digit) >= min_digits;
}

bool is_any_account(std::string_view stated, const std::vector<AccountNumber>& ours) {
    return ours.empty() ||
           std::ranges::any_of(ours, [&](const AccountNumber& one) { return is_same_account(stated, one); });
}

}  // namespace drawbridge::checks
