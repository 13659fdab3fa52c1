// What people are told without asking: each thing once, as an intent with one delivery for each way out, and what came
// of it. It decides nothing about what is worth telling; it only remembers what was told.
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

// What the things are that were told, and by which number each is known.
enum class AlertSource {
    exception,     // exception_id
    file,          // file_id of a file that waits for its release
    correction,    // hold_id of a correction whose deadline is near
    digest,        // days since 1970
    confirmation,  // days since 1970: nothing was confirmed on that day
};
[[nodiscard]] std::string_view to_string(AlertSource source);

struct NewAlert {
    std::string kind;  // "exceptions", "returns", ...: docs/monitoring.md lists them
    AlertSource source = AlertSource::exception;
    std::vector<std::int64_t> about;  // none of them told before
    std::string title;                // one line
    std::string text;
    std::string items_json = "[]";
};

// The intent: the message, what it is about, a delivery for each way. Returns alert_id.
std::int64_t record_alert(Ledger& ledger, const NewAlert& alert, const std::vector<AlertChannel>& channels,
                          const Stamp& stamp);

[[nodiscard]] bool was_told(Ledger& ledger, AlertSource source, std::int64_t about_id);
// The newest thing of that kind which was told; nullopt: none ever.
[[nodiscard]] std::optional<std::int64_t> told_up_to(Ledger& ledger, AlertSource source);
// Open exceptions newer than all that were told, oldest first.
[[nodiscard]] std::vector<ExceptionRow> exceptions_to_tell(Ledger& ledger, int limit);

// A notification of change that no person has settled yet.
struct OpenCorrection {
    std::int64_t hold_id = 0;
    DrawId draw_id = 0;
    std::string payee_key;
    std::string code;
    BusinessDate apply_by;
};
// Whose day is in this range, both ends included.
[[nodiscard]] std::vector<OpenCorrection> open_corrections(Ledger& ledger, BusinessDate from, BusinessDate until);

struct Unconfirmed {
    std::int64_t count = 0;
    Money amount;
};
// Live payments of files that were released before `released_before` and of which the bank has not spoken.
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
    int attempts = 0;  // that failed
    AlertRow alert;
};
// Oldest first.
[[nodiscard]] std::vector<OpenDelivery> open_deliveries(Ledger& ledger, AlertChannel channel, int limit);

enum class DeliveryOutcome {
    sent,
    refused,  // the other side will never take this message
    dropped,  // its way is no longer configured
};
[[nodiscard]] std::string_view to_string(DeliveryOutcome outcome);
void close_delivery(Ledger& ledger, std::int64_t delivery_id, DeliveryOutcome outcome, Instant at);
void record_failed_attempt(Ledger& ledger, std::int64_t delivery_id, std::string_view error, Instant at);
// Of ways that are not configured any more; how many.
int drop_deliveries(Ledger& ledger, AlertChannel channel, Instant at);

// What has not gone out.
struct WaitingAlerts {
    AlertChannel channel = AlertChannel::webhook;
    std::int64_t count = 0;
    Instant oldest;
    std::string last_error;  // empty: not tried yet
    std::optional<Instant> last_attempt_at;
};
// One row for each channel on which something waits.
[[nodiscard]] std::vector<WaitingAlerts> waiting_alerts(Ledger& ledger);

struct AlertDeliveryRow {
    AlertChannel channel = AlertChannel::webhook;
    std::string outcome;  // "waiting", "sent", ...
    std::optional<Instant> outcome_at;
    int failed_attempts = 0;
    std::string last_error;
};
struct ToldAlert {
    AlertRow alert;
    std::vector<AlertDeliveryRow> deliveries;
};
// Newest first.
[[nodiscard]] std::vector<ToldAlert> told_alerts(Ledger& ledger, int limit, std::int64_t after = 0);
[[nodiscard]] std::int64_t count_alerts(Ledger& ledger);

}  // namespace drawbridge::ledger
