#include "names.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "drawbridge/domain/ascii.hpp"
#include "drawbridge/text/sanitize.hpp"
#include "drawbridge/text/utf8.hpp"

namespace drawbridge::spool {
namespace {

// Each 0 stands for any digit.
constexpr std::string_view stamp_form = "00000000T000000000Z-000000";

bool has_stamp(std::string_view claimed) {
    return claimed.size() > stamp_form.size() + 1 && claimed[stamp_form.size()] == '-' &&
           is_stamp(claimed.substr(0, stamp_form.size()));
}

}  // namespace

bool is_plain_name(std::string_view name) {
    return !name.empty() && name != "." && name != ".." && name.find('/') == std::string_view::npos &&
           name.find('\0') == std::string_view::npos;
}

std::string printable_name(std::string_view name) {
    std::string printable;
    text::for_each_character(name, [&](std::string_view bytes, std::optional<char32_t> c) {
        if (!c || *c == '/' || text::is_unprintable(*c)) {
            printable += '_';
        } else {
            printable += bytes;
        }
    });
    return printable;
}

std::string shortened_name(std::string_view name, std::size_t max_bytes) {
    constexpr std::size_t max_extension = 16;
    if (name.size() <= max_bytes) return std::string(name);
    const std::size_t dot = name.rfind('.');
    std::string_view extension;
    if (dot != std::string_view::npos && name.size() - dot <= max_extension) extension = name.substr(dot);
    return std::string(text::utf8_prefix(name, max_bytes - extension.size())) + std::string(extension);
}

bool is_stamp(std::string_view text) {
    return std::ranges::equal(text, stamp_form,
                              [](char c, char form) { return form == '0' ? is_digit(c) : c == form; });
}

bool is_upload_name(std::string_view text) {
    if (!has_stamp(text)) return false;
    const std::string_view owner = text.substr(stamp_form.size() + 1);
    return !owner.empty() && std::ranges::all_of(owner, is_digit);
}

std::string claim_stamp(Instant now, unsigned counter) {
    std::string stamp;
    for (const char c : format_instant(now)) {
        if (c != '-' && c != ':' && c != '.') stamp += c;
    }
    return stamp + fmt::format("-{:06}", counter % 1'000'000);
}

std::string claimed_name(Instant now, unsigned counter, std::string_view original) {
    return claim_stamp(now, counter) + "-" + shortened_name(original, max_file_name - stamp_form.size() - 1);
}

std::string claim_stamp_of(std::string_view claimed) {
    return std::string(has_stamp(claimed) ? claimed.substr(0, stamp_form.size()) : claimed);
}

std::string original_name_of(std::string_view claimed) {
    return std::string(has_stamp(claimed) ? claimed.substr(stamp_form.size() + 1) : claimed);
}

}  // namespace drawbridge::spool
