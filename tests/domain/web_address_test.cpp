#include "drawbridge/domain/web_address.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace drawbridge {
namespace {

using testing::HasSubstr;
using testing::Not;

TEST(WebAddress, is_parsed_into_its_parts) {
    const auto address = parse_web_address("https://Hooks.Example.gov:8443/services/T0%2F1?a=b%20c");
    ASSERT_TRUE(address) << address.error().message;
    EXPECT_TRUE(address->tls);
    EXPECT_EQ(address->host, "hooks.example.gov");
    EXPECT_EQ(address->port, "8443");
    EXPECT_EQ(address->authority, "hooks.example.gov:8443");
    EXPECT_EQ(address->path, "/services/T0%2F1");
    EXPECT_EQ(address->query, "?a=b%20c");
}

TEST(WebAddress, allows_plain_http_only_to_this_machine) {
    for (const char* here : {"http://localhost", "http://LOCALHOST:8087/", "http://127.0.0.1/", "http://127.1.2.3:80",
                             "http://[::1]:8087/api", "http://[0:0:0:0:0:0:0:1]"}) {
        const auto address = parse_web_address(here);
        ASSERT_TRUE(address) << here << " " << address.error().message;
        EXPECT_FALSE(address->tls);
    }
    for (const char* elsewhere :
         {"http://127.0.0.1.evil.com/", "http://127.0.0.1.evil.com:8087/", "http://127.0.0.1.evil.com",
          "http://127.0.0.1evil.com/", "http://localhost.evil.com/", "http://localhost@evil.com/",
          "http://127.0.0.1@evil.com/", "http://127.0.0.1:80@evil.com/", "http://0.0.0.0/", "http://10.0.0.1/",
          "http://169.254.169.254/", "http://[::]/", "http://[2001:db8::1]/", "http://[::ffff:10.0.0.1]/",
          "http://draws.example.gov/", "http://2130706433/", "http://0x7f.0.0.1/", "http://127.1/"})
        EXPECT_FALSE(parse_web_address(elsewhere)) << elsewhere;
}

TEST(WebAddress, reports_errors_without_repeating_the_address) {
    const struct {
        const char* address;
        const char* says;
    } cases[] = {
        {"", "is not an address"},
        {"s3cr3t.example.gov", "is not an address"},
        {"//s3cr3t.example.gov", "is not an address"},
        {"https://h/ s3cr3t", "is not an address"},
        {"ftp://s3cr3t.example.gov", "must begin with https://"},
        {"file:///s3cr3t", "must begin with https://"},
        {"https://", "has no host"},
        {"https:///s3cr3t", "has no host"},
        {"https://127.0.0.1.s3cr3t.com", "begins like an IP address"},
        {"https://127.0.0.1s3cr3t/", "begins like an IP address"},
        {"https://10.0.0.300.s3cr3t.com/", "begins like an IP address"},
        {"https://s3cr3t@h/", "user name"},
        {"https://me:s3cr3t@h/", "user name"},
        {"https://h/#s3cr3t", "'#'"},
        {"http://s3cr3t.example.gov", "would go unencrypted"},
        {"https://s3cr3t:0/", "port"},
        {"https://s3cr3t:99999/", "port"},
    };
    for (const auto& c : cases) {
        const auto refused = parse_web_address(c.address);
        ASSERT_FALSE(refused) << c.address;
        EXPECT_THAT(refused.error().message, HasSubstr(c.says)) << c.address;
        EXPECT_THAT(refused.error().message, Not(HasSubstr("s3cr3t"))) << c.address;
    }
}

TEST(WebAddress, may_have_a_host_name_with_numbers) {
    for (const char* host : {"4.3.2.example.gov", "1.example.gov", "10.0.0.1", "a.1.2.3.4"})
        EXPECT_EQ(parse_web_address(std::string("https://") + host + "/x").value().host, host);
}

TEST(WebAddress, base_address_has_no_query_and_no_trailing_slash) {
    EXPECT_EQ(parse_base_address("https://draws.example.gov/a%20b/c//").value().path, "/a%20b/c");
    EXPECT_EQ(parse_base_address("https://draws.example.gov/").value().path, "");
    EXPECT_THAT(parse_base_address("https://draws.example.gov/api?x=1").error().message, HasSubstr("without '?'"));
    EXPECT_FALSE(parse_base_address("http://127.0.0.1.evil.com/"));
}

TEST(ProxyAddress, is_parsed_into_host_port_and_credentials) {
    const auto proxy = parse_proxy_address("http://user:p%40ss@Proxy.example.gov:3128/");
    ASSERT_TRUE(proxy) << proxy.error().message;
    EXPECT_EQ(proxy->host, "proxy.example.gov");
    EXPECT_EQ(proxy->port, "3128");
    EXPECT_TRUE(proxy->has_credentials);
    EXPECT_EQ(proxy->user, "user");
    EXPECT_EQ(proxy->password.reveal(), "p@ss");
    for (const char* wrong : {"", "https://p:1", "socks5://p:1", "http://p:0", "http://p:99999", "http://p:1/path",
                              "http://p:1?q", "http://p:1#f", "http://127.0.0.1.evil.com:3128"})
        EXPECT_FALSE(parse_proxy_address(wrong)) << wrong;
}

}  // namespace
}  // namespace drawbridge
