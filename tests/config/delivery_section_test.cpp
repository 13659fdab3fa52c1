// delivery: how released files reach the bank.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "config_fixture.hpp"

namespace drawbridge::config {
namespace {

const std::string key_line = "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIBFzvhLkOYXK0nVYT3kV+4lMRqcnzTM2PA3Aey7HOAe2";

class DeliverySection : public ConfigTest {
  protected:
    DeliverySection() { write("sftp_key", "-----BEGIN OPENSSH PRIVATE KEY-----\nb3BlbnNzaC1r\n-----END\n"); }
};

TEST_F(DeliverySection, leaves_files_in_the_outgoing_folder_by_default) {
    const auto config = load(minimal);
    ASSERT_TRUE(config.has_value());
    EXPECT_FALSE(config->delivery.ach.sftp.has_value());
    EXPECT_FALSE(config->delivery.checks.openpgp.has_value());
}

TEST_F(DeliverySection, reads_one_server_and_key_for_all_files) {
    const auto config =
        load(minimal +
             "delivery:\n  sftp: {host: sftp.bank.example, user: payer, key_file: sftp_key, host_key: " + key_line +
             ", folder: /in}\n  openpgp: {public_key_file: bank.asc, fingerprint: \"0123 4567 89ab cdef "
             "0123  4567 89ab cdef 0123 4567\"}\n");
    ASSERT_TRUE(config.has_value()) << to_string(config.error());
    const auto& sftp = config->delivery.ach.sftp;
    ASSERT_TRUE(sftp.has_value());
    EXPECT_EQ(sftp->port, 22);
    EXPECT_EQ(sftp->folder, "/in");
    EXPECT_EQ(sftp->host_key, key_line);
    EXPECT_THAT(sftp->private_key.reveal(), testing::HasSubstr("\nb3BlbnNzaC1r\n"));
    EXPECT_EQ(sftp->timeout, std::chrono::seconds(30));
    EXPECT_EQ(config->delivery.checks.sftp->host, "sftp.bank.example");
    EXPECT_EQ(config->delivery.ach.openpgp->fingerprint, "0123456789ABCDEF0123456789ABCDEF01234567");
    EXPECT_EQ(config->delivery.ach.openpgp->public_key_file, folder_ / "bank.asc");
}

TEST_F(DeliverySection, reads_a_separate_target_for_check_files) {
    const std::string ach =
        "delivery:\n  sftp: {host: a, user: payer, key_file: sftp_key, host_key: " + key_line + "}\n";
    const auto elsewhere = load(minimal + ach +
                                "  checks: {sftp: {host: b, user: c, key_file: sftp_key, port: 2222, "
                                "known_hosts_file: known_hosts}}\n");
    ASSERT_TRUE(elsewhere.has_value()) << to_string(elsewhere.error());
    EXPECT_EQ(elsewhere->delivery.ach.sftp->host, "a");
    EXPECT_EQ(elsewhere->delivery.checks.sftp->host, "b");
    EXPECT_EQ(elsewhere->delivery.checks.sftp->port, 2222);
    EXPECT_EQ(elsewhere->delivery.checks.sftp->known_hosts_file, folder_ / "known_hosts");
    const auto folder = load(minimal + ach + "  checks: {}\n");
    ASSERT_TRUE(folder.has_value()) << to_string(folder.error());
    EXPECT_TRUE(folder->delivery.ach.sftp.has_value());
    EXPECT_FALSE(folder->delivery.checks.sftp.has_value());
}

TEST_F(DeliverySection, reads_the_private_key_from_a_systemd_credential) {
    write("credentials/bank_key", "key text\nof two lines\n");
    setenv("CREDENTIALS_DIRECTORY", (folder_ / "credentials").c_str(), 1);
    const auto config =
        load(minimal + "delivery: {sftp: {host: a, user: b, key_file: bank_key, host_key: " + key_line + "}}\n");
    ASSERT_TRUE(config.has_value()) << to_string(config.error());
    EXPECT_EQ(config->delivery.ach.sftp->private_key.reveal(), "key text\nof two lines\n");
}

TEST_F(DeliverySection, reports_every_mistake) {
    const Case cases[] = {
        {"{sftp: {host: a, user: b, key_file: sftp_key}}", "c.yaml:6:18: missing key 'host_key' in 'delivery.sftp'"},
        {"{sftp: {host: a, user: b, key_file: sftp_key, host_key: SHA256:abcd}}",
         "c.yaml:6:67: delivery.sftp.host_key is not a public key"},
        {"{sftp: {host: \"sftp://a/b\", user: b, key_file: sftp_key, host_key: " + key_line + "}}",
         "c.yaml:6:25: delivery.sftp.host is not a host name"},
        {"{sftp: {host: a, user: b, key_file: absent, host_key: " + key_line + "}}",
         "c.yaml:6:47: delivery.sftp.key_file: no such file: absent"},
        {"{sftp: {host: a, user: b, password: c, key_file: sftp_key, host_key: " + key_line + "}}",
         "c.yaml:6:37: unknown key 'password' in 'delivery.sftp'"},
        {"{openpgp: {public_key_file: bank.asc, fingerprint: 89ABCDEF}}",
         "c.yaml:6:62: delivery.openpgp.fingerprint is not a full fingerprint"},
        {"{openpgp: {fingerprint: \"0123456789ABCDEF0123456789ABCDEF01234567\"}}",
         "c.yaml:6:21: missing key 'public_key_file' in 'delivery.openpgp'"},
        {"{openpgp: {public_key_file: a, fingerprint: \"0123456789ABCDEF0123456789ABCDEF01234567\", name_suffix: pgp}}",
         "delivery.openpgp.name_suffix is not a file name suffix"},
    };
    for (const auto& each : cases) {
        EXPECT_THAT(report(minimal + "delivery: " + each.yaml + "\n"), testing::HasSubstr(each.report)) << each.yaml;
    }
}

}  // namespace
}  // namespace drawbridge::config
