// The finance office of a test: a folder with configuration, rules, payees and secrets, in which the real drawbridge
// runs.
#pragma once

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "e2e/bank.hpp"
#include "e2e/process.hpp"
#include "e2e/sandbox.hpp"
#include "support/engine.hpp"

namespace drawbridge::e2e {

using test::on_postgresql;

struct Outcome {
    Exit exit;
    std::string out;
    std::string err;
};

struct OfficeOptions {
    std::string release = "auto";
    std::string quiet_period = "0ms";
    std::string cutoffs = "[\"00:01\"]";
    std::string pay = "";               // more lines of the section, each indented by two
    std::string ach = "";               // likewise
    std::string service = "";           // likewise
    std::string first_check = "10001";  // and more keys of the section
    std::string ledger = "{witness: none}";
    std::string more = "";  // more sections
};

// People other than the one who runs the test.
inline constexpr unsigned second_person = 5102, finance_person = 5103;

class Office {
  public:
    Office(std::filesystem::path folder, std::uint16_t service_port, const OfficeOptions& options = {});

    [[nodiscard]] const std::filesystem::path& folder() const { return folder_; }
    [[nodiscard]] std::filesystem::path state() const { return folder_ / "state"; }
    [[nodiscard]] std::filesystem::path outgoing() const { return state() / "spool" / "outgoing"; }

    // Payees ACH-1 … ACH-9 are paid over ACH, CHK-1 … CHK-9 by check. `more` is added to the directory.
    void write_payees(const std::string& more = {}) const;
    void write_rules(const std::string& yaml) const;

    // Runs drawbridge with these arguments (and --config) until it exits.
    Outcome run(const std::vector<std::string>& arguments) const;
    // `run --once` of the normal program. Fails the test unless it exits with `expected_code`.
    Outcome run_once(int expected_code = 0) const;
    // `run --once`, or other arguments, of the program that dies at a crash point.
    Outcome run_to_crash(const std::string& crash_at,
                         const std::vector<std::string>& arguments = {"run", "--once"}) const;
    // Any sub-command of that program.
    Outcome act_to_crash(const std::string& crash_at, const std::vector<std::string>& arguments) const;
    // Any arguments, of the test program, whose crash points and clock can be set.
    Outcome run_test_program(const std::vector<std::string>& arguments,
                             const std::map<std::string, std::string>& environment) const;
    // Acts as another uid, with the test program and without a daemon.
    Outcome act_as(unsigned uid, const std::vector<std::string>& arguments) const;
    // The second person releases every staged file. With a running daemon this requires root.
    void release_what_waits() const;
    // Runs as the user nobody. If the test runs as root, gives the office to that user first.
    Outcome run_as_nobody(const std::vector<std::string>& arguments) const;
    void give_back() const;
    // If the test runs as root: gives everything to this uid and group, and lets others traverse the folders.
    void give_to_user(unsigned uid) const;
    // Runs as that uid with its own group and these groups. Requires root.
    Outcome run_as(unsigned uid, const std::vector<std::string>& arguments,
                   const std::vector<unsigned>& groups = {}) const;
    [[nodiscard]] Process start_as(unsigned uid, const std::vector<std::string>& arguments,
                                   const std::vector<unsigned>& groups = {}) const;
    // Starts the daemon as that uid; on return its socket is there. With a crash point: the test program, which dies
    // there.
    [[nodiscard]] Process start_daemon_as(unsigned uid, const std::string& crash_at = {}) const;
    // `run --standby`. Its stderr goes to that file.
    [[nodiscard]] Process start_standby(const std::filesystem::path& stderr_file) const;
    // The folder of writer locks. Instances that share it count as one machine. Default: shared by offices next to each
    // other.
    void use_writers(std::filesystem::path folder) { writers_ = std::move(folder); }
    // Every program of this office is started by these words from now on.
    void run_within(std::vector<std::string> words) { within_ = std::move(words); }
    // A program of the build with --config and these arguments.
    [[nodiscard]] Command command(const std::string& program, const std::vector<std::string>& arguments) const;
    // Adds sections to drawbridge.yaml.
    void configure(const std::string& yaml) const;
    [[nodiscard]] Process start_daemon(const std::map<std::string, std::string>& environment = {},
                                       const std::string& program = "drawbridge") const;
    // The daemon's log so far.
    [[nodiscard]] std::string daemon_log() const;
    // Of the daemon that runs; empty: it offers none.
    [[nodiscard]] std::string metrics() const;

    // A sub-command with --json, which must succeed.
    Json json(std::vector<std::string> arguments) const;
    // The state of each draw.
    std::map<std::int64_t, std::string> states() const;
    std::string state_of(std::int64_t draw_id) const;
    // Reason codes of all open exceptions, or of one draw's.
    std::vector<std::string> open_exceptions() const;
    std::vector<std::string> open_exceptions(std::int64_t draw_id) const;
    // As if it had been lost. Nothing that is next to it is.
    void remove_ledger() const;
    // Puts a backup in its place: by `restore`, or in PostgreSQL as its administrator does it.
    Outcome restore(const std::filesystem::path& backup) const;
    // A column of the audit trail's entries for which this SQL holds, oldest first.
    [[nodiscard]] std::vector<std::string> audit(const std::string& column, const std::string& where) const;
    // Fails the test with the output of `drawbridge verify` unless it is clean.
    void expect_verified() const;

    // Drops a file into the inbox as finance does: written elsewhere, then moved there. `owner` requires root.
    void drop(const std::string& name, const std::string& content, std::optional<unsigned> owner = std::nullopt) const;

  private:
    [[nodiscard]] Command command_as(unsigned uid, const std::vector<std::string>& arguments,
                                     const std::vector<unsigned>& groups,
                                     const std::string& program = "drawbridge") const;

    std::filesystem::path folder_, writers_;
    std::vector<std::string> within_;
};

// Runs all steps with a process that dies at a crash point ("pay.staged_renamed:2"). False: it was not reached, and the
// run must have succeeded.
[[nodiscard]] bool dies(const Office& office, const std::string& crash_at);
// A crash point as the name of a test: "pay_staged_renamed_2".
[[nodiscard]] std::string test_name_of(std::string crash_at);

// Draws 1 to `count`, each with another amount, paid by check and by ACH in turn.
[[nodiscard]] std::int64_t cents_of_draw(std::int64_t id);
void add_draws(const Sandbox& sandbox, std::int64_t count);

// The service, the office and the bank of a test, in one folder.
struct House {
    explicit House(const OfficeOptions& options = {}, const std::vector<std::string>& sandbox_arguments = {});

    TemporaryFolder folder;
    Sandbox sandbox;
    Office office;
    Bank bank;

    // People mark all Approved draws as disbursed, the bank collects the files, and finance drops confirmations of
    // them.
    void people_do_their_part(const std::string& confirmation_name);
};

}  // namespace drawbridge::e2e
