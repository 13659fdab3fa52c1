// The sub-commands. Each calls the operators' API (or runs a program), prints the result and returns the exit code.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace drawbridge::cli {

struct Options {
    std::string config = "/etc/drawbridge/drawbridge.yaml";
    std::vector<std::string> configs = {config};  // of several programs, for a report over them; config: the first
    bool json = false;
    bool csv = false;
    bool once = false;
    bool standby = false;
    bool now = false;
    bool online = false;
    std::vector<std::string> parameters;  // of the request: "state=held", percent-encoded
    std::int64_t after = 0;
    std::optional<std::int64_t> limit;  // rows of a list
    std::int64_t lines = 1000;          // lines of a confirmation file to show
    std::int64_t id = 0;                // of a draw or an exception
    std::int64_t check_number = 0;
    bool withdraw = false;
    bool reissue = false;
    bool undo = false;
    std::string match;          // a payment id
    std::string name;           // the positional argument: a file, folder, hash or person
    bool by_hand = false;       // delivery: the bank has the file
    bool again = false;         // delivery: upload it again
    std::int64_t payments = 0;  // the bank's count
    std::string total;          // the bank's total
    std::string payment_id;
    std::string reason;
    std::string rules_file;
    bool strict = false;
    std::string junit;
    std::vector<std::int64_t> ids;  // of draws; of exceptions beside `id`
    std::string candidate;          // a rule file to replay
    std::string since = "90d";
    std::int64_t approver_id = 0;  // 0: the rule set's approver
    std::string output;            // a file to write
    bool sample = false;           // `files sample`
    std::string head;              // audit trail entry: "1234" or "1234:HASH"
    std::string manifests;         // a folder of manifests
    bool nothing_else_sent = false;
    bool despite_exceptions = false;
    bool list = false;
    std::string answers;     // the answers file of `init`
    bool overwrite = false;  // replace an existing file
    std::string from, to;    // days; empty: not given
    std::string format = "text";
    std::int64_t overdue_after = 10;  // days
    bool fresh = false;
    std::int64_t entries = 20;  // entries to print per batch of a NACHA file
    bool all = false;
    bool test = false;  // `alerts test`
    bool dry_run = false;
    std::string profile;   // how to read a confirmation file
    std::int64_t uid = 0;  // 0: not given
    std::string email;
    std::string role;
    bool revoke = false;
    std::vector<std::string> to_confirm;  // changes by their numbers, passkeys by their fingerprints
};

[[nodiscard]] int run_command(const Options& options);
[[nodiscard]] int init_command(const Options& options);
[[nodiscard]] int check_command(const Options& options);
[[nodiscard]] int status_command(const Options& options);
[[nodiscard]] int draws_command(const Options& options);
[[nodiscard]] int draw_command(const Options& options);
[[nodiscard]] int refresh_command(const Options& options);
[[nodiscard]] int approve_command(const Options& options);
[[nodiscard]] int exceptions_command(const Options& options);
[[nodiscard]] int exception_command(const Options& options);
[[nodiscard]] int reissue_command(const Options& options);
[[nodiscard]] int resolve_command(const Options& options);
[[nodiscard]] int files_command(const Options& options);
[[nodiscard]] int sample_command(const Options& options);
[[nodiscard]] int file_command(const Options& options);
[[nodiscard]] int release_command(const Options& options);
[[nodiscard]] int deliver_command(const Options& options);
[[nodiscard]] int acknowledge_command(const Options& options);
[[nodiscard]] int void_command(const Options& options);
[[nodiscard]] int stop_command(const Options& options);
[[nodiscard]] int checks_command(const Options& options);
[[nodiscard]] int find_command(const Options& options);
[[nodiscard]] int audit_command(const Options& options);
[[nodiscard]] int acts_command(const Options& options);
[[nodiscard]] int confirmations_command(const Options& options);
[[nodiscard]] int confirmation_command(const Options& options);
[[nodiscard]] int calendar_command(const Options& options);
[[nodiscard]] int forecast_command(const Options& options);
[[nodiscard]] int ingest_command(const Options& options);
[[nodiscard]] int nacha_command(const Options& options);
[[nodiscard]] int pay_command(const Options& options);
[[nodiscard]] int pause_command(const Options& options);
[[nodiscard]] int resume_command(const Options& options);
[[nodiscard]] int reload_command(const Options& options);
[[nodiscard]] int alerts_command(const Options& options);
[[nodiscard]] int runs_command(const Options& options);
[[nodiscard]] int metrics_command(const Options& options);
[[nodiscard]] int backup_command(const Options& options);
[[nodiscard]] int restore_command(const Options& options);
[[nodiscard]] int verify_command(const Options& options);
[[nodiscard]] int reconcile_command(const Options& options);
[[nodiscard]] int changes_command(const Options& options);
[[nodiscard]] int accept_command(const Options& options);
[[nodiscard]] int reject_command(const Options& options);
[[nodiscard]] int people_list_command(const Options& options);
[[nodiscard]] int people_add_command(const Options& options);
[[nodiscard]] int people_link_command(const Options& options);
[[nodiscard]] int people_unlink_command(const Options& options);
[[nodiscard]] int people_role_command(const Options& options);
[[nodiscard]] int people_lock_command(const Options& options);
[[nodiscard]] int people_unlock_command(const Options& options);
[[nodiscard]] int people_confirm_command(const Options& options);
[[nodiscard]] int people_reject_command(const Options& options);
[[nodiscard]] int people_invite_command(const Options& options);
[[nodiscard]] int people_keys_command(const Options& options);
[[nodiscard]] int people_lock_key_command(const Options& options);
[[nodiscard]] int people_sessions_command(const Options& options);
[[nodiscard]] int people_end_session_command(const Options& options);
[[nodiscard]] int console_open_command(const Options& options);
[[nodiscard]] int archive_list_command(const Options& options);
[[nodiscard]] int archive_show_command(const Options& options);
[[nodiscard]] int keygen_command(const Options& options);
[[nodiscard]] int rekey_command(const Options& options);
[[nodiscard]] int ledger_copy_command(const Options& options);
[[nodiscard]] int witness_init_command(const Options& options);
[[nodiscard]] int rules_check_command(const Options& options);
[[nodiscard]] int rules_test_command(const Options& options);
[[nodiscard]] int rules_explain_command(const Options& options);
[[nodiscard]] int rules_backtest_command(const Options& options);
[[nodiscard]] int rules_show_command(const Options& options);

}  // namespace drawbridge::cli
