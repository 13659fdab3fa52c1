#include "drawbridge/nacha/transliterate.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <utility>

namespace drawbridge::nacha {
namespace {

TEST(Transliterate, writes_characters_that_banks_accept) {
    const std::pair<const char*, const char*> table[] = {
        {"", ""},
        {"Jane Doe", "JANE DOE"},
        {"José É", "JOSE E"},
        {"Groß", "GROSS"},
        {"“Bob’s” – Diner…", "\"BOB'S\" - DINER..."},
        {"Łódź", "LODZ"},
        {"Čapek, Œuvre, Æsir, Þór, Ĳssel, ŉ", "CAPEK, OEUVRE, AESIR, THOR, IJSSEL, 'N"},
        {"Åse Øystein Ÿ ÿ", "ASE OYSTEIN Y Y"},
        {"Žižek Ștefan ſ", "ZIZEK STEFAN S"},
        {"Jose\u0301", "JOSE"},  // a combining accent
        {"Nguyễn Thị Ánh Tuyết", "NGUYEN THI ANH TUYET"},
        {"Nguye\u0302\u0303n", "NGUYEN"},  // the same, decomposed
        {"Đặng Hữu Phước, ỠỰỹ", "DANG HUU PHUOC, OUY"},
        {"Ḥasan al-Ṣāliḥ, Ẓāhir, ʿAlī, Kamehamehaʻokalani", "HASAN AL-SALIH, ZAHIR, 'ALI, KAMEHAMEHA'OKALANI"},
        {"Ǎ Ȟ ǅ Ǣ ẞ ẖ Ɓello Əliyev Ɔkɔ Ŵyn Ẃ", "A H DZ AE SS H BELLO ELIYEV OKO WYN W"},
        {"Ｊａｎｅ", "JANE"},         // full-width forms
        {"A\u00A0B\u00ADC", "A BC"},  // no-break space, soft hyphen
        {"~!@#$%^&*()_+{}|:\"<>?", "~!@#$%^&*()_+{}|:\"<>?"},
    };
    for (const auto& [name, expected] : table) {
        const auto text = transliterate(name);
        ASSERT_TRUE(text) << name << ": " << text.error().message;
        EXPECT_EQ(*text, expected);
    }
}

TEST(Transliterate, names_the_character_that_cannot_be_written) {
    const std::pair<std::string, const char*> table[] = {
        {"JANE\nDOE", "control character U+000A at character 5"},
        {std::string("A\0B", 3), "control character U+0000 at character 2"},
        {"A\tB", "control character U+0009 at character 2"},
        {"É\u0085", "control character U+0085 at character 2"},
        {"Ab\x7F", "control character U+007F at character 3"},
        {"李雷", "'李' (U+674E) at character 1"},
        {"Éa Ж", "'Ж' (U+0416) at character 4"},
        {"Bob \U0001F600", "(U+1F600) at character 5"},
        {"zero\u200Bwidth", "(U+200B) at character 5"},
        {"\xC3", "not UTF-8 at character 1"},
        {"A\xFF", "not UTF-8 at character 2"},
        {"A\xC0\xAF", "not UTF-8 at character 2"},          // overlong
        {"A\xED\xA0\x80", "not UTF-8 at character 2"},      // a surrogate
        {"A\xF4\x90\x80\x80", "not UTF-8 at character 2"},  // past U+10FFFF
        {"¿Qué?", "(U+00BF) at character 1"},
    };
    for (const auto& [name, message] : table) {
        const auto text = transliterate(name);
        ASSERT_FALSE(text) << name;
        EXPECT_THAT(text.error().message, ::testing::HasSubstr(message));
    }
}

// The accented letters of these blocks; the rest has no form.
TEST(Transliterate, covers_the_accented_letters_of_every_latin_block) {
    const auto utf8 = [](unsigned c) {
        if (c < 0x800) return std::string{static_cast<char>(0xC0U | (c >> 6U)), static_cast<char>(0x80U | (c & 0x3FU))};
        return std::string{static_cast<char>(0xE0U | (c >> 12U)), static_cast<char>(0x80U | ((c >> 6U) & 0x3FU)),
                           static_cast<char>(0x80U | (c & 0x3FU))};
    };
    for (unsigned c = 0x1E00; c <= 0x1EFF; ++c) {
        const auto text = transliterate(utf8(c));
        ASSERT_EQ(text.has_value(), c != 0x1E9F) << std::hex << c;  // a delta
        EXPECT_FALSE(text && text->empty()) << std::hex << c;
    }
    for (unsigned c = 0x1CD; c <= 0x233; ++c) {
        const bool has_none = c == 0x1F7 || c == 0x21C || c == 0x21D || c == 0x222 || c == 0x223;  // wynn, yogh, ou
        EXPECT_EQ(transliterate(utf8(c)).has_value(), !has_none) << std::hex << c;
    }
}

TEST(Transliterate, covers_latin1_and_latin_extended_a_with_printable_ascii_only) {
    int letters = 0;
    for (unsigned c = 0xA0; c <= 0x17F; ++c) {
        const std::string utf8 = {static_cast<char>(0xC0U | (c >> 6U)), static_cast<char>(0x80U | (c & 0x3FU))};
        const auto text = transliterate(utf8);
        if (c >= 0xC0) {
            ASSERT_TRUE(text) << utf8;
            EXPECT_FALSE(text->empty()) << utf8;
            ++letters;
        }
        if (text) {
            EXPECT_TRUE(std::ranges::all_of(*text, [](char b) { return b >= 0x20 && b <= 0x7E && b != '?'; })) << utf8;
        }
    }
    EXPECT_EQ(letters, 192);
}

}  // namespace
}  // namespace drawbridge::nacha
