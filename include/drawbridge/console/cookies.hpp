// The console's cookies: the session's token, and what the reader prefers. Scripts see none of them, and no other site
// has any of them sent.
//
// On https each name begins with __Host-, so that no other host of the domain can set it. Browsers differ on whether
// http://localhost may have that, so there it has not.
#pragma once

#include <string>
#include <string_view>

namespace drawbridge::console {

enum class CookieName { session, theme, keys };

// The value of a Cookie header's one cookie of that name; empty: none, several, or one that we never set.
[[nodiscard]] std::string cookie_value(std::string_view header, CookieName name, bool is_public);

// Of a Set-Cookie header. An empty value takes the cookie away; `value` is of letters, digits, - and _.
[[nodiscard]] std::string set_cookie(CookieName name, std::string_view value, bool is_public);

}  // namespace drawbridge::console
