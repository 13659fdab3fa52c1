// The programs behind the sub-commands, each from configuration file to exit code: the daemon, one run of all steps,
// the check of an installation, the operators' API without a daemon. The only place that knows all modules.
#pragma once

#include <expected>
#include <filesystem>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "drawbridge/admin/handlers.hpp"
#include "drawbridge/config/config.hpp"
#include "drawbridge/disbursement/sample_file.hpp"
#include "drawbridge/domain/error.hpp"
#include "drawbridge/ledger/store/restore.hpp"
#include "drawbridge/rules/rule_tests.hpp"
#include "drawbridge/text/diagnostic.hpp"

namespace drawbridge::app {

inline constexpr int exit_ok = 0;
inline constexpr int exit_failed = 1;    // a step failed, a check failed, or an act was refused
inline constexpr int exit_usage = 2;     // wrong command line
inline constexpr int exit_warnings = 3;  // warnings with --strict; of ingest, lines that need a person
inline constexpr int exit_disk = 74;     // EX_IOERR: the state folder or the ledger cannot be written or read
inline constexpr int exit_locked =
    75;  // EX_TEMPFAIL: another process uses this ledger, or pays the same draws or uses the same numbers
inline constexpr int exit_configuration = 78;  // EX_CONFIG: systemd does not restart on it

enum class Standby {
    no,   // exit if another process uses the ledger
    yes,  // wait until the ledger is free, then take over
};
// Runs the daemon until SIGTERM or SIGINT.
[[nodiscard]] int run(const std::filesystem::path& config_file, Standby standby);

// Why the program could not start. The message goes to stderr.
struct StartFailure {
    int exit_code = exit_failed;
    std::string message;
    bool is_server_away = false;  // the one in ledger.url: it may be back at the next try
};

struct StepOutcome {
    std::string step;
    bool ok = true;
    bool skipped = false;
    std::string summary;
    std::vector<std::string> problems;
};
// Runs each step once, in order, and calls `on_step` after each. If poll fails, decide and approve are skipped, because
// they would use old readings.
[[nodiscard]] std::expected<std::vector<StepOutcome>, StartFailure> run_once(
    const std::filesystem::path& config_file, const std::function<void(const StepOutcome&)>& on_step);

struct CheckResult {
    int exit_code = exit_ok;
    text::Diagnostics diagnostics;   // errors and warnings
    std::vector<std::string> lines;  // what is in order, as text
};
// Checks the configuration, rules, payees, layouts, folders and keys; with `online` also the service, the bank
// servers and the web console.
[[nodiscard]] CheckResult check(const std::filesystem::path& config_file, bool online);

// A test file for the bank's certification, with the configured bank profile and made-up payees.
[[nodiscard]] std::expected<disbursement::SampleFile, StartFailure> sample_file(
    const std::filesystem::path& config_file);

// `drawbridge witness init`: prepares the folder in ledger.witness for this ledger. Returns a message.
[[nodiscard]] std::expected<std::string, StartFailure> init_witness(const std::filesystem::path& config_file);

// Seals the ledger again with the key in `key_file`. Returns the number of values. No daemon may run.
[[nodiscard]] std::expected<std::int64_t, StartFailure> change_sealing_key(const std::filesystem::path& config_file,
                                                                           const std::filesystem::path& key_file,
                                                                           const std::string& reason);

// Disables core dumps and memory access by other processes, because secrets and account numbers pass through memory.
void harden_process();

// Checks a single rule file. Without errors, the file is valid.
[[nodiscard]] text::Diagnostics check_rules(const std::filesystem::path& rules_file);

// The text of a valid rule file.
[[nodiscard]] std::expected<std::string, text::Diagnostics> read_rules_text(const std::filesystem::path& rules_file);

struct RuleTestRun {
    std::filesystem::path rules_file;  // named by the tests
    rules::RuleTestReport report;
};
// Runs the tests in a file against the rules that it names. Diagnostics: nothing was run.
[[nodiscard]] std::expected<RuleTestRun, text::Diagnostics> test_rules(const std::filesystem::path& test_file);
// Overwrites `to`.
[[nodiscard]] Result<void> write_junit(const RuleTestRun& run, const std::filesystem::path& test_file,
                                       const std::filesystem::path& to);

// Handles one request: in the daemon if it runs, otherwise in this process. There a question goes to the server in
// ledger.read_url, if that is set; everything else locks the ledger.
[[nodiscard]] std::expected<admin::Response, StartFailure> call(const std::filesystem::path& config_file,
                                                                const admin::Request& request);

// Replaces the ledger with a backup, as the person who runs this. No daemon may run.
[[nodiscard]] std::expected<ledger::Restored, StartFailure> restore(const std::filesystem::path& config_file,
                                                                    const std::filesystem::path& backup,
                                                                    const std::string& reason);

enum class CopyDirection { to_file, from_file };
// `drawbridge ledger copy`: between a file and the database in ledger.url. No daemon may run. Returns what was copied.
[[nodiscard]] std::expected<std::string, StartFailure> copy_ledger(const std::filesystem::path& config_file,
                                                                   const std::filesystem::path& file,
                                                                   CopyDirection direction);

class InProcess;
class ReportReader;

// A series of requests. Without a daemon, the first request opens the ledger, and locks it unless it is only read,
// until the caller is destroyed.
class Caller {
  public:
    explicit Caller(std::filesystem::path config_file);
    Caller(const Caller&) = delete;
    Caller& operator=(const Caller&) = delete;
    ~Caller();

    // Only the first answer from another server says which.
    [[nodiscard]] std::expected<admin::Response, StartFailure> call(admin::Request request);

  private:
    [[nodiscard]] std::expected<admin::Response, StartFailure> answer(admin::Request request);

    std::filesystem::path config_file_;
    std::unique_ptr<InProcess> in_process_;
    std::unique_ptr<ReportReader> reader_;
    bool has_named_source_ = false;
};

}  // namespace drawbridge::app
