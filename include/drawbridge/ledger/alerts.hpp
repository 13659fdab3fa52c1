// Alerts to people: each is recorded once, as an intent with one delivery per channel, and each delivery gets an
// outcome. It does not decide what deserves an alert.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "drawbridge/domain/money.hpp"
#include "drawbridge/ledger/exceptions.hpp"
#include "drawbridge/ledger/ledger.hpp"

namespace drawbridge::ledger {

enum class AlertChannel { webhook, email };
[[nodiscard]] std::string_view to_string(AlertChannel channel);  // "webhook", "email"

// What an alert is about, and the number that identifies it.
enum class AlertSource {
    exception,     // exception_id
    file,          // file_id of a file that waits for its release
    correction,    // hold_id of a correction whose deadline is near
    digest,        // days since 1970
    confirmation,  // days since 1970: nothing was confirmed on that day
};
[[nodiscard]] std::string_view to_string(AlertSource source);

struct NewAlert {
    std::string kind;  // "exceptions", "returns", ...: docs/operators.md lists them
    AlertSource source = AlertSource::exception;
    std::vector<std::int64_t> about;  // none of them in an earlier alert
    std::string title;                // one line
    std::string text;
    std::string items_json = "[]";
};

// Records the intent: the message, what it is about, and one delivery per channel. Returns alert_id.
std::int64_t record_alert(Ledger& ledger, const NewAlert& alert, const std::vector<AlertChannel>& channels,
                          const Stamp& stamp);

[[nodiscard]] bool was_alerted(Ledger& ledger, AlertSource source, std::int64_t about_id);
// The highest number of that kind with an alert; nullopt: there is none.
[[nodiscard]] std::optional<std::int64_t> newest_alerted(Ledger& ledger, AlertSource source);
// Open exceptions newer than the newest one with an alert, oldest first.
[[nodiscard]] std::vector<ExceptionRow> exceptions_to_alert(Ledger& ledger, int limit);

// A notification of change that no person has resolved yet.
struct OpenCorrection {
    std::int64_t hold_id = 0;
    DrawId draw_id = 0;
    std::string payee_key;
    std::string code;
    BusinessDate apply_by;
};
// Those with `apply_by` in this range, both ends included.
[[nodiscard]] std::vector<OpenCorrection> open_corrections(Ledger& ledger, BusinessDate from, BusinessDate until);

struct Unconfirmed {
    std::int64_t count = 0;
    Money amount;
};
// Live payments, without a confirmation, of files released before `released_before`.
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

struct OpenDelivery {
    std::int64_t delivery_id = 0;
    int attempts = 0;  // failed ones
    AlertRow alert;
};
// Oldest first.
[[nodiscard]] std::vector<OpenDelivery> open_deliveries(Ledger& ledger, AlertChannel channel, int limit);

enum class DeliveryOutcome {
    sent,
    refused,  // the receiver will never accept this message
    dropped,  // its channel is no longer configured
};
[[nodiscard]] std::string_view to_string(DeliveryOutcome outcome);
void close_delivery(Ledger& ledger, std::int64_t delivery_id, DeliveryOutcome outcome, Instant at);
void record_failed_attempt(Ledger& ledger, std::int64_t delivery_id, std::string_view error, Instant at);
// Drops the deliveries of a channel that is no longer configured. Returns their number.
int drop_deliveries(Ledger& ledger, AlertChannel channel, Instant at);

// Alerts that are not sent yet.
struct WaitingAlerts {
    AlertChannel channel = AlertChannel::webhook;
    std::int64_t count = 0;
    Instant oldest;
    std::string last_error;  // empty: not tried yet
    std::optional<Instant> last_attempt_at;
};
// One row per channel with waiting alerts.
[[nodiscard]] std::vector<WaitingAlerts> waiting_alerts(Ledger& ledger);

struct AlertDeliveryRow {
    AlertChannel channel = AlertChannel::webhook;
    std::string outcome;  // "waiting", "sent", ...
    std::optional<Instant> outcome_at;
    int failed_attempts = 0;
    std::string last_error;
};
struct AlertHistoryRow {
    AlertRow alert;
    std::vector<AlertDeliveryRow> deliveries;
};
// Newest first.
[[nodiscard]] std::vector<AlertHistoryRow> alert_history(Ledger& ledger, int limit, std::int64_t after = 0);
[[nodiscard]] std::int64_t count_alerts(Ledger& ledger);

}  // namespace drawbridge::ledger
