#include "drawbridge/config/config.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "config_fixture.hpp"

namespace drawbridge::config {
namespace {

using std::chrono::hours;
using std::chrono::milliseconds;
using std::chrono::minutes;
using std::chrono::seconds;

const std::string ach_block =
    "ach:\n"
    "  odfi: {routing_number: 091000019, name: FIRST BANK}\n"
    "  origin: {id: \"1123456789\", name: CITY HOUSING OFFICE}\n"
    "  company: {name: CITY HOUSING, id: \"1123456789\", entry_description: DRAWPMT}\n";

const std::string service_block = minimal.substr(0, minimal.find("checks"));

TEST_F(ConfigTest, fills_in_every_default) {
    const auto config = load(minimal);
    ASSERT_TRUE(config.has_value()) << to_string(config.error());
    EXPECT_EQ(config->file, folder_ / "c.yaml");
    EXPECT_EQ(config->service.base_url, "https://draws.example.gov/api");
    EXPECT_EQ(config->service.client_id.reveal(), "the-id");
    EXPECT_EQ(config->service.client_secret.reveal(), "the-secret");
    EXPECT_EQ(config->service.page_size, 500);
    EXPECT_THAT(config->service.workflows, testing::IsEmpty());
    EXPECT_EQ(config->service.ca_file, std::nullopt);
    EXPECT_EQ(config->service.proxy, std::nullopt);
    EXPECT_EQ(config->service.request_deadline, seconds(30));
    EXPECT_EQ(config->service.connect_deadline, seconds(10));
    EXPECT_EQ(config->service.max_connections, 8);
    EXPECT_EQ(config->service.max_requests_per_second, 0);
    EXPECT_EQ(config->service.max_body_bytes, 33'554'432);
    EXPECT_EQ(config->service.retries, 4);
    EXPECT_EQ(config->state_dir, "/var/lib/drawbridge");
    EXPECT_EQ(config->rules_file, folder_ / "rules.yaml");
    EXPECT_EQ(config->payees.file, folder_ / "payees.csv");
    EXPECT_EQ(config->payees.key, "fieldA");
    EXPECT_EQ(config->poll.every, seconds(60));
    EXPECT_EQ(config->poll.full_sweep_every, hours(24));
    EXPECT_EQ(config->pay.timezone.name(), "America/New_York");
    EXPECT_THAT(config->pay.cutoffs, testing::ElementsAre(hours(10), minutes(930)));
    EXPECT_EQ(config->pay.release, Release::manual);
    EXPECT_FALSE(config->ach.has_value());
    ASSERT_TRUE(config->checks.has_value());
    EXPECT_EQ(config->checks->account_number.reveal(), "000123456789");
    EXPECT_EQ(config->checks->first_number, 10001);
    EXPECT_EQ(config->checks->layout, folder_ / "layouts/issue-csv.yaml");
    ASSERT_EQ(config->confirmations.profiles.size(), 1U);
    EXPECT_EQ(config->confirmations.profiles[0].match, "*.csv");
    EXPECT_EQ(config->confirmations.profiles[0].format, statements::Format::csv);
    EXPECT_EQ(config->confirmations.quiet_period, seconds(2));
    EXPECT_EQ(config->admin_socket, "/var/lib/drawbridge/drawbridge.sock");
    EXPECT_EQ(config->log_level, LogLevel::info);
    EXPECT_EQ(to_string(config->warnings), "");
}

// The tests of other modules make their configuration without a file.
TEST_F(ConfigTest, a_default_of_the_table_is_that_of_its_member) {
    const auto read = load(minimal);
    ASSERT_TRUE(read.has_value()) << to_string(read.error());
    const Config fresh{.pay = {.timezone = read->pay.timezone}, .warnings = {}};
    const auto numbers = [](const Config& config) {
        const auto& service = config.service;
        return std::vector<std::int64_t>{service.page_size,
                                         service.max_connections,
                                         service.max_requests_per_second,
                                         service.retries,
                                         service.max_body_bytes,
                                         config.backup.keep,
                                         config.pay.file_numbers.from,
                                         config.pay.file_numbers.to,
                                         config.pay.payment_ids.from,
                                         config.pay.payment_ids.to,
                                         static_cast<std::int64_t>(config.confirmations.max_file_bytes)};
    };
    EXPECT_EQ(numbers(*read), numbers(fresh));
    const auto lengths = [](const Config& config) {
        return std::vector<std::chrono::milliseconds>{config.service.request_deadline,
                                                      config.service.connect_deadline,
                                                      config.poll.every,
                                                      config.poll.full_sweep_every,
                                                      config.backup.every,
                                                      config.backup.at,
                                                      config.verify.every,
                                                      config.ledger.witness.timeout,
                                                      config.confirmations.quiet_period,
                                                      config.report.time_of_day,
                                                      config.archive.seal_after.value()};
    };
    EXPECT_EQ(lengths(*read), lengths(fresh));
    EXPECT_EQ(read->checks->stale_after, default_stale_after);
    EXPECT_EQ(read->checks->last_number, disbursement::last_check_number);
    EXPECT_EQ(read->pay.file_limit, fresh.pay.file_limit);
}

TEST_F(ConfigTest, reads_every_key) {
    write("ca.pem", "certificates");
    const auto config = load(
        "service:\n"
        "  base_url: http://127.0.0.1:8087\n"
        "  client_id_file: client_id\n"
        "  client_secret_file: " +
        (folder_ / "client_secret").string() +
        "\n"
        "  page_size: 50\n"
        "  workflows: [12, 14]\n"
        "  ca_file: ca.pem\n"
        "  proxy: http://proxy.example.gov:3128\n"
        "  request_deadline: 5s\n"
        "  connect_deadline: 500ms\n"
        "  max_connections: 2\n"
        "  max_requests_per_second: 10\n"
        "  max_body_bytes: 1000000\n"
        "  retries: 0\n"
        "state_dir: ../state\n"
        "rules: {file: r/rules.yaml}\n"
        "payees: {file: /etc/payees.csv, key: fieldC}\n"
        "poll: {every: 5s, full_sweep_every: 1h}\n"
        "pay: {timezone: Europe/Berlin, cutoffs: [\"09:05\"], release: auto, acknowledge_within: 4h}\n" +
        ach_block +
        "checks: {account_number_file: check_account, first_number: 7, layout: l.yaml}\n"
        "confirmations: {profiles: [{match: \"bank-*.txt\", format: csv}, {match: \"*\", format: csv}], "
        "quiet_period: 0s}\n"
        "admin: {socket: d.sock}\n"
        "ledger: {witness: w, witness_timeout: 2s}\n"
        "log: {level: debug}\n");
    ASSERT_TRUE(config.has_value()) << to_string(config.error());
    EXPECT_EQ(config->service.base_url, "http://127.0.0.1:8087");
    EXPECT_EQ(config->service.client_secret.reveal(), "the-secret");
    EXPECT_EQ(config->service.page_size, 50);
    EXPECT_THAT(config->service.workflows, testing::ElementsAre(12, 14));
    EXPECT_EQ(config->service.ca_file, folder_ / "ca.pem");
    EXPECT_EQ(config->service.proxy, "http://proxy.example.gov:3128");
    EXPECT_EQ(config->service.request_deadline, seconds(5));
    EXPECT_EQ(config->service.connect_deadline, milliseconds(500));
    EXPECT_EQ(config->service.max_connections, 2);
    EXPECT_EQ(config->service.max_requests_per_second, 10);
    EXPECT_EQ(config->service.max_body_bytes, 1'000'000);
    EXPECT_EQ(config->service.retries, 0);
    EXPECT_EQ(config->pay.acknowledge_within, std::chrono::hours(4));
    EXPECT_EQ(config->state_dir, folder_.parent_path() / "state");
    EXPECT_EQ(config->rules_file, folder_ / "r/rules.yaml");
    EXPECT_EQ(config->payees.file, "/etc/payees.csv");
    EXPECT_EQ(config->payees.key, "fieldC");
    EXPECT_EQ(config->poll.every, seconds(5));
    EXPECT_EQ(config->poll.full_sweep_every, hours(1));
    EXPECT_EQ(config->pay.timezone.name(), "Europe/Berlin");
    EXPECT_THAT(config->pay.cutoffs, testing::ElementsAre(minutes(545)));
    EXPECT_EQ(config->pay.release, Release::automatic);
    EXPECT_EQ(config->ledger.witness.folder, folder_ / "w");
    EXPECT_EQ(config->ledger.witness.timeout, seconds(2));
    ASSERT_TRUE(config->ach.has_value());
    EXPECT_EQ(config->ach->odfi_routing_number.to_string(), "091000019");
    EXPECT_EQ(config->ach->odfi_name, "FIRST BANK");
    EXPECT_EQ(config->ach->origin_id, "1123456789");
    EXPECT_EQ(config->ach->origin_name, "CITY HOUSING OFFICE");
    EXPECT_EQ(config->ach->company_name, "CITY HOUSING");
    EXPECT_EQ(config->ach->company_id, "1123456789");
    EXPECT_EQ(config->ach->entry_description, "DRAWPMT");
    EXPECT_EQ(config->checks->layout, folder_ / "l.yaml");
    ASSERT_EQ(config->confirmations.profiles.size(), 2U);
    EXPECT_EQ(config->confirmations.profiles[0].match, "bank-*.txt");
    EXPECT_EQ(config->confirmations.quiet_period, seconds(0));
    EXPECT_EQ(config->admin_socket, folder_ / "d.sock");
    EXPECT_EQ(config->log_level, LogLevel::debug);
}

TEST_F(ConfigTest, loads_the_example_of_the_design) {
    EXPECT_EQ(
        report(
            "service:                                  # drawbridge.yaml\n"
            "  base_url: https://draws.example.gov/api\n"
            "  client_id_file: client_id               # or a systemd credential of that name; never the value itself\n"
            "  client_secret_file: client_secret\n"
            "  page_size: 500\n"
            "  workflows: [12, 14]                     # only these; absent: all\n"
            "state_dir: /var/lib/drawbridge            # ledger.db, spool/{staged,outgoing,archive}, inbox/, "
            "quarantine/\n"
            "rules: {file: rules.yaml}\n"
            "payees: {file: payees.csv, key: fieldA}   # which field of the draw names the payee\n"
            "poll: {every: 60s, full_sweep_every: 24h}\n"
            "pay:\n"
            "  timezone: America/New_York\n"
            "  cutoffs: [\"10:00\", \"15:30\"]             # banking days only\n"
            "  release: manual                         # or auto\n"
            "ach:\n"
            "  odfi: {routing_number: \"091000019\", name: FIRST BANK}\n"
            "  origin: {id: \"1123456789\", name: CITY HOUSING OFFICE}\n"
            "  company: {name: CITY HOUSING, id: \"1123456789\", entry_description: DRAWPMT}\n"
            "checks: {account_number_file: check_account, first_number: 10001, layout: layouts/issue-csv.yaml}\n"
            "confirmations: {profiles: [{match: \"*.csv\", format: csv}]}\n"),
        "valid\n");
}

TEST_F(ConfigTest, reports_mistakes_in_the_service) {
    const auto with = [](const std::string& line) {
        return minimal.substr(0, minimal.find("checks")) + "  " + line +
               "\nchecks: {account_number_file: check_account, first_number: 10001}\n";
    };
    const auto with_url = [](const std::string& url) {
        return "service: {client_id_file: client_id, client_secret_file: client_secret, base_url: \"" + url +
               "\"}\nchecks: {account_number_file: check_account, first_number: 1}\n";
    };
    const std::string url_hint = ": write it like https://draws.example.gov/api\n";
    const std::string unencrypted =
        "would go unencrypted: plain http is for this machine only (localhost, 127.0.0.1, [::1])";
    const std::vector<Case> cases = {
        {minimal.substr(minimal.find("checks")),
         "c.yaml:1:1: missing key 'service' in the configuration: add "
         "'service:'\n"},
        {"service: {}\n" + minimal.substr(minimal.find("checks")),
         "c.yaml:1:10: missing key 'base_url' in 'service': add 'base_url:'\n"
         "c.yaml:1:10: missing key 'client_id_file' in 'service': add 'client_id_file:'\n"
         "c.yaml:1:10: missing key 'client_secret_file' in 'service': add 'client_secret_file:'\n"},
        {with_url("http://draws.example.gov"), "c.yaml:1:83: service.base_url " + unencrypted + url_hint},
        {with_url("http://localhost.example.gov"), "c.yaml:1:83: service.base_url " + unencrypted + url_hint},
        {with_url("ftp://draws.example.gov"), "c.yaml:1:83: service.base_url must begin with https://" + url_hint},
        {with_url("draws.example.gov"),
         "c.yaml:1:83: service.base_url is not an address like https://draws.example.gov/api" + url_hint},
        {with_url("https://"), "c.yaml:1:83: service.base_url has no host" + url_hint},
        {with_url("https://me:pw@draws.example.gov"),
         "c.yaml:1:83: service.base_url must not contain a user name or password" + url_hint},
        {with_url("https://draws.example.gov/api?x=1"),
         "c.yaml:1:83: service.base_url must end with its path, without '?'" + url_hint},
        {with_url("http://127.0.0.1.evil.com/"),
         "c.yaml:1:83: service.base_url has a host name that begins like an IP address" + url_hint},
        {with_url("https://draws.example.gov/#x"), "c.yaml:1:83: service.base_url must not contain '#'" + url_hint},
        {with_url("https://draws.example.gov:0/"),
         "c.yaml:1:83: service.base_url has a port that is not 1 to 65535" + url_hint},
        {with_url("http://localhost:8087"), "valid\n"},
        {with_url("http://[::1]:8087/api"), "valid\n"},
        {with("client_secret: s3cr3t"),
         "c.yaml:5:18: service.client_secret must not be in this file: write the value to a file of mode 0600 and "
         "name that file in client_secret_file\n"},
        {with("pagesize: 5"), "c.yaml:5:3: unknown key 'pagesize' in 'service': did you mean 'page_size'?\n"},
        {with("page_size: 0"), "c.yaml:5:14: service.page_size is 0: it must be from 1 to 10000\n"},
        {with("workflows: []"),
         "c.yaml:5:14: service.workflows is an empty list: list workflow ids, or "
         "remove the key to pay the draws of all workflows\n"},
        {with("workflows: 12"),
         "c.yaml:5:14: service.workflows must be a list of numbers, not '12': write it like "
         "[12, 14]\n"},
        {with("ca_file: nowhere.pem"),
         "c.yaml:5:12: service.ca_file: no such file: nowhere.pem: name a PEM file, "
         "or remove the key to use the system's certificates\n"},
        {with("proxy: https://p:1"),
         "c.yaml:5:10: service.proxy must begin with http://: Drawbridge uses CONNECT: write it like "
         "http://proxy.example.gov:3128\n"},
        {with("request_deadline: 30"),
         "c.yaml:5:21: service.request_deadline must be a duration, not '30': write "
         "it like 500ms, 30s, 5m, 24h or 3d\n"},
        {with("request_deadline: 0s"), "c.yaml:5:21: service.request_deadline is 0s: it must be from 100ms to 1h\n"},
    };
    for (const Case& c : cases)
        EXPECT_EQ(report(c.yaml), c.report) << c.yaml;
}

TEST_F(ConfigTest, reports_mistakes_in_the_other_sections) {
    const std::vector<Case> cases = {
        {service_block, "c.yaml:1:1: neither 'ach' nor 'checks' is configured: add at least one of them\n"},
        {"",
         "c.yaml:1:1: the configuration must be a map of keys, not nothing: its keys are service, state_dir, rules, "
         "payees, change_control, poll, pay, ach, checks, delivery, confirmations, report, ledger, backup, verify, "
         "archive, admin, console, metrics, alerts, log\n"},
        {minimal + "statedir: x\n",
         "c.yaml:6:1: unknown key 'statedir' in the configuration: did you mean 'state_dir'?\n"},
        {minimal + "state_dir: a\nstate_dir: b\n",
         "c.yaml:7:1: duplicate key 'state_dir' in the configuration, first on line 6: keep one of them\n"},
        {minimal + "rules: rules.yaml\n",
         "c.yaml:6:8: 'rules' must be a map of keys, not 'rules.yaml': its keys are "
         "file, tests\n"},
        {minimal + "payees: {key: fielda}\n",
         "c.yaml:6:15: payees.key: 'fielda' is not a text field of a draw: did you mean 'fieldA'?\n"},
        {minimal + "payees: {key: amountRequested}\n",
         "c.yaml:6:15: payees.key: 'amountRequested' is not a text field of a draw: use the field that names the "
         "payee, "
         "for example fieldA\n"},
        {minimal + "poll: {every: 2h, full_sweep_every: 1h}\n",
         "c.yaml:6:37: poll.full_sweep_every is shorter than poll.every: a full sweep replaces a poll: make "
         "full_sweep_every the longer one\n"},
        {minimal + "ledger: {sealing_key: 0123456789abcdef}\n",
         "c.yaml:6:9: missing key 'sealing_key_file' in 'ledger': add 'sealing_key_file:'\n"
         "c.yaml:6:23: ledger.sealing_key must not be in this file: write the value to a file of mode 0600 and "
         "name that file in sealing_key_file\n"},
        {minimal + "pay: {release: auto}\n",
         "c.yaml:6:16: pay.release is auto and ledger.witness is not set: nobody would notice a ledger rollback: set "
         "ledger.witness to a folder on another disk or machine, or write ledger: {witness: none}\n"},
        {minimal + "pay: {file_numbers: {from: 5, to: 4}}\n",
         "c.yaml:6:21: pay.file_numbers: `from` is larger than `to`: swap them\n"},
        {minimal + "ledger: {witness: none}\npay: {release: auto, release_limit: 0}\n",
         "c.yaml:7:37: pay.release_limit is zero: remove the key for no limit\n"},
        {minimal + "pay: {timezone: New York}\n",
         "c.yaml:6:17: pay.timezone: 'New York' is not a time zone on this system: write it like America/New_York\n"},
        {minimal + "pay: {cutoffs: [\"15:30\", \"10:00\", \"10:60\", \"9:00\", \"15:30\"]}\n",
         "c.yaml:6:26: pay.cutoffs: 10:00 is not later than the time before it: list each time once, in ascending "
         "order\n"
         "c.yaml:6:35: pay.cutoffs: '10:60' is not a time of day: write it like \"15:30\"\n"
         "c.yaml:6:44: pay.cutoffs: '9:00' is not a time of day: write it like \"15:30\"\n"
         "c.yaml:6:52: pay.cutoffs: 15:30 is not later than the time before it: list each time once, in ascending "
         "order\n"},
        {minimal + "pay: {timezone: EST}\n",
         "valid\nc.yaml:6:17: warning: pay.timezone: EST has no daylight saving time: write America/New_York\n"},
        {minimal + "pay: {timezone: Etc/GMT+8}\n",
         "valid\nc.yaml:6:17: warning: pay.timezone: Etc/GMT+8 has no daylight saving time: write "
         "America/Los_Angeles\n"},
        {minimal + "pay: {timezone: EST5EDT}\n", "valid\n"},
        {minimal + "pay: {release: automatic}\n",
         "c.yaml:6:16: pay.release cannot be 'automatic': use one of manual, auto\n"},
        {minimal + "log: {level: inof}\n", "c.yaml:6:14: log.level cannot be 'inof': did you mean 'info'?\n"},
        {minimal + "confirmations: {profiles: []}\n",
         "c.yaml:6:27: confirmations.profiles must be a list of at least one profile: write it like [{match: "
         "\"*.csv\", "
         "format: csv}]\n"},
        {minimal + "confirmations: {profiles: [{match: a/*.csv, format: xml}]}\n",
         "c.yaml:6:36: confirmations.profiles.match must not contain '/': write a pattern for the file name alone\n"
         "c.yaml:6:53: confirmations.profiles.format cannot be 'xml': use one of csv, nacha, bai2, camt053, camt054, "
         "pain002, paid_checks, acknowledgment\n"},
        {minimal + "confirmations: {profiles: [{match: \"*\", format: bai2, profile: a.yaml}]}\n",
         "c.yaml:6:64: confirmations.profiles.profile is only for csv, paid_checks and acknowledgment: remove it; the "
         "other formats need none\n"},
        {minimal + "confirmations: {profiles: [{match: \"*\", format: paid_checks}]}\n",
         "c.yaml:6:28: missing key 'profile' in 'confirmations.profiles': add 'profile:'\n"},
        {minimal + "state_dir: ~/office\n",
         "c.yaml:6:12: state_dir: ~/office is not expanded: only a shell knows ~ and $: write the whole path, like "
         "/home/anna/office\n"},
        {minimal + "backup: {folder: $HOME/copies}\n",
         "c.yaml:6:18: backup.folder: $HOME/copies is not expanded: only a shell knows ~ and $: write the whole path, "
         "like /home/anna/office\n"},
        {minimal + "ledger: {witness: None}\n",
         "c.yaml:6:19: ledger.witness: 'None' is not a folder: write none for no witness; for a folder of that name, "
         "write ./None\n"},
        {minimal + "ledger: {witness: ./None}\n", "valid\n"},
        {minimal + "console: {origin: \"https://drawbridge.example.gov\", release_code: {above: 5000.00}}\n",
         "c.yaml:6:75: console.release_code.above needs alerts.email: the code goes out by mail: configure "
         "alerts.email, or remove console.release_code\n"},
        {minimal + "admin: {socket: /" + std::string(120, 's') + "}\n",
         "c.yaml:6:17: admin.socket: /" + std::string(120, 's') +
             " has 121 characters: set a shorter admin.socket; the system allows 107\n"},
        {minimal + "state_dir: /" + std::string(120, 's') + "\n",
         "c.yaml: admin.socket: /" + std::string(120, 's') +
             "/drawbridge.sock has 137 characters: set a shorter admin.socket; the system allows 107\n"},
    };
    for (const Case& c : cases)
        EXPECT_EQ(report(c.yaml), c.report) << c.yaml;
}

TEST_F(ConfigTest, reports_mistakes_in_the_rails) {
    const std::vector<Case> cases = {
        {service_block + "ach: {}\n",
         "c.yaml:5:6: missing key 'odfi' in 'ach': add 'odfi:'\n"
         "c.yaml:5:6: missing key 'origin' in 'ach': add 'origin:'\n"
         "c.yaml:5:6: missing key 'company' in 'ach': add 'company:'\n"},
        {service_block +
             "ach:\n"
             "  odfi: {routing_number: \"091000018\", name: THE FIRST NATIONAL BANK OF SPRINGFIELD}\n"
             "  origin: {id: \"12345678\", name: BÜRO}\n"
             "  company: {name: CITY HOUSING OFFICE, id: \"12345678901\", entry_description: DRAW PAYMENT}\n",
         "c.yaml:6:26: ach.odfi.routing_number: routing number 091000018 has check digit 8, but its first eight "
         "digits "
         "give 9: a digit is wrong, or two are swapped: write the nine digits from the bank, in quotes\n"
         "c.yaml:6:45: ach.odfi.name has 38 characters: shorten it; the NACHA field has 23\n"
         "c.yaml:7:16: ach.origin.id must be 9 or 10 characters without spaces: use the immediate origin that the bank "
         "assigned\n"
         "c.yaml:7:34: ach.origin.name: character 2 is not allowed in a NACHA file: use letters A-Z, digits, spaces "
         "and "
         "ASCII punctuation\n"
         "c.yaml:8:19: ach.company.name has 19 characters: shorten it; the NACHA field has 16\n"
         "c.yaml:8:44: ach.company.id has 11 characters: shorten it; the NACHA field has 10\n"
         "c.yaml:8:78: ach.company.entry_description has 12 characters: shorten it; the NACHA field has 10\n"},
        {service_block + "checks: {account_number_file: check_account}\n",
         "c.yaml:5:9: missing key 'first_number' in 'checks': add 'first_number:'\n"},
        {service_block + "checks: {account_number_file: check_account, first_number: 1, stale_after: 36h}\n",
         "c.yaml:5:76: checks.stale_after is not in whole days: write it like 7d\n"},
        {service_block + "checks: {account_number: 12345, first_number: 0}\n",
         "c.yaml:5:9: missing key 'account_number_file' in 'checks': add 'account_number_file:'\n"
         "c.yaml:5:26: checks.account_number must not be in this file: write the value to a file of mode 0600 and "
         "name that file in account_number_file\n"
         "c.yaml:5:47: checks.first_number is 0: it must be from 1 to 9999999999\n"},
        {service_block + ach_block, "valid\n"},
    };
    for (const Case& c : cases)
        EXPECT_EQ(report(c.yaml), c.report) << c.yaml;
}

TEST_F(ConfigTest, names_the_new_key_for_a_renamed_one) {
    EXPECT_EQ(
        report(minimal + "confirmations: {settle: 5s}\n"),
        "c.yaml:6:25: confirmations.settle is now called quiet_period: write confirmations.quiet_period instead\n");
    EXPECT_THAT(report("service: {max_body: 1000000}\n"),
                testing::HasSubstr("c.yaml:1:21: service.max_body is now called max_body_bytes"));
}

TEST_F(ConfigTest, reports_every_mistake_in_a_file_at_once) {
    EXPECT_EQ(report("service: {base_url: x, client_id_file: nowhere, client_secret_file: client_secret}\n"
                     "pol: {}\n"
                     "pay: {release: never}\n"),
              "c.yaml:1:1: neither 'ach' nor 'checks' is configured: add at least one of them\n"
              "c.yaml:1:21: service.base_url is not an address like https://draws.example.gov/api: write it like "
              "https://draws.example.gov/api\n"
              "c.yaml:1:40: service.client_id_file: no such file: nowhere: create it with mode 0600, or give the "
              "service a systemd credential named nowhere\n"
              "c.yaml:2:1: unknown key 'pol' in the configuration: did you mean 'poll'?\n"
              "c.yaml:3:16: pay.release cannot be 'never': use one of manual, auto\n");
}

TEST_F(ConfigTest, reports_a_missing_configuration) {
    const auto config = load_config(folder_ / "none.yaml");
    ASSERT_FALSE(config.has_value());
    const std::string path = (folder_ / "none.yaml").string();
    EXPECT_EQ(to_string(config.error()), path + ": no such file: name the configuration with --config\n");
}

}  // namespace
}  // namespace drawbridge::config
