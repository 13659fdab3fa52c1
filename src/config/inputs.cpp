#include "drawbridge/config/inputs.hpp"

#include <sys/stat.h>

#include <algorithm>
#include <chrono>
#include <iterator>
#include <map>
#include <optional>
#include <system_error>
#include <utility>

#include "drawbridge/checks/issue_layout.hpp"
#include "drawbridge/config/read_file.hpp"
#include "drawbridge/rules/rule_tests.hpp"

namespace drawbridge::config {
namespace {

namespace fs = std::filesystem;
using text::Diagnostics;
using text::Severity;

void append(Diagnostics& into, Diagnostics from) {
    into.insert(into.end(), std::make_move_iterator(from.begin()), std::make_move_iterator(from.end()));
}

// Reads `path` and passes its text to `parse`. Errors of both go to `problems`.
template <class T, class Parse>
std::optional<T> read(const fs::path& path, Diagnostics& problems, std::string_view key, Parse parse,
                      std::uint64_t max_bytes = max_yaml_bytes) {
    const auto text = read_file(path, max_bytes);
    if (!text) {
        problems.push_back({path.string(), 0, 0, text.error().message,
                            text.error().code == ErrorCode::unauthorized
                                ? "let the service's user read it: chgrp drawbridge " + path.string() +
                                      " && chmod 640 " + path.string()
                                : "name the right file in " + std::string(key) + " of drawbridge.yaml",
                            Severity::error});
        return std::nullopt;
    }
    std::expected<T, Diagnostics> parsed = parse(*text, path.string());
    if (!parsed) {
        append(problems, std::move(parsed.error()));
        return std::nullopt;
    }
    return std::move(*parsed);
}

disbursement::AchProfile ach_profile(const Ach& ach) {
    disbursement::AchProfile profile{.odfi = ach.odfi_routing_number,
                                     .odfi_name = ach.odfi_name,
                                     .origin_id = ach.origin_id,
                                     .origin_name = ach.origin_name,
                                     .company_name = ach.company_name,
                                     .company_id = ach.company_id,
                                     .entry_description = ach.entry_description,
                                     .company_discretionary = ach.company_discretionary,
                                     .line_end = ach.line_end,
                                     .destination = ach.destination,
                                     .offset = ach.offset,
                                     .reference_code = ach.reference_code,
                                     .padding = ach.padding};
    return profile;
}

fs::path rule_tests_file(const Config& config) {
    return config.rule_tests_file.value_or(config.rules_file.parent_path() / "rules.test.yaml");
}

// Each file that load_inputs() reads.
std::vector<fs::path> files_of_inputs(const Config& config) {
    std::vector<fs::path> files = {config.rules_file, rule_tests_file(config), config.payees.file};
    if (config.checks) files.push_back(config.checks->layout);
    for (const auto& rule : config.confirmations.profiles) {
        if (rule.profile) files.push_back(*rule.profile);
    }
    return files;
}

// Whoever can write the file decides what is approved and who is paid.
void warn_if_writable(const fs::path& file, Diagnostics& warnings) {
    struct stat found{};
    if (::stat(file.c_str(), &found) != 0 || (found.st_mode & (S_IWGRP | S_IWOTH)) == 0) return;
    warnings.push_back({file.string(), 0, 0, "users other than its owner can write this file",
                        "run chmod go-w " + file.string(), Severity::warning});
}

// A rule set that fails its own tests is refused. nullptr: no configuration is known.
Diagnostics failed_rule_tests(const fs::path& file, const rules::RuleSet& rules, const Config* config) {
    Diagnostics problems;
    const auto tests = read<rules::RuleTests>(file, problems, "rules.tests", rules::parse_rule_tests);
    if (!tests) return problems;
    auto office = rules::usual_office();
    if (config != nullptr) {
        office = {config->pay.timezone, find_draw_field(config->payees.key)};
        append(problems, check_office_of_tests(file, *tests, office));
    }
    for (const auto& result : rules::run_rule_tests(*tests, rules, office).results) {
        for (const auto& failure : result.failures) {
            problems.push_back({file.string(), result.line, result.column,
                                "test '" + result.name + "' fails under these rules: " + failure,
                                "correct the rules or the test: `drawbridge rules test " + file.string() + "`",
                                Severity::error});
        }
    }
    return problems;
}

// Reads each profile and layout once, however often it is named. Its file name identifies it.
statements::ReadOptions read_options(const Config& config, Diagnostics& problems) {
    statements::ReadOptions options;
    options.zone = config.pay.timezone;
    std::map<std::string, fs::path> files;
    if (config.ach) {
        options.office.odfi_identification = config.ach->odfi_routing_number.identification();
        options.office.company_ids = {config.ach->company_id};
    }
    if (config.checks) options.office.check_accounts = {config.checks->account_number};
    options.office.accounts = config.confirmations.accounts;
    options.check_number_labels = config.confirmations.check_number_labels;
    // If the office lists its accounts, the accounts that other keys name are its own too.
    if (!options.office.accounts.empty()) {
        if (config.checks) options.office.accounts.push_back(config.checks->account_number);
        if (config.ach && config.ach->offset) options.office.accounts.push_back(config.ach->offset->account_number);
    }
    for (const ConfirmationProfile& rule : config.confirmations.profiles) {
        const std::string name = rule.profile ? rule.profile->stem().string() : std::string();
        options.rules.push_back({rule.match, rule.format, name});
        if (!rule.profile) continue;
        const auto [first, fresh] = files.try_emplace(name, *rule.profile);
        if (!fresh && first->second != *rule.profile) {
            problems.push_back({config.file.string(), 0, 0,
                                "two profiles of confirmation files are named '" + name + "'",
                                "rename one; the file name identifies a profile", Severity::error});
        }
        if (!fresh) continue;
        const bool acknowledges = rule.format == statements::Format::acknowledgment;
        if (rule.format == statements::Format::csv || acknowledges) {
            auto profile = read<statements::CsvProfile>(*rule.profile, problems, "confirmations.profiles.profile",
                                                        statements::read_csv_profile);
            if (!profile) continue;
            if (profile->acknowledges() != acknowledges) {
                problems.push_back({rule.profile->string(), 0, 0,
                                    std::string("this profile has a different format than ") +
                                        std::string(statements::to_string(rule.format)),
                                    "write the same format here and under confirmations.profiles", Severity::error});
            }
            options.csv_profiles.push_back(std::move(*profile));
        } else {
            auto layout = read<checks::PaidLayout>(*rule.profile, problems, "confirmations.profiles.profile",
                                                   checks::read_paid_layout);
            if (!layout) continue;
            layout->name = name;
            options.paid_check_layouts.push_back(std::move(*layout));
        }
    }
    return options;
}

// Checks a file that `parse` reads.
template <class T, class Parse>
void check_file(const fs::path& path, Diagnostics& problems, std::string_view key, Parse parse) {
    static_cast<void>(read<T>(path, problems, key, parse));
}

}  // namespace

disbursement::PlanSettings plan_settings(const Config& config) {
    disbursement::PlanSettings plan{.ach = std::nullopt,
                                    .check = std::nullopt,
                                    .zone = config.pay.timezone,
                                    .calendar = BankingCalendar(config.pay.closures)};
    plan.guards = config.pay.guards;
    plan.numbers.payment = config.pay.payment_ids;
    plan.numbers.file = config.pay.file_numbers;
    if (config.checks) plan.numbers.check = {config.checks->first_number, config.checks->last_number};
    if (config.ach) {
        plan.ach = ach_profile(*config.ach);
        plan.numbers.trace = config.ach->trace_numbers;
        plan.numbers.file_id_modifiers = config.ach->file_id_modifiers;
        plan.max_file_entries = config.ach->limits.file_entries;
        plan.max_file_total = config.ach->limits.file_total;
        plan.max_batch_entries = config.ach->limits.batch_entries;
        plan.max_batch_total = config.ach->limits.batch_total;
        plan.settle = config.ach->settle;
        plan.entry_descriptions = config.ach->entry_descriptions;
        plan.ach_file_name = config.ach->file_name;
        plan.guards.prenotes_required = config.ach->prenotes_required;
        plan.guards.prenote_wait_days = config.ach->prenote_wait_days;
    }
    if (config.pay.file_limit) plan.max_file_total = std::min(plan.max_file_total, *config.pay.file_limit);
    return plan;
}

InputStamps stamps_of_inputs(const Config& config) {
    constexpr auto nanoseconds = [](const timespec& time) {
        return std::chrono::nanoseconds(std::chrono::seconds(time.tv_sec)).count() + time.tv_nsec;
    };
    InputStamps stamps;
    for (const auto& file : files_of_inputs(config)) {
        struct stat found{};
        InputStamp stamp;
        if (stat(file.c_str(), &found) == 0)
            stamp = {found.st_dev, found.st_ino, static_cast<std::uint64_t>(found.st_size), nanoseconds(found.st_mtim),
                     nanoseconds(found.st_ctim)};
        stamps.push_back(stamp);
    }
    return stamps;
}

namespace {

// Without those under change control, rules or payees are empty.
std::expected<Inputs, Diagnostics> read_inputs(const Config& config, bool with_controlled) {
    const auto is_read = [&](Control control) { return with_controlled || control == Control::off; };
    const bool with_rules = is_read(config.change_control.rules), with_payees = is_read(config.change_control.payees);
    Diagnostics problems;
    Diagnostics warnings;
    auto rules = with_rules ? read<rules::RuleSet>(config.rules_file, problems, "rules.file", rules::parse_rules)
                            : std::optional<rules::RuleSet>(std::in_place);
    std::string payees_text;
    const auto read_payees = [&](const std::string& text, const std::string& name) {
        payees_text = text;
        return disbursement::PayeeDirectory::read(text, name);
    };
    auto payees = with_payees ? read<disbursement::PayeeDirectory>(config.payees.file, problems, "payees.file",
                                                                   read_payees, max_payee_bytes)
                              : std::optional<disbursement::PayeeDirectory>(std::in_place);
    disbursement::PlanSettings plan = plan_settings(config);
    if (config.ach) {
        if (const auto good = disbursement::check_profile(*plan.ach); !good) {
            problems.push_back({config.file.string(), 0, 0, good.error().message, "", Severity::error});
        }
    }
    if (config.checks) {
        auto layout =
            read<checks::IssueLayout>(config.checks->layout, problems, "checks.layout", checks::read_issue_layout);
        if (layout) {
            append(problems,
                   checks::check_issue_layout(*layout, config.checks->account_number, config.checks->first_number));
        }
        if (layout) plan.check = disbursement::CheckProfile{config.checks->account_number, std::move(*layout)};
    }
    auto confirmations = read_options(config, problems);
    if (rules) append(warnings, rules->warnings);
    warn_if_writable(config.file, warnings);
    for (const auto& file : files_of_inputs(config))
        warn_if_writable(file, warnings);
    // Only a test file that drawbridge.yaml names must exist.
    std::error_code error;
    const fs::path tests = rule_tests_file(config);
    if (with_rules && rules && (config.rule_tests_file || fs::exists(tests, error)))
        append(problems, failed_rule_tests(tests, *rules, &config));
    if (!problems.empty()) {
        append(problems, std::move(warnings));
        return std::unexpected(std::move(problems));
    }
    return Inputs{std::move(*rules),        std::move(*payees),  std::move(plan),
                  std::move(confirmations), std::move(warnings), std::move(payees_text)};
}

}  // namespace

std::expected<Inputs, Diagnostics> load_inputs(const Config& config) {
    return read_inputs(config, /*with_controlled=*/true);
}

std::expected<Inputs, Diagnostics> load_uncontrolled_inputs(const Config& config) {
    return read_inputs(config, /*with_controlled=*/false);
}

rules::OfficeOfTests office_of_tests(const fs::path& config_file) {
    auto office = rules::usual_office();
    const auto root = read_map(config_file);
    const Values values(root ? &*root : nullptr);
    if (auto zone = TimeZone::find(values.text("pay.timezone"))) office.zone = *std::move(zone);
    const auto* payee = find_draw_field(values.text("payees.key"));
    if (payee != nullptr && payee->kind == FieldKind::text) office.payee_key = payee;
    return office;
}

// Tests in another zone, or with another payee, say nothing about this office.
Diagnostics check_office_of_tests(const fs::path& test_file, const rules::RuleTests& tests,
                                  const rules::OfficeOfTests& office) {
    Diagnostics problems;
    const auto refuse = [&](const std::string& what, const std::string& hint) {
        problems.push_back({test_file.string(), 0, 0, what, hint, Severity::error});
    };
    if (tests.zone && *tests.zone != office.zone.name())
        refuse("timezone is " + *tests.zone + ", but pay.timezone is " + office.zone.name(),
               "leave timezone out: the tests then use pay.timezone");
    if (tests.payee_key != nullptr && tests.payee_key != office.payee_key)
        refuse("payee_key is " + std::string(tests.payee_key->name) + ", but payees.key is " +
                   std::string(office.payee_key->name),
               "leave payee_key out: the tests then use payees.key");
    return problems;
}

Diagnostics check_input_files(const InputFiles& files) {
    Diagnostics problems;
    if (files.rules) {
        const auto rules = read<rules::RuleSet>(*files.rules, problems, "rules.file", rules::parse_rules);
        if (rules) append(problems, rules->warnings);
        if (rules && files.rule_tests)
            append(problems, failed_rule_tests(*files.rule_tests, *rules, /*config=*/nullptr));
    }
    if (files.payees) {
        check_file<disbursement::PayeeDirectory>(*files.payees, problems, "payees.file",
                                                 disbursement::PayeeDirectory::read);
    }
    if (files.check_layout)
        check_file<checks::IssueLayout>(*files.check_layout, problems, "checks.layout", checks::read_issue_layout);
    for (const auto& file : files.csv_profiles)
        check_file<statements::CsvProfile>(file, problems, "confirmations.profiles.profile",
                                           statements::read_csv_profile);
    for (const auto& file : files.paid_check_layouts)
        check_file<checks::PaidLayout>(file, problems, "confirmations.profiles.profile", checks::read_paid_layout);
    return problems;
}

}  // namespace drawbridge::config
