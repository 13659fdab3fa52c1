#include <gtest/gtest.h>

#include <fstream>

#include "sandbox_process.hpp"

namespace sandbox_test {
namespace {

TEST(Token, is_issued_for_valid_credentials_with_a_lifetime_in_milliseconds) {
    SandboxProcess sandbox({"--client-id", "a b", "--client-secret", "s&c=r%t", "--token-lifetime", "90s"});
    HttpProbe probe(sandbox.port());
    const auto answer = ask_token(probe, "client_secret=s%26c%3Dr%25t&client_id=a+b&grant_type=client_credentials");
    ASSERT_EQ(answer.status, 200U) << answer.body;
    EXPECT_EQ(answer.json()["token_type"], "Bearer");
    EXPECT_EQ(answer.json()["expires_in"], 90'000);
    EXPECT_GE(answer.json()["access_token"].get<std::string>().size(), 32U);
    EXPECT_EQ(answer.headers.at("cache-control"), "no-store");
}

TEST(Token, refuses_each_missing_or_wrong_field) {
    struct Case {
        const char* form;
        unsigned status;
        const char* error;
    };
    const std::vector<Case> cases{
        {"", 400, "invalid_request"},
        {"client_id=sandbox&client_secret=sandbox-secret", 400, "invalid_request"},
        {"grant_type=password&client_id=sandbox&client_secret=sandbox-secret", 400, "unsupported_grant_type"},
        {"grant_type=client_credentials&client_secret=sandbox-secret", 400, "invalid_request"},
        {"grant_type=client_credentials&client_id=sandbox", 400, "invalid_request"},
        {"grant_type=client_credentials&client_id=other&client_secret=sandbox-secret", 401, "invalid_client"},
        {"grant_type=client_credentials&client_id=sandbox&client_secret=sandbox-secre", 401, "invalid_client"},
        {"grant_type=client_credentials&client_id=sandbox&client_secret=", 401, "invalid_client"},
        {"grant_type=client_credentials&client_id=sandbox&client_id=sandbox&client_secret=sandbox-secret", 400,
         "invalid_request"},
        {"grant_type=client_credentials&client_id=%zz&client_secret=sandbox-secret", 400, "invalid_request"},
    };
    SandboxProcess sandbox;
    HttpProbe probe(sandbox.port());
    for (const auto& entry : cases) {
        const auto answer = ask_token(probe, entry.form);
        EXPECT_EQ(answer.status, entry.status) << entry.form;
        EXPECT_EQ(answer.json()["error"], entry.error) << entry.form;
    }
}

TEST(Token, requires_a_form_and_not_json) {
    SandboxProcess sandbox;
    HttpProbe probe(sandbox.port());
    const auto answer = probe.send("POST", "/oauth/token", {{"Content-Type", "application/json"}},
                                   R"({"grant_type":"client_credentials"})");
    EXPECT_EQ(answer.status, 400U);
    EXPECT_EQ(probe.send("GET", "/oauth/token").status, 405U);
}

TEST(Token, accepts_a_secret_from_a_file) {
    const auto file = temporary_folder() + "/secret";
    std::ofstream(file) << "from-the-file\n";
    SandboxProcess sandbox({"--client-secret-file", file});
    HttpProbe probe(sandbox.port());
    EXPECT_EQ(ask_token(probe, "grant_type=client_credentials&client_id=sandbox&client_secret=from-the-file").status,
              200U);
    EXPECT_EQ(ask_token(probe, "grant_type=client_credentials&client_id=sandbox&client_secret=sandbox-secret").status,
              401U);
}

TEST(Token, is_required_on_every_draw_endpoint_and_refused_with_a_challenge) {
    Bench bench;
    const auto id = std::to_string(bench.add({{"status", 3}}));
    const std::vector<std::pair<std::string, std::string>> endpoints{{"GET", "/caseBudgets/draws"},
                                                                     {"GET", "/caseBudgets/draws/" + id},
                                                                     {"PATCH", "/caseBudgets/draws/" + id},
                                                                     {"POST", "/caseBudgets/draws/approve"}};
    for (const auto& [method, target] : endpoints) {
        const auto none = bench.probe.send(method, target);
        EXPECT_EQ(none.status, 401U) << target;
        EXPECT_EQ(none.headers.at("www-authenticate"), "Bearer realm=\"draws\"");
        const auto wrong = bench.probe.send(method, target, {{"Authorization", "Bearer nonsense"}});
        EXPECT_EQ(wrong.status, 401U) << target;
        EXPECT_EQ(wrong.headers.at("www-authenticate"), "Bearer realm=\"draws\", error=\"invalid_token\"");
    }
    EXPECT_EQ(bench.probe.send("GET", "/caseBudgets/draws", {{"Authorization", "bearer " + bench.token}}).status, 200U);
}

TEST(Token, expires_and_can_be_revoked_in_the_portal) {
    Bench brief({"--token-lifetime", "1ms"});
    while (brief.list("").status == 200) {
    }
    EXPECT_EQ(brief.list("").status, 401U);

    Bench bench;
    EXPECT_EQ(bench.list("").status, 200U);
    EXPECT_EQ(bench.portal("DELETE", "/tokens").status, 200U);
    EXPECT_EQ(bench.list("").status, 401U);
    bench.renew_token();
    EXPECT_EQ(bench.list("").status, 200U);
}

TEST(Token, accepts_basic_authentication_only_if_configured) {
    // "sandbox:sandbox-secret"
    const Headers basic{{"Content-Type", "application/x-www-form-urlencoded"},
                        {"Authorization", "Basic c2FuZGJveDpzYW5kYm94LXNlY3JldA=="}};
    SandboxProcess strict;
    HttpProbe to_strict(strict.port());
    EXPECT_EQ(to_strict.send("POST", "/oauth/token", basic, "grant_type=client_credentials").status, 400U);
    SandboxProcess lenient({"--token-basic-auth", "accept"});
    HttpProbe to_lenient(lenient.port());
    EXPECT_EQ(to_lenient.send("POST", "/oauth/token", basic, "grant_type=client_credentials").status, 200U);
}

}  // namespace
}  // namespace sandbox_test
