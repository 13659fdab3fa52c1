// `drawbridge check` refuses what `run` refuses, and warns of likely mistakes.
#include <gmock/gmock.h>

#include <nlohmann/json.hpp>

#include "support/program.hpp"

namespace drawbridge::cli {
namespace {

using nlohmann::json;
using test::Office;
using ::testing::HasSubstr;

std::string configuration(const Office& office) {
    return test::read_whole(office.path("drawbridge.yaml"));
}

TEST(Check, refuses_the_same_urls_as_run) {
    const Office good;
    const std::string yaml = configuration(good);
    for (const char* address : {"http://127.0.0.1.evil.com/", "http://localhost.evil.com/", "http://10.0.0.1/",
                                "https://me:pw@draws.example.gov/", "https://draws.example.gov/#x",
                                "https://draws.example.gov:99999/", "https://127.0.0.1.evil.com/"}) {
        const auto refused = [&](const std::string& key, const std::string& text) {
            const Office office;
            office.write("drawbridge.yaml", text);
            const auto checked = office.run({"check"});
            const auto ran = office.run({"run", "--once"});
            EXPECT_EQ(checked.code, 78) << key << " " << address;
            EXPECT_EQ(ran.code, 78) << key << " " << address;
            EXPECT_THAT(checked.err, HasSubstr(key + " ")) << address;
            EXPECT_THAT(ran.err, HasSubstr(key + " ")) << address;
        };
        std::string service = yaml;
        const std::string before = "base_url: http://127.0.0.1:1";
        refused("service.base_url",
                service.replace(service.find(before), before.size(), "base_url: \"" + std::string(address) + "\""));
        refused("alerts.webhook.url", yaml + "alerts: {webhook: {url: \"" + address + "\"}}\n");
        refused("alerts.heartbeat.url", yaml + "alerts: {heartbeat: {url: \"" + address + "\"}}\n");
    }
}

// Line and column, in text and in JSON.
TEST(Check, warns_of_empty_cutoffs_and_of_a_rule_that_approves_every_draw) {
    const Office office;
    office.write("drawbridge.yaml", configuration(office) + "pay:\n  cutoffs: []\n");
    office.write("rules.yaml", "version: 1\napprover_id: 1201\nrules:\n  - {name: all, when: always, approve: {}}\n");
    const auto text = office.run({"check"});
    EXPECT_EQ(text.code, 0) << text.out << text.err;
    EXPECT_THAT(text.err, HasSubstr("drawbridge.yaml:14:12: warning: pay.cutoffs is an empty list"));
    EXPECT_THAT(text.err, HasSubstr("rules.yaml:4:5: warning: rule 'all' approves every draw that reaches it"));
    const auto answer = json::parse(office.run({"check", "--json"}).out);
    const auto warnings = std::to_string(answer["diagnostics"].size());
    EXPECT_THAT(text.out, HasSubstr("no mistakes found, " + warnings + " warnings\n"));
    std::vector<std::string> found;
    for (const auto& diagnostic : answer["diagnostics"]) {
        EXPECT_EQ(diagnostic["severity"], "warning");
        found.push_back(std::filesystem::path(diagnostic["file"].get<std::string>()).filename().string() + ":" +
                        std::to_string(diagnostic["line"].get<int>()));
    }
    EXPECT_THAT(found, ::testing::IsSupersetOf({"drawbridge.yaml:14", "rules.yaml:4"}));
}

TEST(Run, reports_each_mistake_of_the_configuration_in_a_line_of_its_own) {
    const Office office;
    office.write("drawbridge.yaml", configuration(office) + "pay: {release: never}\npol: {}\n");
    const auto refused = office.run({"run"});
    EXPECT_EQ(refused.code, 78);
    const std::string file = "drawbridge: " + office.path("drawbridge.yaml").string();
    EXPECT_THAT(refused.err, HasSubstr(file + ":13:16: pay.release cannot be 'never'"));
    EXPECT_THAT(refused.err, HasSubstr("\n" + file + ":14:1: unknown key 'pol' in the configuration"));
}

TEST(Check, says_which_key_seals_the_ledger) {
    const Office office;
    const std::string key = office.path("state/sealing.key").string();
    EXPECT_THAT(office.run({"check"}).out, HasSubstr("sealing   no key yet: the first start creates " + key));
    EXPECT_EQ(office.run({"run", "--once"}).code, 1) << "no service answers";
    EXPECT_THAT(office.run({"check"}).out, HasSubstr("sealing   by " + key + ", which is next to the ledger"));
    const Office other;
    std::filesystem::create_directory(other.path("credentials"));
    other.write("credentials/sealing_key", std::string(64, 'a') + "\n");
    EXPECT_THAT(other.run({"check"}).out,
                HasSubstr("sealing   by " + other.path("credentials/sealing_key").string() + "\n"));
    other.write("named", std::string(64, 'b') + "\n");
    auto yaml = configuration(other);
    yaml.insert(yaml.find("witness: none"), "sealing_key_file: named, ");
    other.write("drawbridge.yaml", yaml);
    EXPECT_THAT(other.run({"check"}).out, HasSubstr("sealing   by " + other.path("named").string() + "\n"));
}

TEST(Check, opens_the_ledger_as_a_start_would) {
    const Office office;
    const auto key = office.path("state/sealing.key"), ledger = office.path("state/ledger.db");
    const auto refused = [&](int start, const std::string& why) {
        const auto checked = office.run({"check"});
        EXPECT_EQ(checked.code, 78) << why;
        EXPECT_THAT(checked.err, HasSubstr(why));
        const auto ran = office.run({"run", "--once"});
        EXPECT_EQ(ran.code, start) << why;
        EXPECT_THAT(ran.err, HasSubstr(why));
    };
    EXPECT_EQ(office.run({"run", "--once"}).code, 1) << "no service answers";
    const auto checked = office.run({"check"});
    EXPECT_EQ(checked.code, 0) << checked.err;
    EXPECT_THAT(checked.out, HasSubstr("ledger    " + ledger.string() + ": opens with this key"));

    std::filesystem::rename(key, office.path("kept.key"));
    refused(78, "its key is missing");
    test::write_whole(key, std::string(64, 'a') + "\n");
    refused(78, "the sealing key is not the one that this ledger was sealed with");
    std::filesystem::rename(office.path("kept.key"), key);
    EXPECT_EQ(office.run({"check"}).code, 0);

    auto bytes = test::read_whole(ledger);
    test::write_whole(ledger, bytes.replace(0, 100, 100, 'x'));
    refused(74, ledger.string() + ": cannot be read as a ledger: file is not a database");
}

}  // namespace
}  // namespace drawbridge::cli
