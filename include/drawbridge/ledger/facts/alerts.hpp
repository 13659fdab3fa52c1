// Alerts: each is sent once. The intent is recorded with one row per channel, and then the outcome of each. The
// alerts module decides what deserves an alert; this one only records what was sent.
#pragma once

#include <boost/describe/class.hpp>
#include <boost/describe/enum.hpp>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "drawbridge/domain/money.hpp"
#include "drawbridge/ledger/facts/exceptions.hpp"
#include "drawbridge/ledger/store/ledger.hpp"

namespace drawbridge::ledger {

enum class AlertChannel { webhook, email };
BOOST_DESCRIBE_ENUM(AlertChannel, webhook, email)
[[nodiscard]] std::string_view to_string(AlertChannel channel);  // "webhook", "email"

// What an alert is about, and the id that identifies it.
enum class AlertSource {
    exception,     // exception_id
    file,          // file_id of a file that waits for release
    correction,    // hold_id of a correction whose deadline is near
    digest,        // days since 1970
    confirmation,  // days since 1970: nothing was confirmed on that day
    act,           // seq of the audit entry
};
[[nodiscard]] std::string_view to_string(AlertSource source);

struct NewAlert {
    std::string kind;  // "exceptions", "returns", ...: docs/monitoring.md lists them
    AlertSource source = AlertSource::exception;
    std::vector<std::int64_t> about;  // none of them alerted before
    std::string title;                // one line
    std::string text;
    std::string items_json = "[]";
};

// Records the intent: the message, what it is about, and one row per channel. Returns alert_id.
std::int64_t record_alert(Ledger& ledger, const NewAlert& alert, const std::vector<AlertChannel>& channels,
                          const Stamp& stamp);

[[nodiscard]] bool was_alerted(Ledger& ledger, AlertSource source, std::int64_t about_id);
// The newest thing of that source with an alert; nullopt: none.
[[nodiscard]] std::optional<std::int64_t> newest_alerted(Ledger& ledger, AlertSource source);
// Open exceptions newer than the newest one with an alert, oldest first.
[[nodiscard]] std::vector<ExceptionRow> exceptions_to_alert(Ledger& ledger, int limit);

// A notification of change that no person has resolved yet.
struct OpenCorrection {
    std::int64_t hold_id = 0;
    std::optional<DrawId> draw_id;  // nullopt: it is about a prenote
    std::string payee_key;
    std::string code;
    BusinessDate apply_by;
};
// Those whose deadline is in this range, both ends included.
[[nodiscard]] std::vector<OpenCorrection> open_corrections(Ledger& ledger, BusinessDate from, BusinessDate until);

struct Unconfirmed {
    std::int64_t count = 0;
    Money amount;
};
// Live payments in files released before `released_before` on which the bank has not reported.
[[nodiscard]] Unconfirmed unconfirmed_payments(Ledger& ledger, Instant released_before);
[[nodiscard]] bool is_anything_confirmed_since(Ledger& ledger, Instant since);

struct AlertRow {
    std::int64_t alert_id = 0;
    std::string kind;
    Instant raised_at;
    std::string title;
    std::string text;
    std::string items_json;
};

struct OpenAlertSend {
    std::int64_t send_id = 0;
    int attempts = 0;  // failed ones
    AlertRow alert;
};
// Oldest first.
[[nodiscard]] std::vector<OpenAlertSend> open_alert_sends(Ledger& ledger, AlertChannel channel, int limit);

enum class SendOutcome {
    sent,
    refused,  // the receiver will never accept this message
    dropped,  // its channel is no longer configured
};
[[nodiscard]] std::string_view to_string(SendOutcome outcome);
void close_alert_send(Ledger& ledger, std::int64_t send_id, SendOutcome outcome, Instant at);
void record_failed_send(Ledger& ledger, std::int64_t send_id, std::string_view error, Instant at);
// Drops what waits on a channel that is no longer configured; returns how many.
int drop_alert_sends(Ledger& ledger, AlertChannel channel, Instant at);

// Alerts that are not sent yet.
struct WaitingAlerts {
    AlertChannel channel = AlertChannel::webhook;
    std::int64_t count = 0;
    Instant oldest;
    std::optional<std::string> last_error;  // nullopt: no attempt yet
    std::optional<Instant> last_attempt_at;
};
BOOST_DESCRIBE_STRUCT(WaitingAlerts, (), (channel, count, oldest, last_error, last_attempt_at))
// One row for each channel with unsent alerts.
[[nodiscard]] std::vector<WaitingAlerts> waiting_alerts(Ledger& ledger);

struct AlertSend {
    AlertChannel channel = AlertChannel::webhook;
    std::string outcome;  // "waiting", "sent", ...
    std::optional<Instant> outcome_at;
    int failed_attempts = 0;
    std::optional<std::string> last_error;
};
BOOST_DESCRIBE_STRUCT(AlertSend, (), (channel, outcome, outcome_at, failed_attempts, last_error))
struct AlertHistoryRow {
    AlertRow alert;
    std::vector<AlertSend> sends;
};
// Newest first.
[[nodiscard]] std::vector<AlertHistoryRow> alert_history(Ledger& ledger, int limit, std::int64_t after = 0);
[[nodiscard]] std::int64_t count_alerts(Ledger& ledger);

}  // namespace drawbridge::ledger
