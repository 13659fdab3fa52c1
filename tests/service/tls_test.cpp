// TLS and proxy, with generated certificates.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "service/certificates.hpp"
#include "service/client_fixture.hpp"

namespace drawbridge::service::testing {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

Script one_draw() {
    return with_tokens([](const Received&) { return ok(draw_json(7)); });
}

ClientOptions trusting(const std::string& base_url, const TemporaryFile& authority) {
    ClientOptions options = quick_options(base_url);
    options.ca_file = authority.path();
    return options;
}

TEST(Tls, a_certificate_of_the_configured_authority_is_accepted) {
    const Identity authority = make_authority("Our Authority");
    const TemporaryFile ca_file(authority.certificate);
    ScriptedServer server(one_draw(), server_tls(make_signed(authority)));
    ClientUnderTest under_test(trusting(server.url(), ca_file));
    for (int i = 0; i < 3; ++i) {
        const auto draw = under_test.read(7);
        ASSERT_TRUE(draw) << draw.error().message;
    }
    EXPECT_EQ(server.connections(), 1);

    ScriptedServer by_address(one_draw(), server_tls(make_signed(authority, {.alternative_name = "IP:127.0.0.1"})));
    ClientUnderTest addressed(trusting("https://127.0.0.1:" + std::to_string(by_address.port()), ca_file));
    const auto draw = addressed.read(7);
    EXPECT_TRUE(draw) << draw.error().message;
}

TEST(Tls, a_bad_certificate_is_refused_with_its_reason_before_a_request) {
    const Identity ours = make_authority("Our Authority");
    const Identity theirs = make_authority("Their Authority");
    const TemporaryFile ca_file(ours.certificate);
    const struct {
        const char* reason;
        Identity identity;
    } cases[] = {
        {"has expired", make_signed(ours, {.valid_from_days = -20, .valid_for_days = 10})},
        {"is not yet valid", make_signed(ours, {.valid_from_days = 5, .valid_for_days = 10})},
        {"is for another host", make_signed(ours, {.alternative_name = "DNS:other.example.gov"})},
        {"is for another host", make_signed(ours, {.alternative_name = "IP:127.0.0.1"})},
        {"is from an unknown certificate authority", make_signed(theirs)},
        {"is self-signed", make_self_signed()},
    };
    for (const auto& c : cases) {
        ScriptedServer server(one_draw(), server_tls(c.identity));
        ClientUnderTest under_test(trusting(server.url(), ca_file));
        const auto result = under_test.approve({7});
        ASSERT_FALSE(result) << c.reason;
        EXPECT_EQ(result.error().code, ErrorCode::unavailable);
        EXPECT_THAT(result.error().message, HasSubstr(std::string("the certificate of localhost ") + c.reason));
        EXPECT_TRUE(server.received().empty());
        EXPECT_EQ(server.connections(), 1) << "a retry cannot help";
        EXPECT_THAT(under_test.client->health().last_error, HasSubstr(c.reason));
    }
}

TEST(Tls, without_a_ca_file_the_systems_authorities_are_used) {
    ScriptedServer server(one_draw(), server_tls(make_signed(make_authority("Our Authority"))));
    ClientUnderTest under_test(quick_options(server.url()));
    const auto result = under_test.read(7);
    ASSERT_FALSE(result);
    EXPECT_THAT(result.error().message, HasSubstr("unknown certificate authority"));
}

TEST(Tls, versions_before_1_2_are_refused) {
    const Identity authority = make_authority("Our Authority");
    const TemporaryFile ca_file(authority.certificate);
    const auto tls = server_tls(make_signed(authority));
    SSL_CTX_set_security_level(tls->native_handle(), 0);
    SSL_CTX_set_min_proto_version(tls->native_handle(), TLS1_VERSION);
    SSL_CTX_set_max_proto_version(tls->native_handle(), TLS1_1_VERSION);
    ScriptedServer server(one_draw(), tls);
    ClientOptions options = trusting(server.url(), ca_file);
    options.attempts = 1;
    ClientUnderTest under_test(options);
    const auto result = under_test.read(7);
    ASSERT_FALSE(result);
    EXPECT_THAT(result.error().message, HasSubstr("TLS with localhost failed"));
    EXPECT_TRUE(server.received().empty());
}

TEST(Tls, an_https_client_never_falls_back_to_plain_http) {
    ScriptedServer plain(one_draw());
    ClientOptions options = quick_options("https://127.0.0.1:" + std::to_string(plain.port()));
    options.request_deadline = std::chrono::milliseconds(500);
    options.attempts = 1;
    ClientUnderTest under_test(options);
    EXPECT_FALSE(under_test.read(7));
    EXPECT_TRUE(plain.received().empty());
}

TEST(Tls, a_truncated_tls_answer_is_not_taken_as_complete) {
    const Identity authority = make_authority("Our Authority");
    const TemporaryFile ca_file(authority.certificate);
    // No length: the end of the connection ends the body, so it must be a TLS close.
    ScriptedServer server(with_tokens([](const Received&) {
                              return Reply{.bytes = "HTTP/1.1 200 OK\r\n\r\n" + draw_json(7),
                                           .then = Reply::Then::close};
                          }),
                          server_tls(make_signed(authority)));
    ClientUnderTest under_test(trusting(server.url(), ca_file));
    const auto result = under_test.read(7);
    ASSERT_FALSE(result);
    EXPECT_THAT(result.error().message, HasSubstr("in the middle of its answer"));
}

// An answer from before a draw was cancelled must not pass for a fresh reading.
TEST(Tls, a_leftover_answer_is_not_taken_for_the_next) {
    const Identity authority = make_authority("Our Authority");
    const TemporaryFile ca_file(authority.certificate);
    int asked = 0;
    ScriptedServer server(with_tokens([&asked](const Received&) {
                              if (++asked > 1) return ok(draw_json(7, 2));
                              Reply twice = ok(draw_json(7, 4));
                              twice.leftover = twice.bytes;
                              return twice;
                          }),
                          server_tls(make_signed(authority)));
    ClientUnderTest under_test(trusting(server.url(), ca_file));
    EXPECT_EQ(under_test.read(7).value()->status, DrawStatus::approved);
    EXPECT_EQ(under_test.read(7).value()->status, DrawStatus::cancelled);
    EXPECT_EQ(server.connections(), 2);
}

TEST(ProxyByConnect, tls_goes_through_a_tunnel_and_the_token_stays_inside) {
    const Identity authority = make_authority("Our Authority");
    const TemporaryFile ca_file(authority.certificate);
    ScriptedServer server(one_draw(), server_tls(make_signed(authority)));
    TunnelProxy proxy;
    ClientOptions options = trusting(server.url(), ca_file);
    options.proxy = "http://user:word@127.0.0.1:" + std::to_string(proxy.port());
    {
        ClientUnderTest under_test(options);
        const auto draw = under_test.read(7);
        ASSERT_TRUE(draw) << draw.error().message;
    }
    const auto requests = proxy.requests();
    ASSERT_EQ(requests.size(), 1U);
    EXPECT_THAT(requests[0], HasSubstr("CONNECT localhost:" + std::to_string(server.port()) + " HTTP/1.1\r\n"));
    EXPECT_THAT(requests[0], HasSubstr("Proxy-Authorization: Basic dXNlcjp3b3Jk\r\n"));
    EXPECT_THAT(requests[0], Not(HasSubstr("token")));
    EXPECT_EQ(server.received().back().headers.count("proxy-authorization"), 0U);
}

TEST(ProxyByConnect, a_refused_tunnel_is_an_error_and_the_proxy_is_not_bypassed) {
    const Identity authority = make_authority("Our Authority");
    const TemporaryFile ca_file(authority.certificate);
    ScriptedServer server(one_draw(), server_tls(make_signed(authority)));
    TunnelProxy proxy(407);
    ClientOptions options = trusting(server.url(), ca_file);
    options.proxy = "127.0.0.1:" + std::to_string(proxy.port());
    ClientUnderTest under_test(options);
    const auto result = under_test.approve({7});
    ASSERT_FALSE(result);
    EXPECT_EQ(result.error().code, ErrorCode::unavailable);
    EXPECT_THAT(result.error().message, HasSubstr("refuses a tunnel to localhost"));
    EXPECT_THAT(result.error().message, HasSubstr("407"));
    EXPECT_EQ(server.connections(), 0);
}

}  // namespace
}  // namespace drawbridge::service::testing
