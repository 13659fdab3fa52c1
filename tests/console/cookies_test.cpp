#include "drawbridge/console/cookies.hpp"

#include <gtest/gtest.h>

namespace drawbridge::console {
namespace {

TEST(Cookies, the_session_is_bound_to_the_host_and_closed_to_scripts_and_other_sites) {
    EXPECT_EQ(set_cookie(CookieName::session, "abc", /*is_public=*/true),
              "__Host-drawbridge-session=abc; Path=/; HttpOnly; SameSite=Strict; Secure");
    EXPECT_EQ(set_cookie(CookieName::session, "", /*is_public=*/true),
              "__Host-drawbridge-session=; Path=/; HttpOnly; SameSite=Strict; Secure; Max-Age=0");
}

TEST(Cookies, localhost_has_no_prefix) {
    EXPECT_EQ(set_cookie(CookieName::session, "abc", /*is_public=*/false),
              "drawbridge-session=abc; Path=/; HttpOnly; SameSite=Strict");
    EXPECT_EQ(cookie_value("drawbridge-session=abc", CookieName::session, /*is_public=*/false), "abc");
    // A cookie that plain HTTP could have set is none on https.
    EXPECT_EQ(cookie_value("drawbridge-session=abc", CookieName::session, /*is_public=*/true), "");
}

TEST(Cookies, preferences_stay_for_a_year) {
    EXPECT_EQ(set_cookie(CookieName::theme, "dark", /*is_public=*/false),
              "drawbridge-theme=dark; Path=/; HttpOnly; SameSite=Strict; Max-Age=31536000");
}

TEST(Cookies, one_among_others_is_found) {
    const auto value = [](std::string_view header) {
        return cookie_value(header, CookieName::session, /*is_public=*/true);
    };
    EXPECT_EQ(value("a=1; __Host-drawbridge-session=to-ken_1; b=2"), "to-ken_1");
    EXPECT_EQ(value("x__Host-drawbridge-session=no"), "");
    EXPECT_EQ(value(""), "");
    EXPECT_EQ(value(";;; ;=; __Host-drawbridge-session"), "");
}

TEST(Cookies, two_of_a_name_or_strange_bytes_are_ignored) {
    const auto value = [](std::string_view header) {
        return cookie_value(header, CookieName::session, /*is_public=*/true);
    };
    EXPECT_EQ(value("__Host-drawbridge-session=a; __Host-drawbridge-session=b"), "");
    EXPECT_EQ(value("__Host-drawbridge-session=a b"), "");
    EXPECT_EQ(value("__Host-drawbridge-session=a\r\nX: y"), "");
    EXPECT_EQ(value("__Host-drawbridge-session=" + std::string(129, 'a')), "");
}

}  // namespace
}  // namespace drawbridge::console
