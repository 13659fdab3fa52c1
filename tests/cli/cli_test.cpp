// The real binary: what it prints where, and its exit codes.
#include <gmock/gmock.h>

#include <fstream>
#include <iterator>
#include <nlohmann/json.hpp>

#include "support/program.hpp"
#include "support/temporary_folder.hpp"

namespace drawbridge::cli {
namespace {

using nlohmann::json;
using test::Office;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;
using ::testing::StartsWith;

TEST(Cli, TheVersionAndTheHelpGoToStdout) {
    const auto version = test::run({"--version"});
    EXPECT_EQ(version.code, 0);
    EXPECT_THAT(version.out, StartsWith("drawbridge 0."));
    const auto help = test::run({"--help"});
    EXPECT_EQ(help.code, 0);
    EXPECT_THAT(help.err, IsEmpty());
    for (const char* command :
         {"run",  "check",  "status", "draws", "draw", "exceptions", "resolve", "files",  "file", "release", "void",
          "stop", "checks", "ingest", "nacha", "pay",  "pause",      "resume",  "reload", "runs", "verify",  "rules"}) {
        EXPECT_THAT(help.out, HasSubstr("\n  " + std::string(command) + " ")) << command;
        std::vector<std::string> words = {command};
        if (words.front() == "rules") words.emplace_back("check");
        words.emplace_back("--help");
        const auto detail = test::run(words);
        EXPECT_EQ(detail.code, 0) << command;
        EXPECT_THAT(detail.out, HasSubstr("Exit codes:")) << command;
    }
}

TEST(Cli, AWrongCommandLineExitsWith2AndSaysSoOnStderr) {
    const std::vector<std::vector<std::string>> wrong = {
        {},
        {"statsu"},
        {"status", "--jsn"},
        {"draw"},
        {"draw", "abc"},
        {"draw", "-5"},
        {"draws", "--limit", "0"},
        {"draws", "--csv", "--json"},
        {"resolve", "1"},
        {"release", "ACH.ach"},
        {"void", "ACH.ach"},
        {"nacha"},
        {"pause"},
        {"pay"},
        {"rules"},
        {"rules", "check"},
    };
    for (const auto& words : wrong) {
        const auto outcome = test::run(words);
        EXPECT_EQ(outcome.code, 2) << ::testing::PrintToString(words);
        EXPECT_THAT(outcome.out, IsEmpty()) << ::testing::PrintToString(words);
        EXPECT_THAT(outcome.err, Not(IsEmpty())) << ::testing::PrintToString(words);
    }
}

TEST(Cli, AMissingConfigurationExitsWith78EverywhereAndNamesTheFile) {
    for (const char* command : {"run", "check", "status", "verify"}) {
        const auto outcome = test::run({command, "--config", "/nowhere/drawbridge.yaml"});
        EXPECT_EQ(outcome.code, 78) << command;
        EXPECT_THAT(outcome.err, HasSubstr("/nowhere/drawbridge.yaml")) << command;
    }
    const auto by_environment = test::run({"check"}, {"DRAWBRIDGE_CONFIG=/elsewhere/drawbridge.yaml"});
    EXPECT_EQ(by_environment.code, 78);
    EXPECT_THAT(by_environment.err, HasSubstr("/elsewhere/drawbridge.yaml"));
}

TEST(Nacha, PrintsAValidFileAndNamesEachFaultOfABrokenOne) {
    const std::string good = DRAWBRIDGE_TEST_DATA "/nacha/nacha-noc.ach";
    const auto valid = test::run({"nacha", good});
    EXPECT_EQ(valid.code, 0) << valid.err;
    EXPECT_THAT(valid.out, HasSubstr("nacha-noc.ach: valid"));

    const test::TemporaryFolder folder;
    const std::string broken = (folder.path() / "broken.ach").string();
    std::ifstream in(good, std::ios::binary);
    std::string bytes{std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
    bytes[34] = 'X';  // file header, position 35: record size 094
    std::ofstream(broken, std::ios::binary) << bytes;
    const auto invalid = test::run({"nacha", broken});
    EXPECT_EQ(invalid.code, 1);
    EXPECT_THAT(invalid.err, HasSubstr(broken + ":1:35: record size (35-37): 'X94' must be 094"));
    EXPECT_THAT(invalid.out, HasSubstr("broken.ach: not valid: 1 error"));
    const auto as_json = json::parse(test::run({"nacha", broken, "--json"}).out);
    EXPECT_EQ(as_json.at("valid"), false);
    const json& problem = as_json.at("problems").at(0);
    EXPECT_EQ(problem.at("line"), 1);
    EXPECT_EQ(problem.at("position"), 35);
    EXPECT_EQ(problem.at("last_position"), 37);
    EXPECT_EQ(problem.at("field"), "record size");
    EXPECT_EQ(problem.at("severity"), "error");

    EXPECT_EQ(test::run({"nacha", "/nowhere.ach"}).code, 1);
}

TEST(Nacha, ListsAsManyEntriesOfEachBatchAsAskedForAndNoAccountNumber) {
    const std::string file = DRAWBRIDGE_TEST_DATA "/nacha/every-record.ach";
    const auto listed = [&](std::vector<std::string> arguments) {
        arguments.insert(arguments.begin(), {"nacha", file, "--json"});
        const auto outcome = test::run(arguments);
        EXPECT_EQ(outcome.code, 0) << outcome.err;
        for (const char* account : {"\"123456789", "SAV0099887", "44-5566", "9988776655", "998877", "99887766"})
            EXPECT_EQ(outcome.out.find(account), std::string::npos) << account;
        return json::parse(outcome.out);
    };
    const json whole = listed({"--all"});
    ASSERT_EQ(whole.at("contents").size(), 7U);
    EXPECT_EQ(whole.at("batches"), 7);
    const json& offset = whole.at("contents").at(4).at("entries").at(2);
    EXPECT_EQ(offset.at("account"), "****6655");
    EXPECT_EQ(offset.at("amount"), "1325.00");
    EXPECT_EQ(whole.at("contents").at(5).at("entries").at(0).at("addenda").at(0).at("code"), "R03");
    const json one = listed({"--entries", "1"});
    EXPECT_EQ(one.at("contents").at(4).at("entries").size(), 1U);
    EXPECT_EQ(one.at("contents").at(4).at("entries_left_out"), 2);
    EXPECT_EQ(listed({"--entries", "0"}).at("contents").at(4).at("entries").size(), 0U);

    const auto text = test::run({"nacha", file, "--entries", "2"});
    EXPECT_EQ(text.code, 0);
    EXPECT_THAT(text.out, HasSubstr("  … 1 more entries"));
    EXPECT_THAT(text.out, Not(HasSubstr("9988776655")));
}

TEST(Check, AGoodInstallationIsFoundGood) {
    const Office office;
    const auto outcome = office.run({"check"});
    EXPECT_EQ(outcome.code, 0) << outcome.err;
    EXPECT_THAT(outcome.err, IsEmpty());
    EXPECT_THAT(outcome.out, HasSubstr("1 payees"));
    EXPECT_THAT(outcome.out, HasSubstr("all is well"));
    EXPECT_FALSE(std::filesystem::exists(office.path("state"))) << "a check creates nothing";
}

TEST(Check, EveryProblemOfEveryFileIsNamedAtOnceWithItsPlace) {
    const Office office;
    office.write("rules.yaml", "version: 1\napprover_id: 1201\nruls: []\n");
    office.write("payees.csv", "key,name,rail\nPAYEE-1,Ana,pigeon\n");
    office.write("state", "a file");
    const auto outcome = office.run({"check"});
    EXPECT_EQ(outcome.code, 78);
    EXPECT_THAT(outcome.err, HasSubstr("rules.yaml:3:1: "));
    EXPECT_THAT(outcome.err, HasSubstr("payees.csv:"));
    EXPECT_THAT(outcome.err, HasSubstr("the state folder is a file"));
    const auto as_json = office.run({"check", "--json"});
    EXPECT_EQ(as_json.code, 78);
    const auto answer = json::parse(as_json.out);
    EXPECT_FALSE(answer["ok"].get<bool>());
    EXPECT_GE(answer["diagnostics"].size(), 3U);
}

TEST(Check, OnlineAsksTheService) {
    const Office office;
    const auto outcome = office.run({"check", "--online"});
    EXPECT_EQ(outcome.code, 1);
    EXPECT_THAT(outcome.err, HasSubstr("http://127.0.0.1:1"));
}

TEST(RulesCheck, NamesEveryProblemOfOneFile) {
    const Office office;
    EXPECT_EQ(office.run({"rules", "check", office.path("rules.yaml")}).code, 0);
    office.write("bad.yaml", "version: 1\nrules:\n  - name: a\n    wen: {}\n");
    const auto outcome = office.run({"rules", "check", office.path("bad.yaml")});
    EXPECT_EQ(outcome.code, 78);
    EXPECT_THAT(outcome.err, HasSubstr("bad.yaml:4:5: "));
    EXPECT_EQ(office.run({"rules", "check", office.path("none.yaml")}).code, 78);
}

TEST(Offline, WithoutALedgerThereIsNothingToShow) {
    const Office office;
    const auto outcome = office.run({"status"});
    EXPECT_EQ(outcome.code, 1);
    EXPECT_THAT(outcome.err, HasSubstr("there is no ledger here yet"));
    EXPECT_FALSE(std::filesystem::exists(office.path("state"))) << "a question creates nothing";
}

TEST(Offline, ARunWhosePollFailsSkipsWhatWouldWorkOnOldReadings) {
    const Office office;
    const auto run = office.run({"run", "--once", "--json"});
    EXPECT_EQ(run.code, 1);
    const auto answer = json::parse(run.out);
    ASSERT_EQ(answer["stages"].size(), 6U);
    struct Expected {
        const char* stage;
        bool ok, skipped;
    };
    const Expected expected[] = {{"poll", false, false}, {"decide", true, true},   {"approve", true, true},
                                 {"pay", true, false},   {"confirm", true, false}, {"report", true, false}};
    for (std::size_t i = 0; i < 6; ++i) {
        EXPECT_EQ(answer["stages"][i]["stage"], expected[i].stage);
        EXPECT_EQ(answer["stages"][i]["ok"], expected[i].ok) << expected[i].stage;
        EXPECT_EQ(answer["stages"][i]["skipped"], expected[i].skipped) << expected[i].stage;
    }
}

TEST(Offline, TheSubCommandsWorkOnTheLedgerItself) {
    const Office office;
    EXPECT_EQ(office.run({"run", "--once"}).code, 1);
    EXPECT_EQ(office.run({"verify"}).code, 0);
    EXPECT_EQ(office.run({"draws"}).out, "no draws\n");
    EXPECT_EQ(office.run({"draws", "--csv"}).out,
              "id,stage,status,amount,workflow_id,case_name,since,why,caseId,requestedBy,requestedDate,description,"
              "fieldA,fieldB,fieldC,fieldD,fieldE,modifiedDate\n");
    EXPECT_EQ(office.run({"exceptions"}).out, "no open exceptions\n");
    EXPECT_EQ(office.run({"files"}).out, "no payment files\n");
    EXPECT_EQ(office.run({"draw", "5"}).code, 1);
    EXPECT_EQ(office.run({"draws", "--stage", "hold"}).code, 1);
    EXPECT_EQ(office.run({"pause", "--reason", "holiday"}).code, 0);
    EXPECT_EQ(office.run({"pause", "--reason", "holiday"}).code, 1);
    EXPECT_THAT(office.run({"status"}).out, HasSubstr("PAUSED since"));
    const auto pay = office.run({"pay", "--now"});
    EXPECT_EQ(pay.code, 1);
    EXPECT_THAT(pay.err, HasSubstr("paused"));
    EXPECT_EQ(office.run({"resume", "--reason", "over"}).code, 0);
    EXPECT_EQ(office.run({"pay", "--now", "--reason", "late"}).code, 0);
    const auto status = json::parse(office.run({"status", "--json"}).out);
    EXPECT_FALSE(status["daemon"]["running"].get<bool>());
    EXPECT_EQ(status["runs"].size(), 4U) << "poll, pay, confirm, report";
}

TEST(Offline, BrokenRulesStopAPaymentButNoQuestion) {
    const Office office;
    EXPECT_EQ(office.run({"run", "--once"}).code, 1);
    office.write("rules.yaml", "version: 7\n");
    EXPECT_EQ(office.run({"run", "--once"}).code, 78);
    const auto status = office.run({"status"});
    EXPECT_EQ(status.code, 0);
    EXPECT_THAT(status.out, HasSubstr("not in force: "));
    const auto pay = office.run({"pay", "--now"});
    EXPECT_EQ(pay.code, 1);
    EXPECT_THAT(pay.err, HasSubstr("rules.yaml:1:"));
}

}  // namespace
}  // namespace drawbridge::cli
