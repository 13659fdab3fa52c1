#include "drawbridge/nacha/transliterate.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <optional>

#include "drawbridge/text/utf8.hpp"

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

// Accented letters with a one-letter form: the base letter. A space: no form, or a longer one.
// U+0180 to U+02AF.
constexpr std::string_view latin_extended_b =
    "BBBB  OCCDDDD EEEFFGG IIKKL  NNOOO  PP     TTTTUUUVYYZZ         "  // 0180
    "             AAIIOOUUUUUUUUUUEAAAA  GGGGKKOOOO  J   GG  NNAA  OO"  // 01C0
    "AAAAEEEEIIIIOOOORRRRUUUUSSTT  HHND  ZZAAEEOOOOOOOOYYLNTJ  ACCLTS"  // 0200
    "Z  B  EEJJ QRRYY"                                                  // 0240
    "   BOCDDEE E    G  G  H II LLL   MNN        RRR   S     T UV    "  // 0250
    "ZZ           J  Q               ";                                 // 0290
// U+1E00 to U+1EFF.
constexpr std::string_view latin_extended_additional =
    "AABBBBBBCCDDDDDDDDDDEEEEEEEEEEFFGGHHHHHHHHHHIIIIKKKKKKLLLLLLLLMM"   // 1E00
    "MMMMNNNNNNNNOOOOOOOOPPPPRRRRRRRRSSSSSSSSSSTTTTTTTTUUUUUUUUUUVVVV"   // 1E40
    "WWWWWWWWWWXXXXYYZZZZZZHTWYASSS  AAAAAAAAAAAAAAAAAAAAAAAAEEEEEEEE"   // 1E80
    "EEEEEEEEIIIIOOOOOOOOOOOOOOOOOOOOOOOOUUUUUUUUUUUUUUYYYYYYYY  VVYY";  // 1EC0
// U+2C60 to U+2C7F.
constexpr std::string_view latin_extended_c = "LLLPRATHHKKZZ M  VWWV   E O JVSZ";

struct Special {
    char32_t character;
    Form form;
};
constexpr std::array special_forms = {
    Special{0x01A2, "GH"}, Special{0x01A3, "GH"}, Special{0x01A9, "SH"},  Special{0x01B7, "ZH"},  Special{0x01C4, "DZ"},
    Special{0x01C5, "DZ"}, Special{0x01C6, "DZ"}, Special{0x01C7, "LJ"},  Special{0x01C8, "LJ"},  Special{0x01C9, "LJ"},
    Special{0x01CA, "NJ"}, Special{0x01CB, "NJ"}, Special{0x01CC, "NJ"},  Special{0x01E2, "AE"},  Special{0x01E3, "AE"},
    Special{0x01EE, "ZH"}, Special{0x01EF, "ZH"}, Special{0x01F1, "DZ"},  Special{0x01F2, "DZ"},  Special{0x01F3, "DZ"},
    Special{0x01F6, "HV"}, Special{0x01FC, "AE"}, Special{0x01FD, "AE"},  Special{0x0283, "SH"},  Special{0x0292, "ZH"},
    Special{0x1EFA, "LL"}, Special{0x1EFB, "LL"}, Special{0x02B9, "'"},   Special{0x02BA, "\""},  Special{0x02BB, "'"},
    Special{0x02BD, "'"},  Special{0x02BE, "'"},  Special{0x02BF, "'"},   Special{0x02C8, "'"},   Special{0xA78C, "'"},
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

// Combining marks, which apply to the letter before them.
bool is_mark(char32_t c) {
    return (c >= 0x300 && c <= 0x36F) || (c >= 0x1AB0 && c <= 0x1AFF) || (c >= 0x1DC0 && c <= 0x1DFF) ||
           (c >= 0xFE20 && c <= 0xFE2F);
}

// The table's letter for `c`; empty: none.
std::string_view letter_of(char32_t c, char32_t first, std::string_view table) {
    if (c < first || c - first >= table.size()) return {};
    const std::string_view letter = table.substr(c - first, 1);
    return letter == " " ? std::string_view() : letter;
}

// nullopt: no ASCII form.
std::optional<std::string_view> form_of(char32_t c) {
    const auto listed = [](Form form) {
        return form == nullptr ? std::nullopt : std::optional<std::string_view>(form);
    };
    if (c >= 0xA0 && c <= 0xFF) return listed(latin_1[c - 0xA0]);
    if (c >= 0x100 && c <= 0x17F) return listed(latin_extended_a[c - 0x100]);
    if (is_mark(c)) return "";
    for (const auto letter : {letter_of(c, 0x180, latin_extended_b), letter_of(c, 0x1E00, latin_extended_additional),
                              letter_of(c, 0x2C60, latin_extended_c)}) {
        if (!letter.empty()) return letter;
    }
    const auto* found = std::ranges::find(special_forms, c, &Special::character);
    return found == special_forms.end() ? std::nullopt : listed(found->form);
}

char upper(char32_t ascii) {
    return static_cast<char>(ascii >= 'a' && ascii <= 'z' ? ascii - 'a' + 'A' : ascii);
}

std::string code_point(char32_t c) {
    return fmt::format("U+{:04X}", static_cast<std::uint32_t>(c));
}

}  // namespace

Result<std::string> transliterate(std::string_view utf8) {
    // Full-width forms of ASCII characters.
    constexpr char32_t first_full_width = 0xFF01, last_full_width = 0xFF5E;
    std::string out;
    out.reserve(utf8.size());
    for (std::size_t at = 0, number = 1; at < utf8.size(); ++number) {
        const std::string place = " at character " + std::to_string(number);
        const std::size_t length = text::utf8_length(utf8.substr(at));
        if (length == 0) return fail(ErrorCode::invalid_input, "bytes that are not UTF-8" + place);
        const char32_t c = text::utf8_character(utf8.substr(at));
        if (is_control(c)) return fail(ErrorCode::invalid_input, "control character " + code_point(c) + place);
        if (c < 0x80) {
            out.push_back(upper(c));
        } else if (c >= first_full_width && c <= last_full_width) {
            out.push_back(upper(c - first_full_width + '!'));
        } else if (const auto form = form_of(c)) {
            out.append(*form);
        } else {
            return fail(ErrorCode::invalid_input, "'" + std::string(utf8.substr(at, length)) + "' (" + code_point(c) +
                                                      ")" + place +
                                                      " cannot be written in the characters that banks accept");
        }
        at += length;
    }
    return out;
}

}  // namespace drawbridge::nacha
