#include "sanitize_utf8.hpp"

#include <algorithm>
#include <charconv>
#include <cstdint>
#include <cstring>

#include "drawbridge/text/utf8.hpp"

namespace drawbridge::service {
namespace {

constexpr std::string_view replacement = "\xEF\xBF\xBD";  // U+FFFD
constexpr std::size_t escape_length = 6;                  // \uXXXX

// The code unit of the \uXXXX at the start of `text`.
std::optional<std::uint32_t> code_unit(std::string_view text) {
    if (text.size() < escape_length || !text.starts_with("\\u")) return std::nullopt;
    std::uint32_t unit = 0;
    const auto [end, error] = std::from_chars(text.data() + 2, text.data() + escape_length, unit, 16);
    if (error != std::errc() || end != text.data() + escape_length) return std::nullopt;
    return unit;
}

bool is_leading(std::uint32_t unit) {
    return unit >= 0xD800 && unit <= 0xDBFF;
}
bool is_trailing(std::uint32_t unit) {
    return unit >= 0xDC00 && unit <= 0xDFFF;
}

struct Piece {
    std::size_t length;
    bool good = true;
};

// The escape at the start of `text`, which begins with a backslash.
Piece escape_at(std::string_view text) {
    const auto unit = code_unit(text);
    if (!unit) return {std::min<std::size_t>(2, text.size())};
    if (is_trailing(*unit)) return {escape_length, false};
    if (!is_leading(*unit)) return {escape_length};
    const auto second = code_unit(text.substr(escape_length));
    if (second && is_trailing(*second)) return {2 * escape_length};
    return {escape_length, false};
}

bool is_plain(char c) {
    return static_cast<unsigned char>(c) < 0x80 && c != '\\';
}

// How many characters from here on are plain, tested eight at a time: nearly every answer is completely plain.
std::size_t plain_length(std::string_view text) {
    constexpr std::uint64_t ones = 0x0101010101010101;
    constexpr std::uint64_t tops = ones * 0x80;
    std::size_t at = 0;
    for (std::uint64_t eight = 0; at + sizeof eight <= text.size(); at += sizeof eight) {
        std::memcpy(&eight, text.data() + at, sizeof eight);
        const std::uint64_t unless_backslash = eight ^ (ones * '\\');
        if (((eight | (unless_backslash - ones)) & tops) != 0) break;
    }
    while (at < text.size() && is_plain(text[at]))
        ++at;
    return at;
}

}  // namespace

std::optional<std::string> sanitize_utf8(std::string_view json) {
    std::optional<std::string> sanitized;
    std::size_t copied = 0;  // bytes before it are in `sanitized`
    for (std::size_t at = 0; at < json.size();) {
        at += plain_length(json.substr(at));
        if (at == json.size()) break;
        const auto rest = json.substr(at);
        Piece piece{};
        if (json[at] == '\\') {
            piece = escape_at(rest);
        } else {
            const std::size_t length = text::utf8_length(rest);
            piece = length == 0 ? Piece{1, false} : Piece{length};
        }
        if (!piece.good) {
            if (!sanitized) sanitized.emplace();
            sanitized->append(json.substr(copied, at - copied)).append(replacement);
            copied = at + piece.length;
        }
        at += piece.length;
    }
    if (sanitized) sanitized->append(json.substr(copied));
    return sanitized;
}

}  // namespace drawbridge::service
