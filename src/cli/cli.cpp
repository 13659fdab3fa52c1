#include "drawbridge/cli/cli.hpp"

#include <CLI/CLI.hpp>
#include <cstdio>
#include <functional>
#include <string>

#include "commands.hpp"
#include "describe.hpp"
#include "drawbridge/config/keys.hpp"
#include "drawbridge/daemon/programs.hpp"
#include "drawbridge/ledger/stages.hpp"

namespace drawbridge::cli {
namespace {

using Command = int (*)(const Options&);

constexpr const char* exit_codes =
    "Exit codes: 0 good; 1 failed, refused or not clean; 2 wrong command line; 3 only warnings, with --strict; "
    "78 wrong configuration.";

// The command line, and which command it chose.
struct Parser {
    CLI::App app{"Carries approved draws to the bank and the proof of payment back.", "drawbridge"};
    Options options;
    Command chosen = nullptr;

    CLI::App& add(CLI::App& under, const std::string& name, const std::string& description, const std::string& example,
                  Command command) {
        CLI::App& sub = *under.add_subcommand(name, description);
        sub.fallthrough();
        std::string footer = exit_codes;
        if (!example.empty()) footer = "Example: drawbridge " + example + "\n" + footer;
        sub.footer(footer);
        sub.callback([this, command] { chosen = command; });
        return sub;
    }
    void json(CLI::App& sub) { sub.add_flag("--json", options.json, "print JSON instead of text"); }
    void reason(CLI::App& sub) {
        sub.add_option("--reason", options.reason, "why; kept in the audit trail with your identity")->required();
    }
};

std::string stage_list() {
    std::string list;
    for (const auto name : ledger::stage_names)
        list += (list.empty() ? "" : ", ") + std::string(name);
    return list;
}

void add_programs(Parser& parser) {
    auto& run = parser.add(parser.app, "run", "the daemon; with --once each stage once", "run --once", run_command);
    run.add_flag("--once", parser.options.once, "run poll, decide, approve, pay, confirm and report once, then exit");
    parser.json(run);
    auto& init =
        parser.add(parser.app, "init", "ask a few questions and write a new configuration that `check` accepts",
                   "init /etc/drawbridge/housing", init_command);
    init.add_option("FOLDER", parser.options.name, "where it is written; nothing in it is written over")->required();
    init.add_option("--answers", parser.options.answers, "take the answers from this file, one `key: value` a line");
    auto& check = parser.add(parser.app, "check", "configuration, rules, payees, layout and folders: every problem",
                             "check --online", check_command);
    check.add_flag("--online", parser.options.online, "also get a token from the service and list one record");
    parser.json(check);
}

void add_rules(Parser& parser) {
    Options& options = parser.options;
    CLI::App& rules = *parser.app.add_subcommand("rules", "work with rule files");
    rules.require_subcommand(1);
    rules.fallthrough();
    auto& check = parser.add(rules, "check", "every problem of a rule file; warns of rules that do nothing",
                             "rules check --strict rules.yaml", rules_check_command);
    check.add_option("FILE", options.rules_file, "the rule file")->required();
    check.add_flag("--strict", options.strict, "exit with 3 when there are warnings");
    parser.json(check);
    auto& test = parser.add(rules, "test", "test cases against the rules that their file names",
                            "rules test rules.test.yaml", rules_test_command);
    test.add_option("FILE", options.rules_file, "the file of test cases")->required();
    test.add_option("--junit", options.junit, "also write the results as JUnit XML to this file");
    parser.json(test);
    auto& explain =
        parser.add(rules, "explain", "each rule and each condition for one draw: wanted, found, pass or fail",
                   "rules explain --draw 1017", rules_explain_command);
    explain.add_option("--draw", options.id, "the draw's id")->required()->check(CLI::PositiveNumber);
    explain.add_option("--rules", options.rules_file, "this rule file instead of the rules in force");
    parser.json(explain);
    auto& backtest = parser.add(rules, "backtest",
                                "which decisions of the past another rule file would change, in draws and in money",
                                "rules backtest --candidate NEW.yaml --since 90d", rules_backtest_command);
    backtest.add_option("--candidate", options.candidate, "the rule file to try")->required();
    backtest.add_option("--rules", options.rules_file, "compare with this rule file instead of the rules in force");
    backtest.add_option("--since", options.since, "how far back, like 90d or 12h")->capture_default_str();
    backtest.add_flag("--csv", options.csv, "print CSV")
        ->excludes(backtest.add_flag("--json", options.json, "print JSON"));
    auto& show = parser.add(rules, "show", "the very text of a rule set that decisions were made under",
                            "rules show 3f9c2a71be04", rules_show_command);
    show.add_option("HASH", options.name, "the hash, or its beginning")->required();
    parser.json(show);
}

void add_listings(Parser& parser) {
    Options& options = parser.options;
    parser.json(parser.add(parser.app, "status", "what needs a person, then the whole pipeline at a glance", "status",
                           status_command));
    auto& draws = parser.add(parser.app, "draws", "the draws, by id", "draws --stage held --csv", draws_command);
    draws.add_option("--stage", options.stage, "only this stage: " + stage_list());
    draws.add_option("--limit", options.limit, "at most so many")
        ->check(CLI::Range(1, 100'000'000))
        ->capture_default_str();
    draws.add_option("--after", options.after, "only ids above this one")->check(CLI::NonNegativeNumber);
    draws.add_flag("--csv", options.csv, "print CSV")->excludes(draws.add_flag("--json", options.json, "print JSON"));
    auto& draw =
        parser.add(parser.app, "draw", "everything known about one draw, as a timeline", "draw 1017", draw_command);
    draw.add_option("ID", options.id, "the draw's id")->required()->check(CLI::PositiveNumber);
    parser.json(draw);
    parser.json(parser.add(parser.app, "exceptions", "what needs a person, oldest first", "", exceptions_command));
    auto& files = parser.add(parser.app, "files", "payment files with count, total and state", "", files_command);
    parser.json(files);
    auto& sample = parser.add(files, "sample", "a file for the bank's certification, with payees that do not exist",
                              "files sample --output for-the-bank.ach", files_command);
    sample.add_option("--output", options.output, "write it there; without it: to standard output");
    sample.parse_complete_callback([&options] { options.sample = true; });
    auto& file =
        parser.add(parser.app, "file", "one payment file and its payments", "file ACH-20261120-A.ach", file_command);
    file.add_option("NAME", options.name, "the file's name")->required();
    parser.json(file);
    auto& checks = parser.add(parser.app, "checks", "the check register: every number, its state, and the gaps",
                              "checks --csv", checks_command);
    checks.add_flag("--csv", options.csv, "print CSV")->excludes(checks.add_flag("--json", options.json, "print JSON"));
    parser.json(parser.add(parser.app, "runs",
                           "the last run of each stage; what became of all that was approved in each pay run", "",
                           runs_command));
    parser.add(parser.app, "metrics", "numbers for a monitoring system, in the text format of Prometheus", "",
               metrics_command);
    auto& backup = parser.add(parser.app, "backup", "copy the ledger while it is in use, and verify the copy",
                              "backup /mnt/backups/before-the-move.db", backup_command);
    backup.add_option("FILE", options.name, "the new file; without it: one in backup.folder");
    backup.add_flag("--list", options.list, "list the copies that were made, newest first");
    parser.json(backup);
    auto& verify = parser.add(parser.app, "verify", "check the ledger against every money-safety invariant",
                              "verify --manifests /mnt/auditors/manifests", verify_command);
    verify.add_option("--manifests", options.manifests,
                      "also hold it against the daily manifests in this folder, which were kept elsewhere");
    parser.json(verify);
}

CLI::Option* add_check(Parser& parser, CLI::App& act) {
    CLI::Option* check =
        act.add_option("--check", parser.options.check_number, "a check by its number, as `checks` shows it")
            ->check(CLI::PositiveNumber);
    act.add_flag("--withdraw", parser.options.withdraw, "take back an order that stands in no file yet")->needs(check);
    return check;
}

void add_acts(Parser& parser) {
    Options& options = parser.options;
    auto& approve = parser.add(parser.app, "approve", "approve held draws yourself, in place of a rule: all or none",
                               "approve 1017 1018 --reason \"lease seen\"", approve_command);
    approve.add_option("ID", options.ids, "the draws' ids, at most 500")->required()->check(CLI::PositiveNumber);
    approve
        .add_option("--approver-id", options.approver_id,
                    "the approver in the Draws Service; without it the rule file's")
        ->check(CLI::PositiveNumber);
    parser.reason(approve);
    parser.json(approve);
    auto& resolve = parser.add(parser.app, "resolve", "close an exception by hand",
                               "resolve 12 --reason \"payee added to payees.csv\"", resolve_command);
    resolve.add_option("EXCEPTION_ID", options.id, "its id, as `exceptions` shows it")
        ->required()
        ->check(CLI::PositiveNumber);
    resolve.add_flag("--reissue", options.reissue,
                     "pay the draw of this exception again: its payment came back, and the payee's details are new");
    parser.reason(resolve);
    parser.json(resolve);
    auto& reissue = parser.add(parser.app, "reissue", "pay a draw again whose payment was returned or voided",
                               "reissue 17 --reason \"new bank details\"", reissue_command);
    reissue.add_option("DRAW_ID", options.id, "the draw's id")->required()->check(CLI::PositiveNumber);
    parser.reason(reissue);
    parser.json(reissue);
    auto& release = parser.add(parser.app, "release", "let a staged payment file go to the bank; not by who started it",
                               "release ACH-20261120-A.ach --reason \"totals agreed\"", release_command);
    release.add_option("NAME", options.name, "the file's name")->required();
    parser.reason(release);
    parser.json(release);
    auto& nacha = parser.add(parser.app, "nacha",
                             "read, validate and print any NACHA file: ours, a return, a notification of change",
                             "nacha ACH-20261120-A.ach", nacha_command);
    nacha.add_option("FILE", options.name, "the file; every problem is named as file:line:position")->required();
    parser.json(nacha);
    auto& void_act = parser.add(parser.app, "void",
                                "end a payment file that has not gone out, or order the bank to void a check that has",
                                "void --check 10001 --reason \"lost in the mail\"", void_command);
    auto* name = void_act.add_option("NAME", options.name, "a payment file: its draws are paid anew");
    add_check(parser, void_act)->excludes(name);
    parser.reason(void_act);
    parser.json(void_act);
    auto& stop = parser.add(parser.app, "stop", "order the bank to stop a check that has gone out",
                            "stop --check 10001 --reason \"stolen\"", stop_command);
    add_check(parser, stop)->required();
    parser.reason(stop);
    parser.json(stop);
    auto& pay =
        parser.add(parser.app, "pay", "plan and write payment files outside the cut-offs", "pay --now", pay_command);
    pay.add_flag("--now", parser.options.now, "run the pay stage now, in your name")->required();
    pay.add_option("--reason", options.reason, "why; kept in the audit trail with your identity");
    parser.json(pay);
    auto& pause =
        parser.add(parser.app, "pause", "stop all movement of money", "pause --reason \"bank holiday\"", pause_command);
    parser.reason(pause);
    parser.json(pause);
    auto& resume =
        parser.add(parser.app, "resume", "let money move again; after a restore: end it", "", resume_command);
    resume.add_flag("--nothing-else-sent", options.nothing_else_sent,
                    "after a restore: the bank has confirmed that it has no file beyond those that the manifests name, "
                    "so what is held as possibly_paid may be paid");
    parser.reason(resume);
    parser.json(resume);
    auto& restore = parser.add(parser.app, "restore",
                               "put a backup in the ledger's place; it starts paused, until it was compared with the "
                               "service and the files sent",
                               "restore ledger-20261120T070000Z.db --reason \"the disk died\"", restore_command);
    restore.add_option("FILE", options.name, "the backup; the ledger that is there is kept aside")->required();
    parser.reason(restore);
    parser.json(restore);
    parser.json(parser.add(parser.app, "reload", "read rules and payees again: both are good, or the old ones stay", "",
                           reload_command));
}

// For the package: not among the commands that help lists.
void add_descriptions(CLI::App& app) {
    const auto add = [&app](const char* name, std::function<std::string()> describe) {
        CLI::App& sub = *app.add_subcommand(name)->group("");
        sub.callback([describe = std::move(describe)] {
            std::fputs(describe().c_str(), stdout);
            throw CLI::Success();
        });
    };
    add("manual-page", [&app] { return manual_page(app, DRAWBRIDGE_VERSION); });
    add("bash-completion", [&app] { return bash_completion(app); });
    add("configuration-sample", config::sample_configuration);
    add("configuration-schema", config::configuration_schema);
    add("configuration-reference", config::configuration_reference);
}

}  // namespace

int main(int argc, const char* const* argv) {
    Parser parser;
    CLI::App& app = parser.app;
    app.set_version_flag("--version", "drawbridge " DRAWBRIDGE_VERSION);
    app.add_option("--config", parser.options.config, "the configuration file")
        ->envname("DRAWBRIDGE_CONFIG")
        ->capture_default_str();
    app.require_subcommand(1);
    app.footer("`drawbridge COMMAND --help` says more.\n" + std::string(exit_codes));
    add_programs(parser);
    add_rules(parser);
    add_listings(parser);
    add_acts(parser);
    add_descriptions(app);
    try {
        app.parse(argc, argv);
    } catch (const CLI::ParseError& error) {
        return app.exit(error) == 0 ? daemon::exit_ok : daemon::exit_usage;
    }
    return parser.chosen(parser.options);
}

}  // namespace drawbridge::cli
