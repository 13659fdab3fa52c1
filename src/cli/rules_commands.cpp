// The sub-commands of `drawbridge rules`.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cstdio>
#include <utility>
#include <vector>

#include "call_api.hpp"
#include "commands.hpp"
#include "diagnostics.hpp"
#include "drawbridge/app/programs.hpp"
#include "drawbridge/text/show.hpp"
#include "report_file.hpp"
#include "show.hpp"
#include "table.hpp"

namespace drawbridge::cli {
namespace {

json view(const rules::RuleTestReport& report) {
    json tests = json::array();
    for (const auto& result : report.results) {
        tests.push_back({{"name", result.name},
                         {"line", result.line},
                         {"passed", result.failures.empty()},
                         {"failures", result.failures}});
    }
    return {{"ok", report.failed() == 0}, {"tests", std::move(tests)}, {"rules_without_test", report.unexercised}};
}

void print_report(const std::string& file, const rules::RuleTestReport& report) {
    for (const auto& result : report.results) {
        for (const auto& failure : result.failures) {
            print_error(file + ":" + std::to_string(result.line) + ":" + std::to_string(result.column) + ": test '" +
                        result.name + "' failed: " + failure);
        }
    }
    for (const auto& rule : report.unexercised)
        print_line("no test exercises rule '" + rule + "'");
    print_line(counted(report.results.size(), "test") + ", " + std::to_string(report.failed()) + " failed");
}

// "12.5 %"
std::string share_of(std::int64_t draws, std::int64_t all) {
    return all == 0 ? "-" : fmt::format("{:.1f} %", 100.0 * static_cast<double>(draws) / static_cast<double>(all));
}

std::string kind_of(const json& rule) {
    if (!rule["enabled"].get<bool>()) return plain(rule["action"]) + ", disabled";
    return plain(rule["action"]) + (rule["shadow"].get<bool>() ? ", shadow" : "");
}

void show_rules_in_force(const json& answer) {
    if (answer["sha256"].is_null()) {
        print_line("no rules are in force: `drawbridge check` lists the mistakes");
    } else {
        print_line("rule set " + short_hash(answer["sha256"]) + ", " + counted(answer["rules"].size(), "rule"));
    }
    for (const auto& problem : answer["problems"])
        print_line("  not reloaded: " + plain(problem));
    for (const auto& limit : answer["limits"])
        print_line("  limit of all rules: " + plain(limit));
    const auto& none = answer["no_rule"];
    auto all = none["draws"].get<std::int64_t>();
    for (const auto& rule : answer["rules"])
        all += rule["draws"].get<std::int64_t>();
    Table table({{"RULE"},
                 {"DOES"},
                 {"DRAWS", Align::right},
                 {"SHARE", Align::right},
                 {"AMOUNT", Align::right},
                 {"LAST DECISION"}});
    const auto add = [&](const std::string& name, const std::string& does, const json& hits, const std::string& last) {
        const auto draws = hits["draws"].get<std::int64_t>();
        table.add({name, does, text::grouped(draws), share_of(draws, all), money(hits["amount"]), last});
    };
    for (const auto& rule : answer["rules"])
        add(plain(rule["name"]), kind_of(rule), rule, moment(rule["last_hit"]).substr(0, 10));
    add("(no rule matches)", "hold", none, "");
    print_line("");
    table.print();
    if (answer["never_matched"].empty()) return;
    print_line("");
    print_line(
        fmt::format("never matched: {}", fmt::join(answer["never_matched"].get<std::vector<std::string>>(), ", ")));
}

}  // namespace

int rules_check_command(const Options& options) {
    const auto diagnostics = app::check_rules(options.rules_file);
    const bool broken = has_errors(diagnostics);
    const bool fails_strict = options.strict && !diagnostics.empty();
    if (options.json) {
        const json answer = {{"ok", !broken && !fails_strict}, {"diagnostics", view(diagnostics)}};
        print_json(answer);
    } else {
        print(diagnostics);
        if (!broken && !fails_strict) print_line(options.rules_file + ": no mistakes found");
    }
    if (broken) return app::exit_configuration;
    return fails_strict ? app::exit_warnings : app::exit_ok;
}

int rules_test_command(const Options& options) {
    const auto run = app::test_rules(options.rules_file);
    if (!run) {
        if (options.json) {
            const json answer = {{"ok", false}, {"diagnostics", view(run.error())}};
            print_json(answer);
        } else {
            print(run.error());
        }
        return app::exit_configuration;
    }
    if (options.json) {
        print_json(view(run->report));
    } else {
        print_report(options.rules_file, run->report);
    }
    if (!options.junit.empty()) {
        if (const auto written = app::write_junit(*run, options.rules_file, options.junit); !written)
            return report_write_failure(written.error());
    }
    return run->report.failed() == 0 ? app::exit_ok : app::exit_failed;
}

int rules_explain_command(const Options& options) {
    json body = json::object();
    if (!options.rules_file.empty()) {
        auto text = app::read_rules_text(options.rules_file);
        if (!text) {
            print(text.error());
            return app::exit_configuration;
        }
        body = {{"rules", std::move(*text)}, {"file", options.rules_file}};
    }
    const auto answer = call_api(options, "POST", "/draws/" + std::to_string(options.id) + "/explain", body);
    if (!answer) return answer.error();
    print_answer(options, *answer, show_explanation);
    return app::exit_ok;
}

int rules_show_command(const Options& options) {
    if (options.name.empty()) return show_answer(options, "/rules", show_rules_in_force);
    const auto answer = call_api(options, "GET", "/rules/" + percent_encoded(options.name));
    if (!answer) return answer.error();
    if (options.json) {
        print_json(*answer);
    } else {
        // The exact bytes, so that the output has the requested hash.
        const auto text = (*answer)["text"].get<std::string>();
        print_bytes(text);
    }
    return app::exit_ok;
}

}  // namespace drawbridge::cli
