#include "drawbridge/cli/cli.hpp"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstddef>
#include <cstdio>
#include <memory>
#include <sstream>
#include <string>
#include <utility>

#include "commands.hpp"
#include "describe.hpp"
#include "drawbridge/app/programs.hpp"
#include "parser.hpp"
#include "suggestions.hpp"
#include "table.hpp"

namespace drawbridge::cli {
namespace {

// The help in lines of at most 80 columns. An example stays whole, so that it can be copied.
class HelpFormatter : public CLI::Formatter {
  public:
    std::string make_help(const CLI::App* app, std::string name, CLI::AppFormatMode mode) const override {
        const std::size_t columns = std::min<std::size_t>(screen().columns, 80);
        std::istringstream lines(CLI::Formatter::make_help(app, std::move(name), mode));
        std::string help;
        for (std::string line; std::getline(lines, line);) {
            const bool has_choices = line.size() > columns && line.contains(":{");
            for (std::size_t at = 0; has_choices && (at = line.find(',', at)) != std::string::npos; ++at)
                line.insert(at + 1, " ");
            const std::size_t indent = line.starts_with("  ") ? get_column_width() : 0;
            for (const auto& part : broken(line, line.starts_with("Example: ") ? line.size() : columns, indent))
                help += part + "\n";
        }
        return help;
    }
};

void add_programs(Parser& parser) {
    auto& run = parser.add(parser.app, "run", "run the daemon; with --once, run each step once and exit", "run --once",
                           run_command);
    auto* once = run.add_flag("--once", parser.options.once,
                              "run poll, decide, approve, pay, deliver, confirm and report once, then exit");
    run.add_flag("--standby", parser.options.standby,
                 "if another process uses the ledger, wait until it exits and take over, instead of exiting with 75")
        ->excludes(once);
    parser.json(run);
    auto& init = parser.add(parser.app, "init", "ask a few questions and write a new configuration that passes `check`",
                            "init /etc/drawbridge/housing", init_command);
    init.add_option("FOLDER", parser.options.name, "the folder to write to; existing files are never overwritten")
        ->required();
    init.add_option("--answers", parser.options.answers, "read the answers from this file, one `key: value` per line");
    auto& check = parser.add(parser.app, "check",
                             "check the configuration, rules, payees, layouts and folders, and report every mistake",
                             "check --online", check_command);
    check.add_flag(
        "--online", parser.options.online,
        "also get a token from the service and list one record, log in to the bank's server and list its folder, and "
        "open the web console's page: its certificate, its host, and whether passkeys were made for another host");
    parser.json(check);
}

void add_rules(Parser& parser) {
    Options& options = parser.options;
    CLI::App& rules = *parser.app.add_subcommand("rules", "check, test, explain and backtest rules");
    rules.require_subcommand(1);
    rules.fallthrough();
    auto& check =
        parser.add(rules, "check", "report every mistake in a rule file, and warn of rules that have no effect",
                   "rules check --strict rules.yaml", rules_check_command);
    check.add_option("FILE", options.rules_file, "the rule file")->required();
    check.add_flag("--strict", options.strict, "exit with 3 if there are warnings");
    parser.json(check);
    auto& test = parser.add(rules, "test", "run test cases against the rules that the test file names",
                            "rules test rules.test.yaml", rules_test_command);
    test.add_option("FILE", options.rules_file, "the file with the test cases")->required();
    test.add_option("--junit", options.junit, "also write the results as JUnit XML to this file");
    parser.json(test);
    auto& explain = parser.add(rules, "explain",
                               "explain the decision on one draw: for each rule and condition, the required value, the "
                               "actual value and the result",
                               "rules explain --draw 1017", rules_explain_command);
    explain.add_option("--draw", options.id, "the draw's id")->required()->check(is_id);
    explain.add_option("--rules", options.rules_file, "use this rule file instead of the rules in force");
    parser.json(explain);
    auto& backtest = parser.add(rules, "backtest",
                                "show which past decisions another rule file would change, in draws and in dollars",
                                "rules backtest --candidate NEW.yaml --since 90d", rules_backtest_command);
    backtest.add_option("--candidate", options.candidate, "the rule file to replay")->required();
    backtest.add_option("--rules", options.rules_file, "compare with this rule file instead of the rules in force");
    backtest.add_option("--since", options.since, "how far back to replay, such as 90d or 12h")->capture_default_str();
    parser.csv_or_json(backtest);
    auto& show = parser.add(rules, "show",
                            "show the rules in force with their share of the decisions; with a hash, print the exact "
                            "text of that rule set",
                            "rules show 3f9c2a71be04", rules_show_command);
    show.add_option("HASH", options.name, "the hash of a rule set that decided draws, or at least its first 8 digits");
    parser.json(show);
}

void add_answers(Parser& parser) {
    Options& options = parser.options;
    parser.json(parser.add(parser.app, "status",
                           "show what needs a person, then the whole pipeline at a glance; with several --config, one "
                           "line for each program and their total",
                           "status", status_command));
    auto& draw =
        parser.add(parser.app, "draw", "show everything about one draw, as a timeline", "draw 1017", draw_command);
    draw.add_option("ID", options.id, "the draw's id")->required()->check(is_id);
    parser.json(draw);
    auto& exception =
        parser.add(parser.app, "exception",
                   "show one exception: the bank's line, and the payments that it may match, with a score",
                   "exception 12", exception_command);
    exception.add_option("ID", options.id, "the exception's id, as in `exceptions`")->required()->check(is_id);
    parser.json(exception);
    auto& file = parser.add(parser.app, "file", "show one payment file and its payments", "file ACH-20261120-A.ach",
                            file_command);
    file.add_option("NAME", options.name, "the file's name")->required();
    parser.json(file);
    auto& alerts = parser.add(parser.app, "alerts", "list the alerts sent by webhook and email, newest first",
                              "alerts --limit 20", alerts_command);
    parser.json(alerts);
    parser.limit(alerts);
    auto& test = parser.add(alerts, "test", "send a test message through every channel now",
                            "alerts test --reason \"new mail server\"", alerts_command);
    parser.reason(test);
    parser.json(test);
    test.parse_complete_callback([&options] { options.test = true; });
    parser.add(parser.app, "metrics", "print metrics in the Prometheus text format", "metrics", metrics_command);
    auto& backup = parser.add(parser.app, "backup", "copy the ledger while it is in use, and verify the copy",
                              "backup /var/backups/drawbridge/before-the-move.db", backup_command);
    backup.add_option("FILE", options.name, "the new file; default: a new file in backup.folder");
    backup.add_flag("--list", options.list, "list the backups, newest first");
    parser.json(backup);
    auto& verify = parser.add(parser.app, "verify", "check the ledger against every money-safety invariant",
                              "verify --manifests /mnt/auditors/manifests", verify_command);
    verify.add_option("--manifests", options.manifests,
                      "also compare it with the daily manifests in this folder, which were kept elsewhere");
    verify.add_option("--head", options.head,
                      "also show the hash of this audit trail entry, or compare it with a hash noted earlier, such as "
                      "in the daily digest: 1234:HASH");
    parser.json(verify);
}

void add_reconcile(Parser& parser) {
    Options& options = parser.options;
    auto& reconcile = parser.add(parser.app, "reconcile",
                                 "compare ledger, service and bank to the cent; exit with 1 if they differ; with "
                                 "several --config, the report of each program and their total",
                                 "reconcile --from 2025-11-01 --to 2025-11-30 --format html --output november.html",
                                 reconcile_command);
    reconcile.add_option("--from", options.from,
                         "first day of the period, as YYYY-MM-DD; default: the ledger's first day");
    reconcile.add_option("--to", options.to, "last day of the period; default: today");
    auto* format = reconcile.add_option("--format", options.format, "text, csv, json or html")
                       ->check(CLI::IsMember({"text", "csv", "json", "html"}))
                       ->capture_default_str();
    reconcile.add_flag("--json", options.json, "the same as --format json")->excludes(format);
    auto* output = reconcile.add_option("--output", options.output, "write to this file, complete or not at all");
    reconcile.add_flag("--overwrite", options.overwrite, "replace an existing file")->needs(output);
    reconcile.add_flag("--fresh", options.fresh,
                       "first read every draw that differs or is in flight from the service again");
    reconcile
        .add_option("--overdue-after", options.overdue_after,
                    "report what is in flight for more than this many days as a difference")
        ->check(CLI::Range(0, 36'500))
        ->capture_default_str();
}

CLI::Option* add_check(Parser& parser, CLI::App& act) {
    CLI::Option* check =
        act.add_option("--check", parser.options.check_number, "the check's number, as in `checks`")->check(is_id);
    act.add_flag("--withdraw", parser.options.withdraw, "cancel an order that is not in a file yet")->needs(check);
    return check;
}

void add_delivery_outcome(Parser& parser, CLI::App& act, const std::string& of) {
    auto* by_hand = act.add_flag(
        "--by-hand", parser.options.by_hand,
        of + "the bank has the file; Drawbridge does not upload it again, and confirmation by time may start");
    act.add_flag("--again", parser.options.again, of + "the bank does not have the file; Drawbridge uploads it again")
        ->excludes(by_hand);
}

void add_refresh(Parser& parser) {
    Options& options = parser.options;
    auto& refresh = parser.add(parser.app, "refresh", "read draws from the service again now", "refresh 1017 1018",
                               refresh_command);
    refresh.add_option("ID", options.ids, "ids of draws, at most 500")->required()->check(is_id);
    parser.json(refresh);
}

void add_approve(Parser& parser) {
    Options& options = parser.options;
    auto& approve =
        parser.add(parser.app, "approve", "approve held draws in your own name instead of by a rule, all or none",
                   "approve 1017 1018 --reason \"lease reviewed\"", approve_command);
    approve.add_option("ID", options.ids, "ids of draws, at most 500")->required()->check(is_id);
    approve
        .add_option("--approver-id", options.approver_id,
                    "your approver id in the Draws Service; default: the id linked to you, or the rule file's id if no "
                    "people are set up")
        ->check(is_id);
    parser.reason(approve);
    parser.json(approve);
}

void add_resolve(Parser& parser) {
    Options& options = parser.options;
    auto& resolve =
        parser.add(parser.app, "resolve", "resolve an exception, match its line to a payment, or undo that",
                   "resolve 12 --match P0000000017 --reason \"the bank's letter of May 4\"", resolve_command);
    resolve.add_option("EXCEPTION_ID", options.id, "the exception's id, as in `exceptions`")->required()->check(is_id);
    CLI::Option* more =
        resolve.add_option("MORE_IDS", options.ids, "more exceptions to resolve with the same reason: all or none")
            ->check(is_id);
    CLI::Option* again =
        resolve.add_flag("--reissue", options.reissue,
                         "pay this exception's draw again: its payment came back, and the payee's details are new");
    CLI::Option* match =
        resolve
            .add_option("--match", options.match,
                        "apply the exception's line to this payment (see `exception`); the amounts must agree")
            ->excludes(again);
    resolve.add_flag("--undo", options.undo, "undo the resolution, as long as nothing depends on it")
        ->excludes(again)
        ->excludes(match);
    add_delivery_outcome(parser, resolve, "for an exception about a file's delivery: ");
    for (const char* alone : {"--reissue", "--match", "--undo", "--by-hand", "--again"})
        more->excludes(resolve.get_option(alone));
    parser.reason(resolve);
    parser.json(resolve);
}

void add_reissue(Parser& parser) {
    Options& options = parser.options;
    auto& reissue =
        parser.add(parser.app, "reissue", "order a new payment for a draw whose payment was returned or voided",
                   "reissue 17 --reason \"new bank details\"", reissue_command);
    reissue.add_option("DRAW_ID", options.id, "the draw's id")->required()->check(is_id);
    parser.reason(reissue);
    parser.json(reissue);
}

void add_release(Parser& parser) {
    Options& options = parser.options;
    auto& release =
        parser.add(parser.app, "release",
                   "release a staged payment file to the bank, after reading its draws again; refused to its makers",
                   "release ACH-20261120-A.ach --reason \"totals agreed\"", release_command);
    release.add_option("NAME", options.name, "the file's name")->required();
    parser.reason(release);
    parser.json(release);
}

void add_deliver(Parser& parser) {
    Options& options = parser.options;
    auto& deliver = parser.add(
        parser.app, "deliver", "record that the bank has a released file, or order another upload",
        "deliver ACH-20261120-A.ach --by-hand --reason \"taken to the bank on a USB drive\"", deliver_command);
    deliver.add_option("NAME", options.name, "the payment file's name")->required();
    add_delivery_outcome(parser, deliver, "");
    parser.reason(deliver);
    parser.json(deliver);
}

void add_acknowledge(Parser& parser) {
    Options& options = parser.options;
    auto& acknowledge = parser.add(
        parser.app, "acknowledge",
        "compare the count and total that the bank received with the file; a difference pauses all movement of money",
        "acknowledge ACH-20261120-A.ach --payments 12 --total 3456.78 --reason \"the bank's receipt\"",
        acknowledge_command);
    acknowledge.add_option("NAME", options.name, "the payment file's name")->required();
    acknowledge
        .add_option("--payments", options.payments, "the bank's number of payments; prenotes count, offsets do not")
        ->required()
        ->check(CLI::Range(std::int64_t{0}, std::int64_t{999'999'999}));
    acknowledge.add_option("--total", options.total, "the bank's total in dollars, like 3456.78")->required();
    parser.reason(acknowledge);
    parser.json(acknowledge);
}

void add_ingest(Parser& parser) {
    Options& options = parser.options;
    auto& ingest = parser.add(parser.app, "ingest", "import a confirmation file, or preview the effect of each line",
                              "ingest --dry-run bank-statement.csv", ingest_command);
    ingest.add_option("FILE", options.name, "the bank's file, in any format; it is copied, not moved")->required();
    ingest.add_flag("--dry-run", options.dry_run, "change nothing, only show what would happen");
    ingest.add_option("--profile", options.profile,
                      "read it with this profile of confirmations.profiles (the profile's file name without .yaml), or "
                      "as this format: csv, nacha, bai2, camt053, camt054, pain002, acknowledgment");
    ingest.add_option("--limit", options.lines, "show at most this many lines, exceptions first")
        ->check(CLI::Range(0, 20'000))
        ->capture_default_str();
    parser.reason_if_any(ingest);
    ingest.add_flag("--csv", options.csv, "print CSV: why the file is refused, and each line")
        ->excludes(ingest.add_flag("--json", options.json, "print JSON"));
    ingest.footer(
        "Example: drawbridge ingest --dry-run bank-statement.csv\nExit codes: 0 every line was (or would be) accepted; "
        "1 the file was refused or could not be read; 2 wrong command line; 3 accepted, with lines that need a person; "
        "78 wrong configuration.");
}

void add_nacha(Parser& parser) {
    Options& options = parser.options;
    auto& nacha =
        parser.add(parser.app, "nacha",
                   "read, validate and print any NACHA file: a payment file, a return, a notification of change",
                   "nacha ACH-20261120-A.ach", nacha_command);
    nacha.add_option("FILE", options.name, "the file; every error is reported as file:line:position")->required();
    nacha.add_option("--entries", options.entries, "print at most this many entries per batch")
        ->check(CLI::Range(0, 100'000'000))
        ->capture_default_str();
    nacha.add_flag("--all", options.all, "print every entry");
    parser.json(nacha);
}

void add_void(Parser& parser) {
    Options& options = parser.options;
    auto& void_act = parser.add(
        parser.app, "void", "void a payment file or payment that was not released, or order the bank to void a check",
        "void --check 10001 --reason \"lost in the mail\"", void_command);
    auto* name = void_act.add_option("NAME", options.name, "a payment file; its draws are paid again");
    auto* payment = void_act.add_option("--payment", options.payment_id,
                                        "a payment that was not released (P0000000012); its draw is held until a "
                                        "person resolves it, and the other draws of its file are paid again");
    payment->excludes(name);
    add_check(parser, void_act)->excludes(name)->excludes(payment);
    parser.reason(void_act);
    parser.json(void_act);
}

void add_stop(Parser& parser) {
    auto& stop = parser.add(parser.app, "stop", "order the bank to stop a check that was released",
                            "stop --check 10001 --reason \"stolen\"", stop_command);
    add_check(parser, stop)->required();
    parser.reason(stop);
    parser.json(stop);
}

void add_pay(Parser& parser) {
    auto& pay =
        parser.add(parser.app, "pay", "plan and write payment files outside the cut-offs", "pay --now", pay_command);
    pay.add_flag("--now", parser.options.now, "run the pay step now, in your name")->required();
    parser.reason_if_any(pay);
    parser.json(pay);
}

void add_pause(Parser& parser) {
    auto& pause =
        parser.add(parser.app, "pause", "stop all movement of money", "pause --reason \"bank holiday\"", pause_command);
    parser.reason(pause);
    parser.json(pause);
}

void add_resume(Parser& parser) {
    Options& options = parser.options;
    auto& resume = parser.add(parser.app, "resume", "let money move again; after a restore, end the restoration",
                              "resume --reason \"the file was recalled\"", resume_command);
    resume.add_flag(
        "--nothing-else-sent", options.nothing_else_sent,
        "after a restore: the bank confirmed that it has no files beyond those in the manifests, so draws held as "
        "possibly_paid may be paid; it also works in a later resume");
    resume.add_flag(
        "--despite-exceptions", options.despite_exceptions,
        "resume although the exception that paused everything is open; refused to the person who paused and to makers");
    parser.reason(resume);
    parser.json(resume);
}

void add_restore(Parser& parser) {
    Options& options = parser.options;
    auto& restore = parser.add(
        parser.app, "restore",
        "replace the ledger with a backup; it starts paused until it is compared with the service and the files sent",
        "restore /var/backups/drawbridge/ledger-20261120T070000Z.db --reason \"the disk died\"", restore_command);
    restore.add_option("FILE", options.name, "the backup; the current ledger is kept under another name")->required();
    parser.reason(restore);
    parser.json(restore);
}

void add_reload(Parser& parser) {
    auto& reload =
        parser.add(parser.app, "reload",
                   "make the daemon read rules and payees again; if either has a mistake, the old ones stay in force",
                   "reload --reason \"new rule for utilities\"", reload_command);
    parser.reason_if_any(reload);
    parser.json(reload);
}

void add_acts(Parser& parser) {
    constexpr void (*acts[])(Parser&) = {
        add_refresh, add_approve, add_resolve, add_reissue, add_release, add_deliver, add_acknowledge, add_ingest,
        add_nacha,   add_void,    add_stop,    add_pay,     add_pause,   add_resume,  add_restore,     add_reload};
    for (const auto add : acts)
        add(parser);
}

void add_sealing(Parser& parser) {
    auto& keygen = parser.add(parser.app, "keygen", "create a key that seals account numbers in the ledger",
                              "keygen /etc/drawbridge/credentials/sealing_key", keygen_command);
    keygen.add_option("FILE", parser.options.name, "the new file, mode 0600; an existing file is never overwritten")
        ->required();
    auto& rekey = parser.add(parser.app, "rekey", "seal the ledger with a new key; the daemon must be stopped",
                             "rekey --key /root/next_key --reason \"yearly change\"", rekey_command);
    rekey
        .add_option("--key", parser.options.name,
                    "the file with the new key, made by `keygen`; the key in use is refused")
        ->required();
    parser.reason(rekey);
    parser.json(rekey);
}

void add_witness(Parser& parser) {
    CLI::App& witness =
        *parser.app.add_subcommand("witness", "the copy of the high-water mark on another disk or machine");
    witness.require_subcommand(1);
    witness.fallthrough();
    parser.add(witness, "init",
               "prepare the folder in ledger.witness for this ledger, so that Drawbridge can tell it from an empty or "
               "unmounted folder",
               "witness init", witness_init_command);
}

void add_ledger(Parser& parser) {
    CLI::App& ledger = *parser.app.add_subcommand("ledger", "move the ledger between a file and PostgreSQL");
    ledger.require_subcommand(1);
    ledger.fallthrough();
    auto& copy = parser.add(ledger, "copy",
                            "copy the whole ledger between a file and the PostgreSQL database in ledger.url, and check "
                            "the copy; the daemon must be stopped",
                            "ledger copy --from /var/lib/drawbridge/ledger.db", ledger_copy_command);
    auto* from = copy.add_option("--from", parser.options.from, "a ledger file; the schema must have no ledger yet");
    auto* to = copy.add_option("--to", parser.options.to, "a new file");
    from->excludes(to);
    copy.require_option(1);
}

}  // namespace

int main(int argc, const char* const* argv) {
    Parser parser;
    CLI::App& app = parser.app;
    app.formatter(std::make_shared<HelpFormatter>());
    app.set_version_flag("--version", "drawbridge " DRAWBRIDGE_VERSION);
    app.add_option("--config", parser.options.configs,
                   "the configuration file; `reconcile` and `status` take several, one for each program")
        ->envname("DRAWBRIDGE_CONFIG")
        ->allow_extra_args(false)
        ->type_name("TEXT")
        ->default_str(parser.options.config);
    app.require_subcommand(1);
    app.footer("See `drawbridge COMMAND --help` for details.\n" + std::string(exit_codes));
    add_programs(parser);
    add_rules(parser);
    add_answers(parser);
    add_lists(parser);
    add_calendar(parser);
    add_reconcile(parser);
    add_acts(parser);
    add_changes(parser);
    add_people(parser);
    add_console(parser);
    add_archive(parser);
    add_sealing(parser);
    add_witness(parser);
    add_ledger(parser);
    add_descriptions(app);
    try {
        app.parse(argc, argv);
    } catch (const CLI::ParseError& error) {
        if (error.get_exit_code() == 0) {
            app.exit(error);  // prints the help or the version
            return app::exit_ok;
        }
        const auto hint = suggestion_for(app, {argv + 1, argv + argc});
        print_error("drawbridge: " + (hint.empty() ? message_of(app, error) : hint));
        return app::exit_usage;
    }
    parser.options.config = parser.options.configs.front();
    const bool takes_several = parser.chosen == reconcile_command || parser.chosen == status_command;
    if (parser.options.configs.size() > 1 && !takes_several) {
        print_error("drawbridge: --config: this command is about one program: name one file");
        return app::exit_usage;
    }
    return parser.chosen(parser.options);
}

}  // namespace drawbridge::cli
