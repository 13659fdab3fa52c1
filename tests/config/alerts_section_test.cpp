#include <gtest/gtest.h>

#include "config/config_fixture.hpp"

namespace drawbridge::config {
namespace {

TEST_F(ConfigTest, reports_each_mistake_in_alerts_and_metrics_with_its_position) {
    write("plain_url", "http://alerts.example.gov/x\n");
    const Case table[] = {
        {"alerts: {daily_digest: \"08:00\"}\n", "c.yaml:6:9: alerts: no destination is configured"},
        {"alerts: {webhook: {}}\n", "missing key 'url_file'"},
        {"alerts: {webhook: {url: \"http://alerts.example.gov/x\"}}\n",
         "c.yaml:6:25: alerts.webhook.url would go unencrypted"},
        {"alerts: {webhook: {url_file: plain_url}}\n", "alerts.webhook.url_file would go unencrypted"},
        {"alerts: {webhook: {url: \"https://u:p@alerts.example.gov/x\"}}\n", "must not contain a user name"},
        {"alerts: {webhook: {url: ftp://x.example.gov/}}\n", "must begin with https://"},
        {"alerts: {webhook: {url: https://a.example.gov/, url_file: plain_url}}\n", "are both set"},
        {"alerts: {webhook: {url: https://a.example.gov/, signing_key: abc}}\n", "alerts.webhook.signing_key"},
        {"alerts: {webhook: {url: https://a.example.gov/, proxy: \"https://p\"}}\n",
         "alerts.webhook.proxy must begin with http://"},
        {"alerts: {email: {from: a@example.gov, sendmail: /bin/true}}\n", "missing key 'to'"},
        {"alerts: {email: {to: [], from: a@example.gov, sendmail: /bin/true}}\n", "alerts.email.to is an empty list"},
        {"alerts: {email: {to: [\"-OQueueDirectory=/tmp@x\"], from: a@example.gov, sendmail: /bin/true}}\n",
         "is not an email address"},
        {"alerts: {email: {to: [\"a@b, c@d\"], from: a@example.gov, sendmail: /bin/true}}\n",
         "is not an email address"},
        {"alerts: {email: {to: [a@example.gov], from: \"a b@example.gov\", sendmail: /bin/true}}\n",
         "alerts.email.from: 'a b@example.gov' is not an email address"},
        {"alerts: {daily_digest: \"8 o'clock\", email: {to: [a@b.c], from: a@b.c, sendmail: /bin/true}}\n",
         "alerts.daily_digest is not a time of day"},
        {"metrics: {listen: \"0.0.0.0:9464\"}\n",
         "c.yaml:6:19: metrics.listen: '0.0.0.0:9464' is not a loopback address"},
        {"metrics: {listen: \"127.0.0.1\"}\n", "is not a loopback address with a port"},
        {"metrics: {listen: \"127.0.0.1:99999\"}\n", "is not a loopback address with a port"},
        {"log: {to: syslog}\n", "log.to cannot be 'syslog'"},
    };
    for (const Case& row : table) {
        const std::string said = report(minimal + row.yaml);
        EXPECT_NE(said.find(row.report), std::string::npos) << row.yaml << said;
        EXPECT_FALSE(said.starts_with("valid")) << row.yaml;
    }
}

TEST_F(ConfigTest, reads_alerts_and_metrics) {
    write("webhook_url", "https://alerts.example.gov/T0/B1\n");
    write("webhook_key", "k\n");
    const auto config = load(minimal +
                             "alerts:\n"
                             "  webhook: {url_file: webhook_url, signing_key_file: webhook_key}\n"
                             "  email: {to: [finance@example.gov], from: d@example.gov, sendmail: /bin/true}\n"
                             "  daily_digest: \"08:00\"\n"
                             "  nothing_confirmed_by: \"16:30\"\n"
                             "metrics: {listen: \"[::1]:9464\"}\n"
                             "log: {to: json}\n");
    ASSERT_TRUE(config) << to_string(config.error());
    EXPECT_EQ(config->alerts.webhook->url.reveal(), "https://alerts.example.gov/T0/B1");
    EXPECT_EQ(config->alerts.webhook->signing_key->reveal(), "k");
    EXPECT_EQ(config->alerts.email->to, std::vector<std::string>{"finance@example.gov"});
    EXPECT_EQ(config->alerts.daily_digest, std::chrono::hours(8));
    EXPECT_EQ(config->alerts.nothing_confirmed_by, std::chrono::minutes(990));
    EXPECT_EQ(config->metrics->address, "::1");
    EXPECT_EQ(config->metrics->port, 9464);
    EXPECT_EQ(config->log_target, LogTarget::json);
    EXPECT_TRUE(config->warnings.empty());
    EXPECT_FALSE(load(minimal)->alerts.any());
    EXPECT_FALSE(load(minimal)->metrics);
}

TEST_F(ConfigTest, warns_of_a_missing_sendmail_program) {
    EXPECT_EQ(report(minimal + "alerts: {email: {to: [a@b.c], from: a@b.c, sendmail: /no/sendmail}}\n"),
              "valid\nc.yaml:6:54: warning: alerts.email.sendmail: no such program: /no/sendmail: install one "
              "(msmtp-mta), or name it; until then no mail is sent\n");
}

}  // namespace
}  // namespace drawbridge::config
