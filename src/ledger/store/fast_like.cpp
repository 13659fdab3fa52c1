#include "store/fast_like.hpp"

#include <sqlite3.h>

#include <algorithm>
#include <cstring>
#include <optional>
#include <string>
#include <string_view>

#include "drawbridge/domain/ascii.hpp"
#include "drawbridge/domain/assert.hpp"

namespace drawbridge::ledger {
namespace {

// "%needle%" without another wildcard.
struct Needle {
    std::string text;        // in lower case
    std::size_t anchor = 0;  // the place of its rarest character, which is looked for first
};
// What a pattern asks for, worked out once for a statement. nullopt: any other pattern.
using Pattern = std::optional<Needle>;

// The higher, the rarer in names and descriptions.
std::size_t rarity(char c) {
    constexpr std::string_view commonest_first = " etaoinsrhldcumfpgwybvkxjqz";
    return commonest_first.find(c);
}

Pattern needle_of(std::string_view pattern, unsigned escape) {
    if (pattern.size() < 2 || !pattern.starts_with('%') || !pattern.ends_with('%')) return std::nullopt;
    Needle needle;
    for (std::size_t i = 1; i + 1 < pattern.size(); ++i) {
        char c = pattern[i];
        if (static_cast<unsigned char>(c) == escape) {
            if (++i + 1 >= pattern.size()) return std::nullopt;  // it escapes the last wildcard
            c = pattern[i];
        } else if (c == '%' || c == '_') {
            return std::nullopt;
        }
        needle.text += to_lower(c);
    }
    if (needle.text.empty()) return std::nullopt;
    const auto rarest = std::ranges::max_element(needle.text, {}, rarity);
    needle.anchor = static_cast<std::size_t>(rarest - needle.text.begin());
    return needle;
}

// The next place of the character, or the end.
const char* find_next(const char* from, const char* end, char c) {
    const void* found = from < end ? std::memchr(from, c, static_cast<std::size_t>(end - from)) : nullptr;
    return found == nullptr ? end : static_cast<const char*>(found);
}

// SQLite folds A to Z alone; so does this.
bool contains(std::string_view text, const Needle& needle) {
    const auto& wanted = needle.text;
    if (text.size() < wanted.size()) return false;
    const char lower = wanted[needle.anchor], upper = to_upper(lower);
    // Where the anchor may be.
    const char* const begin = text.data() + needle.anchor;
    const char* const end = text.data() + (text.size() - wanted.size() + needle.anchor + 1);
    const char* in_lower = find_next(begin, end, lower);
    const char* in_upper = lower == upper ? end : find_next(begin, end, upper);
    while (in_lower != end || in_upper != end) {
        const char* const at = std::min(in_lower, in_upper);
        const auto same = [](char a, char b) { return to_lower(a) == b; };
        if (std::ranges::equal(std::string_view(at - needle.anchor, wanted.size()), wanted, same)) return true;
        (at == in_lower ? in_lower : in_upper) = find_next(at + 1, end, *at);
    }
    return false;
}

const char* text_of(sqlite3_value* value) {
    return reinterpret_cast<const char*>(sqlite3_value_text(value));
}

// The arguments of X LIKE Y ESCAPE Z are Y, X, Z.
void like(sqlite3_context* context, int /*count*/, sqlite3_value** arguments) {
    const char* const text = text_of(arguments[1]);
    const char* const pattern = text_of(arguments[0]);
    const char* const escape = text_of(arguments[2]);
    if (text == nullptr || pattern == nullptr || escape == nullptr) return;  // NULL
    constexpr int of_pattern = 0;
    auto* known = static_cast<Pattern*>(sqlite3_get_auxdata(context, of_pattern));
    if (known == nullptr) {
        const auto escaped = static_cast<unsigned char>(escape[0]);
        auto* made = new Pattern(needle_of(pattern, escaped));
        sqlite3_set_auxdata(context, of_pattern, made, [](void* old) { delete static_cast<Pattern*>(old); });
        // SQLite may have dropped it at once.
        known = static_cast<Pattern*>(sqlite3_get_auxdata(context, of_pattern));
    }
    const bool is_like = known != nullptr && *known
                             ? contains({text, std::strlen(text)}, **known)
                             : sqlite3_strlike(pattern, text, static_cast<unsigned char>(escape[0])) == 0;
    sqlite3_result_int(context, is_like ? 1 : 0);
}

}  // namespace

void use_fast_like(sqlite3* connection) {
    constexpr int arguments = 3;
    const int done =
        sqlite3_create_function_v2(connection, "like", arguments, SQLITE_UTF8 | SQLITE_DETERMINISTIC | SQLITE_INNOCUOUS,
                                   nullptr, like, nullptr, nullptr, nullptr);
    DRAWBRIDGE_ASSERT(done == SQLITE_OK, "SQLite takes a function");
}

}  // namespace drawbridge::ledger
