#include "drawbridge/config/keys.hpp"

#include <algorithm>

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
     .meaning = "Its address. Plain http is accepted for this machine only (localhost, 127.0.0.1)."},
    {.path = "service.client_id_file",
     .kind = secret_file,
     .sample = "client_id",
     .required = true,
     .shown = true,
     .meaning = "The file that holds the client id."},
    {.path = "service.client_secret_file",
     .kind = secret_file,
     .sample = "client_secret",
     .required = true,
     .shown = true,
     .meaning = "The file that holds the client secret."},
    {.path = "service.client_id", .kind = refused},
    {.path = "service.client_secret", .kind = refused},
    {.path = "service.workflows",
     .kind = integers,
     .sample = "[12, 14]",
     .meaning = "Only the draws of these programs (workflows). Without the key: all."},
    {.path = "service.page_size", .kind = integer, .fallback = "500", .meaning = "Draws in one page of a listing."},
    {.path = "service.ca_file",
     .kind = file,
     .sample = "draws-ca.pem",
     .meaning = "PEM certificates to trust in place of the system's."},
    {.path = "service.proxy",
     .sample = "http://proxy.example.gov:3128",
     .meaning = "An HTTP proxy, without user name and password."},
    {.path = "service.request_deadline",
     .kind = duration,
     .fallback = "30s",
     .meaning = "How long one request may take."},
    {.path = "service.connect_deadline",
     .kind = duration,
     .fallback = "10s",
     .meaning = "How long a connection may take, with TLS."},
    {.path = "service.max_connections", .kind = integer, .fallback = "8", .meaning = "Requests at a time."},
    {.path = "service.max_requests_per_second", .kind = integer, .fallback = "0", .meaning = "0: no limit."},
    {.path = "service.max_body",
     .kind = integer,
     .fallback = "33554432",
     .meaning = "Bytes; a longer answer is refused."},
    {.path = "service.retries",
     .kind = integer,
     .fallback = "4",
     .meaning = "How often a request that is safe to repeat is repeated."},

    {.path = "state_dir",
     .kind = file,
     .fallback = "/var/lib/drawbridge",
     .shown = true,
     .meaning = "The ledger (ledger.db), the spool, the inbox for confirmation files and the quarantine."},

    {.path = "rules", .kind = section, .shown = true, .meaning = "What is approved without a person looking."},
    {.path = "rules.file",
     .kind = file,
     .fallback = "rules.yaml",
     .shown = true,
     .meaning = "See drawbridge-rules(5), docs/rules.md."},

    {.path = "rules.tests",
     .kind = file,
     .sample = "rules.test.yaml",
     .meaning = "Tests that the rules must pass to be taken, at the start and at each reload. Without the key: "
                "rules.test.yaml beside the rules, if it is there."},

    {.path = "payees", .kind = section, .shown = true, .meaning = "Who may be paid, and to which account."},
    {.path = "payees.file",
     .kind = file,
     .fallback = "payees.csv",
     .shown = true,
     .meaning = "One line for each payee."},
    {.path = "payees.key",
     .fallback = "fieldA",
     .shown = true,
     .meaning = "The field of the draw that names the payee: its value is the `key` of a line of the file."},

    {.path = "poll", .kind = section, .shown = true, .meaning = "How often the service is looked at."},
    {.path = "poll.every",
     .kind = duration,
     .fallback = "60s",
     .shown = true,
     .meaning = "Asks for what is new or was changed."},
    {.path = "poll.full_sweep_every",
     .kind = duration,
     .fallback = "24h",
     .shown = true,
     .meaning = "Reads everything again, to find what drifted."},

    {.path = "pay", .kind = section, .shown = true, .meaning = "When payment files are made, and who lets them go."},
    {.path = "pay.timezone",
     .fallback = "America/New_York",
     .shown = true,
     .meaning = "The zone of the cut-offs, of business days and of the dates in files."},
    {.path = "pay.cutoffs",
     .kind = texts,
     .fallback = "[\"10:00\", \"15:30\"]",
     .shown = true,
     .meaning = "Payment files are written at these times, on banking days only."},
    {.path = "pay.release",
     .fallback = "manual",
     .choices = "manual, auto",
     .shown = true,
     .meaning =
         "manual: a person who had no hand in it releases each file. auto: it goes out when it is written, unless "
         "somebody had a hand in it."},
    {.path = "pay.release_limit",
     .kind = amount,
     .sample = "50000.00",
     .meaning =
         "With release: auto, so much goes out by itself in a day (of pay.timezone) from one account: an ACH origin "
         "and "
         "company, or a check account. A file with which it would be more waits for a person. What went out by itself "
         "that day counts, also what is still on its way. Without it: no file waits."},
    {.path = "pay.limits",
     .kind = section,
     .meaning = "What is over one of them is held until a person settles the exception; files are split at theirs."},
    {.path = "pay.limits.payment",
     .kind = amount,
     .sample = "100000.00",
     .meaning = "One payment; several to one payee are not added up. Without it: no limit."},
    {.path = "pay.limits.file",
     .kind = amount,
     .sample = "2000000.00",
     .meaning = "All payments of one file; what is more goes into further files."},
    {.path = "pay.limits.day",
     .kind = amount,
     .sample = "5000000.00",
     .meaning =
         "All payments that are planned on a day (of pay.timezone), over all files and accounts, released or not; what "
         "does not fit is paid on a later day. Without it: no limit."},
    {.path = "pay.duplicate_window",
     .kind = duration,
     .fallback = "7d",
     .shown = true,
     .meaning = "The same amount to the same payee within so many days is held. 0d: not looked for."},
    {.path = "pay.payee_hold",
     .kind = duration,
     .fallback = "3d",
     .shown = true,
     .meaning =
         "Payments to new or changed bank details are held so many days; not to those that are there when the ledger "
         "begins. 0d: not held."},
    {.path = "pay.file_numbers",
     .kind = section,
     .meaning =
         "The numbers in names of check files and in {sequence} of ach.file_name that this instance may use. Two "
         "instances with one checking account, or one origin and such a file name, have different ones."},
    {.path = "pay.file_numbers.from", .kind = integer, .fallback = "1", .meaning = "The first."},
    {.path = "pay.file_numbers.to", .kind = integer, .fallback = "999999999", .meaning = "The last."},
    {.path = "pay.closures",
     .kind = texts,
     .sample = "[2026-12-24]",
     .meaning = "Days on which the bank rests, beside the Federal Reserve's holidays, which are computed."},

    {.path = "confirmations",
     .kind = section,
     .shown = true,
     .meaning = "The files that finance drops into the inbox."},
    {.path = "confirmations.profiles",
     .kind = sections,
     .shown = true,
     .meaning = "By file name; the first that matches says how the file is read. Without the key: *.csv."},
    {.path = "confirmations.profiles.match",
     .sample = "\"*.csv\"",
     .required = true,
     .shown = true,
     .meaning = "A pattern of file names: * stands for any characters, ? for one."},
    {.path = "confirmations.profiles.format",
     .sample = "csv",
     .choices = "csv, nacha, bai2, camt053, camt054, pain002, paid_checks, acknowledgment",
     .required = true,
     .shown = true,
     .meaning =
         "What the file is. A bank's own file is known by its content too; one that contradicts this is refused. "
         "acknowledgment: which payment files the bank has, with their counts and totals."},
    {.path = "confirmations.profiles.profile",
     .kind = file,
     .sample = "profiles/bank-statement.yaml",
     .meaning = "How a CSV or an acknowledgment is written (profiles/ has samples; without it: the plain form of "
                "docs/finance.md), or the layout of paid_checks, which need one."},
    {.path = "confirmations.settle",
     .kind = duration,
     .fallback = "2s",
     .shown = true,
     .meaning = "A file must have been quiet for so long before it is taken."},
    {.path = "confirmations.max_file_bytes",
     .kind = integer,
     .fallback = "268435456",
     .meaning = "A larger file is refused."},
    {.path = "confirmations.account_number_files",
     .kind = texts,
     .sample = "[payment_account]",
     .meaning =
         "Files that each hold the number of an account that the office pays from, as account_number_file of checks "
         "does. A statement (BAI2, camt, a CSV with an account column) about other accounts only is then refused, "
         "and a line about another account has no effect."},
    {.path = "confirmations.account_numbers", .kind = refused},
    {.path = "confirmations.check_number_labels",
     .kind = texts,
     .fallback = "[\"Check Serial Number\", \"CHKN:\"]",
     .meaning = "What stands before a check's number in the text of a BAI2 line about a check; letter case aside."},

    {.path = "report", .kind = section, .meaning = "What the Draws Service is told of a payment."},
    {.path = "report.time_of_day",
     .fallback = "\"12:00\"",
     .meaning = "disbursedDate is this time, in pay.timezone, of the bank's day."},
    {.path = "report.write_back",
     .kind = section,
     .meaning = "Texts for the draw's own fields: description, fieldA to fieldE, participant_FieldA to "
                "participant_FieldC, admin_Description. What a person changed meanwhile is left as it is."},
    {.path = "report.write_back.export",
     .kind = templates,
     .sample = "{fieldE: \"ACH {trace_number}\"}",
     .meaning = "When the payment's file goes out. Placeholders: {trace_number} {check_number} {payment_id} {amount} "
                "{file_name} {effective_date}."},
    {.path = "report.write_back.confirmation",
     .kind = templates,
     .sample = "{fieldD: \"paid {bank_date}\"}",
     .meaning = "When it is confirmed. Also {bank_date}."},
    {.path = "report.write_back.return",
     .kind = templates,
     .sample = "{fieldD: \"RETURNED {bank_date} {return_code} {return_reason}\"}",
     .meaning =
         "When it comes back, also after disbursedDate was sent: the service knows no way back from Disbursed, so "
         "say it here. Also {bank_date} {settlement_date} {return_code} {return_reason}."},

    {.path = "ledger", .kind = section, .meaning = "The SQLite file that remembers everything, in state_dir."},
    {.path = "ledger.sealing_key_file",
     .kind = secret_file,
     .sample = "sealing_key",
     .meaning = "The file with the key that seals account numbers in the ledger; `drawbridge keygen FILE` makes one. "
                "Without the key: the systemd credential sealing_key; without that: sealing.key in state_dir, which is "
                "made at the first start and protects copies of the ledger alone."},
    {.path = "ledger.sealing_key", .kind = refused},
    {.path = "ledger.witness",
     .kind = file,
     .sample = "/mnt/witness/drawbridge",
     .meaning = "A folder on another disk or machine that holds a copy of the high-water mark, written before anything "
                "leaves for the bank: a snapshot that is rolled back does not take it back. `drawbridge witness init` "
                "makes it one. While it cannot be used, nothing leaves. none: there is none, on purpose; pay.release: "
                "auto wants one or the other."},
    {.path = "ledger.witness_timeout",
     .kind = duration,
     .fallback = "10s",
     .meaning = "A witness that does not answer in this time cannot be used."},

    {.path = "backup",
     .kind = section,
     .shown = true,
     .meaning = "Copies of the ledger, each verified. Name a folder on another disk."},
    {.path = "backup.every",
     .kind = duration,
     .fallback = "24h",
     .shown = true,
     .meaning = "How often a copy is made. 0s: never."},
    {.path = "backup.at",
     .fallback = "\"02:00\"",
     .shown = true,
     .meaning = "The time of day (pay.timezone) from which `every` is counted. One that was missed is made up."},
    {.path = "backup.folder",
     .kind = file,
     .sample = "/var/backups/drawbridge",
     .shown = true,
     .meaning = "Without the key: backups in state_dir."},
    {.path = "backup.keep",
     .kind = integer,
     .fallback = "14",
     .shown = true,
     .meaning = "So many of these copies stay; the newest always does."},

    {.path = "verify",
     .kind = section,
     .shown = true,
     .meaning = "The ledger is held against the money-safety invariants, on a copy in state_dir that goes afterwards."},
    {.path = "verify.every",
     .kind = duration,
     .fallback = "24h",
     .shown = true,
     .meaning = "How long after the last check the next one is made; that of a scheduled backup counts. 0s: only when "
                "somebody runs `drawbridge verify`."},

    {.path = "archive",
     .kind = section,
     .shown = true,
     .meaning = "The bank's files and copies of payment files, in spool/archive of state_dir. They name payees with "
                "their account numbers."},
    {.path = "archive.seal_after",
     .kind = duration,
     .fallback = "30d",
     .choices = "never",
     .shown = true,
     .meaning = "A file is sealed with the sealing key so long after the day on which it came into the archive; "
                "`drawbridge archive show` reads it. 0d: at once. never: it stays as it is."},
    {.path = "archive.delete_after",
     .kind = duration,
     .fallback = "never",
     .choices = "never",
     .shown = true,
     .meaning = "A sealed file is recorded as deleted and removed so long after that day, at the least 2557d (7 "
                "years), unless something open or unfinished needs it."},

    {.path = "admin", .kind = section, .meaning = "The operators' socket."},
    {.path = "admin.socket",
     .kind = file,
     .sample = "/run/drawbridge/drawbridge.sock",
     .meaning = "Without the key: drawbridge.sock in state_dir."},

    {.path = "metrics", .kind = section, .meaning = "For a monitoring system."},
    {.path = "metrics.listen",
     .sample = "\"127.0.0.1:9464\"",
     .meaning = "Serves /metrics (Prometheus), /healthz and /readyz there, to this machine only. Without the key: not "
                "served over TCP; the operators' socket and `drawbridge metrics` have them anyway."},

    {.path = "alerts",
     .kind = section,
     .meaning = "What needs a person is sent out, each thing once: exceptions, files that wait for release, returns, "
                "deadlines of corrections, a day without confirmations. No account number leaves the house."},
    {.path = "alerts.webhook", .kind = section, .meaning = "A JSON body by HTTPS POST; docs/operators.md shows it."},
    {.path = "alerts.webhook.url_file",
     .kind = secret_file,
     .sample = "webhook_url",
     .meaning = "The file that holds the address, where whoever knows it may post. Instead: alerts.webhook.url."},
    {.path = "alerts.webhook.url",
     .sample = "https://alerts.example.gov/drawbridge",
     .instead = true,
     .meaning = "The address itself, where it is no secret. Plain http is accepted for this machine only."},
    {.path = "alerts.webhook.signing_key_file",
     .kind = secret_file,
     .sample = "webhook_key",
     .meaning = "The file that holds the key of the header X-Drawbridge-Signature (HMAC-SHA256 of the body)."},
    {.path = "alerts.webhook.signing_key", .kind = refused},
    {.path = "alerts.webhook.ca_file",
     .kind = file,
     .sample = "webhook-ca.pem",
     .meaning = "PEM certificates to trust in place of the system's."},
    {.path = "alerts.webhook.proxy",
     .sample = "http://proxy.example.gov:3128",
     .meaning = "An HTTP proxy, without user name and password."},
    {.path = "alerts.email", .kind = section, .meaning = "Plain text through the machine's own sendmail."},
    {.path = "alerts.email.to",
     .kind = texts,
     .sample = "[finance@example.gov]",
     .required = true,
     .meaning = "Who gets them."},
    {.path = "alerts.email.from", .sample = "drawbridge@example.gov", .required = true, .meaning = "The sender."},
    {.path = "alerts.email.sendmail",
     .kind = file,
     .fallback = "/usr/sbin/sendmail",
     .meaning =
         "Is called as `sendmail -t -i -f FROM`. Under the unit's sandbox it must need no privileges of its own: "
         "msmtp-mta does not; docs/operators.md says more."},
    {.path = "alerts.heartbeat",
     .kind = section,
     .meaning =
         "A small POST while all is well (while /readyz answers 200). A monitor that expects it raises the alarm "
         "when the daemon, the machine or the network is gone."},
    {.path = "alerts.heartbeat.url_file",
     .kind = secret_file,
     .sample = "heartbeat_url",
     .meaning = "The file that holds the address. Instead: alerts.heartbeat.url."},
    {.path = "alerts.heartbeat.url",
     .sample = "https://monitor.example.gov/ping/drawbridge",
     .instead = true,
     .meaning = "The address itself, where it is no secret. Plain http is accepted for this machine only."},
    {.path = "alerts.heartbeat.every", .kind = duration, .fallback = "5m", .meaning = "How often."},
    {.path = "alerts.heartbeat.signing_key_file",
     .kind = secret_file,
     .sample = "heartbeat_key",
     .meaning = "The file that holds the key of the header X-Drawbridge-Signature (HMAC-SHA256 of the body)."},
    {.path = "alerts.heartbeat.signing_key", .kind = refused},
    {.path = "alerts.heartbeat.ca_file",
     .kind = file,
     .sample = "heartbeat-ca.pem",
     .meaning = "PEM certificates to trust in place of the system's."},
    {.path = "alerts.heartbeat.proxy",
     .sample = "http://proxy.example.gov:3128",
     .meaning = "An HTTP proxy, without user name and password."},
    {.path = "alerts.daily_digest",
     .sample = "\"08:00\"",
     .meaning = "In pay.timezone: once a day, what needs a person and where everything stands."},
    {.path = "alerts.nothing_confirmed_by",
     .sample = "\"16:00\"",
     .meaning = "In pay.timezone: a banking day on which no confirmation was read by then, though payments of earlier "
                "days wait for one, is an alert."},

    {.path = "log", .kind = section, .shown = true, .meaning = "What the journal hears."},
    {.path = "log.to",
     .fallback = "auto",
     .choices = "auto, text, json, journal",
     .meaning = "auto: the journal with its fields where standard error is the journal, else lines of text. json: an "
                "object a line on standard error."},
    {.path = "log.level",
     .fallback = "info",
     .choices = "trace, debug, info, warn, error",
     .shown = true,
     .meaning = "From this level on."},
};

// How payments leave stands before how they come back; who changes rules and payees behind these two.
std::vector<Key> joined() {
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
    static const std::vector<Key> keys = joined();
    return keys;
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
