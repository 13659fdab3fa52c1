// The lists of the operators' API, with their filters.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <string>
#include <vector>

#include "call_api.hpp"
#include "drawbridge/app/programs.hpp"
#include "drawbridge/ledger/facts/payments.hpp"
#include "drawbridge/ledger/reports/check_register.hpp"
#include "drawbridge/ledger/reports/draw_states.hpp"
#include "drawbridge/ledger/reports/search.hpp"
#include "drawbridge/text/diagnostic.hpp"
#include "listing.hpp"
#include "parser.hpp"
#include "show.hpp"
#include "table.hpp"

namespace drawbridge::cli {
namespace {

constexpr int shown_runs = 20;
constexpr int shown_audit_entries = 50;
constexpr int shown_bank_files = 50;

// A wrong state is a wrong command line.
CLI::Validator one_of(const std::vector<std::string>& names) {
    const auto check = [names](const std::string& word) -> std::string {
        if (std::ranges::find(names, word) != names.end()) return {};
        const auto meant = text::closest_match(word, {names.begin(), names.end()});
        return fmt::format("unknown state '{}': {}use one of {}", word,
                           meant.empty() ? "" : fmt::format("did you mean '{}'? ", meant), fmt::join(names, ", "));
    };
    return CLI::Validator(check, fmt::format("{{{}}}", fmt::join(names, ",")));
}

template <class States>
CLI::Validator one_state_of(const States& states) {
    std::vector<std::string> names;
    for (const auto state : states)
        names.emplace_back(ledger::to_string(state));
    return one_of(names);
}

void add_draws(Parser& parser) {
    auto& draws = parser.add(parser.app, "draws", "list the draws, by id", "draws --state held --csv", draws_command);
    parser.parameter(draws, "--state", "state", "only draws in this state")
        .check(one_of({std::begin(ledger::state_names), std::end(ledger::state_names)}));
    parser.parameter(draws, "--workflow", "workflow", "only draws of the workflow with this id");
    parser.parameter(draws, "--payee", "payee", "only draws of this payee: the key, or part of the name that was paid");
    parser.parameter(draws, "--min-amount", "min_amount", "only draws of at least this amount, like 2500.00");
    parser.parameter(draws, "--max-amount", "max_amount", "only draws of at most this amount");
    parser.parameter(draws, "--text", "text",
                     "only draws with this text in the case's name, the description or the requester");
    parser.parameter(draws, "--sort", "sort", "by id, amount or since; --sort=-amount: the largest first");
    parser.csv_or_json(draws);
    parser.page(draws);
}

void add_exceptions(Parser& parser) {
    auto& exceptions = parser.add(parser.app, "exceptions", "list what needs a person, oldest first",
                                  "exceptions --reason no_payee", exceptions_command);
    parser.parameter_flag(exceptions, "--closed", "state=closed", "list closed exceptions instead, newest first");
    parser.parameter(exceptions, "--closed-on", "closed_on", "list those closed on this day instead, like 2026-11-30");
    parser.parameter(exceptions, "--reason", "reason", "only exceptions with this reason code");
    parser.parameter(exceptions, "--step", "step", "only exceptions of this step, such as pay");
    parser.json(exceptions);
    parser.page(exceptions);
}

void add_files(Parser& parser) {
    Options& options = parser.options;
    auto& files = parser.add(parser.app, "files", "list payment files with count, total and state, newest first",
                             "files --state staged", files_command);
    parser.parameter(files, "--state", "state", "only files in this state")
        .check(one_state_of(ledger::all_file_states));
    parser.parameter_flag(files, "--oldest", "order=oldest", "oldest first");
    parser.json(files);
    parser.page(files);
    auto& sample = parser.add(files, "sample", "write a test file for the bank's certification, with made-up payees",
                              "files sample --output for-the-bank.ach", files_command);
    auto* output = sample.add_option("--output", options.output, "write to this file instead of standard output");
    sample.add_flag("--force", options.overwrite, "replace an existing file")->needs(output);
    // An option of `files` is found after `sample`, too.
    sample.parse_complete_callback([&options, &files] {
        for (const CLI::Option* option : files.get_options()) {
            if (option->count() > 0) throw CLI::ValidationError(option->get_name(), "files sample has no such option");
        }
        options.sample = true;
    });
}

void add_checks(Parser& parser) {
    auto& checks = parser.add(parser.app, "checks", "show the check register: every number, its state, and the gaps",
                              "checks --state stale", checks_command);
    parser.parameter(checks, "--state", "state", "only checks in this state")
        .check(one_state_of(ledger::all_check_states));
    parser.csv_or_json(checks);
    parser.page(checks);
}

void add_confirmations(Parser& parser) {
    auto& files = parser.add(parser.app, "confirmations", "list the bank's confirmation files, newest first",
                             "confirmations", confirmations_command);
    parser.json(files);
    parser.page(files, shown_bank_files);
    auto& file = parser.add(parser.app, "confirmation", "show one confirmation file: each line and its result",
                            "confirmation 3f9c2a71be04", confirmation_command);
    file.add_option("HASH", parser.options.name,
                    "the SHA-256 of the file, or at least its first 8 digits, as in `confirmations`")
        ->required();
    parser.csv_or_json(file);
    parser.page(file);
}

void add_audit(Parser& parser) {
    auto& audit = parser.add(parser.app, "audit", "show the audit trail, newest first",
                             "audit --actor Anna --action file.release_ordered", audit_command);
    parser.parameter(audit, "--actor", "actor", "only entries of this person: part of the name, login or uid");
    parser.parameter(audit, "--action", "action", "only entries with this action, or part of it");
    parser.parameter(audit, "--subject", "subject", "only entries about this or a part of it, such as 'draw 7'");
    parser.csv_or_json(audit);
    parser.limit(audit, "entries", shown_audit_entries);
    audit.add_option("--after", parser.options.after, "only entries before this number: `next_after` of --json")
        ->check(any_row());
}

void add_signed_acts(Parser& parser) {
    auto& acts = parser.add(parser.app, "acts",
                            "list the acts that people signed in the web console, oldest first; --json has text, "
                            "signature and public key of each, so that an auditor verifies them",
                            "acts --json", acts_command);
    parser.json(acts);
    parser.page(acts);
}

// What became of the lines: "12 applied, 1 exception".
std::string outcomes_of(const records::Confirmation& file) {
    std::string text;
    for (const auto& [outcome, sum] : file.outcomes.items())
        text += fmt::format("{}{} {}", text.empty() ? "" : ", ", plain(sum["lines"]), outcome);
    return text;
}

void show_confirmations(const json& answer) {
    Table table({{"HASH"},
                 {"TAKEN IN"},
                 {"OUTCOME"},
                 {"LINES", Align::right},
                 {"PAID", Align::right},
                 {"RETURNED", Align::right},
                 {"FILE"}});
    for (const auto& file : records_in<records::Confirmation>(answer["confirmations"])) {
        const auto outcomes = outcomes_of(file);
        table.add({file.sha256.empty() ? "not read" : short_hash(file.sha256), moment(file.recorded_at),
                   plain(file.outcome), plain(file.line_count), money(file.paid), money(file.returned),
                   plain(file.name) + (outcomes.empty() ? "" : ": " + outcomes)});
    }
    if (table.empty()) return print_line("no confirmation files");
    table.print();
}

void show_confirmation(const json& answer) {
    const auto file = api::from_json<records::Confirmation>(answer["confirmation"]);
    print_line(plain(file.name) + ": " + plain(file.outcome) + ", " + counted(file.line_count, "line"));
    print_line("  SHA-256       " + plain(file.sha256));
    print_line("  taken in      " + moment(file.recorded_at) + ", handed in by " + joined(file.handed_in_by));
    if (const auto outcomes = outcomes_of(file); !outcomes.empty()) {
        print_line("  lines         " + outcomes);
        print_line("  money         " + money(file.paid) + " paid, " + money(file.returned) + " returned or voided");
    }
    for (const auto& problem : answer["problems"])
        print_line("  problem       " + plain(problem));
    Table table({{"LINE", Align::right},
                 {"SAYS"},
                 {"AMOUNT", Align::right},
                 {"DATE"},
                 {"PAYMENT"},
                 {"DRAW", Align::right},
                 {"OUTCOME"}});
    for (const auto& line : records_in<records::ConfirmationLine>(answer["lines"])) {
        std::string outcome = plain(line.outcome);
        if (line.reason_code) outcome += ", " + plain(line.reason_code);
        if (line.exception_id) outcome += ", exception " + plain(line.exception_id);
        if (line.detail) outcome += ": " + plain(line.detail);
        table.add({plain(line.line), plain(line.says), money(line.amount), plain(line.date), plain(line.payment_id),
                   plain(line.draw_id), outcome});
    }
    if (table.empty()) return;
    print_line("");
    table.print();
}

void show_audit(const json& answer) {
    Table table({{"ENTRY", Align::right}, {"AT"}, {"BY"}, {"ACTION"}, {"ABOUT"}});
    for (const auto& entry : records_in<records::AuditEntry>(answer["audit"])) {
        table.add({plain(entry.seq), moment(entry.at), plain(entry.person.value_or(entry.actor)), plain(entry.action),
                   plain(entry.subject) + (entry.detail.empty() ? "" : ": " + plain(entry.detail))});
    }
    if (table.empty()) return print_line("no entries");
    table.print();
}

void show_acts(const json& answer) {
    Table table({{"ACT", Align::right}, {"AT"}, {"PERSON", Align::right}, {"PASSKEY"}, {"REQUEST"}});
    for (const auto& act : records_in<records::SignedAct>(answer["acts"]))
        table.add(
            {plain(act.act_id), moment(act.at), plain(act.person_id), plain(act.fingerprint), plain(act.request)});
    if (table.empty()) return print_line("no signed acts");
    table.print();
}

// The command that shows what was found at this route: "/draws/7" → "draw 7".
std::string command_for(const records::Match& match) {
    const std::string id = plain(match.id);
    if (match.kind == "check") return fmt::format("drawbridge checks --limit 1 --after {}", std::stoll(id) - 1);
    if (match.kind == "confirmation") return "drawbridge confirmation " + short_hash(match.id);
    // "/draws/7": of a payment, its draw.
    const std::string path = plain(match.path);
    const auto end = path.find('/', 1);
    return "drawbridge " + path.substr(1, end - 2) + " " + path.substr(end + 1);
}

void show_found(const json& answer) {
    const auto matches = records_in<records::Match>(answer["matches"]);
    if (matches.empty()) return print_line("nothing found");
    Table table({{"COMMAND"}, {"FOUND"}});
    for (const auto& match : matches)
        table.add({command_for(match), plain(match.title)});
    table.print();
}

}  // namespace

void add_lists(Parser& parser) {
    add_draws(parser);
    add_exceptions(parser);
    add_files(parser);
    add_checks(parser);
    add_confirmations(parser);
    add_audit(parser);
    add_signed_acts(parser);
    auto& find = parser.add(parser.app, "find",
                            "find draws, payments, checks, exceptions and files by number, name, hash or amount",
                            "find 091000010000017", find_command);
    find.add_option("TEXT", parser.options.name, "an id, trace number, check number, amount, SHA-256 or part of a name")
        ->required();
    parser.json(find);
    auto& runs = parser.add(parser.app, "runs",
                            "show the last run of each step, and for each pay run where every approved draw went",
                            "runs", runs_command);
    parser.json(runs);
    parser.limit(runs, "pay runs", shown_runs);
}

int draws_command(const Options& options) {
    Listing draws{.path = "/draws", .parameters = options.parameters, .rows = "draws", .show = show_draws};
    if (options.csv) draws.parameters.emplace_back(api::draws_csv.parameters);
    draws.csv = &api::draws_csv;
    return print_listing(options, draws);
}

int exceptions_command(const Options& options) {
    const auto show = [&](const json& answer) {
        show_exceptions(records_in<records::Exception>(answer["exceptions"]),
                        options.parameters.empty() ? "no open exceptions" : "no such exceptions");
    };
    return print_listing(options,
                         {.path = "/exceptions", .parameters = options.parameters, .rows = "exceptions", .show = show});
}

int files_command(const Options& options) {
    if (options.sample) return sample_command(options);
    const auto show = [](const json& answer) { show_files(records_in<records::File>(answer["files"])); };
    return print_listing(options, {.path = "/files", .parameters = options.parameters, .rows = "files", .show = show});
}

int checks_command(const Options& options) {
    return print_listing(
        options,
        {.path = "/checks",
         .parameters = options.parameters,
         .rows = "checks",
         .show = [](const json& answer) { show_checks_register(records_in<records::Check>(answer["checks"])); },
         .csv = &api::checks_csv,
         .has_total = options.parameters.empty()});
}

int confirmations_command(const Options& options) {
    return print_listing(
        options,
        {.path = "/confirmations", .rows = "confirmations", .show = show_confirmations, .shown = shown_bank_files});
}

int confirmation_command(const Options& options) {
    return print_listing(options, {.path = "/confirmations/" + percent_encoded(options.name),
                                   .rows = "lines",
                                   .show = show_confirmation,
                                   .csv = &api::bank_file_csv});
}

int audit_command(const Options& options) {
    return print_listing(options, {.path = "/audit",
                                   .parameters = options.parameters,
                                   .rows = "audit",
                                   .show = show_audit,
                                   .csv = &api::audit_csv,
                                   .shown = shown_audit_entries,
                                   .has_total = options.json && options.parameters.empty()});
}

int acts_command(const Options& options) {
    return print_listing(options, {.path = "/acts", .rows = "acts", .show = show_acts});
}

int find_command(const Options& options) {
    const auto show = [&](const json& answer) {
        show_found(answer);
        if (answer["matches"].empty() && options.name.size() < ledger::min_letters)
            print_line(fmt::format("(of a name, write at least {} letters)", ledger::min_letters));
    };
    return show_answer(options, "/find?q=" + percent_encoded(options.name), show);
}

int runs_command(const Options& options) {
    const auto show = [](const json& answer) {
        show_runs(records_in<records::Run>(answer["runs"]));
        show_pay_runs(records_in<records::PayRun>(answer["pay_runs"]));
    };
    return print_listing(options, {.path = "/runs", .rows = "pay_runs", .show = show, .shown = shown_runs});
}

}  // namespace drawbridge::cli
