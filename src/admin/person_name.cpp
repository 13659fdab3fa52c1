#include "person_name.hpp"

#include <algorithm>
#include <string>

#include "drawbridge/domain/ascii.hpp"
#include "drawbridge/text/sanitize.hpp"
#include "drawbridge/text/utf8.hpp"

namespace drawbridge::admin {
namespace {

struct Range {
    char32_t first, last;
};
constexpr Range latin[] = {{'A', 'Z'}, {'a', 'z'}, {0xC0, 0x24F}, {0x1E00, 0x1EFF}};
// Many of their letters look like Latin ones.
constexpr Range greek_or_cyrillic[] = {{0x370, 0x3FF},   {0x400, 0x52F},   {0x1C80, 0x1C8F},
                                       {0x1F00, 0x1FFF}, {0x2DE0, 0x2DFF}, {0xA640, 0xA69F}};

template <std::size_t N>
bool is_in(const Range (&ranges)[N], char32_t c) {
    return std::ranges::any_of(ranges, [c](const Range& range) { return c >= range.first && c <= range.last; });
}

template <std::size_t N>
bool has(std::string_view name, const Range (&ranges)[N]) {
    bool found = false;
    text::for_each_character(
        name, [&](std::string_view, std::optional<char32_t> c) { found = found || (c && is_in(ranges, *c)); });
    return found;
}

std::string without_spaces(std::string_view name) {
    std::string bare;
    text::for_each_character(name, [&](std::string_view bytes, std::optional<char32_t> c) {
        if (!c || !text::is_blank(*c)) bare += bytes;
    });
    return bare;
}

}  // namespace

std::optional<std::string_view> fault_in_name(std::string_view name) {
    if (!text::is_printable(name))
        return "has a character that shows nothing, ends a line or changes the direction of text: leave it out";
    if (has(name, latin) && has(name, greek_or_cyrillic))
        return "mixes Latin letters with Greek or Cyrillic ones, which look alike: write it in one script";
    if (without_spaces(name).empty()) return "has nothing but spaces";
    // As acts are recorded: "uid 5001 (anna)", "Anna (uid 5001)", "Anna (console)", "root", "drawbridge".
    const auto bare = lowercase(without_spaces(name));
    if (lowercase(name).starts_with("uid ") || bare.contains("(uid") || bare.contains("(console)") ||
        is_same_name(name, "root") || is_same_name(name, "drawbridge"))
        return "reads as what Drawbridge itself calls somebody: write the person's own name";
    return std::nullopt;
}

bool is_same_name(std::string_view a, std::string_view b) {
    return lowercase(without_spaces(a)) == lowercase(without_spaces(b));
}

}  // namespace drawbridge::admin
