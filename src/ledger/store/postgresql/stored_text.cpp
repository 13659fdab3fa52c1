#include "store/postgresql/stored_text.hpp"

#include <algorithm>

#include "drawbridge/text/utf8.hpp"

namespace drawbridge::ledger::postgresql {
namespace {

// U+10FF00 to U+10FFFF are F4 8F BC 80 to F4 8F BF BF.
constexpr std::string_view marks_start = "\xF4\x8F";
constexpr unsigned first_third = 0xBC;
constexpr std::size_t mark_size = 4;

bool is_mark(std::string_view at) {
    return at.starts_with(marks_start) && at.size() >= mark_size && static_cast<unsigned char>(at[2]) >= first_third;
}

void append_mark(std::string& stored, unsigned char byte) {
    stored += marks_start;
    stored += static_cast<char>(first_third + byte / 64);
    stored += static_cast<char>(0x80 + byte % 64);
}

// How many bytes from here on are stored as they are; 0: this one is not.
std::size_t storable(std::string_view at) {
    if (at.front() == '\0' || is_mark(at)) return 0;
    return text::utf8_length(at);
}

bool is_plain(char c) {
    return c > '\0';  // ASCII, and no NUL
}

}  // namespace

std::optional<std::string> text_to_store(std::string_view text) {
    if (std::ranges::all_of(text, is_plain)) return std::nullopt;
    std::string stored;
    bool as_it_is = true;
    for (std::size_t at = 0; at < text.size();) {
        const auto length = storable(text.substr(at));
        if (length == 0) {
            append_mark(stored, static_cast<unsigned char>(text[at++]));
            as_it_is = false;
        } else {
            stored += text.substr(at, length);
            at += length;
        }
    }
    if (as_it_is) return std::nullopt;
    return stored;
}

std::string text_from_store(std::string_view stored) {
    if (stored.find(marks_start) == std::string_view::npos) return std::string(stored);
    std::string text;
    for (std::size_t at = 0; at < stored.size();) {
        if (is_mark(stored.substr(at))) {
            const unsigned third = static_cast<unsigned char>(stored[at + 2]);
            const unsigned fourth = static_cast<unsigned char>(stored[at + 3]);
            text += static_cast<char>((third - first_third) * 64 + (fourth - 0x80));
            at += mark_size;
        } else {
            text += stored[at++];
        }
    }
    return text;
}

}  // namespace drawbridge::ledger::postgresql
