#include "drawbridge/admin/reason.hpp"

#include <optional>
#include <string>

#include "drawbridge/text/sanitize.hpp"
#include "drawbridge/text/utf8.hpp"

namespace drawbridge::admin {
namespace {

bool shows_something(std::string_view text) {
    bool shows = false;
    text::for_each_character(text, [&](std::string_view, std::optional<char32_t> c) {
        shows = shows || (c && !text::is_unprintable(*c) && !text::is_blank(*c));
    });
    return shows;
}

// Or a byte that is not UTF-8. What joins the letters of other scripts is no control character.
bool has_control_character(std::string_view text) {
    bool has = false;
    text::for_each_character(text, [&](std::string_view bytes, std::optional<char32_t> c) {
        const bool is_layout = bytes == "\n" || bytes == "\r" || bytes == "\t";
        has = has || !c || (text::is_unprintable(*c) && !text::shows_nothing(*c) && !is_layout);
    });
    return has;
}

}  // namespace

Result<void> check_reason(std::string_view reason) {
    if (!shows_something(reason))
        return fail(ErrorCode::invalid_input, "the reason is empty: state why; it is recorded with the act");
    if (reason.size() <= max_reason_bytes && !has_control_character(reason)) return {};
    return fail(ErrorCode::invalid_input, "the reason is too long or has control characters: write at most " +
                                              std::to_string(max_reason_bytes) + " bytes of plain text");
}

}  // namespace drawbridge::admin
