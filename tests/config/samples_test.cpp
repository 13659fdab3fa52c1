// The files in config/, which the package installs in /etc/drawbridge.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <regex>
#include <sstream>
#include <string>
#include <vector>

#include "config_fixture.hpp"
#include "drawbridge/config/config.hpp"
#include "drawbridge/config/inputs.hpp"
#include "drawbridge/config/keys.hpp"
#include "drawbridge/domain/exception_catalog.hpp"
#include "drawbridge/text/csv.hpp"

namespace drawbridge::config {
namespace {

std::string shipped(const std::string& name) {
    std::ifstream file(std::string(DRAWBRIDGE_SOURCE_DIR "/config/") + name);
    std::ostringstream text;
    text << file.rdbuf();
    return text.str();
}

TEST_F(ConfigTest, accepts_the_sample_that_ships) {
    EXPECT_EQ(report(shipped("drawbridge.yaml")), "valid\n");
}

// The shipped files are up to date with the key table.
TEST(SampleConfiguration, is_generated_from_the_key_table) {
    EXPECT_EQ(shipped("drawbridge.yaml"), sample_configuration()) << "drawbridge configuration-sample";
    EXPECT_EQ(shipped("schema/drawbridge.schema.json"), configuration_schema()) << "drawbridge configuration-schema";
    EXPECT_EQ(shipped("../docs/configuration.md"), configuration_reference()) << "drawbridge configuration-reference";
}

bool is_commented_key(const std::string& line) {
    const auto mark = line.find("# ");
    if (mark == std::string::npos || line.find_first_not_of(' ') != mark) return false;
    const auto colon = line.find(':', mark);
    if (colon == std::string::npos) return false;
    const auto name = std::string_view(line).substr(mark + 2, colon - mark - 2);
    return std::ranges::any_of(keys(), [&](const Key& key) {
        return key.path.substr(key.path.rfind('.') + 1) == name &&
               mark == 2 * static_cast<std::size_t>(std::ranges::count(key.path, '.'));
    });
}

// Every commented key of the sample must be valid, with its default as its value.
TEST_F(ConfigTest, accepts_the_commented_keys_of_the_sample) {
    write("draws-ca.pem", "certificates");
    write("offset_account", "998877\n");
    write("sealing_key", std::string(64, 'a') + "\n");
    write("ledger_password", "open sesame\n");
    write("bank_sftp_key", "-----BEGIN OPENSSH PRIVATE KEY-----\n");
    write("bank_sftp_passphrase", "open sesame\n");
    write("webhook-ca.pem", "certificates");
    write("webhook_url", "https://alerts.example.gov/drawbridge\n");
    write("webhook_key", "key\n");
    write("heartbeat-ca.pem", "certificates");
    write("heartbeat_url", "https://monitor.example.gov/ping/drawbridge\n");
    write("heartbeat_key", "key\n");
    write("payment_account", "112233\n");
    std::istringstream lines(shipped("drawbridge.yaml"));
    std::string text;
    for (std::string line; std::getline(lines, line);) {
        if (is_commented_key(line)) line.erase(line.find("# "), 2);
        text += line + "\n";
    }
    // The test machine may have no sendmail.
    const std::string sendmail = "sendmail: /usr/sbin/sendmail";
    const auto at = text.find(sendmail);
    ASSERT_NE(at, std::string::npos);
    text.replace(at, sendmail.size(), "sendmail: /bin/true");
    EXPECT_EQ(report(text), "valid\n");
    const auto config = load(text);
    ASSERT_TRUE(config.has_value());
    EXPECT_THAT(config->service.workflows, testing::ElementsAre(12, 14));
    EXPECT_EQ(config->admin_socket, "/run/drawbridge/drawbridge.sock");
    EXPECT_EQ(config->pay.guards.payment_limit, Money::from_cents(100'000'00));
    EXPECT_EQ(config->pay.guards.duplicate_days, 7);
    EXPECT_EQ(config->pay.guards.payee_hold_days, 3);
    EXPECT_EQ(config->ach->offset->account_number.reveal(), "998877");
    EXPECT_TRUE(config->ach->prenotes_required);
    EXPECT_EQ(config->delivery.ach.sftp->host, "sftp.bank.example");
    EXPECT_EQ(config->delivery.checks.openpgp->name_suffix, ".pgp");
    ASSERT_EQ(config->confirmations.accounts.size(), 1U);
    EXPECT_EQ(config->confirmations.accounts.front().reveal(), "112233");
}

// A renamed key is renamed there too.
TEST(ExceptionCatalog, names_only_keys_that_exist) {
    const std::regex key_in_backticks("`([a-z_]+\\.[a-z_.]+)`");
    int found = 0;
    for (const auto& kind : exception_kinds()) {
        for (const std::string_view text : {kind.meaning, kind.what_to_do, kind.resolve_does}) {
            const std::string words(text);
            for (std::sregex_iterator at(words.begin(), words.end(), key_in_backticks), end; at != end; ++at) {
                const std::string key = (*at)[1];
                if (key.ends_with(".yaml") || key.ends_with(".csv")) continue;
                ++found;
                EXPECT_TRUE(std::ranges::any_of(keys(), [&](const Key& one) { return one.path == key; }))
                    << kind.reason_code << " names " << key;
            }
        }
    }
    EXPECT_GT(found, 10);
}

TEST(SamplePayees, are_nobody_until_the_office_lists_its_own) {
    const std::string example = shipped("examples/payees.csv");
    EXPECT_EQ(shipped("payees.csv"), example.substr(0, example.find('\n') + 1));
}

TEST(SamplePayees, have_the_documented_columns_and_valid_routing_numbers) {
    const auto rows = text::read_csv(shipped("examples/payees.csv"), "payees.csv");
    ASSERT_TRUE(rows.has_value()) << to_string(rows.error());
    ASSERT_GE(rows->size(), 2U);
    std::vector<std::string> header;
    for (const text::CsvField& field : rows->front().fields)
        header.push_back(field.text);
    EXPECT_THAT(header, testing::ElementsAre("key", "name", "rail", "routing_number", "account_number", "account_type",
                                             "sec_code", "address1", "address2", "city", "state", "zip"));
    for (std::size_t i = 1; i < rows->size(); ++i) {
        const auto& fields = (*rows)[i].fields;
        ASSERT_EQ(fields.size(), header.size()) << i;
        if (fields[2].text == "ach") {
            EXPECT_TRUE(RoutingNumber::parse(fields[3].text).has_value()) << fields[3].text;
        } else {
            EXPECT_EQ(fields[2].text, "check");
        }
    }
}

// Whoever writes rules or payees decides what is approved and who is paid.
TEST_F(ConfigTest, warns_of_input_files_that_other_users_can_write) {
    write("rules.yaml", "version: 1\napprover_id: 1201\nrules:\n  - {name: wait, when: always, hold: look}\n", 0620);
    write("payees.csv",
          "key,name,rail,routing_number,account_number,account_type,sec_code,address1,address2,city,state,zip\n", 0602);
    write("layouts/issue-csv.yaml", shipped("layouts/issue-csv.yaml"));
    const auto config = load(minimal);
    ASSERT_TRUE(config) << to_string(config.error());
    const auto inputs = load_inputs(*config);
    ASSERT_TRUE(inputs) << to_string(inputs.error());
    const std::string rules = (folder_ / "rules.yaml").string(), payees = (folder_ / "payees.csv").string();
    EXPECT_EQ(to_string(inputs->warnings),
              payees + ": warning: users other than its owner can write this file: run chmod go-w " + payees + "\n" +
                  rules + ": warning: users other than its owner can write this file: run chmod go-w " + rules + "\n");
}

}  // namespace
}  // namespace drawbridge::config
