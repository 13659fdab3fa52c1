// drawbridge.yaml as a typed, validated value. Every error is reported at once, with line and column. It reads the
// configuration file and the secret files that it names. It never opens rules, payees, layouts or the ledger.
#pragma once

#include <chrono>
#include <cstdint>
#include <expected>
#include <filesystem>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "drawbridge/config/alerts.hpp"
#include "drawbridge/config/claims.hpp"
#include "drawbridge/disbursement/plan.hpp"
#include "drawbridge/disbursement/write_back.hpp"
#include "drawbridge/domain/bank_numbers.hpp"
#include "drawbridge/domain/sealing_key.hpp"
#include "drawbridge/domain/secret.hpp"
#include "drawbridge/domain/time.hpp"
#include "drawbridge/statements/read.hpp"
#include "drawbridge/text/diagnostic.hpp"

namespace drawbridge::config {

struct Service {
    std::string base_url;    // https, or http to loopback; no trailing slash
    std::string moved_from;  // the former base_url; empty: none
    Secret client_id;
    Secret client_secret;
    int page_size = 500;
    std::vector<std::int64_t> workflows;  // empty: all
    std::optional<std::filesystem::path> ca_file;
    std::optional<std::string> proxy;  // http://host:port
    std::chrono::milliseconds request_deadline = std::chrono::seconds(30);
    std::chrono::milliseconds connect_deadline = std::chrono::seconds(10);
    int max_connections = 8;
    int max_requests_per_second = 0;  // 0: no limit
    std::int64_t max_body_bytes = 32LL * 1024 * 1024;
    int retries = 4;
};

struct Payees {
    std::filesystem::path file;
    std::string key = "fieldA";  // the draw's text field that names the payee
};

struct Poll {
    std::chrono::milliseconds every = std::chrono::seconds(60);
    std::chrono::milliseconds full_sweep_every = std::chrono::hours(24);
};

enum class Release { manual, automatic };

struct Pay {
    TimeZone timezone;
    std::vector<std::chrono::minutes> cutoffs{};  // since local midnight, ascending
    Release release = Release::manual;
    std::optional<Money> release_limit{};  // automatic only: a file above it waits for a person
    disbursement::Guards guards{};         // from `pay`; prenotes are in Ach
    std::optional<Money> file_limit{};
    disbursement::NumberRange file_numbers{1, disbursement::last_file_number};
    disbursement::NumberRange payment_ids{1, disbursement::last_payment_id};
    std::set<BusinessDate> closures{};                              // in addition to the Federal Reserve's holidays
    std::optional<std::chrono::milliseconds> acknowledge_within{};  // absent: no acknowledgment is expected
};

struct AchLimits {
    std::int64_t batch_entries = nacha::max_batch_entry_addenda_count;  // entries and addenda
    Money batch_total = nacha::max_control_amount;
    std::int64_t file_entries = disbursement::default_file_entries;  // entries and addenda, or checks
    Money file_total = nacha::max_control_amount;
};

// The bank profile. Strings are printable ASCII and fit their NACHA fields.
struct Ach {
    RoutingNumber odfi_routing_number;
    std::string odfi_name{};
    std::string origin_id{};  // 9 or 10 characters
    std::string origin_name{};
    std::string company_name{};
    std::string company_id{};
    std::string entry_description{};
    std::map<std::int64_t, std::string> entry_descriptions{};  // by workflow
    std::string company_discretionary{};
    std::optional<RoutingNumber> destination{};
    std::string reference_code{};
    nacha::LineEnd line_end = nacha::LineEnd::lf;
    nacha::Padding padding = nacha::Padding::nines;
    disbursement::RemittanceTemplate remittance{};
    disbursement::FileNameTemplate file_name{};
    std::string file_id_modifiers{disbursement::all_file_id_modifiers};
    disbursement::NumberRange trace_numbers{1, disbursement::last_trace_sequence};
    disbursement::SettlePolicy settle{};
    std::optional<disbursement::OffsetAccount> offset{};
    AchLimits limits{};
    bool prenotes_required = false;
    int prenote_wait_days = 3;
    std::optional<int> confirm_after_banking_days{};  // absent: only evidence from the bank confirms
};

inline constexpr std::chrono::days default_stale_after{180};

struct Checks {
    AccountNumber account_number;
    std::int64_t first_number = 1;
    std::int64_t last_number = disbursement::last_check_number;
    std::filesystem::path layout;
    std::chrono::days stale_after = default_stale_after;
};

struct ConfirmationProfile {
    std::string match{};  // a shell pattern for the file name
    statements::Format format = statements::Format::csv;
    std::optional<std::filesystem::path> profile{};  // for CSV and acknowledgments; the layout of paid checks
};

struct Confirmations {
    std::vector<ConfirmationProfile> profiles;  // the first match applies
    std::chrono::milliseconds quiet_period = std::chrono::seconds(2);
    std::uint64_t max_file_bytes = std::uint64_t{256} * 1024 * 1024;
    std::vector<AccountNumber> accounts{};  // the accounts that statements may cover; empty: any
    std::vector<std::string> check_number_labels = {"Check Serial Number", "CHKN:"};  // in the text of BAI2 lines
};

struct Witness {
    std::optional<std::filesystem::path> folder{};
    bool none_on_purpose = false;  // `witness: none`
    std::chrono::milliseconds timeout = std::chrono::seconds(10);
};

// The database of a ledger that is not a file.
struct LedgerDatabase {
    std::string url;  // without a password
    std::optional<Secret> password{};
    std::string schema = "drawbridge";
    std::string read_url{};  // where reports are read; empty: where the ledger is written
    std::chrono::milliseconds read_max_lag = std::chrono::seconds(30);
};

struct Ledger {
    // From ledger.sealing_key_file or the systemd credential sealing_key. Absent: the key file in state_dir.
    std::optional<SealingKey> sealing_key{};
    Witness witness{};
    std::optional<LedgerDatabase> database{};  // nullopt: the file ledger.db in state_dir
};

struct SftpServer {
    std::string host;
    int port = 22;
    std::string user;
    Secret private_key;
    Secret passphrase;
    std::string host_key;  // empty: known_hosts_file
    std::filesystem::path known_hosts_file;
    std::string folder;
    std::chrono::milliseconds timeout = std::chrono::seconds(30);
};

struct OpenPgpKey {
    std::filesystem::path public_key_file;
    std::string fingerprint;  // upper case, no spaces
    std::string name_suffix = ".pgp";
    bool armor = false;
};

// If both are absent, files stay in spool/outgoing/ as they are.
struct DeliveryTarget {
    std::optional<SftpServer> sftp;
    std::optional<OpenPgpKey> openpgp;
};

struct Delivery {
    DeliveryTarget ach, checks;
};

// What Drawbridge reports to the service about a payment.
struct Report {
    std::chrono::minutes time_of_day = std::chrono::hours(12);  // of disbursedDate, in pay.timezone
    disbursement::WriteBack write_back{};
};

// Scheduled backups of the ledger.
struct Backup {
    std::chrono::milliseconds every = std::chrono::hours(24);  // zero: never
    std::chrono::minutes at = std::chrono::hours(2);           // local time (pay.timezone) from which `every` counts
    std::filesystem::path folder;
    int keep = 14;
};

struct Verify {
    std::chrono::milliseconds every = std::chrono::hours(24);  // zero: only on request
};

// The ages at which archived files are sealed and deleted, counted from the day they were archived. Empty: never.
struct Archive {
    std::optional<std::chrono::milliseconds> seal_after = std::chrono::hours(24 * 30);
    std::optional<std::chrono::milliseconds> delete_after{};  // at least 7 years
};

// Where people reach the console, and what it asks of them.
struct Console {
    std::filesystem::path socket;  // of the daemon, for the console's process
    std::string user{};            // whose process may connect; empty: the daemon's own
    std::string origin = "http://localhost:8080";
    std::string site = "localhost";  // the host that passkeys are for
    bool signed_release_only = false;
    bool device_bound_keys_only = false;
    std::optional<Money> release_code_above{};
};

// Whether a change is in force at once, or after two people accepted it.
enum class Control { off, second_person };
struct ChangeControl {
    Control rules = Control::off, payees = Control::off;
    [[nodiscard]] bool any() const { return rules != Control::off || payees != Control::off; }
};

enum class LogLevel { trace, debug, info, warn, error };
enum class LogTarget {
    automatic,  // the journal if stderr is the journal, otherwise text
    text,       // lines on stderr
    json,       // one object per line on stderr
    journal,
};

// Paths are absolute.
struct Config {
    std::filesystem::path file{};  // this configuration
    Service service{};
    std::filesystem::path state_dir{};
    std::filesystem::path rules_file{};
    std::optional<std::filesystem::path> rule_tests_file{};  // absent: rules.test.yaml next to the rules, if it exists
    Payees payees{};
    Poll poll{};
    Pay pay;
    std::optional<Ach> ach{};  // at least one of ach and checks is present
    std::optional<Checks> checks{};
    Delivery delivery{};
    Confirmations confirmations{};
    Backup backup{};
    Verify verify{};
    Ledger ledger{};
    Report report{};
    std::filesystem::path admin_socket{};
    LogLevel log_level = LogLevel::info;
    LogTarget log_target = LogTarget::automatic;
    Alerts alerts{};
    std::optional<Listen> metrics{};
    ChangeControl change_control{};
    text::Diagnostics warnings;  // for example a secret file that other users can read
    Archive archive{};
    Console console{};
    std::string settings{};         // settings_of() the file
    std::string settings_sha256{};  // digest_of_settings() of them
    Claims claims{};
};

// Relative paths are relative to the folder of `path`. If a secret file does not exist, the systemd credential
// ($CREDENTIALS_DIRECTORY) of that file name is read.
[[nodiscard]] std::expected<Config, text::Diagnostics> load_config(const std::filesystem::path& path);

[[nodiscard]] std::string_view to_string(Release release);  // "manual", "auto"
[[nodiscard]] std::string_view to_string(Control control);  // "off", "second_person"
[[nodiscard]] std::string_view to_string(LogLevel level);   // "info", as in spdlog and in the file

}  // namespace drawbridge::config
