#include "drawbridge/service/webhook.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "service/certificates.hpp"
#include "service/run_task.hpp"
#include "service/scripted_server.hpp"

namespace drawbridge::service::testing {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

Result<void> post(WebhookOptions options, const std::string& body = "{}") {
    boost::asio::io_context io;
    options.proxy = "";
    auto webhook = make_webhook(io.get_executor(), std::move(options));
    if (!webhook) return std::unexpected(webhook.error());
    return run_task(io, (*webhook)->post(body, "id-1"));
}

WebhookOptions to(const std::string& url) {
    WebhookOptions options;
    options.url = Secret(url);
    return options;
}

TEST(Webhook, signatures_match_rfc_4231) {
    // RFC 4231, test case 2.
    EXPECT_EQ(webhook_signature(Secret("Jefe"), "what do ya want for nothing?"),
              "sha256=5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843");
}

TEST(Webhook, permanent_and_temporary_refusals_have_different_errors) {
    struct Case {
        int status;
        std::optional<ErrorCode> error;
    };
    const Case cases[] = {{200, {}},
                          {204, {}},
                          {301, ErrorCode::unavailable},
                          {400, ErrorCode::invalid_input},
                          {401, ErrorCode::unavailable},
                          {404, ErrorCode::unavailable},
                          {413, ErrorCode::invalid_input},
                          {422, ErrorCode::invalid_input},
                          {429, ErrorCode::unavailable},
                          {500, ErrorCode::unavailable}};
    for (const auto& one : cases) {
        ScriptedServer server([&](const Received&) { return answer(one.status, "why not"); });
        const auto posted = post(to(server.url() + "/a"));
        EXPECT_EQ(posted.has_value(), !one.error) << one.status;
        if (one.error && !posted) {
            EXPECT_EQ(posted.error().code, *one.error) << one.status;
            EXPECT_THAT(posted.error().message, HasSubstr("answered " + std::to_string(one.status)));
        }
        EXPECT_EQ(server.received().size(), 1U) << "no retries, and no redirect is followed";
    }
}

TEST(Webhook, no_error_shows_the_address) {
    ScriptedServer server([](const Received& request) { return answer(404, "no route " + request.target); });
    const auto posted = post(to(server.url() + "/services/T000/SECRET"));
    ASSERT_FALSE(posted);
    EXPECT_THAT(posted.error().message, Not(HasSubstr("SECRET")));
    const auto nobody = post(to("http://127.0.0.1:1/services/SECRET"));
    ASSERT_FALSE(nobody);
    EXPECT_THAT(nobody.error().message, Not(HasSubstr("SECRET")));
}

TEST(Webhook, only_configured_authorities_are_trusted) {
    const Identity authority = make_authority("Our Authority");
    const TemporaryFile ca_file(authority.certificate);
    ScriptedServer server([](const Received&) { return answer(200); }, server_tls(make_signed(authority)));
    auto options = to(server.url() + "/a");
    const auto untrusted = post(options);
    ASSERT_FALSE(untrusted);
    EXPECT_THAT(untrusted.error().message, HasSubstr("add that authority to alerts.webhook.ca_file"));
    EXPECT_TRUE(server.received().empty());
    options.ca_file = ca_file.path();
    const auto trusted = post(options);
    EXPECT_TRUE(trusted) << trusted.error().message;
}

TEST(Webhook, a_hung_receiver_times_out) {
    ScriptedServer server([](const Received&) { return Reply{"", Reply::Then::hang}; });
    auto options = to(server.url() + "/a");
    options.deadline = std::chrono::milliseconds(200);
    const auto posted = post(options);
    ASSERT_FALSE(posted);
    EXPECT_EQ(posted.error().code, ErrorCode::timeout);
}

}  // namespace
}  // namespace drawbridge::service::testing
