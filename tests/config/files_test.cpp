// The secret files that a configuration names.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <string>
#include <vector>

#include "config_fixture.hpp"
#include "drawbridge/config/config.hpp"

namespace drawbridge::config {
namespace {

TEST_F(ConfigTest, RefusesSecretFilesThatHoldNoSecretOrMore) {
    const std::vector<Case> cases = {
        {"", "c.yaml:4:23: service.client_secret_file: client_secret is empty: write the value into it, on one line\n"},
        {"\n",
         "c.yaml:4:23: service.client_secret_file: client_secret is empty: write the value into it, on one line\n"},
        {"hunter2\nhunter3\n",
         "c.yaml:4:23: service.client_secret_file: client_secret holds more than one line of "
         "text: write the value alone into it\n"},
        {"hunter2\n\n",
         "c.yaml:4:23: service.client_secret_file: client_secret holds more than one line of text: "
         "write the value alone into it\n"},
        {std::string(100'000, 'x'),
         "c.yaml:4:23: service.client_secret_file: client_secret is too large for a secret: "
         "is it the right file?\n"},
    };
    for (const Case& c : cases) {
        write("client_secret", c.yaml);
        EXPECT_EQ(report(minimal), c.report);
    }
}

TEST_F(ConfigTest, TrimsOneNewlineOfASecretAndNothingElse) {
    for (const char* ending : {"", "\n", "\r\n"}) {
        write("client_secret", std::string(" p w ") + ending);
        const auto config = load(minimal);
        ASSERT_TRUE(config.has_value());
        EXPECT_EQ(config->service.client_secret.reveal(), " p w ");
    }
}

TEST_F(ConfigTest, NeverShowsABadAccountNumber) {
    write("check_account", "12345x6789!\n");
    const std::string shown = report(minimal);
    EXPECT_THAT(shown, testing::StartsWith("c.yaml:5:31: checks.account_number_file: character 11 of the account"));
    EXPECT_THAT(shown, testing::Not(testing::HasSubstr("6789")));
}

TEST_F(ConfigTest, WarnsOfSecretFilesThatOthersMayRead) {
    write("client_secret", "s\n", 0640);
    EXPECT_EQ(
        report(minimal),
        "valid\nc.yaml:4:23: warning: service.client_secret_file: client_secret is open to other users: chmod 600 "
        "client_secret\n");
}

TEST_F(ConfigTest, FallsBackOnSystemdCredentials) {
    std::filesystem::remove(folder_ / "client_secret");
    write("credentials/client_secret", "from-systemd\n", 0440);
    setenv("CREDENTIALS_DIRECTORY", (folder_ / "credentials").c_str(), 1);
    const auto config = load(minimal);
    ASSERT_TRUE(config.has_value()) << to_string(config.error());
    EXPECT_EQ(config->service.client_secret.reveal(), "from-systemd");
    EXPECT_EQ(to_string(config->warnings), "");
    // The file that is named comes first.
    write("client_secret", "from-file\n");
    EXPECT_EQ(load(minimal)->service.client_secret.reveal(), "from-file");
}

}  // namespace
}  // namespace drawbridge::config
