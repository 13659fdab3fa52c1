#include "drawbridge/console/cookies.hpp"

#include <algorithm>

#include "drawbridge/domain/ascii.hpp"
#include "drawbridge/domain/assert.hpp"

namespace drawbridge::console {
namespace {

constexpr std::size_t max_value_length = 128;

std::string cookie_name(CookieName name, bool is_public) {
    const std::string prefix = is_public ? "__Host-" : "";
    switch (name) {
        case CookieName::session: return prefix + "drawbridge-session";
        case CookieName::theme: return prefix + "drawbridge-theme";
        case CookieName::keys: return prefix + "drawbridge-keys";
    }
    return prefix;
}

bool is_value(std::string_view text) {
    return text.size() <= max_value_length &&
           std::ranges::all_of(text, [](char c) { return is_letter_or_digit(c) || c == '-' || c == '_'; });
}

}  // namespace

std::string cookie_value(std::string_view header, CookieName name, bool is_public) {
    const std::string wanted = cookie_name(name, is_public);
    std::string found;
    bool is_found = false;
    while (!header.empty()) {
        auto pair = header.substr(0, header.find(';'));
        header.remove_prefix(std::min(pair.size() + 1, header.size()));
        while (pair.starts_with(' '))
            pair.remove_prefix(1);
        const auto equals = pair.find('=');
        if (equals == std::string_view::npos || pair.substr(0, equals) != wanted) continue;
        if (is_found) return {};
        is_found = true;
        found = pair.substr(equals + 1);
    }
    return is_value(found) ? found : std::string();
}

std::string set_cookie(CookieName name, std::string_view value, bool is_public) {
    DRAWBRIDGE_ASSERT(is_value(value), "a cookie of letters, digits, - and _");
    std::string cookie = cookie_name(name, is_public) + "=" + std::string(value);
    cookie += "; Path=/; HttpOnly; SameSite=Strict";
    if (is_public) cookie += "; Secure";
    // A session ends with the browser, and at the latest when the daemon says so.
    if (value.empty()) {
        cookie += "; Max-Age=0";
    } else if (name != CookieName::session) {
        cookie += "; Max-Age=31536000";
    }
    return cookie;
}

}  // namespace drawbridge::console
