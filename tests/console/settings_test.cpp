#include "drawbridge/console/settings.hpp"

#include <gmock/gmock.h>

#include <fstream>

#include "support/temporary_folder.hpp"

namespace drawbridge::console {
namespace {

using ::testing::HasSubstr;

std::expected<Settings, text::Diagnostics> read(std::string_view yaml, const Overrides& overrides = {},
                                                const std::filesystem::path& credentials = {}) {
    return read_settings(yaml, "/etc/drawbridge/console.yaml", overrides, credentials);
}

std::string problem_in(std::string_view yaml, const Overrides& overrides = {}) {
    const auto settings = read(yaml, overrides);
    return settings ? "" : text::to_string(settings.error());
}

TEST(ConsoleSettings, without_a_file_it_is_plain_http_for_this_machine) {
    const auto settings = read("");
    ASSERT_TRUE(settings);
    EXPECT_EQ(settings->listen, "127.0.0.1:8080");
    EXPECT_EQ(settings->origin, "http://localhost:8080");
    EXPECT_FALSE(settings->has_tls());
    EXPECT_EQ(settings->socket, "/run/drawbridge/console.sock");
}

TEST(ConsoleSettings, paths_start_at_the_files_folder_and_the_command_line_wins) {
    const auto settings = read(
        "listen: '[::]:443'\norigin: https://console.example.gov\ncertificate: tls/chain.pem\nkey: /keys/key.pem\n"
        "socket: console.sock\n",
        {.listen = "0.0.0.0:8443", .origin = {}, .certificate = {}, .key = {}, .socket = "/tmp/c.sock"});
    ASSERT_TRUE(settings) << text::to_string(settings.error());
    EXPECT_EQ(settings->listen, "0.0.0.0:8443");
    EXPECT_EQ(settings->certificate, "/etc/drawbridge/tls/chain.pem");
    EXPECT_EQ(settings->key, "/keys/key.pem");
    EXPECT_EQ(settings->socket, "/tmp/c.sock");
    EXPECT_TRUE(settings->is_public());
}

TEST(ConsoleSettings, plain_http_is_for_this_machine_only) {
    EXPECT_THAT(problem_in("listen: 0.0.0.0:8080"),
                HasSubstr("console.yaml:1:9: listen: plain HTTP is for this machine"));
    EXPECT_EQ(problem_in("listen: '[::1]:8080'"), "");
}

TEST(ConsoleSettings, mistakes_are_named_with_their_place) {
    EXPECT_THAT(problem_in("origin: https://Console.example.gov/"), HasSubstr("origin: is not written as browsers"));
    EXPECT_THAT(problem_in("origin: http://console.example.gov"), HasSubstr("console.yaml:1:9: origin"));
    EXPECT_THAT(problem_in("listen: systemd"), HasSubstr("origin: is missing"));
    EXPECT_THAT(problem_in("listen: here"), HasSubstr("is not an address and a port"));
    EXPECT_THAT(problem_in("certificate: a.pem\norigin: https://a.example"), HasSubstr("key: is missing"));
    EXPECT_THAT(problem_in("lisen: 127.0.0.1:80"), HasSubstr("did you mean 'listen'"));
    EXPECT_THAT(problem_in("", {.listen = "x", .origin = {}, .certificate = {}, .key = {}, .socket = {}}),
                HasSubstr("command line"));
}

TEST(ConsoleSettings, systemd_hands_over_the_certificate) {
    const test::TemporaryFolder folder;
    std::ofstream(folder.path() / "tls.pem") << "x";
    std::ofstream(folder.path() / "tls.key") << "x";
    const auto settings = read("listen: systemd\norigin: https://console.example.gov\n", {}, folder.path());
    ASSERT_TRUE(settings) << text::to_string(settings.error());
    EXPECT_EQ(settings->certificate, folder.path() / "tls.pem");
    EXPECT_EQ(settings->key, folder.path() / "tls.key");
}

TEST(ConsoleSettings, a_host_header_is_the_origin_without_its_scheme) {
    EXPECT_EQ(authority_of("https://console.example.gov"), "console.example.gov");
    EXPECT_EQ(authority_of("http://localhost:8080"), "localhost:8080");
}

}  // namespace
}  // namespace drawbridge::console
