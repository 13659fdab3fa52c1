#include "drawbridge/checks/stated_account.hpp"

#include <algorithm>
#include <array>
#include <optional>

#include "drawbridge/domain/ascii.hpp"

namespace drawbridge::checks {
namespace {

constexpr std::array<std::string_view, 6> masks = {"X", "x", "*", "#", "\xE2\x80\xA6", "\xE2\x80\xA2"};  // … •

// How many bytes at the beginning are a mask. A single dot only groups digits.
std::size_t mask_length(std::string_view text) {
    const std::size_t dots = std::min(text.find_first_not_of('.'), text.size());
    if (dots > 1) return dots;
    const auto* const mask = std::ranges::find_if(masks, [&](std::string_view one) { return text.starts_with(one); });
    return mask == masks.end() ? 0 : mask->size();
}

struct Masked {
    std::string first, last;  // what is shown before and after the mask
};

// nullopt: the number is not masked, shows something between two masks, or is no number.
std::optional<Masked> read_masked(std::string_view bare) {
    Masked shown;
    bool has_mask = false;
    while (!bare.empty()) {
        const std::size_t length = mask_length(bare);
        const bool is_mask = length > 0;
        if (is_mask ? !shown.last.empty() : !is_letter_or_digit(bare.front())) return std::nullopt;
        has_mask = has_mask || is_mask;
        if (!is_mask) (has_mask ? shown.last : shown.first) += bare.front();
        bare.remove_prefix(is_mask ? length : 1);
    }
    if (!has_mask) return std::nullopt;
    return shown;
}

// "ending in ..3456" without its first words.
std::string_view without_label(std::string_view stated) {
    while (true) {
        const std::size_t blank = stated.find(' ');
        if (blank == std::string_view::npos) return stated;
        std::string_view word = stated.substr(0, blank);
        if (word.ends_with(':') || word.ends_with('.')) word.remove_suffix(1);
        const bool is_mask = word.find_first_not_of("Xx") == std::string_view::npos;
        const bool is_word = std::ranges::all_of(word, [](char c) { return is_letter_or_digit(c) && !is_digit(c); });
        if (!word.empty() && (is_mask || !is_word)) return stated;
        stated.remove_prefix(blank + 1);
    }
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
    const std::string whole = without_grouping(ours.reveal()), bare = bare_account(ours.reveal());
    if (bare_account(stated) == bare) return true;
    const auto shown = read_masked(without_grouping(without_label(stated)));
    return shown && shown->last.size() >= min_shown && shown->first.size() + shown->last.size() <= whole.size() &&
           bare.starts_with(bare_account(shown->first)) && whole.ends_with(shown->last);
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
