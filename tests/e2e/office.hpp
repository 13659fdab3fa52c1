// The finance office of a test: a folder with configuration, rules, payees and secrets, and the real drawbridge run in
// it.
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

namespace drawbridge::e2e {

struct Outcome {
    Exit exit;
    std::string out;
    std::string err;
};

struct OfficeOptions {
    std::string release = "auto";
    std::string quiet_period = "0ms";
    std::string cutoffs = "[\"00:01\"]";
    std::string pay = "";               // more lines of the block, each indented by two
    std::string ach = "";               // likewise
    std::string service = "";           // likewise
    std::string first_check = "10001";  // and more keys of the block
    std::string ledger = "{witness: none}";
    std::string more = "";  // more blocks
};

// Somebody else than who acts in a test, with a uid of their own.
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

    // Runs drawbridge with these arguments (--config is added) to its end.
    Outcome run(const std::vector<std::string>& arguments) const;
    // `run --once` of the normal program; a test failure when it ends otherwise than with `expected_code`.
    Outcome run_once(int expected_code = 0) const;
    // `run --once`, or what else, of the program that dies at a crash point.
    Outcome run_to_crash(const std::string& crash_at,
                         const std::vector<std::string>& arguments = {"run", "--once"}) const;
    // Any sub-command of it.
    Outcome act_to_crash(const std::string& crash_at, const std::vector<std::string>& arguments) const;
    // Any arguments, of the program that tests may do things to (its crash points, its clock).
    Outcome run_test_program(const std::vector<std::string>& arguments,
                             const std::map<std::string, std::string>& environment) const;
    // In the name of another uid: this test's own program says so, no daemon runs.
    Outcome act_as(unsigned uid, const std::vector<std::string>& arguments) const;
    // The second person releases every staged file; over the socket of a daemon that runs only where the test is root.
    void release_what_waits() const;
    // As the user nobody, who is given the whole office for it, where the test is root.
    Outcome run_as_nobody(const std::vector<std::string>& arguments) const;
    void give_back() const;
    // Where the test is root: everything belongs to this uid and group from now on, and others may pass.
    void give_to_user(unsigned uid) const;
    // As that uid, its own group and these; the test must be root.
    Outcome run_as(unsigned uid, const std::vector<std::string>& arguments,
                   const std::vector<unsigned>& groups = {}) const;
    [[nodiscard]] Process start_as(unsigned uid, const std::vector<std::string>& arguments,
                                   const std::vector<unsigned>& groups = {}) const;
    // The daemon as that uid; it answers when this returns.
    [[nodiscard]] Process start_daemon_as(unsigned uid) const;
    // `run --standby`; what it says goes to that file.
    [[nodiscard]] Process start_standby(const std::filesystem::path& stderr_file) const;
    // Instances that share it are on one machine. Without this: all offices beside each other.
    void use_writers(std::filesystem::path folder) { writers_ = std::move(folder); }
    // Adds blocks to drawbridge.yaml.
    void configure(const std::string& yaml) const;
    [[nodiscard]] Process start_daemon(const std::map<std::string, std::string>& environment = {},
                                       const std::string& program = "drawbridge") const;
    // The daemon's log so far.
    [[nodiscard]] std::string daemon_log() const;

    // A sub-command with --json, which must succeed.
    Json json(std::vector<std::string> arguments) const;
    // The state of each draw.
    std::map<std::int64_t, std::string> states() const;
    std::string state_of(std::int64_t draw_id) const;
    // Reason codes of the open exceptions of a draw, or of all.
    std::vector<std::string> open_exceptions() const;
    std::vector<std::string> open_exceptions(std::int64_t draw_id) const;
    // `drawbridge verify` is clean; a test failure with its output when not.
    void expect_verified() const;

    // Puts a file into the inbox as finance does: written elsewhere, then moved there. `owner`, for root only: whose it
    // is.
    void drop(const std::string& name, const std::string& content, std::optional<unsigned> owner = std::nullopt) const;

  private:
    [[nodiscard]] Command command(const std::string& program, const std::vector<std::string>& arguments) const;
    [[nodiscard]] Command command_as(unsigned uid, const std::vector<std::string>& arguments,
                                     const std::vector<unsigned>& groups) const;

    std::filesystem::path folder_, writers_;
};

// Everything that most tests need, in one folder.
struct House {
    explicit House(const OfficeOptions& options = {}, const std::vector<std::string>& sandbox_arguments = {});

    TemporaryFolder folder;
    Sandbox sandbox;
    Office office;
    Bank bank;

    // People mark everything Approved as disbursed; the bank takes the files; finance drops a confirmation of each.
    void people_do_their_part(const std::string& confirmation_name);
};

}  // namespace drawbridge::e2e
