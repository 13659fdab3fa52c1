// The programs that `drawbridge` can be, each from its configuration to its exit code: the daemon, one run of all
// steps, the check of an installation, and the operators' API without a daemon. The only place where all modules meet.
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
#include "drawbridge/ledger/restore.hpp"
#include "drawbridge/rules/rule_tests.hpp"
#include "drawbridge/text/diagnostic.hpp"

namespace drawbridge::daemon {

inline constexpr int exit_ok = 0;
inline constexpr int exit_failed = 1;    // a step failed, something is not clean, an act was refused
inline constexpr int exit_usage = 2;     // the command line
inline constexpr int exit_warnings = 3;  // only warnings, and they were asked to count
inline constexpr int exit_disk = 74;     // EX_IOERR: the state folder or the ledger cannot be written or read
inline constexpr int exit_locked =
    75;  // EX_TEMPFAIL: another process has the ledger, or works with the same draws or numbers
inline constexpr int exit_configuration = 78;  // EX_CONFIG: systemd does not restart on it

enum class Standby {
    no,   // a ledger in use ends the program
    yes,  // it waits until the ledger is free, and takes over
};
// Until SIGTERM or SIGINT.
[[nodiscard]] int run(const std::filesystem::path& config_file, Standby standby);

// Why nothing could be begun: the text is for stderr.
struct StartFailure {
    int exit_code = exit_failed;
    std::string message;
};

struct StepOutcome {
    std::string step;
    bool ok = true;
    bool skipped = false;
    std::string summary;
    std::vector<std::string> problems;
};
// Each step once, in order; `on_step` is told of each as it ends. Where poll fails, decide and approve are skipped:
// they would work on old readings.
[[nodiscard]] std::expected<std::vector<StepOutcome>, StartFailure> run_once(
    const std::filesystem::path& config_file, const std::function<void(const StepOutcome&)>& on_step);

struct CheckResult {
    int exit_code = exit_ok;
    text::Diagnostics diagnostics;   // errors and warnings
    std::vector<std::string> lines;  // what was found good, for people
};
// Configuration, rules, payees, layout, folders, keys; `online` also the service and the servers of the banks.
[[nodiscard]] CheckResult check(const std::filesystem::path& config_file, bool online);

// A file for the bank's certification, after the configured bank profile, with payees that do not exist.
[[nodiscard]] std::expected<disbursement::SampleFile, StartFailure> sample_file(
    const std::filesystem::path& config_file);

// Makes a sealing key in a file of its own, mode 0600; never overwrites.
[[nodiscard]] Result<void> make_sealing_key(const std::filesystem::path& file);

// Makes the folder of ledger.witness the witness of the ledger that the configuration names: `drawbridge witness init`.
// A line for people.
[[nodiscard]] std::expected<std::string, StartFailure> init_witness(const std::filesystem::path& config_file);

// Seals the ledger anew with the key in `key_file`, in the caller's name; how many values. No daemon may run.
[[nodiscard]] std::expected<std::int64_t, StartFailure> change_sealing_key(const std::filesystem::path& config_file,
                                                                           const std::filesystem::path& key_file,
                                                                           const std::string& reason);

// Stops core dumps and other users' looks into the memory of this process, where secrets and account numbers pass.
void close_to_other_eyes();

// A rule file alone: what is wrong in it. Only warnings: it is good.
[[nodiscard]] text::Diagnostics check_rules(const std::filesystem::path& rules_file);

// The text of a rule file that has no errors.
[[nodiscard]] std::expected<std::string, text::Diagnostics> read_rules_text(const std::filesystem::path& rules_file);

struct RuleTestRun {
    std::filesystem::path rules_file;  // that the tests name
    rules::RuleTestReport report;
};
// The tests in a file, against the rules that it names. Diagnostics: nothing was run.
[[nodiscard]] std::expected<RuleTestRun, text::Diagnostics> test_rules(const std::filesystem::path& test_file);
// `to` is overwritten.
[[nodiscard]] Result<void> write_junit(const RuleTestRun& run, const std::filesystem::path& test_file,
                                       const std::filesystem::path& to);

// systemd/drawbridge.catalog: what each kind of message in the journal means.
[[nodiscard]] std::string journal_catalog();

// One request, by the daemon when it runs, otherwise in this process on the ledger under its lock.
[[nodiscard]] std::expected<admin::Response, StartFailure> call(const std::filesystem::path& config_file,
                                                                const admin::Request& request);

// Puts a backup in the ledger's place, in the name of the person who runs this; no daemon may run.
[[nodiscard]] std::expected<ledger::Restored, StartFailure> restore(const std::filesystem::path& config_file,
                                                                    const std::filesystem::path& backup,
                                                                    const std::string& reason);
// Requests that belong together. Without a daemon the ledger is opened at the first and stays locked until this goes.
class Caller {
  public:
    explicit Caller(std::filesystem::path config_file);
    Caller(const Caller&) = delete;
    Caller& operator=(const Caller&) = delete;
    ~Caller();

    [[nodiscard]] std::expected<admin::Response, StartFailure> call(admin::Request request);

  private:
    struct InProcess;
    std::filesystem::path config_file_;
    std::unique_ptr<InProcess> in_process_;
};

}  // namespace drawbridge::daemon
