// The input files that the configuration names, read and validated: rules, payees, the check layout, the confirmation
// profiles.
#pragma once

#include <cstdint>
#include <expected>
#include <filesystem>
#include <string>
#include <utility>
#include <vector>

#include "drawbridge/config/config.hpp"
#include "drawbridge/config/input_files.hpp"
#include "drawbridge/disbursement/payees.hpp"
#include "drawbridge/disbursement/plan.hpp"
#include "drawbridge/rules/rule_set.hpp"
#include "drawbridge/rules/rule_tests.hpp"
#include "drawbridge/statements/read.hpp"
#include "drawbridge/text/diagnostic.hpp"

namespace drawbridge::config {

struct Inputs {
    rules::RuleSet rules;
    disbursement::PayeeDirectory payees;
    disbursement::PlanSettings plan;
    statements::ReadOptions confirmations;  // how the inbox is read
    text::Diagnostics warnings;
    std::string payees_text;  // the file's exact text; the rule set contains that of the rules
};

// The plan settings from the configuration alone, without the check layout, which is in another file.
[[nodiscard]] disbursement::PlanSettings plan_settings(const Config& config);

// Changes whenever somebody writes or replaces the file, even with another of its size and modification time: anybody
// may set that time, but not the time of the last change (ctime), in nanoseconds. A missing file has a stamp too.
struct InputStamp {
    std::uint64_t device = 0, inode = 0, size = 0;
    std::int64_t modified = 0, changed = 0;
    bool operator==(const InputStamp&) const = default;
};
using InputStamps = std::vector<InputStamp>;
// Of each file that load_inputs() reads.
[[nodiscard]] InputStamps stamps_of_inputs(const Config& config);

// Reports all errors of all files at once. Rules that fail their own tests are an error. Files under change control
// take effect only through the daemon's change control.
[[nodiscard]] std::expected<Inputs, text::Diagnostics> load_inputs(const Config& config);
// Leaves rules and payees empty if they are under change control: the ledger has those in force.
[[nodiscard]] std::expected<Inputs, text::Diagnostics> load_uncontrolled_inputs(const Config& config);

// What `drawbridge rules test` takes from a configuration, whatever mistakes it has, and what `check` refuses in tests.
[[nodiscard]] rules::OfficeOfTests office_of_tests(const std::filesystem::path& config_file);
[[nodiscard]] text::Diagnostics check_office_of_tests(const std::filesystem::path& test_file,
                                                      const rules::RuleTests& tests,
                                                      const rules::OfficeOfTests& office);

// Checks only these files, for a configuration that has errors itself.
[[nodiscard]] text::Diagnostics check_input_files(const InputFiles& files);

}  // namespace drawbridge::config
