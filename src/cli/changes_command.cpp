// `drawbridge changes`, `accept` and `reject`: changed rules and payees that need two people.
#include <fmt/format.h>

#include "backtest_command.hpp"
#include "call_api.hpp"
#include "commands.hpp"
#include "drawbridge/app/programs.hpp"
#include "drawbridge/text/line_diff.hpp"
#include "drawbridge/text/show.hpp"
#include "parser.hpp"
#include "show.hpp"
#include "table.hpp"

namespace drawbridge::cli {
namespace {

std::string names_of(const std::vector<records::Acceptance>& accepted) {
    std::string text;
    for (const auto& acceptance : accepted) {
        text += (text.empty() ? "" : ", ") + plain(acceptance.by) + (acceptance.counts ? "" : " (no longer counts)");
    }
    return text.empty() ? "nobody" : text;
}

std::string state_of(const records::Change& change) {
    return plain(change.state) + (change.in_force ? ", in force" : "");
}

std::string owner_of(const records::Change& change) {
    return change.file_by ? plain(change.file_by) : "-";
}

void show_list(const json& answer) {
    const auto control = api::from_json<records::ChangeControl>(answer["control"]);
    print_line("change control: rules " + plain(control.rules) + ", payees " + plain(control.payees));
    Table table({{"HASH"}, {"FILE"}, {"STATE"}, {"FOUND"}, {"FILE OF"}, {"ACCEPTED BY"}});
    for (const auto& change : records_in<records::Change>(answer["changes"])) {
        table.add({plain(change.sha256), plain(change.kind), state_of(change), moment(change.proposed_at),
                   owner_of(change), names_of(change.accepted)});
    }
    if (table.empty()) return print_line("no changes yet");
    table.print();
    if (!control.waiting.empty()) {
        print_line("");
        print_line(
            "For each waiting change, two people run: drawbridge changes show HASH, then drawbridge accept HASH "
            "--reason …, or one runs: drawbridge reject HASH --reason …");
    }
}

void show_head(const records::Change& change) {
    print_line(plain(change.kind) + " " + plain(change.sha256));
    print_line("state     " + state_of(change));
    print_line("found     " + moment(change.proposed_at) + ", in a file of " + owner_of(change));
    for (const auto& acceptance : change.accepted) {
        print_line("accepted  " + moment(acceptance.at) + " by " + plain(acceptance.by) + ": " +
                   plain(acceptance.reason) +
                   (acceptance.counts ? "" : " (no longer counts: the person was locked or lost the role)"));
    }
    if (change.closed_at) {
        print_line("ended     " + moment(change.closed_at) + " by " + plain(change.closed_by) + ": " +
                   plain(change.closed_reason));
    }
    print_line("");
}

void show_payees(const json& payees) {
    if (payees.empty()) return print_line("No payee differs from those in force.");
    print_line(counted(static_cast<std::int64_t>(payees.size()), "payee") +
               (payees.size() == 1 ? " differs" : " differ") + " from those in force:");
    Table table({{"PAYEE"}, {"WHAT"}, {"FIELD"}, {"IN FORCE"}, {"CHANGED"}});
    for (const auto& payee : payees) {
        for (const auto& field : payee["fields"]) {
            const auto shown = [](const json& value) { return value == "" ? std::string("-") : plain(value); };
            table.add({plain(payee["key"]), plain(payee["what"]), plain(field["field"]), shown(field["from"]),
                       shown(field["to"])});
        }
    }
    table.print();
}

int show_rules(const Options& options, json rules) {
    const auto before = rules["in_force"].get<std::string>(), now = rules["changed"].get<std::string>();
    const auto lines = text::differing_lines(before, now);
    print_line(lines.empty() ? "No line differs from the rules in force."
                             : "Changes to the rules in force (- removed, + added):");
    for (const auto& line : lines)
        print_line(fmt::format("{:>5} {} {}", line.line, line.is_new ? '+' : '-', line.text));
    if (lines.empty()) return app::exit_ok;
    print_line("");
    const auto result =
        replay(options, {{"since", *instant_before_now("90d")}, {"rules", now}, {"file", "changed rules"}});
    if (!result) return result.error();
    show_replay(*result);
    return app::exit_ok;
}

int show_one(const Options& options) {
    auto answer = call_api(options, "GET", "/changes/" + percent_encoded(options.name));
    if (!answer) return answer.error();
    if (options.json) {
        print_json(*answer);
        return app::exit_ok;
    }
    show_head(api::from_json<records::Change>((*answer)["change"]));
    if (answer->contains("rules")) return show_rules(options, std::move((*answer)["rules"]));
    show_payees((*answer)["payees"]);
    return app::exit_ok;
}

int decide(const Options& options, const std::string& verb, const std::string& done) {
    return act(options, "/changes/" + percent_encoded(options.name) + "/" + verb, [&](const json& answer) {
        return plain(answer["kind"]) + " " + plain(answer[done]) + ": " +
               (done == "rejected"               ? "rejected; the old ones stay in force"
                : answer["in_force"].get<bool>() ? "accepted by two people; in force from the next step"
                                                 : "accepted; another person must accept it too");
    });
}

void add_hash(Parser& parser, CLI::App& sub, const char* meaning) {
    sub.add_option("HASH", parser.options.name, meaning)->required();
    parser.json(sub);
}

}  // namespace

void add_changes(Parser& parser) {
    constexpr const char* first_digits = "the hash, or at least its first 8 digits, as in `changes`";
    auto& changes = parser.add(parser.app, "changes",
                               "list changed rules and payees: those that wait for two people, and earlier ones",
                               "changes", changes_command);
    parser.json(changes);
    // With a hash, the command shows one change.
    auto& show = parser.add(changes, "show",
                            "show what a change does: payees with masked old and new values; rules line by line, and "
                            "how they would have decided the last 90 days",
                            "changes show 1a2b3c4d5e6f", changes_command);
    add_hash(parser, show, first_digits);
    auto& accept = parser.add(
        parser.app, "accept",
        "accept exactly these bytes of rules or payees; they are in force after two different people accept",
        "accept 1a2b3c4d5e6f708192a3b4c5d6e7f8091a2b3c4d5e6f708192a3b4c5d6e7f809 --reason \"new utilities rule, as "
        "agreed on May 4\"",
        accept_command);
    add_hash(parser, accept, "all 64 digits of the hash, as in `changes`");
    parser.reason(accept);
    auto& reject = parser.add(
        parser.app, "reject",
        "reject changed rules or payees; the same content is proposed again only after the file has had other content",
        "reject 1a2b3c4d5e6f --reason \"nobody asked for this account\"", reject_command);
    add_hash(parser, reject, first_digits);
    parser.reason(reject);
}

int changes_command(const Options& options) {
    if (!options.name.empty()) return show_one(options);
    return show_answer(options, "/changes", show_list);
}

int accept_command(const Options& options) {
    return decide(options, "accept", "accepted");
}
int reject_command(const Options& options) {
    return decide(options, "reject", "rejected");
}

}  // namespace drawbridge::cli
