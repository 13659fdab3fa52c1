// The console's cookies: the session's token, and the reader's preferences. Scripts cannot read them, and browsers do
// not send them with requests from other sites.
//
// On https, each name begins with __Host-, so that no other host of the domain can set it. On http://localhost, the
// names have no prefix, because browsers differ on whether they accept it there.
#pragma once

#include <string>
#include <string_view>

namespace drawbridge::console {

enum class CookieName { session, theme, keys };

// The value of the only cookie of that name in a Cookie header. Empty: none, several, or a value that the console never
// sets.
[[nodiscard]] std::string cookie_value(std::string_view header, CookieName name, bool is_public);

// The value of a Set-Cookie header. `value` has only letters, digits, - and _; an empty one deletes the cookie.
[[nodiscard]] std::string set_cookie(CookieName name, std::string_view value, bool is_public);

}  // namespace drawbridge::console
