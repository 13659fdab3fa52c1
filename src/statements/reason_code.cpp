#include "reason_code.hpp"

#include <algorithm>
#include <utility>
#include <vector>

#include "drawbridge/domain/ascii.hpp"
#include "drawbridge/nacha/return_codes.hpp"

namespace drawbridge::statements {
namespace {

// R and two digits, as a separate word.
struct CodeWord {
    std::string_view code;
    std::string_view before;  // the word that precedes it
};

std::string_view word_at(std::string_view text, std::size_t at) {
    std::size_t end = at;
    while (end < text.size() && is_letter_or_digit(text[end]))
        ++end;
    return text.substr(at, end - at);
}

std::vector<CodeWord> find_code_words(std::string_view text) {
    std::vector<CodeWord> found;
    std::string_view before;
    for (std::size_t at = 0; at < text.size();) {
        const std::string_view word = word_at(text, at);
        const std::size_t end = at + word.size();
        if (nacha::has_nacha_form(word) && word.front() == 'R') found.push_back({word, before});
        if (!word.empty()) before = word;
        // Any other character than these separates a label from its code: "RETURN, R24" is not labeled.
        if (end < text.size() && !std::string_view(" :\"").contains(text[end])) before = {};
        at = end + 1;
    }
    return found;
}

bool labels_code(std::string_view word) {
    const std::string lowered = lowercase(word);
    return lowered == "reason" || lowered == "code" || lowered == "return" || lowered == "rtn";
}

bool is_known(std::string_view code) {
    return nacha::find_return_code(code) || nacha::find_change_code(code);
}

// The code with which this upper-case text begins: R or C and two digits, two letters and two digits, or a known word
// such as CUST. A separator between the letters and the digits is left out.
std::string code_at_start(std::string_view text) {
    const std::string_view word = word_at(text, 0);
    const std::size_t letters = std::min(word.find_first_of("0123456789"), word.size());
    std::string code(word);
    if (letters == word.size() && letters <= 2 && text.size() > letters &&
        std::string_view(" -").contains(text[letters]))
        code += word_at(text, letters + 1);
    const bool is_separated = code.size() != word.size();
    if (is_known(code)) return code;
    const bool has_iso_form = letters == 2 && code.size() == 4 && all_digits(std::string_view(code).substr(2));
    return nacha::has_nacha_form(code) || (has_iso_form && !is_separated) ? code : std::string();
}

}  // namespace

std::string find_reason_code(std::string_view text) {
    std::vector<CodeWord> words = find_code_words(text);
    const auto is_unique = [&] {
        return !words.empty() &&
               std::ranges::all_of(words, [&](const CodeWord& one) { return one.code == words.front().code; });
    };
    if (!is_unique()) std::erase_if(words, [](const CodeWord& one) { return !labels_code(one.before); });
    return is_unique() ? std::string(words.front().code) : std::string();
}

std::string code_of_reason_field(std::string_view field) {
    const std::string raised = uppercase(field);
    std::string_view rest = raised;
    while (!rest.empty()) {
        const std::string_view word = word_at(rest, 0);
        if (!word.empty() && !labels_code(word)) break;
        rest.remove_prefix(std::max<std::size_t>(word.size(), 1));
    }
    if (auto code = code_at_start(rest); !code.empty()) return code;
    return find_reason_code(raised);
}

void take_better_code(std::string_view other, std::string& code) {
    if (code.empty() || (!is_known(code_of_reason_field(code)) && is_known(code_of_reason_field(other)))) code = other;
}

void take_code_from_text(std::string_view text, std::string& code) {
    if (!code.empty() && code != "NARR") return;
    if (auto found = find_reason_code(text); !found.empty()) code = std::move(found);
}

}  // namespace drawbridge::statements
