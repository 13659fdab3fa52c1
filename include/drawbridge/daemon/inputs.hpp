// What the configuration names beside itself, read and checked: rules, payees, the check layout, the profiles of
// confirmation files. It opens no ledger and speaks to no service.
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
#include "drawbridge/statements/read.hpp"
#include "drawbridge/text/diagnostic.hpp"

namespace drawbridge::daemon {

struct Inputs {
    rules::RuleSet rules;
    disbursement::PayeeDirectory payees;
    disbursement::PlanSettings plan;
    statements::ReadOptions confirmations;  // how the inbox is read
    text::Diagnostics warnings;
    std::string payees_text;  // the file as it is (that of the rules is in the rule set)
};

// What the configuration alone says of planning; without the check profile, whose layout is a file of its own.
[[nodiscard]] disbursement::PlanSettings plan_settings(const config::Config& config);

// Size and time of change of each file that load_inputs() reads; a file that is not there counts too.
using InputStamps = std::vector<std::pair<std::uintmax_t, std::filesystem::file_time_type>>;
[[nodiscard]] InputStamps stamps_of_inputs(const config::Config& config);

// All problems of all files at once. Rules that fail their own tests are a problem. What is under change control comes
// into force through change_control.hpp alone.
[[nodiscard]] std::expected<Inputs, text::Diagnostics> load_inputs(const config::Config& config);

// The same of the files alone, for a configuration that has mistakes of its own.
[[nodiscard]] text::Diagnostics check_input_files(const config::InputFiles& files);

}  // namespace drawbridge::daemon
