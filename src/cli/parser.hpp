// The command line parser and the chosen command. Private to this module.
#pragma once

#include <CLI/CLI.hpp>

#include <charconv>
#include <cstdint>
#include <limits>
#include <string>
#include <system_error>

#include "call_api.hpp"
#include "commands.hpp"
#include "drawbridge/admin/reason.hpp"

namespace drawbridge::cli {

using Command = int (*)(const Options&);

inline constexpr const char* exit_codes =
    "Exit codes: 0 success; 1 failed, refused or not clean; 2 wrong command line; 3 warnings only (with --strict), or "
    "lines or files that need a person (ingest); 74 disk full, or the state folder is not writable; 75 the ledger is "
    "in use, or its numbers are claimed; 78 wrong configuration.";

// Validates an id. Returns the error; empty: valid.
[[nodiscard]] inline std::string is_id(const std::string& text) {
    std::int64_t id = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), id);
    const bool fits = error == std::errc() && end == text.data() + text.size() && id > 0;
    return fits ? std::string() : "'" + text + "' is not an id: write a whole number like 1017";
}

// Validates a reason. Returns the error; empty: valid.
[[nodiscard]] inline std::string fault_in_reason(const std::string& text) {
    const auto good = admin::check_reason(text);
    return good ? std::string() : good.error().message;
}

// The range of `--after`, which takes a list's `next_after`.
[[nodiscard]] inline CLI::Range any_row() {
    return {std::int64_t{0}, std::numeric_limits<std::int64_t>::max()};
}

struct Parser {
    CLI::App app{"Pays approved draws through the bank and brings the proof of payment back.", "drawbridge"};
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
    // For a list that is printed as text, CSV or JSON.
    void csv_or_json(CLI::App& sub) {
        sub.add_flag("--csv", options.csv, "print CSV")->excludes(sub.add_flag("--json", options.json, "print JSON"));
    }
    // After json() or csv_or_json(), because its description names the formats that print everything.
    void limit(CLI::App& sub, const std::string& what = "rows", int shown = 1000) {
        const std::string formats = sub.get_option_no_throw("--csv") == nullptr ? "--json" : "--json or --csv";
        sub.add_option(
               "--limit", options.limit,
               "at most this many " + what + "; default: all with " + formats + ", otherwise " + std::to_string(shown))
            ->check(CLI::Range(1, 100'000'000));
    }
    void page(CLI::App& sub, int shown = 1000) {
        limit(sub, "rows", shown);
        sub.add_option("--after", options.after, "continue after this row: `next_after` of --json")->check(any_row());
    }
    // An option whose value is a parameter of the request.
    CLI::Option& parameter(CLI::App& sub, const std::string& option, const std::string& name,
                           const std::string& description) {
        return *sub.add_option_function<std::string>(
            option,
            [this, name](const std::string& value) {
                options.parameters.push_back(name + "=" + percent_encoded(value));
            },
            description);
    }
    // A flag that adds a parameter, like "state=closed".
    void parameter_flag(CLI::App& sub, const std::string& flag, const std::string& parameter,
                        const std::string& description) {
        sub.add_flag_callback(flag, [this, parameter] { options.parameters.push_back(parameter); }, description);
    }
    CLI::Option& reason_if_any(CLI::App& sub) {
        return *sub.add_option("--reason", options.reason, "the reason; recorded in the audit trail with your identity")
                    ->check(fault_in_reason);
    }
    void reason(CLI::App& sub) { reason_if_any(sub).required(); }
};

// Lists, and what they are filtered by.
void add_lists(Parser& parser);
// `calendar` and `forecast`.
void add_calendar(Parser& parser);
// `people` and its sub-commands.
void add_people(Parser& parser);
// `people invite`, `keys` and `lock-key`.
void add_passkeys(Parser& parser, CLI::App& people);
// `console open`.
void add_console(Parser& parser);
// `archive list` and `archive show`.
void add_archive(Parser& parser);
// `changes`, `accept` and `reject`.
void add_changes(Parser& parser);

}  // namespace drawbridge::cli
