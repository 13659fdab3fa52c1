#include "endpoint.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace drawbridge::service {
namespace {

using testing::HasSubstr;
using testing::Not;

TEST(BaseUrl, is_parsed) {
    const struct {
        const char* url;
        const char* host;
        const char* port;
        const char* authority;
        const char* path;
        bool tls;
    } cases[] = {
        {"https://draws.example.gov/api", "draws.example.gov", "443", "draws.example.gov", "/api", true},
        {"https://Draws.Example.gov:8443", "draws.example.gov", "8443", "draws.example.gov:8443", "", true},
        {"HTTPS://draws.example.gov/a%20b/c//", "draws.example.gov", "443", "draws.example.gov", "/a%20b/c", true},
        {"http://localhost:8087/", "localhost", "8087", "localhost:8087", "", false},
        {"http://127.1.2.3", "127.1.2.3", "80", "127.1.2.3", "", false},
        {"http://[::1]:8087/api", "::1", "8087", "[::1]:8087", "/api", false},
        {"https://[2001:db8::1]/", "2001:db8::1", "443", "[2001:db8::1]", "", true},
    };
    for (const auto& c : cases) {
        const auto endpoint = parse_base_url(c.url);
        ASSERT_TRUE(endpoint) << c.url << endpoint.error().message;
        EXPECT_EQ(endpoint->host, c.host);
        EXPECT_EQ(endpoint->port, c.port);
        EXPECT_EQ(endpoint->authority, c.authority);
        EXPECT_EQ(endpoint->base_path, c.path);
        EXPECT_EQ(endpoint->tls, c.tls);
    }
}

TEST(BaseUrl, plain_http_to_other_machines_and_invalid_urls_are_refused) {
    for (const char* url :
         {"", "draws", "//draws", "http://localhost.example.gov", "http://127.0.0.1.example.gov", "http://0.0.0.0",
          "http://169.254.1.1", "http://[::]/", "https://", "https:///api", "https://h:0/", "https://h:99999/",
          "https://h/?q", "https://h/#f", "https://user@h/", "file:///etc/passwd", "https://h/ x"}) {
        const auto endpoint = parse_base_url(url);
        ASSERT_FALSE(endpoint) << url;
        EXPECT_THAT(endpoint.error().message, HasSubstr("service.base_url "));
    }
}

TEST(ProxyAddress, is_parsed_and_its_password_is_not_shown) {
    const auto proxy = parse_proxy("http://user:p%40ss@Proxy.example.gov:3128");
    ASSERT_TRUE(proxy) << proxy.error().message;
    EXPECT_EQ(proxy->host, "proxy.example.gov");
    EXPECT_EQ(proxy->port, "3128");
    EXPECT_EQ(proxy->authorization.reveal(), "Basic dXNlcjpwQHNz");
    const auto plain = parse_proxy("proxy:8080");
    ASSERT_TRUE(plain) << plain.error().message;
    EXPECT_EQ(plain->port, "8080");
    EXPECT_TRUE(plain->authorization.empty());
    for (const char* wrong :
         {"socks5://u:secret@p:1", "http://u:secret@", "https://u:secret@proxy", "http://u:sec ret@p"}) {
        const auto refused = parse_proxy(wrong);
        ASSERT_FALSE(refused) << wrong;
        EXPECT_THAT(refused.error().message, Not(HasSubstr("sec")));
    }
}

TEST(ProxyFromEnvironment, no_proxy_names_hosts_and_domains) {
    const struct {
        const char* no_proxy;
        bool proxied;
    } cases[] = {
        {"", true},
        {"*", false},
        {"draws.example.gov", false},
        {"example.gov", false},
        {".example.gov", false},
        {"other.gov, EXAMPLE.gov ,x", false},
        {"ample.gov", true},
        {"draws.example.gov.org,,", true},
    };
    for (const auto& c : cases) {
        EXPECT_EQ(choose_proxy("draws.example.gov", "http://p:1", c.no_proxy).has_value(), c.proxied) << c.no_proxy;
    }
    EXPECT_EQ(choose_proxy("draws.example.gov", std::nullopt, ""), std::nullopt);
    EXPECT_EQ(choose_proxy("draws.example.gov", "", ""), std::nullopt);
}

}  // namespace
}  // namespace drawbridge::service
