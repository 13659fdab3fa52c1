#include "drawbridge/config/keys.hpp"

#include <algorithm>
#include <charconv>

#include "drawbridge/config/input_files.hpp"
#include "drawbridge/domain/assert.hpp"
#include "payment_keys.hpp"

namespace drawbridge::config {
namespace {

using enum KeyKind;

constexpr Key all[] = {
    {.path = "service", .kind = section, .required = true, .shown = true, .meaning = "The Draws Service."},
    {.path = "service.base_url",
     .sample = "https://draws.example.gov/api",
     .required = true,
     .shown = true,
     .meaning = "The service's URL. Plain http is accepted only for this machine (localhost, 127.0.0.1)."},
    {.path = "service.moved_from",
     .sample = "https://old.example.gov/api",
     .meaning = "The service's former URL, if the same service has a new one. Without it, Drawbridge does not start: "
                "another service numbers its draws anew."},
    {.path = "service.client_id_file",
     .kind = secret_file,
     .sample = "client_id",
     .required = true,
     .shown = true,
     .meaning = "The file that contains the client id."},
    {.path = "service.client_secret_file",
     .kind = secret_file,
     .sample = "client_secret",
     .required = true,
     .shown = true,
     .meaning = "The file that contains the client secret. After a refused login, this file and client_id_file are "
                "read again."},
    {.path = "service.client_id", .kind = refused},
    {.path = "service.client_secret", .kind = refused},
    {.path = "service.workflows",
     .kind = integers,
     .sample = "[12, 14]",
     .meaning = "Pay only the draws of these workflows (programs). Default: all workflows."},
    {.path = "service.page_size",
     .kind = integer,
     .low = "1",
     .high = "10000",
     .fallback = "500",
     .meaning = "Draws per page of a listing."},
    {.path = "service.ca_file",
     .kind = file,
     .sample = "draws-ca.pem",
     .meaning = "PEM certificates to trust instead of the system's."},
    {.path = "service.proxy",
     .sample = "http://proxy.example.gov:3128",
     .meaning = "HTTP proxy. It must not need a user name and password."},
    {.path = "service.request_deadline",
     .kind = duration,
     .low = "100ms",
     .high = "1h",
     .fallback = "30s",
     .meaning = "Time limit for one request."},
    {.path = "service.connect_deadline",
     .kind = duration,
     .low = "100ms",
     .high = "1h",
     .fallback = "10s",
     .meaning = "Time limit for a connection, including the TLS handshake."},
    {.path = "service.max_connections",
     .kind = integer,
     .low = "1",
     .high = "256",
     .fallback = "8",
     .meaning = "Maximum number of concurrent requests."},
    {.path = "service.max_requests_per_second",
     .kind = integer,
     .low = "0",
     .high = "100000",
     .fallback = "0",
     .meaning = "Rate limit. 0: no limit."},
    {.path = "service.max_body_bytes",
     .kind = integer,
     .low = "65536",
     .high = "1073741824",
     .fallback = "33554432",
     .meaning = "Maximum size of a response. Drawbridge refuses a larger one."},
    {.path = "service.max_body", .kind = refused, .renamed_to = "max_body_bytes"},
    {.path = "service.retries",
     .kind = integer,
     .low = "0",
     .high = "20",
     .fallback = "4",
     .meaning = "How many times Drawbridge retries a request that is safe to repeat."},

    {.path = "state_dir",
     .kind = file,
     .fallback = default_state_dir,
     .shown = true,
     .meaning = "Where Drawbridge keeps the ledger (ledger.db), the spool, the inbox for confirmation files and the "
                "quarantine."},

    {.path = "rules", .kind = section, .shown = true, .meaning = "Which draws Drawbridge approves without a person."},
    {.path = "rules.file",
     .kind = file,
     .fallback = "rules.yaml",
     .shown = true,
     .meaning = "The approval rules. See drawbridge-rules(5) or docs/rules.md."},

    {.path = "rules.tests",
     .kind = file,
     .sample = "rules.test.yaml",
     .meaning = "Tests that the rules must pass before Drawbridge loads them, at startup and at each reload. Default: "
                "rules.test.yaml next to the rules file, if it exists."},

    {.path = "payees", .kind = section, .shown = true, .meaning = "Who may be paid, and to which account."},
    {.path = "payees.file", .kind = file, .fallback = "payees.csv", .shown = true, .meaning = "One line per payee."},
    {.path = "payees.key",
     .fallback = "fieldA",
     .shown = true,
     .meaning = "The draw field that names the payee. Its value is the `key` column of the payee file."},

    {.path = "poll",
     .kind = section,
     .shown = true,
     .meaning = "How often Drawbridge reads draws from the Draws Service."},
    {.path = "poll.every",
     .kind = duration,
     .low = "100ms",
     .high = "24h",
     .fallback = "60s",
     .shown = true,
     .meaning = "Interval between polls for new and changed draws."},
    {.path = "poll.full_sweep_every",
     .kind = duration,
     .low = "100ms",
     .high = "31d",
     .fallback = "24h",
     .shown = true,
     .meaning =
         "Interval between full sweeps. A full sweep reads every draw again and finds changes that the polls missed."},

    {.path = "pay",
     .kind = section,
     .shown = true,
     .meaning = "When payment files are written, and who releases them."},
    {.path = "pay.timezone",
     .fallback = "America/New_York",
     .shown = true,
     .meaning = "Time zone of the cut-offs, of business days and of the dates in files."},
    {.path = "pay.cutoffs",
     .kind = texts,
     .fallback = "[\"10:00\", \"15:30\"]",
     .shown = true,
     .meaning = "Local times at which payment files are written, on banking days only."},
    {.path = "pay.release",
     .fallback = "manual",
     .choices = "manual, auto",
     .shown = true,
     .meaning =
         "manual: each file waits until a person who is not one of its makers releases it. auto: Drawbridge releases a "
         "file when it writes it, unless the file has a maker. A maker is a person who had a part in the file."},
    {.path = "pay.release_limit",
     .kind = amount,
     .sample = "50000.00",
     .meaning = "With release: auto, the maximum total that Drawbridge releases without a person, per day (in "
                "pay.timezone) and account. An account is an ACH origin and company, or a checking account. A file "
                "that would exceed the limit waits for a person. All files released automatically that day count, "
                "including those not yet delivered. Default: no limit."},
    {.path = "pay.limits",
     .kind = section,
     .meaning =
         "A payment over `payment` or `day` is held until a person resolves the exception. Files are split at `file`."},
    {.path = "pay.limits.payment",
     .kind = amount,
     .sample = "100000.00",
     .meaning = "Maximum amount of one payment. Payments to the same payee are not added up. Default: no limit."},
    {.path = "pay.limits.file",
     .kind = amount,
     .sample = "2000000.00",
     .meaning = "Maximum total of one payment file. Additional payments go into additional files."},
    {.path = "pay.limits.day",
     .kind = amount,
     .sample = "5000000.00",
     .meaning = "Maximum total of the payments planned on one day (in pay.timezone), across all files and accounts, "
                "released or not. What does not fit is paid on a later day. Default: no limit."},
    {.path = "pay.duplicate_window",
     .kind = duration,
     .low = "0s",
     .high = "400d",
     .fallback = "7d",
     .shown = true,
     .meaning = "Holds a payment if the same payee or account gets the same amount for another draw within this many "
                "days, even if that payment came back, and until Drawbridge has run on two later days. 0d: no check."},
    {.path = "pay.payee_hold",
     .kind = duration,
     .low = "0s",
     .high = "400d",
     .fallback = "3d",
     .shown = true,
     .meaning =
         "Holds payments to new or changed bank details for this many days of 24 hours, and until Drawbridge has "
         "run on as many later days (at most 119 days: runs are kept for 120). Payees that exist when the ledger is "
         "created are not held. 0d: no hold."},
    {.path = "pay.file_numbers",
     .kind = section,
     .meaning =
         "The numbers that this instance may use in the names of check files and for {sequence} in ach.file_name. Two "
         "instances that share a checking account, or an origin with such a file name, need separate ranges."},
    {.path = "pay.file_numbers.from",
     .kind = integer,
     .low = "1",
     .high = "999999999",
     .fallback = "1",
     .meaning = "First number."},
    {.path = "pay.file_numbers.to",
     .kind = integer,
     .low = "1",
     .high = "999999999",
     .fallback = "999999999",
     .meaning = "Last number."},
    {.path = "pay.payment_ids",
     .kind = section,
     .meaning = "The payment ids that this instance may use, without the P. Two instances at one bank need separate "
                "ranges. When the range is used up, Drawbridge plans no more payments."},
    {.path = "pay.payment_ids.from",
     .kind = integer,
     .low = "1",
     .high = "9999999999",
     .fallback = "1",
     .meaning = "First number."},
    {.path = "pay.payment_ids.to",
     .kind = integer,
     .low = "1",
     .high = "9999999999",
     .fallback = "9999999999",
     .meaning = "Last number."},
    {.path = "pay.closures",
     .kind = texts,
     .sample = "[2026-12-24]",
     .meaning = "Days when the bank is closed, in addition to the Federal Reserve's holidays, which Drawbridge knows."},

    {.path = "confirmations",
     .kind = section,
     .shown = true,
     .meaning = "The files that finance drops into the inbox."},
    {.path = "confirmations.profiles",
     .kind = sections,
     .shown = true,
     .meaning = "How to read each file. The first profile that matches the file name applies. Default: *.csv in the "
                "plain form that docs/finance.md describes."},
    {.path = "confirmations.profiles.match",
     .sample = "\"*.csv\"",
     .required = true,
     .shown = true,
     .meaning = "File name pattern: * matches any characters, ? matches one character."},
    {.path = "confirmations.profiles.format",
     .sample = "csv",
     .choices = "csv, nacha, bai2, camt053, camt054, pain002, paid_checks, acknowledgment",
     .required = true,
     .shown = true,
     .meaning = "The format of the file. Drawbridge also recognizes a bank's format by its content and refuses a file "
                "that contradicts this key. acknowledgment: the bank's list of the payment files that it received, "
                "with their counts and totals."},
    {.path = "confirmations.profiles.profile",
     .kind = file,
     .sample = "profiles/bank-statement.yaml",
     .meaning = "The columns of a CSV or acknowledgment file (profiles/ has samples; default: the plain form that "
                "docs/finance.md describes), or the layout of a paid_checks file, which requires this key."},
    {.path = "confirmations.quiet_period",
     .kind = duration,
     .low = "0s",
     .high = "1h",
     .fallback = "2s",
     .shown = true,
     .meaning = "A file must be unchanged for this long before Drawbridge reads it."},
    {.path = "confirmations.settle", .kind = refused, .renamed_to = "quiet_period"},
    {.path = "confirmations.max_file_bytes",
     .kind = integer,
     .low = "1",
     .high = "1099511627776",
     .fallback = "268435456",
     .meaning = "Maximum size of a file. Drawbridge refuses a larger one."},
    {.path = "confirmations.account_number_files",
     .kind = texts,
     .sample = "[payment_account]",
     .meaning =
         "Files that each contain the number of one account that the office pays from, as checks.account_number_file "
         "does. With this key, Drawbridge refuses a statement (BAI2, camt, a CSV with an account column) that covers "
         "only other accounts, and a line about another account has no effect."},
    {.path = "confirmations.account_numbers", .kind = refused},
    {.path = "confirmations.check_number_labels",
     .kind = texts,
     .fallback = "[\"Check Serial Number\", \"CHKN:\"]",
     .meaning =
         "The labels before the check number in the text of a BAI2 or camt line about a check. Not case-sensitive."},

    {.path = "report", .kind = section, .meaning = "What Drawbridge reports to the Draws Service about a payment."},
    {.path = "report.time_of_day",
     .fallback = "\"12:00\"",
     .meaning = "The time of day of disbursedDate, in pay.timezone. The date is the bank's."},
    {.path = "report.write_back",
     .kind = section,
     .meaning =
         "Text for the draw's own fields: description, fieldA to fieldE, participant_FieldA to participant_FieldC, "
         "admin_Description. Drawbridge skips a field that a person has changed in the meantime."},
    {.path = "report.write_back.export",
     .kind = templates,
     .sample = "{fieldE: \"ACH {trace_number}\"}",
     .meaning = "Written when the payment's file is released. Placeholders: {trace_number} {check_number} {payment_id} "
                "{amount} {file_name} {effective_date}."},
    {.path = "report.write_back.confirmation",
     .kind = templates,
     .sample = "{fieldD: \"paid {bank_date}\"}",
     .meaning = "Written when the payment is confirmed. Also {bank_date}."},
    {.path = "report.write_back.return",
     .kind = templates,
     .sample = "{fieldD: \"RETURNED {bank_date} {return_code} {return_reason}\"}",
     .meaning = "Written when the payment is returned, even after disbursedDate was sent: the service cannot undo the "
                "status Disbursed, so use this text to show the return. Also {bank_date} {settlement_date} "
                "{return_code} {return_reason}."},

    {.path = "ledger",
     .kind = section,
     .meaning = "The database that records every step: a file in state_dir, or a schema of a PostgreSQL server."},
    {.path = "ledger.url",
     .sample = "postgresql://drawbridge@db.example.gov/drawbridge?sslrootcert=/etc/drawbridge/db-ca.pem",
     .meaning =
         "The PostgreSQL database with the ledger, in place of a file in state_dir. It needs PostgreSQL 15 or newer, "
         "encoding UTF8 and locale C. The server's certificate is verified, except on this machine. A password in the "
         "URL is refused. docs/high-availability.md says when to use it, and how to move a ledger there."},
    {.path = "ledger.schema",
     .fallback = "drawbridge",
     .meaning = "The schema in that database, created at the first start. Each program of an office has its own."},
    {.path = "ledger.password_file",
     .kind = secret_file,
     .sample = "ledger_password",
     .meaning = "The file with the password for ledger.url. Without it, use a client certificate (sslcert and sslkey "
                "in the URL), or a server that trusts this machine's user."},
    {.path = "ledger.password", .kind = refused},
    {.path = "ledger.read_url",
     .sample =
         "postgresql://drawbridge@db2.example.gov,db3.example.gov/drawbridge?sslrootcert=/etc/drawbridge/db-ca.pem",
     .meaning = "Where reports are read: hot standbys of the server in ledger.url, with the same role and password. "
                "Drawbridge reads a primary among them only if it can reach no standby. Nothing that moves money is "
                "read there. Default: reports are read where the ledger is written. See docs/high-availability.md."},
    {.path = "ledger.read_max_lag",
     .kind = duration,
     .low = "0s",
     .high = "1h",
     .fallback = "30s",
     .meaning = "If the server in ledger.read_url lags by more than this, Drawbridge refuses a command that runs "
                "without a daemon. Reports from a running daemon always include everything that the daemon committed."},
    {.path = "ledger.sealing_key_file",
     .kind = secret_file,
     .sample = "sealing_key",
     .meaning = "The file with the key that encrypts account numbers in the ledger. `drawbridge keygen FILE` creates "
                "one. Default: the systemd credential sealing_key, or else sealing.key in state_dir. Drawbridge "
                "creates sealing.key at the first start; it protects only copies of the ledger."},
    {.path = "ledger.sealing_key", .kind = refused},
    {.path = "ledger.witness",
     .kind = file,
     .sample = "/mnt/witness/drawbridge",
     .meaning =
         "A folder on another disk or machine that keeps a copy of the high-water mark. Drawbridge updates it before "
         "anything leaves for the bank, so that rolling this machine back to a snapshot does not roll the witness "
         "back. `drawbridge witness init` prepares the folder. While the witness is unavailable, nothing leaves for "
         "the bank. none: no witness, on purpose. pay.release: auto requires a folder or none."},
    {.path = "ledger.witness_timeout",
     .kind = duration,
     .low = "100ms",
     .high = "1m",
     .fallback = "10s",
     .meaning = "A witness that does not respond within this time is unavailable."},

    {.path = "backup",
     .kind = section,
     .shown = true,
     .meaning = "Copies of the ledger. Drawbridge verifies each copy. Use a folder on another disk."},
    {.path = "backup.every",
     .kind = duration,
     .low = "0s",
     .high = "31d",
     .fallback = "24h",
     .shown = true,
     .meaning = "Interval between backups. 0s: no scheduled backups."},
    {.path = "backup.at",
     .fallback = "\"02:00\"",
     .shown = true,
     .meaning =
         "The time of day (in pay.timezone) from which `every` counts. Drawbridge catches up on a missed backup."},
    {.path = "backup.folder",
     .kind = file,
     .sample = "/var/backups/drawbridge",
     .shown = true,
     .meaning = "Default: backups in state_dir."},
    {.path = "backup.keep",
     .kind = integer,
     .low = "1",
     .high = "10000",
     .fallback = "14",
     .shown = true,
     .meaning = "How many of these backups to keep. The newest is never deleted."},

    {.path = "verify",
     .kind = section,
     .shown = true,
     .meaning = "Checks the money-safety invariants, on a temporary copy of the ledger in state_dir."},
    {.path = "verify.every",
     .kind = duration,
     .low = "0s",
     .high = "31d",
     .fallback = "24h",
     .shown = true,
     .meaning = "Interval between checks of the ledger, the manifests and the archive. 0s: only when a person runs "
                "`drawbridge verify`."},

    {.path = "archive",
     .kind = section,
     .shown = true,
     .meaning = "The bank's files and copies of payment files, in spool/archive of state_dir. They contain payees' "
                "account numbers."},
    {.path = "archive.seal_after",
     .kind = duration,
     .low = "0s",
     .high = "36500d",
     .fallback = "30d",
     .choices = "never",
     .shown = true,
     .meaning = "Encrypts a file with the sealing key this long after the day it was archived. `drawbridge archive "
                "show` reads it. 0d: at once. never: the file stays readable."},
    {.path = "archive.delete_after",
     .kind = duration,
     .low = "0s",
     .high = "36500d",
     .fallback = "never",
     .choices = "never",
     .shown = true,
     .meaning = "Records a sealed file as deleted and removes it this long after the day it was archived. The minimum "
                "is 2557d (7 years). Drawbridge keeps a file that anything open or unfinished needs, and deletes none "
                "before it has run on two days since the file was due."},

    {.path = "admin", .kind = section, .meaning = "The operators' socket. GET /openapi.json on it describes its API."},
    {.path = "admin.socket",
     .kind = file,
     .sample = "/run/drawbridge/drawbridge.sock",
     .meaning = "Default: drawbridge.sock in state_dir."},

    {.path = "metrics", .kind = section, .meaning = "Endpoints for a monitoring system."},
    {.path = "metrics.listen",
     .sample = "\"127.0.0.1:9464\"",
     .meaning = "The address that serves /metrics (Prometheus), /healthz and /readyz, on this machine only. Default: "
                "not served over TCP. The operators' socket and `drawbridge metrics` always provide them."},

    {.path = "alerts",
     .kind = section,
     .meaning = "Alerts about what needs a person: exceptions, files that wait for release, returns, deadlines of "
                "corrections, a day without confirmations. Each alert is sent once. Alerts mask account numbers."},
    {.path = "alerts.webhook", .kind = section, .meaning = "JSON by HTTPS POST. docs/monitoring.md shows the body."},
    {.path = "alerts.webhook.url_file",
     .kind = secret_file,
     .sample = "webhook_url",
     .meaning = "The file that contains the URL. Use this key if anyone who knows the URL can post. Alternative: "
                "alerts.webhook.url."},
    {.path = "alerts.webhook.url",
     .sample = "https://alerts.example.gov/drawbridge",
     .instead = true,
     .meaning = "The URL itself, if it is not secret. Plain http is accepted only for this machine."},
    {.path = "alerts.webhook.signing_key_file",
     .kind = secret_file,
     .sample = "webhook_key",
     .meaning = "The file that contains the key for the X-Drawbridge-Signature header (HMAC-SHA256 of the body)."},
    {.path = "alerts.webhook.signing_key", .kind = refused},
    {.path = "alerts.webhook.ca_file",
     .kind = file,
     .sample = "webhook-ca.pem",
     .meaning = "PEM certificates to trust instead of the system's."},
    {.path = "alerts.webhook.proxy",
     .sample = "http://proxy.example.gov:3128",
     .meaning = "HTTP proxy. It must not need a user name and password."},
    {.path = "alerts.email", .kind = section, .meaning = "Plain-text mail through this machine's sendmail."},
    {.path = "alerts.email.to",
     .kind = texts,
     .sample = "[finance@example.gov]",
     .required = true,
     .meaning = "The recipients."},
    {.path = "alerts.email.from", .sample = "drawbridge@example.gov", .required = true, .meaning = "The sender."},
    {.path = "alerts.email.sendmail",
     .kind = file,
     .fallback = "/usr/sbin/sendmail",
     .meaning = "Drawbridge runs it as `sendmail -t -i -f FROM`. In the unit's sandbox it cannot gain privileges; "
                "msmtp-mta needs none. See docs/monitoring.md."},
    {.path = "alerts.heartbeat",
     .kind = section,
     .meaning = "A small POST at intervals while /readyz answers 200. A monitor that expects it raises the alarm when "
                "the daemon, the machine or the network is down."},
    {.path = "alerts.heartbeat.url_file",
     .kind = secret_file,
     .sample = "heartbeat_url",
     .meaning = "The file that contains the URL. Alternative: alerts.heartbeat.url."},
    {.path = "alerts.heartbeat.url",
     .sample = "https://monitor.example.gov/ping/drawbridge",
     .instead = true,
     .meaning = "The URL itself, if it is not secret. Plain http is accepted only for this machine."},
    {.path = "alerts.heartbeat.every",
     .kind = duration,
     .low = "100ms",
     .high = "24h",
     .fallback = "5m",
     .meaning = "Interval between heartbeats."},
    {.path = "alerts.heartbeat.signing_key_file",
     .kind = secret_file,
     .sample = "heartbeat_key",
     .meaning = "The file that contains the key for the X-Drawbridge-Signature header (HMAC-SHA256 of the body)."},
    {.path = "alerts.heartbeat.signing_key", .kind = refused},
    {.path = "alerts.heartbeat.ca_file",
     .kind = file,
     .sample = "heartbeat-ca.pem",
     .meaning = "PEM certificates to trust instead of the system's."},
    {.path = "alerts.heartbeat.proxy",
     .sample = "http://proxy.example.gov:3128",
     .meaning = "HTTP proxy. It must not need a user name and password."},
    {.path = "alerts.daily_digest",
     .sample = "\"08:00\"",
     .meaning = "Time of day (in pay.timezone) of a daily summary: what needs a person, and how many draws are in each "
                "state."},
    {.path = "alerts.nothing_confirmed_by",
     .sample = "\"16:00\"",
     .meaning = "Time of day (in pay.timezone). Drawbridge sends an alert if no confirmation has arrived by then on a "
                "banking day, and payments of earlier days are waiting for one."},

    {.path = "log", .kind = section, .shown = true, .meaning = "What Drawbridge logs, and where."},
    {.path = "log.to",
     .fallback = "auto",
     .choices = "auto, text, json, journal",
     .meaning = "auto: the journal, with its fields, if standard error is the journal; otherwise lines of text. json: "
                "one object per line on standard error."},
    {.path = "log.level",
     .fallback = "info",
     .choices = "trace, debug, info, warn, error",
     .shown = true,
     .meaning = "The lowest level to log."},
};

// Inserts the tables of the other files so that the sample reads in the order of a payment: approve, pay, confirm.
std::vector<Key> joined_tables() {
    std::vector<Key> keys(std::begin(all), std::end(all));
    const auto insert = [&](std::string_view before, std::span<const Key> part) {
        keys.insert(std::ranges::find(keys, before, &Key::path), part.begin(), part.end());
    };
    insert("poll", control_keys());
    insert("pay.file_numbers", acknowledgment_keys());
    insert("confirmations", rail_keys());
    insert("confirmations", delivery_keys());
    insert("metrics", console_keys());
    return keys;
}

}  // namespace

std::span<const Key> keys() {
    static const std::vector<Key> keys = joined_tables();
    return keys;
}

std::int64_t table_number(std::string_view text) {
    std::int64_t value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    DRAWBRIDGE_ASSERT(error == std::errc() && end == text.data() + text.size(), "the table has numbers");
    return value;
}

const Key& key_at(std::string_view path) {
    const auto all_keys = keys();
    const auto found = std::ranges::find(all_keys, path, &Key::path);
    DRAWBRIDGE_ASSERT(found != all_keys.end(), "every key that is read is in the table");
    return *found;
}

std::vector<std::string_view> keys_under(std::string_view section) {
    std::vector<std::string_view> names;
    for (const Key& key : keys()) {
        const auto dot = key.path.rfind('.');
        const auto parent = dot == std::string_view::npos ? std::string_view() : key.path.substr(0, dot);
        if (parent == section) names.push_back(key.path.substr(dot == std::string_view::npos ? 0 : dot + 1));
    }
    return names;
}

}  // namespace drawbridge::config
