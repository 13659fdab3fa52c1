#include "drawbridge/text/sanitize.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <utility>

#include "drawbridge/text/utf8.hpp"

namespace drawbridge::text {
namespace {

bool is_within(char32_t c, char32_t first, char32_t last) {
    return c >= first && c <= last;
}

// Calls `put` with each printable character, with each character in `kept`, and with '?' for every other.
template <class Put>
void each_character(std::string_view text, std::string_view kept, Put put) {
    for_each_character(text, [&](std::string_view bytes, std::optional<char32_t> c) {
        put((c && !is_unprintable(*c)) || kept.contains(bytes.front()) ? bytes : std::string_view("?"));
    });
}

std::string cleaned(std::string_view text, std::string_view kept) {
    std::string clean;
    clean.reserve(text.size());
    each_character(text, kept, [&](std::string_view character) { clean += character; });
    return clean;
}

// Cells that spreadsheets evaluate; in some locales, the full-width forms too.
bool begins_formula(std::string_view cell) {
    constexpr std::string_view starts = "=+-@\t\r\n";
    if (cell.empty()) return false;
    if (starts.contains(cell.front())) return true;
    return std::ranges::any_of(std::initializer_list<std::string_view>{"＝", "＋", "－", "＠"},
                               [&](std::string_view wide) { return cell.starts_with(wide); });
}

void append_unit(std::string& to, unsigned unit) {
    fmt::format_to(std::back_inserter(to), "\\u{:04x}", unit & 0xFFFFU);
}

}  // namespace

bool shows_nothing(char32_t c) {
    return c == 0xAD || c == 0x34F || c == 0x61C || is_within(c, 0x115F, 0x1160) || is_within(c, 0x17B4, 0x17B5) ||
           is_within(c, 0x180B, 0x180F) || is_within(c, 0x200B, 0x200F) || is_within(c, 0x202A, 0x202E) ||
           is_within(c, 0x2060, 0x206F) || c == 0x3164 || is_within(c, 0xFE00, 0xFE0F) || c == 0xFEFF || c == 0xFFA0 ||
           is_within(c, 0xFFF0, 0xFFFB) || is_within(c, 0x1BCA0, 0x1BCA3) || is_within(c, 0x1D173, 0x1D17A) ||
           is_within(c, 0xE0000, 0xE0FFF) || (c & 0xFFFEU) == 0xFFFE;  // the last two of each plane are no characters
}

bool is_unprintable(char32_t c) {
    return c < 0x20 || is_within(c, 0x7F, 0x9F) || is_within(c, 0x2028, 0x2029) || shows_nothing(c);
}

bool is_blank(char32_t c) {
    return c == ' ' || is_within(c, '\t', '\r') || c == 0x85 || c == 0xA0 || c == 0x1680 ||
           is_within(c, 0x2000, 0x200A) || is_within(c, 0x2028, 0x2029) || c == 0x202F || c == 0x205F || c == 0x2800 ||
           c == 0x3000;
}

std::string as_seen(std::string text) {
    constexpr auto is_plain = [](unsigned char c) { return c >= ' ' && c < 0x7F; };
    if (std::ranges::all_of(text, is_plain) && !text.contains("  ")) return text;
    std::string seen;
    seen.reserve(text.size());
    bool after_blank = false;
    for_each_character(text, [&](std::string_view bytes, std::optional<char32_t> c) {
        if (c && is_blank(*c)) {
            if (!std::exchange(after_blank, true)) seen += ' ';
            return;
        }
        if (c && is_unprintable(*c)) return;
        after_blank = false;
        seen += bytes;
    });
    return seen;
}

std::string for_terminal(std::string_view text) {
    return cleaned(text, {});
}

bool is_printable(std::string_view text) {
    return for_terminal(text) == text;
}

std::string for_log(std::string_view text) {
    std::string line = cleaned(text, "\r\n");
    std::ranges::replace_if(line, [](char c) { return c == '\r' || c == '\n'; }, ' ');
    return line;
}

std::string for_mail(std::string_view text) {
    return cleaned(text, "\n");
}

std::string for_csv(std::string_view text) {
    return (begins_formula(text) ? "'" : "") + cleaned(text, {});
}

std::string for_html(std::string_view text) {
    std::string safe;
    each_character(text, {}, [&](std::string_view character) {
        switch (character.front()) {
            case '&': safe += "&amp;"; break;
            case '<': safe += "&lt;"; break;
            case '>': safe += "&gt;"; break;
            case '"': safe += "&quot;"; break;
            case '\'': safe += "&#39;"; break;
            default: safe += character;
        }
    });
    return safe;
}

std::string for_json(std::string_view json) {
    std::string safe;
    safe.reserve(json.size());
    for_each_character(json, [&](std::string_view bytes, std::optional<char32_t> character) {
        const char32_t c = character.value_or(U'?');
        if (c < 0x7F || !is_unprintable(c)) {
            safe += bytes;
        } else if (c < 0x10000) {
            append_unit(safe, static_cast<unsigned>(c));
        } else {
            append_unit(safe, static_cast<unsigned>(0xD800 + ((c - 0x10000) >> 10U)));
            append_unit(safe, static_cast<unsigned>(0xDC00 + ((c - 0x10000) & 0x3FFU)));
        }
    });
    return safe;
}

}  // namespace drawbridge::text
