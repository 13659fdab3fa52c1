#include "drawbridge/console/request_guard.hpp"

#include <gtest/gtest.h>

namespace drawbridge::console {
namespace {

constexpr std::string_view ours = "https://console.example.gov";

bool passes(const std::string& method, const std::string& target, const std::string& origin,
            const std::string& fetch_site) {
    WebRequest request;
    request.method = method;
    request.origin = origin;
    request.fetch_site = fetch_site;
    if (!read_target(target, request)) return false;
    return !cross_site_fault(request, ours);
}

TEST(RequestGuard, what_changes_anything_comes_from_our_own_pages) {
    EXPECT_TRUE(passes("POST", "/pause", std::string(ours), "same-origin"));
    EXPECT_TRUE(passes("POST", "/pause", std::string(ours), ""));  // a browser without Sec-Fetch-Site
    // A form of a page that sends no referrer.
    EXPECT_TRUE(passes("POST", "/pause", "null", "same-origin"));
    EXPECT_TRUE(passes("DELETE", "/api/session", std::string(ours), "same-origin"));
}

TEST(RequestGuard, what_another_site_sends_is_refused) {
    for (const char* target : {"/pause", "/preferences", "/sign-out", "/api/session", "/api/acts/x", "/api/ingest"}) {
        EXPECT_FALSE(passes("POST", target, "", "")) << target;
        EXPECT_FALSE(passes("POST", target, "null", "")) << target;
        EXPECT_FALSE(passes("POST", target, "null", "cross-site")) << target;
        EXPECT_FALSE(passes("POST", target, "", "same-origin")) << target;
        EXPECT_FALSE(passes("POST", target, "https://evil.example", "")) << target;
        EXPECT_FALSE(passes("POST", target, "https://evil.example", "same-origin")) << target;
        EXPECT_FALSE(passes("POST", target, std::string(ours), "cross-site")) << target;
        EXPECT_FALSE(passes("POST", target, std::string(ours), "same-site")) << target;
        EXPECT_FALSE(passes("POST", target, std::string(ours), "none")) << target;
        EXPECT_FALSE(passes("POST", target, std::string(ours) + ":8443", "")) << target;
        EXPECT_FALSE(passes("POST", target, "http://console.example.gov", "")) << target;
        EXPECT_FALSE(passes("DELETE", target, "https://evil.example", "cross-site")) << target;
    }
}

TEST(RequestGuard, pages_open_from_anywhere_but_scripts_addresses_do_not) {
    EXPECT_TRUE(passes("GET", "/", "", "cross-site"));
    EXPECT_TRUE(passes("GET", "/open", "", "none"));
    EXPECT_TRUE(passes("GET", "/events", "", "same-origin"));
    EXPECT_FALSE(passes("GET", "/events", "", "cross-site"));
    EXPECT_FALSE(passes("GET", "/api/me", "", "cross-site"));
    EXPECT_FALSE(passes("GET", "/api/me", "", "same-site"));
}

}  // namespace
}  // namespace drawbridge::console
