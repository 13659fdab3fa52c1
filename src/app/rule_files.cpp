// Checks rule files and runs their tests, without a daemon or ledger.
#include <cerrno>
#include <fstream>
#include <system_error>
#include <utility>

#include "drawbridge/app/programs.hpp"
#include "drawbridge/config/inputs.hpp"
#include "drawbridge/config/read_file.hpp"
#include "drawbridge/files/durable_file.hpp"

namespace drawbridge::app {

namespace fs = std::filesystem;
using text::Diagnostics;
using text::Severity;

namespace {

std::expected<rules::RuleSet, Diagnostics> read_rules(const fs::path& file) {
    const auto text = config::read_file(file);
    if (!text) {
        return std::unexpected(
            Diagnostics{{file.string(), 0, 0, text.error().message, "name a rule file", Severity::error}});
    }
    return rules::parse_rules(*text, file.string());
}

}  // namespace

Diagnostics check_rules(const fs::path& rules_file) {
    auto rules = read_rules(rules_file);
    return rules ? std::move(rules->warnings) : std::move(rules.error());
}

std::expected<std::string, Diagnostics> read_rules_text(const fs::path& rules_file) {
    auto rules = read_rules(rules_file);
    if (!rules) return std::unexpected(std::move(rules.error()));
    return std::move(rules->text);
}

std::expected<RuleTestRun, Diagnostics> test_rules(const fs::path& test_file) {
    const auto text = config::read_file(test_file);
    if (!text) {
        return std::unexpected(Diagnostics{
            {test_file.string(), 0, 0, text.error().message, "name a file of rule tests", Severity::error}});
    }
    const auto tests = rules::parse_rule_tests(*text, test_file.string());
    if (!tests) return std::unexpected(tests.error());
    RuleTestRun run;
    run.rules_file = test_file.parent_path() / tests->rules_file;
    const auto rules = read_rules(run.rules_file);
    if (!rules) return std::unexpected(rules.error());
    // As the daemon will run them, if its configuration is next to them.
    const auto config_file = test_file.parent_path() / "drawbridge.yaml";
    std::error_code error;
    const bool has_office = fs::exists(config_file, error);
    const auto office = has_office ? config::office_of_tests(config_file) : rules::usual_office();
    if (has_office) {
        auto problems = config::check_office_of_tests(test_file, *tests, office);
        if (!problems.empty()) return std::unexpected(std::move(problems));
    }
    run.report = rules::run_rule_tests(*tests, *rules, office);
    return run;
}

Result<void> write_junit(const RuleTestRun& run, const fs::path& test_file, const fs::path& to) {
    errno = 0;
    std::ofstream stream(to, std::ios::binary | std::ios::trunc);
    stream << rules::junit_xml(run.report, test_file.string()) << std::flush;
    if (!stream)
        return fail(files::is_disk_failure(errno) ? ErrorCode::unavailable : ErrorCode::conflict,
                    to.string() + ": cannot be written: name a file in a folder that you can write to");
    return {};
}

}  // namespace drawbridge::app
