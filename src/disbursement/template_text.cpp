#include "template_text.hpp"

#include <re2/re2.h>

#include <string>

#include "drawbridge/domain/assert.hpp"
#include "drawbridge/text/diagnostic.hpp"

namespace drawbridge::disbursement {

Result<void> parse_template(std::string_view text, const std::function<void(std::string_view)>& on_text,
                            const std::function<Result<void>(std::string_view)>& on_name) {
    while (!text.empty()) {
        const auto open = text.find_first_of("{}");
        if (open != 0) on_text(text.substr(0, open));
        if (open == std::string_view::npos) return {};
        const auto close = text.find('}', open);
        if (text[open] == '}' || close == std::string_view::npos) {
            return fail(ErrorCode::invalid_input, "a brace has no match: write {name}");
        }
        if (auto good = on_name(text.substr(open + 1, close - open - 1)); !good) return good;
        text.remove_prefix(close + 1);
    }
    return {};
}

std::string pattern_of_template(std::string_view text,
                                const std::function<std::string_view(std::string_view)>& pattern_of) {
    std::string pattern;
    const auto done = parse_template(
        text,
        [&](std::string_view piece) { pattern += re2::RE2::QuoteMeta(re2::StringPiece(piece.data(), piece.size())); },
        [&](std::string_view name) -> Result<void> {
            pattern += pattern_of(name);
            return {};
        });
    DRAWBRIDGE_ASSERT(done, "a template is validated when it is read");
    return pattern;
}

Result<void> unknown_placeholder(std::string_view name, const std::vector<std::string_view>& known) {
    const auto meant = text::closest_match(name, known);
    std::string message = "unknown placeholder '{" + std::string(name) + "}'";
    if (!meant.empty())
        return fail(ErrorCode::invalid_input, message + ": did you mean '{" + std::string(meant) + "}'?");
    message += ": known placeholders are";
    for (const auto one : known)
        message += " {" + std::string(one) + "}";
    return fail(ErrorCode::invalid_input, message);
}

}  // namespace drawbridge::disbursement
