// Runs the real binary and checks its output and exit codes.
#include <gmock/gmock.h>

#include <cstdlib>
#include <fstream>
#include <iterator>
#include <nlohmann/json.hpp>

#include "support/program.hpp"
#include "support/temporary_folder.hpp"

namespace drawbridge::cli {
namespace {

using nlohmann::json;
using test::Office;
using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;
using ::testing::StartsWith;

TEST(Cli, prints_version_and_help_to_stdout) {
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

// The help of a command and of all below it. A line may be longer only for one word, or an example to copy.
void expect_80_columns(const std::vector<std::string>& command) {
    auto words = command;
    words.emplace_back("--help");
    std::istringstream help(test::run(words).out);
    int lines = 0;
    for (std::string line; std::getline(help, line); ++lines) {
        const bool is_word = line.find(' ', line.find_first_not_of(' ')) == std::string::npos;
        EXPECT_TRUE(line.size() <= 80 || is_word || line.starts_with("Example: ")) << line;
        const bool names_command = line.size() > 2 && line.starts_with("  ") && line[2] >= 'a' && line[2] <= 'z';
        if (!names_command) continue;
        auto below = command;
        below.push_back(line.substr(2, line.find(' ', 2) - 2));
        expect_80_columns(below);
    }
    EXPECT_GT(lines, 5) << ::testing::PrintToString(command);
}

TEST(Cli, prints_help_in_lines_of_80_columns) {
    expect_80_columns({});
    ::setenv("COLUMNS", "60", /*replace=*/1);
    const auto narrow = test::run({"acts", "--help"});
    ::unsetenv("COLUMNS");
    EXPECT_THAT(narrow.out, StartsWith("list the acts that people signed in the web console, oldest\nfirst; "));
    EXPECT_THAT(narrow.out, HasSubstr("\n                              otherwise 1000\n"));
}

TEST(Cli, exits_with_2_for_a_wrong_command_line) {
    const std::vector<std::vector<std::string>> wrong = {
        {},
        {"statsu"},
        {"status", "--jsn"},
        {"draw"},
        {"draw", "abc"},
        {"draw", "-5"},
        {"draws", "--limit", "0"},
        {"draws", "--state", "hold"},
        {"files", "--state", "stagd"},
        {"checks", "--state", "stal"},
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

TEST(Cli, suggests_the_closest_command_or_option) {
    struct Case {
        std::vector<std::string> words;
        std::string said;
    };
    const Case cases[] = {
        {{"stauts"}, "unknown command 'stauts': did you mean 'status'? `drawbridge --help` lists the commands"},
        {{"--config", "x.yaml", "verfy"}, "unknown command 'verfy': did you mean 'verify'?"},
        {{"zzzzzz"}, "unknown command 'zzzzzz': `drawbridge --help` lists the commands"},
        {{"rules", "chek"}, "unknown command 'chek': did you mean 'check'? `drawbridge rules --help`"},
        {{"files", "smaple"}, "unknown command 'smaple': did you mean 'sample'?"},
        {{"status", "--jsn"}, "unknown option '--jsn': did you mean '--json'? `drawbridge status --help`"},
        {{"draws", "--state=held", "--cvs"}, "unknown option '--cvs': did you mean '--csv'?"},
        {{"draws", "--state", "held", "--limt", "5"}, "unknown option '--limt': did you mean '--limit'?"},
        {{"release", "A.ach", "--raeson", "x"}, "unknown option '--raeson': did you mean '--reason'?"},
        {{"--cofig", "x.yaml", "status"}, "unknown option '--cofig': did you mean '--config'?"},
        {{"status", "now"}, "'drawbridge status' takes no argument 'now'"},
    };
    for (const auto& one : cases) {
        const auto outcome = test::run(one.words);
        EXPECT_EQ(outcome.code, 2) << one.said;
        EXPECT_THAT(outcome.err, StartsWith("drawbridge: " + one.said));
        EXPECT_THAT(outcome.out, IsEmpty());
    }
}

TEST(Cli, every_error_of_the_command_line_has_the_form_of_other_errors) {
    struct Case {
        std::vector<std::string> words;
        std::string said;
    };
    const Case cases[] = {
        {{"draw", "x"}, "drawbridge: ID: 'x' is not an id: write a whole number like 1017\n"},
        {{"draw", "9223372036854775808"}, "drawbridge: ID: '9223372036854775808' is not an id"},
        {{}, "drawbridge: a subcommand is required: `drawbridge --help` lists the commands\n"},
        {{"rules"}, "drawbridge: a subcommand is required: `drawbridge rules --help` lists the commands\n"},
        {{"release", "A.ach"}, "drawbridge: --reason is required: `drawbridge release --help` lists the options\n"},
        {{"draws", "--csv", "--json"},
         "drawbridge: --csv excludes --json: `drawbridge draws --help` lists the options\n"},
        {{"deliver", "A.ach", "--reason", "x"}, "drawbridge: deliver: neither --by-hand nor --again is given: add "},
        {{"void", "--reason", "x"}, "drawbridge: void: nothing to void is named: name a payment file "},
        {{"release", "A.ach", "--reason", ""}, "drawbridge: --reason: the reason is empty: state why"},
        {{"release", "A.ach", "--reason", "\u200b"}, "drawbridge: --reason: the reason is empty: state why"},
        {{"pay", "--now", "--reason", std::string(501, 'x')}, "drawbridge: --reason: the reason is too long"},
        {{"people", "role", "2", "foo", "--reason", "x"}, "drawbridge: ROLE: 'foo' is not a role: use viewer, "},
        {{"people", "link", "2", "--reason", "x"}, "drawbridge: people link: name exactly one of --uid, --email and "},
        {{"people", "unlink", "2", "--uid", "7", "--email", "a@b.gov", "--reason", "x"},
         "drawbridge: people unlink: name exactly one of "},
    };
    for (const auto& one : cases) {
        const auto outcome = test::run(one.words);
        EXPECT_EQ(outcome.code, 2) << one.said;
        EXPECT_THAT(outcome.err, StartsWith(one.said));
    }
    EXPECT_EQ(test::run({"--config", "/nowhere.yaml", "draw", "9223372036854775807"}).code, 78) << "the greatest id";
    EXPECT_THAT(test::run({"draws", "--limit", "0"}).err, StartsWith("drawbridge: --limit: "));
    EXPECT_THAT(
        test::run({"draws", "--state", "hold"}).err,
        StartsWith("drawbridge: --state: unknown state 'hold': did you mean 'held'? use one of pending, held, "));
    EXPECT_THAT(test::run({"files", "--state", "stagd"}).err,
                StartsWith("drawbridge: --state: unknown state 'stagd': did you mean 'staged'? use one of planned, "));
}

TEST(Cli, the_help_of_a_list_names_the_formats_that_print_all_of_it) {
    // In one line.
    const auto help_of = [](const std::string& command) {
        std::istringstream help(test::run({command, "--help"}).out);
        std::string words;
        for (std::string word; help >> word;)
            words += word + " ";
        return words;
    };
    for (const char* command : {"draws", "checks", "audit"})
        EXPECT_THAT(help_of(command), HasSubstr("all with --json or --csv,")) << command;
    for (const char* command : {"alerts", "acts", "exceptions", "files", "confirmations", "runs"})
        EXPECT_THAT(help_of(command), Not(HasSubstr("--csv"))) << command;
    EXPECT_THAT(help_of("exceptions"), HasSubstr("all with --json,"));
}

// The completions that bash offers for the last of `words`.
std::string completed(const std::vector<std::string>& words) {
    const test::TemporaryFolder folder;
    test::write_whole(folder.path() / "drawbridge.bash", test::run({"bash-completion"}).out);
    std::string line;
    for (const auto& word : words)
        line += " '" + word + "'";
    test::write_whole(folder.path() / "ask.bash", ". " + (folder.path() / "drawbridge.bash").string() + "\ncd " +
                                                      folder.path().string() + "\nCOMP_WORDS=(drawbridge" + line +
                                                      ")\nCOMP_CWORD=" + std::to_string(words.size()) +
                                                      "\n_drawbridge\nprintf '%s ' \"${COMPREPLY[@]}\"\n");
    const std::string command = "bash " + (folder.path() / "ask.bash").string() + " 2>&1";
    std::string offered;
    FILE* pipe = ::popen(command.c_str(), "r");
    char buffer[4096];
    while (std::fgets(buffer, sizeof buffer, pipe) != nullptr)
        offered += buffer;
    ::pclose(pipe);
    return offered;
}

TEST(Completion, offers_commands_options_and_the_values_of_an_option) {
    EXPECT_EQ(completed({"stat"}), "status ");
    EXPECT_EQ(completed({"--config", "x.yaml", "rec"}), "reconcile ");
    EXPECT_EQ(completed({"rules", "back"}), "backtest ");
    EXPECT_EQ(completed({"draws", "--st"}), "--state ");
    EXPECT_EQ(completed({"draws", "--state", "a"}), "approving approved ");
    EXPECT_THAT(completed({"files", "--state", "sta"}), HasSubstr("staged "));
    EXPECT_THAT(completed({"draws", "--state", "sta"}), Not(HasSubstr("sta"))) << "those of files and checks";
    EXPECT_EQ(completed({"draws", "--state", "=", "he"}), "held ");
    EXPECT_THAT(completed({"draws", "--state", "="}), HasSubstr("pending held "));
    EXPECT_EQ(completed({"draws", "--state", "held", "--js"}), "--json ");
    EXPECT_EQ(completed({"draws", "--state", "=", "held", "--js"}), "--json ");
    EXPECT_EQ(completed({"reconcile", "--format", ""}), "text csv json html ");
    EXPECT_EQ(completed({"ingest", "drawb"}), "drawbridge.bash ") << "a file in this folder";
    EXPECT_EQ(completed({"ingest", "--profile", "ask"}), "ask.bash ");
    EXPECT_THAT(completed({"configuration"}), Not(HasSubstr("configuration-"))) << "hidden commands are not completed";
}

TEST(Cli, exits_with_78_and_names_a_missing_configuration) {
    for (const char* command : {"run", "check", "status", "verify"}) {
        const auto outcome = test::run({command, "--config", "/nowhere/drawbridge.yaml"});
        EXPECT_EQ(outcome.code, 78) << command;
        EXPECT_THAT(outcome.err, HasSubstr("/nowhere/drawbridge.yaml")) << command;
    }
    const auto by_environment = test::run({"check"}, {"DRAWBRIDGE_CONFIG=/elsewhere/drawbridge.yaml"});
    EXPECT_EQ(by_environment.code, 78);
    EXPECT_THAT(by_environment.err, HasSubstr("/elsewhere/drawbridge.yaml"));
}

TEST(Nacha, prints_a_valid_file_and_reports_each_error_of_an_invalid_one) {
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

// A limit on the size of files stands for a full disk.
TEST(Disk, that_takes_no_more_bytes_is_exit_code_74) {
    const Office office;
    office.write("t.rules.yaml", "version: 1\nrules: [{name: a, when: always, hold: x}]\n");
    office.write("t.yaml",
                 "version: 1\nrules: t.rules.yaml\nnow: 2026-03-04T15:00:00\ntests: [{name: t, draw: {}, expect: "
                 "{outcome: hold}}]\n");
    const auto exit_code = [&](const std::string& words) {
        const std::string command = "cd " + office.path(".").string() + " && ulimit -f 0 && exec " +
                                    DRAWBRIDGE_BINARY_DIR "/drawbridge " + words + " > /dev/null 2>&1";
        return WEXITSTATUS(std::system(command.c_str()));
    };
    EXPECT_EQ(exit_code("keygen key"), 74);
    EXPECT_EQ(exit_code("rules test t.yaml --junit out.xml"), 74);
    EXPECT_EQ(exit_code("keygen no-folder/key"), 1);
    EXPECT_EQ(exit_code("rules test t.yaml --junit no-folder/out.xml"), 1);
}

TEST(FilesSample, replaces_an_existing_file_only_with_force) {
    const Office office;
    const auto file = office.path("for-the-bank.ach").string();
    EXPECT_EQ(office.run({"files", "sample", "--output", file}).code, 0);
    office.write("for-the-bank.ach", "what the bank sent back");
    const auto refused = office.run({"files", "sample", "--output", file});
    EXPECT_EQ(refused.code, 1);
    EXPECT_THAT(refused.err, HasSubstr("the file exists: name another, or replace it with --force"));
    EXPECT_EQ(test::read_whole(file), "what the bank sent back");
    EXPECT_EQ(office.run({"files", "sample", "--output", file, "--force"}).code, 0);
    EXPECT_EQ(test::run({"nacha", file}).code, 0);
    const auto refused_json = office.run({"files", "sample", "--json"});
    EXPECT_EQ(refused_json.code, 2);
    EXPECT_EQ(refused_json.out, "");
    EXPECT_THAT(refused_json.err, HasSubstr("--json: files sample has no such option"));
}

TEST(Nacha, reads_several_files_in_one) {
    const Office office;
    const std::string data = DRAWBRIDGE_TEST_DATA "/nacha/";
    const std::string one = test::read_whole(data + "every-record.ach"), two = test::read_whole(data + "returns.ach");
    office.write("stacked.ach", one + two + one);
    const auto file = office.path("stacked.ach").string();
    const auto text = test::run({"nacha", file});
    EXPECT_EQ(text.code, 0) << text.err;
    EXPECT_THAT(text.err, HasSubstr("stacked.ach:51: warning: another complete file begins, here and on 1 more line"));
    const json all = json::parse(test::run({"nacha", file, "--json"}).out);
    const json first = json::parse(test::run({"nacha", data + "every-record.ach", "--json"}).out);
    const json second = json::parse(test::run({"nacha", data + "returns.ach", "--json"}).out);
    EXPECT_EQ(all.at("header"), first.at("header"));
    EXPECT_EQ(all.at("contents"), first.at("contents"));
    ASSERT_EQ(all.at("next_files").size(), 2U);
    EXPECT_EQ(all.at("next_files").at(0), json({{"header", second.at("header")}, {"contents", second.at("contents")}}));
    EXPECT_EQ(all.at("next_files").at(1), json({{"header", first.at("header")}, {"contents", first.at("contents")}}));
    EXPECT_EQ(all.at("batches"), 14 + second.at("batches").get<int>());
    EXPECT_FALSE(first.contains("next_files"));
    office.write("damaged.ach", one + "1" + two.substr(1, 40) + "\x7F" + two.substr(42));
    const auto damaged = test::run({"nacha", office.path("damaged.ach").string(), "--json"});
    EXPECT_EQ(damaged.code, 1);
    EXPECT_EQ(json::parse(damaged.out).at("valid"), false);
}

TEST(Nacha, limits_entries_per_batch_and_masks_account_numbers) {
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
    EXPECT_THAT(text.out, HasSubstr("  … 1 more entry\n"));
    EXPECT_THAT(text.out, Not(HasSubstr("9988776655")));
}

TEST(Check, accepts_a_valid_installation) {
    const Office office;
    const auto outcome = office.run({"check"});
    EXPECT_EQ(outcome.code, 0) << outcome.err;
    EXPECT_THAT(outcome.err, IsEmpty());
    EXPECT_THAT(outcome.out, HasSubstr("1 payee, by fieldA"));
    EXPECT_THAT(outcome.out, HasSubstr("ledger    none yet: the first run creates one"));
    EXPECT_THAT(outcome.out, HasSubstr("no mistakes found"));
    EXPECT_FALSE(std::filesystem::exists(office.path("state"))) << "check creates no files";
}

TEST(Check, reports_every_mistake_in_every_file_at_once) {
    const Office office;
    office.write("rules.yaml", "version: 1\napprover_id: 1201\nruls: []\n");
    office.write("payees.csv", "key,name,rail\nPAYEE-1,Ana,pigeon\n");
    office.write("state", "a file");
    const auto outcome = office.run({"check"});
    EXPECT_EQ(outcome.code, 78);
    EXPECT_THAT(outcome.err, HasSubstr("rules.yaml:3:1: "));
    EXPECT_THAT(outcome.err, HasSubstr("payees.csv:"));
    EXPECT_THAT(outcome.err, HasSubstr("state_dir is not a folder"));
    const auto as_json = office.run({"check", "--json"});
    EXPECT_EQ(as_json.code, 78);
    const auto answer = json::parse(as_json.out);
    EXPECT_FALSE(answer["ok"].get<bool>());
    EXPECT_GE(answer["diagnostics"].size(), 3U);
}

TEST(Check, a_mistake_in_the_configuration_does_not_hide_mistakes_in_other_files) {
    const Office office;
    std::filesystem::create_directories(office.path("layouts"));
    std::filesystem::create_directories(office.path("profiles"));
    office.write("rules.yaml", "version: 1\napprover_id: 1201\nruls: []\n");
    office.write("payees.csv", "key,name,rail\nPAYEE-1,Ana,pigeon\n");
    office.write("layouts/bank.yaml", "format: cvs\n");
    office.write("profiles/bank.yaml", "format: csv\nreferences: []\n");
    office.write("profiles/paid.yaml", "format: fixed\nrecords: 3\n");
    office.write("state", "a file");
    const auto good = test::read_whole(office.path("drawbridge.yaml"));
    office.write("drawbridge.yaml",
                 good +
                     "chekcs: {}\nchecks: {account_number_file: gone, first_number: x, layout: layouts/bank.yaml}\n" +
                     "confirmations:\n  profiles:\n    - {match: a.csv, format: csv, profile: profiles/bank.yaml}\n" +
                     "    - {match: b, format: paid_checks, profile: profiles/paid.yaml}\n"
                     "pay: {timezone: Mars/Olympus}\n");
    const auto outcome = office.run({"check"});
    EXPECT_EQ(outcome.code, 78);
    for (const char* found : {"drawbridge.yaml:13:1: unknown key 'chekcs'", "checks.account_number_file: no such file",
                              "checks.first_number must be a whole number", "pay.timezone: 'Mars/Olympus'",
                              "rules.yaml:3:1: ", "payees.csv:1", "layouts/bank.yaml:1:9: ", "profiles/bank.yaml:",
                              "profiles/paid.yaml:", "state_dir is not a folder"})
        EXPECT_THAT(outcome.err, HasSubstr(found));
    const auto as_json = json::parse(office.run({"check", "--json"}).out);
    EXPECT_GE(as_json["diagnostics"].size(), 10U);

    office.write("drawbridge.yaml", "service: [\n");
    const auto no_yaml = office.run({"check"});
    EXPECT_EQ(no_yaml.code, 78);
    for (const char* found : {"drawbridge.yaml:2:1: not valid YAML", "rules.yaml:3:1: ", "payees.csv:1"})
        EXPECT_THAT(no_yaml.err, HasSubstr(found)) << "files with the default names";
}

TEST(Check, a_missing_default_file_is_not_reported_for_a_broken_configuration) {
    const Office office;
    std::filesystem::remove(office.path("rules.yaml"));
    office.write("drawbridge.yaml", test::read_whole(office.path("drawbridge.yaml")) + "rule: {file: r.yaml}\n");
    const auto outcome = office.run({"check"});
    EXPECT_EQ(outcome.code, 78);
    EXPECT_THAT(outcome.err, HasSubstr("unknown key 'rule'"));
    EXPECT_THAT(outcome.err, Not(HasSubstr("rules.yaml")));
}

TEST(Start, a_mistyped_state_folder_does_not_start_a_second_ledger) {
    const Office office;
    EXPECT_EQ(office.run({"run", "--once"}).code, 1) << "the service is unreachable, but the ledger exists";
    const auto good = test::read_whole(office.path("drawbridge.yaml"));
    auto typo = good;
    typo.replace(typo.find("state_dir: state"), 16, "state_dir: sate");
    office.write("drawbridge.yaml", typo);
    for (const auto& words : std::vector<std::vector<std::string>>{{"run", "--once"}, {"run"}, {"check"}}) {
        const auto outcome = office.run(words);
        EXPECT_EQ(outcome.code, 78) << outcome.err;
        EXPECT_THAT(outcome.err, HasSubstr(office.path("sate").string() + ", where there is no ledger, and " +
                                           office.path("state").string() + " has the ledger of this configuration"));
    }
    typo.replace(typo.find("state_dir: sate"), 15, "state_dir: sate/");
    office.write("drawbridge.yaml", typo);
    const auto with_slash = office.run({"run", "--once"});
    EXPECT_EQ(with_slash.code, 78);
    EXPECT_THAT(with_slash.err, HasSubstr("where there is no ledger"));
    EXPECT_FALSE(std::filesystem::exists(office.path("sate")));
    std::filesystem::rename(office.path("state"), office.path("sate"));
    EXPECT_THAT(office.run({"run", "--once"}).err, Not(HasSubstr("second ledger"))) << "the folder was moved";

    // A second ledger on purpose.
    office.write("drawbridge.yaml", good);
    std::filesystem::remove(office.path("sate/ledger.config"));
    EXPECT_EQ(office.run({"run", "--once"}).code, 1);
    EXPECT_TRUE(std::filesystem::exists(office.path("state/ledger.db")));
}

TEST(Start, a_new_ledger_next_to_released_files_starts_paused) {
    const Office office;
    EXPECT_EQ(office.run({"run", "--once"}).code, 1);
    for (const char* file : {"ledger.db", "ledger.db-wal", "ledger.db-shm", "ledger.mark"})
        std::filesystem::remove(office.path("state") / file);
    office.write("state/spool/outgoing/ACH-20251120-A.ach", "from a lost ledger");
    EXPECT_EQ(office.run({"run", "--once"}).code, 1);
    const auto status = office.run({"status"});
    EXPECT_THAT(status.out, HasSubstr("PAUSED since"));
    EXPECT_THAT(office.run({"exceptions"}).out,
                HasSubstr("it is new and empty, but spool/outgoing/ACH-20251120-A.ach was there before it"));
    EXPECT_EQ(office.run({"resume", "--reason", "hurry"}).code, 1) << "not before it was compared with the service";
}

TEST(Check, online_contacts_the_service) {
    const Office office;
    const auto outcome = office.run({"check", "--online"});
    EXPECT_EQ(outcome.code, 1);
    EXPECT_THAT(outcome.err, HasSubstr("http://127.0.0.1:1: cannot connect to 127.0.0.1 port 1: Connection refused: "
                                       "check service.base_url; if it is right, ask the people who run the service"));
}

TEST(Cli, output_that_a_full_disk_cuts_off_is_a_failure) {
    const Office office;
    EXPECT_EQ(office.run({"run", "--once"}).code, 1);
    const std::vector<std::vector<std::string>> commands = {
        {"draws"},          {"draws", "--csv"}, {"draws", "--json"},
        {"audit", "--csv"}, {"rules", "show"},  {"verify"},
        {"metrics"},        {"status"},         {"status", "--json"},
        {"--help"},         {"--version"},      {"nacha", DRAWBRIDGE_TEST_DATA "/nacha/nacha-noc.ach"}};
    for (const auto& command : commands) {
        ASSERT_EQ(office.run(command).code, 0) << ::testing::PrintToString(command);
        const auto outcome = test::run_on_full_disk(office.command(command));
        EXPECT_EQ(outcome.code, 1) << ::testing::PrintToString(command);
        EXPECT_THAT(outcome.err,
                    HasSubstr("drawbridge: standard output: a part could not be written: check that it "
                              "is open and that its disk is not full; if this was an act, it was carried out"))
            << ::testing::PrintToString(command);
    }
}

TEST(RulesCheck, reports_every_mistake_in_a_rule_file) {
    const Office office;
    EXPECT_EQ(office.run({"rules", "check", office.path("rules.yaml")}).code, 0);
    office.write("bad.yaml", "version: 1\nrules:\n  - name: a\n    wen: {}\n");
    const auto outcome = office.run({"rules", "check", office.path("bad.yaml")});
    EXPECT_EQ(outcome.code, 78);
    EXPECT_THAT(outcome.err, HasSubstr("bad.yaml:4:5: "));
    EXPECT_EQ(office.run({"rules", "check", office.path("none.yaml")}).code, 78);
}

TEST(Offline, witness_init_without_a_folder_says_which_key_to_set) {
    const Office office;
    const auto none = office.run({"witness", "init"});
    EXPECT_EQ(none.code, 78);
    EXPECT_THAT(none.err, HasSubstr("drawbridge.yaml: ledger.witness is none: set it to a folder on another disk"));
    auto without = test::read_whole(office.path("drawbridge.yaml"));
    without.erase(without.find("ledger: {witness: none}"));
    office.write("drawbridge.yaml", without);
    EXPECT_THAT(office.run({"witness", "init"}).err, HasSubstr("ledger.witness is not set: set it to a folder"));
}

TEST(Offline, commands_without_a_ledger_fail_with_a_message) {
    const Office office;
    const auto outcome = office.run({"status"});
    EXPECT_EQ(outcome.code, 1);
    EXPECT_THAT(outcome.err, HasSubstr("no ledger here yet"));
    EXPECT_FALSE(std::filesystem::exists(office.path("state"))) << "reading creates no files";
}

TEST(Offline, a_removed_ledger_is_named_by_every_command) {
    const Office office;
    std::filesystem::create_directories(office.path("state"));
    office.write("state/ledger.mark", "1\n");
    for (const auto* command : {"status", "check", "draws"}) {
        const auto outcome = office.run({command});
        EXPECT_NE(outcome.code, 0) << command;
        EXPECT_THAT(outcome.out + outcome.err, AllOf(HasSubstr("ledger.db is missing, and ledger.mark says that there"),
                                                     Not(HasSubstr("the first run creates one"))))
            << command;
    }
    EXPECT_FALSE(std::filesystem::exists(office.path("state/ledger.db")));
}

TEST(Offline, a_failed_poll_skips_the_steps_that_need_fresh_readings) {
    const Office office;
    const auto run = office.run({"run", "--once", "--json"});
    EXPECT_EQ(run.code, 1);
    const auto answer = json::parse(run.out);
    ASSERT_EQ(answer["steps"].size(), 6U);
    struct Expected {
        const char* step;
        bool ok, skipped;
    };
    const Expected expected[] = {{"poll", false, false}, {"decide", true, true},   {"approve", true, true},
                                 {"pay", true, false},   {"confirm", true, false}, {"report", true, false}};
    for (std::size_t i = 0; i < 6; ++i) {
        EXPECT_EQ(answer["steps"][i]["step"], expected[i].step);
        EXPECT_EQ(answer["steps"][i]["ok"], expected[i].ok) << expected[i].step;
        EXPECT_EQ(answer["steps"][i]["skipped"], expected[i].skipped) << expected[i].step;
    }
}

TEST(Offline, sub_commands_use_the_ledger_directly) {
    const Office office;
    EXPECT_EQ(office.run({"run", "--once"}).code, 1);
    EXPECT_EQ(office.run({"verify"}).code, 0);
    EXPECT_EQ(office.run({"draws"}).out, "no draws\n");
    EXPECT_EQ(office.run({"draws", "--csv"}).out,
              "id,state,status,amount,workflow_id,case_name,since,why,caseId,requestedBy,requestedDate,description,"
              "fieldA,fieldB,fieldC,fieldD,fieldE,modifiedDate\n");
    EXPECT_EQ(office.run({"exceptions"}).out, "no open exceptions\n");
    EXPECT_EQ(office.run({"files"}).out, "no payment files\n");
    EXPECT_EQ(office.run({"draw", "5"}).code, 1);
    EXPECT_EQ(office.run({"exceptions", "--reason", "no_payee"}).out, "no such exceptions\n");
    const auto no_reason = office.run({"exceptions", "--reason", "no_paye"});
    EXPECT_EQ(no_reason.code, 2);
    EXPECT_EQ(no_reason.err, "drawbridge: unknown reason code 'no_paye': did you mean 'no_payee'?\n");
    const auto reload = office.run({"reload", "--reason", "new rules"});
    EXPECT_EQ(reload.code, 1);
    EXPECT_THAT(reload.err, HasSubstr("no daemon runs, so there is nothing to reload"));
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

TEST(Offline, broken_rules_stop_payments_but_not_listings) {
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
    EXPECT_THAT(pay.err, AllOf(HasSubstr("\n"), Not(HasSubstr("?")))) << "each mistake is on its own line";
}

}  // namespace
}  // namespace drawbridge::cli
