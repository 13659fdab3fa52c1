#include "drawbridge/nacha/transliterate.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstdio>
#include <optional>

namespace drawbridge::nacha {

namespace {

// nullptr: no ASCII form.
using Form = const char*;

// U+00A0 to U+00FF.
constexpr std::array<Form, 96> latin_1 = {
    " ",     "!",     "C", "GBP", nullptr, "JPY", "|",     "S",
    "\"",    "(C)",   "A", "\"",  nullptr, "",    "(R)",   "-",  //
    nullptr, nullptr, "2", "3",   "'",     "U",   nullptr, ".",
    ",",     "1",     "O", "\"",  "1/4",   "1/2", "3/4",   nullptr,  //
    "A",     "A",     "A", "A",   "A",     "A",   "AE",    "C",
    "E",     "E",     "E", "E",   "I",     "I",   "I",     "I",  //
    "D",     "N",     "O", "O",   "O",     "O",   "O",     "X",
    "O",     "U",     "U", "U",   "U",     "Y",   "TH",    "SS",  //
    "A",     "A",     "A", "A",   "A",     "A",   "AE",    "C",
    "E",     "E",     "E", "E",   "I",     "I",   "I",     "I",  //
    "D",     "N",     "O", "O",   "O",     "O",   "O",     "/",
    "O",     "U",     "U", "U",   "U",     "Y",   "TH",    "Y",
};

// U+0100 to U+017F.
constexpr std::array<Form, 128> latin_extended_a = {
    "A", "A", "A",  "A",  "A", "A", "C", "C", "C", "C",  "C",  "C",  "C", "C", "D", "D",  // 0100
    "D", "D", "E",  "E",  "E", "E", "E", "E", "E", "E",  "E",  "E",  "G", "G", "G", "G",  // 0110
    "G", "G", "G",  "G",  "H", "H", "H", "H", "I", "I",  "I",  "I",  "I", "I", "I", "I",  // 0120
    "I", "I", "IJ", "IJ", "J", "J", "K", "K", "K", "L",  "L",  "L",  "L", "L", "L", "L",  // 0130
    "L", "L", "L",  "N",  "N", "N", "N", "N", "N", "'N", "NG", "NG", "O", "O", "O", "O",  // 0140
    "O", "O", "OE", "OE", "R", "R", "R", "R", "R", "R",  "S",  "S",  "S", "S", "S", "S",  // 0150
    "S", "S", "T",  "T",  "T", "T", "T", "T", "U", "U",  "U",  "U",  "U", "U", "U", "U",  // 0160
    "U", "U", "U",  "U",  "W", "W", "Y", "Y", "Y", "Z",  "Z",  "Z",  "Z", "Z", "Z", "S",  // 0170
};

struct Special {
    char32_t character;
    Form form;
};
constexpr std::array special_forms = {
    Special{0x0218, "S"},  Special{0x0219, "S"},  Special{0x021A, "T"},   Special{0x021B, "T"},  // Romanian
    Special{0x02BC, "'"},  Special{0x1E9E, "SS"}, Special{0x2010, "-"},   Special{0x2011, "-"},   Special{0x2012, "-"},
    Special{0x2013, "-"},  Special{0x2014, "-"},  Special{0x2015, "-"},   Special{0x2018, "'"},   Special{0x2019, "'"},
    Special{0x201A, "'"},  Special{0x201B, "'"},  Special{0x201C, "\""},  Special{0x201D, "\""},  Special{0x201E, "\""},
    Special{0x201F, "\""}, Special{0x2022, "."},  Special{0x2026, "..."}, Special{0x2032, "'"},   Special{0x2033, "\""},
    Special{0x2039, "'"},  Special{0x203A, "'"},  Special{0x2044, "/"},   Special{0x20AC, "EUR"}, Special{0x2116, "NO"},
    Special{0x2122, "TM"}, Special{0x2212, "-"},  Special{0x2002, " "},   Special{0x2003, " "},   Special{0x2009, " "},
    Special{0x202F, " "},  Special{0xFB01, "FI"}, Special{0xFB02, "FL"},
};

bool is_control(char32_t c) {
    return c < 0x20 || (c >= 0x7F && c < 0xA0);
}

Form form_of(char32_t c) {
    if (c >= 0xA0 && c <= 0xFF) return latin_1[c - 0xA0];
    if (c >= 0x100 && c <= 0x17F) return latin_extended_a[c - 0x100];
    if (c >= 0x300 && c <= 0x36F) return "";  // a combining accent on the letter before it
    const auto* found = std::ranges::find(special_forms, c, &Special::character);
    return found == special_forms.end() ? nullptr : found->form;
}

struct Decoded {
    char32_t character;
    std::size_t length;
};

// One UTF-8 sequence at the head of `bytes`; nullopt when it is none (over-long forms and surrogates too).
std::optional<Decoded> decode(std::string_view bytes) {
    const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(bytes[i]); };
    const unsigned char lead = byte(0);
    if (lead < 0x80) return Decoded{lead, 1};
    const std::size_t length = lead >= 0xF0 ? 4U : lead >= 0xE0 ? 3U : 2U;
    if (lead < 0xC2 || lead > 0xF4 || bytes.size() < length) return std::nullopt;
    char32_t c = lead & (0xFFU >> (length + 1));
    for (std::size_t i = 1; i < length; ++i) {
        if ((byte(i) & 0xC0U) != 0x80U) return std::nullopt;
        c = (c << 6U) | (byte(i) & 0x3FU);
    }
    const char32_t lowest = length == 4 ? 0x10000 : length == 3 ? 0x800 : 0x80;
    if (c < lowest || c > 0x10FFFF || (c >= 0xD800 && c <= 0xDFFF)) return std::nullopt;
    return Decoded{c, length};
}

std::string code_point(char32_t c) {
    char text[12];
    std::snprintf(text, sizeof text, "U+%04X", static_cast<unsigned>(c));
    return text;
}

}  // namespace

Result<std::string> transliterate(std::string_view utf8) {
    std::string out;
    out.reserve(utf8.size());
    for (std::size_t at = 0, number = 1; at < utf8.size(); ++number) {
        const std::string place = " at character " + std::to_string(number);
        const auto decoded = decode(utf8.substr(at));
        if (!decoded) return fail(ErrorCode::invalid_input, "bytes that are not UTF-8" + place);
        const auto [c, length] = *decoded;
        if (is_control(c)) return fail(ErrorCode::invalid_input, "control character " + code_point(c) + place);
        if (c < 0x80) {
            const char ascii = static_cast<char>(c);
            out.push_back(ascii >= 'a' && ascii <= 'z' ? static_cast<char>(ascii - 'a' + 'A') : ascii);
        } else if (const Form form = form_of(c)) {
            out.append(form);
        } else {
            return fail(ErrorCode::invalid_input, "'" + std::string(utf8.substr(at, length)) + "' (" + code_point(c) +
                                                      ")" + place + " has no form in the characters that banks read");
        }
        at += length;
    }
    return out;
}

}  // namespace drawbridge::nacha
