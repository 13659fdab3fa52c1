// The secret files that a configuration names.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <string>
#include <vector>

#include "config_fixture.hpp"
#include "drawbridge/config/config.hpp"

namespace drawbridge::config {
namespace {

TEST_F(ConfigTest, refuses_empty_and_multi_line_secret_files) {
    const std::vector<Case> cases = {
        {"", "c.yaml:4:23: service.client_secret_file: client_secret is empty: write the value to it, on one line\n"},
        {"\n", "c.yaml:4:23: service.client_secret_file: client_secret is empty: write the value to it, on one line\n"},
        {"hunter2\nhunter3\n",
         "c.yaml:4:23: service.client_secret_file: client_secret contains more than one line of "
         "text: write only the value to it\n"},
        {"hunter2\n\n",
         "c.yaml:4:23: service.client_secret_file: client_secret contains more than one line of text: "
         "write only the value to it\n"},
        {std::string(100'000, 'x'),
         "c.yaml:4:23: service.client_secret_file: client_secret is too large for a secret: "
         "check that it is the right file\n"},
    };
    for (const Case& c : cases) {
        write("client_secret", c.yaml);
        EXPECT_EQ(report(minimal), c.report);
    }
}

TEST_F(ConfigTest, trims_only_one_newline_from_a_secret) {
    for (const char* ending : {"", "\n", "\r\n"}) {
        write("client_secret", std::string(" p w ") + ending);
        const auto config = load(minimal);
        ASSERT_TRUE(config.has_value());
        EXPECT_EQ(config->service.client_secret.reveal(), " p w ");
    }
}

TEST_F(ConfigTest, never_shows_a_bad_account_number) {
    write("check_account", "12345x6789!\n");
    const std::string shown = report(minimal);
    EXPECT_THAT(shown, testing::StartsWith("c.yaml:5:31: checks.account_number_file: character 11 of the account"));
    EXPECT_THAT(shown, testing::Not(testing::HasSubstr("6789")));
}

TEST_F(ConfigTest, warns_of_secret_files_that_other_users_can_read) {
    write("client_secret", "s\n", 0640);
    EXPECT_EQ(
        report(minimal),
        "valid\nc.yaml:4:23: warning: service.client_secret_file: other users can read client_secret: run chmod 600 "
        "client_secret\n");
}

TEST_F(ConfigTest, falls_back_to_systemd_credentials) {
    std::filesystem::remove(folder_ / "client_secret");
    write("credentials/client_secret", "from-systemd\n", 0440);
    setenv("CREDENTIALS_DIRECTORY", (folder_ / "credentials").c_str(), 1);
    const auto config = load(minimal);
    ASSERT_TRUE(config.has_value()) << to_string(config.error());
    EXPECT_EQ(config->service.client_secret.reveal(), "from-systemd");
    EXPECT_EQ(to_string(config->warnings), "");
    // The named file takes precedence.
    write("client_secret", "from-file\n");
    EXPECT_EQ(load(minimal)->service.client_secret.reveal(), "from-file");
}

// Under systemd: the folder belongs to root, and the service gets copies.
TEST_F(ConfigTest, takes_the_credential_where_it_may_not_read_the_named_file) {
    write("client_secret", "of root\n", 0);
    write("given/drawbridge_client_secret", "given\n", 0444);
    const auto yaml = write("c.yaml", minimal);
    for (const char* open : {"", "given", "client_id", "check_account", "c.yaml"})
        std::filesystem::permissions(folder_ / open, std::filesystem::perms(0755));
    setenv("CREDENTIALS_DIRECTORY", (folder_ / "given").c_str(), 1);
    const auto as_nobody = [&] {
        if (::geteuid() == 0 && ::setuid(65534) != 0) std::exit(2);
        const auto config = load_config(yaml);
        std::exit(config && config->service.client_secret.reveal() == "given" ? 0 : 1);
    };
    EXPECT_EXIT(as_nobody(), testing::ExitedWithCode(0), "");
}

TEST_F(ConfigTest, says_where_to_write_a_missing_secret) {
    std::filesystem::remove(folder_ / "client_secret");
    std::filesystem::create_directory(folder_ / "credentials");
    const std::string report_as_root = report(minimal);
    EXPECT_EQ(report_as_root,
              "c.yaml:4:23: service.client_secret_file: no such file: client_secret: write it to "
              "credentials/client_secret, which only root can read (mode 0600)\n");
    // The service itself cannot enter the folder.
    std::filesystem::permissions(folder_ / "credentials", std::filesystem::perms(0));
    setenv("CREDENTIALS_DIRECTORY", (folder_ / "given").c_str(), 1);
    EXPECT_EQ(report(minimal), report_as_root);
}

TEST_F(ConfigTest, commands_read_the_credentials_folder_of_the_units) {
    std::filesystem::remove(folder_ / "client_secret");
    unsetenv("CREDENTIALS_DIRECTORY");
    write("credentials/client_secret", "beside\n");
    const auto config = load(minimal);
    ASSERT_TRUE(config.has_value()) << to_string(config.error());
    EXPECT_EQ(config->service.client_secret.reveal(), "beside");
    // A credential from systemd takes precedence.
    write("given/drawbridge_client_secret", "given\n", 0440);
    setenv("CREDENTIALS_DIRECTORY", (folder_ / "given").c_str(), 1);
    EXPECT_EQ(load(minimal)->service.client_secret.reveal(), "given");
}

class SealingKeyOfTheConfiguration : public ConfigTest {
  protected:
    static std::string digits(char digit) { return std::string(64, digit) + "\n"; }
    // The first digit of the key that is read, "none", or the error.
    [[nodiscard]] std::string key(const std::string& yaml) const {
        const auto config = load(minimal + yaml);
        if (!config) return report(minimal + yaml);
        if (!config->ledger.sealing_key) return "none";
        return config->ledger.sealing_key->to_hex().reveal().substr(0, 1);
    }
};

TEST_F(SealingKeyOfTheConfiguration, comes_from_the_file_or_the_credential_or_is_absent) {
    EXPECT_EQ(key(""), "none");
    write("sealing_key", digits('a'));
    EXPECT_EQ(key(""), "none") << "no key names the file";
    EXPECT_EQ(key("ledger: {sealing_key_file: sealing_key}\n"), "a");
    write("credentials/sealing_key", digits('b'), 0440);
    setenv("CREDENTIALS_DIRECTORY", (folder_ / "credentials").c_str(), 1);
    EXPECT_EQ(key(""), "b");
    EXPECT_EQ(key("ledger: {sealing_key_file: sealing_key}\n"), "a");
    std::filesystem::remove(folder_ / "sealing_key");
    EXPECT_EQ(key("ledger: {sealing_key_file: sealing_key}\n"), "b");
    // As LoadCredential=drawbridge:FOLDER names it.
    std::filesystem::rename(folder_ / "credentials/sealing_key", folder_ / "credentials/drawbridge_sealing_key");
    EXPECT_EQ(key(""), "b");
}

TEST_F(SealingKeyOfTheConfiguration, is_refused_if_it_is_not_a_key) {
    write("sealing_key", "0123456789abcdef\n");
    EXPECT_EQ(key("ledger: {sealing_key_file: sealing_key}\n"),
              "c.yaml:6:28: ledger.sealing_key_file: not a sealing key: it must be 64 hexadecimal digits, as "
              "'drawbridge keygen FILE' writes them\n");
    EXPECT_EQ(key("ledger: {sealing_key_file: nowhere}\n"),
              "c.yaml:6:28: ledger.sealing_key_file: no such file: nowhere: create it with mode 0600, or give the "
              "service a systemd credential named nowhere\n");
    write("credentials/sealing_key", "zz\n", 0440);
    setenv("CREDENTIALS_DIRECTORY", (folder_ / "credentials").c_str(), 1);
    EXPECT_EQ(key(""),
              "c.yaml: the systemd credential sealing_key: not a sealing key: it must be 64 hexadecimal digits, as "
              "'drawbridge keygen FILE' writes them\n");
}

}  // namespace
}  // namespace drawbridge::config
