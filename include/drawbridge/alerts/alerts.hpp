// Alerts people to what needs them. It scans the ledger, records each new alert as an intent, and sends it by webhook
// and email until the receiver accepts it. Each alert is sent once; a restart does not resend it.
//
// Alerts never block a step: they run in their own coroutines, and alerts that cannot be sent wait in the ledger. If
// the program dies after it sends a message and before it records that, the message goes out again under the same id,
// so that a receiver can deduplicate. No message contains a secret, and account numbers are masked.
#pragma once

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/awaitable.hpp>
#include <boost/asio/steady_timer.hpp>
#include <chrono>
#include <cstdint>
#include <functional>
#include <list>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "drawbridge/alerts/mail.hpp"
#include "drawbridge/domain/banking_calendar.hpp"
#include "drawbridge/domain/clock.hpp"
#include "drawbridge/ledger/facts/alerts.hpp"
#include "drawbridge/service/webhook.hpp"

namespace drawbridge::alerts {

namespace asio = boost::asio;

struct Settings {
    TimeZone zone;             // for the times of day below
    BankingCalendar calendar;  // confirmations are expected on banking days
    std::optional<std::chrono::minutes> daily_digest{}, nothing_confirmed_by{};
    // Files are released without a person: a staged file raises an alert only after two minutes.
    bool release_automatically = false;
    std::string office{};  // the office's name, for titles; may be empty
    std::chrono::milliseconds scan_interval{15'000};
    std::chrono::milliseconds retry_base{10'000};  // doubles with each consecutive failure of a channel
    std::chrono::milliseconds retry_cap{300'000};
};

struct Transports {
    std::unique_ptr<service::Webhook> webhook;  // null: not configured
    std::optional<MailOptions> mail;
};

struct TestSend {
    ledger::AlertChannel channel = ledger::AlertChannel::webhook;
    std::string error;  // empty: the receiver accepted it
};

class Alerts {
  public:
    // Called when a channel starts to fail, when it works again, and when a receiver refuses a message.
    using LogSink = std::function<void(bool is_problem, const std::string& text)>;
    // `ledger` and `clock` must outlive this object.
    Alerts(asio::any_io_executor executor, ledger::Ledger& ledger, const Clock& clock, Settings settings,
           Transports transports, LogSink log);
    Alerts(const Alerts&) = delete;
    Alerts& operator=(const Alerts&) = delete;

    [[nodiscard]] std::vector<ledger::AlertChannel> channels() const;

    // Records an alert for everything new since the last scan. Returns the number of alerts.
    int record_new();
    // Scans every `scan_interval` until stop().
    [[nodiscard]] asio::awaitable<void> watch();
    // Sends the channel's waiting alerts, with backoff while it fails, until stop().
    [[nodiscard]] asio::awaitable<void> send(ledger::AlertChannel channel);
    // Sends all waiting alerts, each channel until its first failure. For a program that then exits.
    [[nodiscard]] asio::awaitable<void> send_once();
    // Sends a test message by every channel, without retries. Audited as the caller's act. Error: no channel is
    // configured.
    [[nodiscard]] asio::awaitable<Result<std::vector<TestSend>>> test(std::string reason, ledger::Stamp stamp);
    // Sends an email at once, past the ledger: for what must not be kept, such as a release code. Errors: no email is
    // configured, or the server does not take it.
    [[nodiscard]] asio::awaitable<Result<void>> mail_now(std::string title, std::string text);
    // Ends the waits. A message that is being sent is finished.
    void stop();

  private:
    // The result of a send. Kept in memory while the disk is too full to record it, so that nothing is sent twice.
    struct SendResult {
        ledger::OpenAlertSend send;
        Result<void> outcome;
    };
    struct ChannelState {
        ChannelState(const asio::any_io_executor& executor, ledger::AlertChannel which)
            : channel(which), timer(executor) {}
        ledger::AlertChannel channel;
        asio::steady_timer timer;
        int failures = 0;  // consecutive
        std::optional<SendResult> unrecorded = {};
        // The oldest alert, after too many failures: the next one is tried first, and then this one for the last time.
        std::int64_t passed_over = 0, on_trial = 0;  // its send_id, or 0
    };
    // What became of a mail that goes to each recipient separately.
    struct MailResult {
        std::vector<std::string> reached{};
        std::string failures{};       // "ADDRESS: REASON; …"
        bool may_be_retried = false;  // somebody was not reached, and not refused for good
    };

    [[nodiscard]] ChannelState& state_of(ledger::AlertChannel channel);
    void add_exceptions(std::vector<ledger::NewAlert>& alerts);
    void add_files(std::vector<ledger::NewAlert>& alerts, Instant now);
    void add_corrections(std::vector<ledger::NewAlert>& alerts, BusinessDate today);
    void add_unconfirmed(std::vector<ledger::NewAlert>& alerts, const LocalTime& local);
    // Returns the last audit entry that it looked at.
    [[nodiscard]] std::int64_t add_acts(std::vector<ledger::NewAlert>& alerts);
    void add_digest(std::vector<ledger::NewAlert>& alerts, const LocalTime& local, Instant now);
    // `one`: the oldest waiting message was accepted or refused for good. `failed`: the channel failed; back off.
    enum class SendOutcome { nothing, one, failed };
    [[nodiscard]] asio::awaitable<SendOutcome> send_next(ChannelState& state);
    // Decides whether the next alert is tried before this one, and whether this one is given up.
    [[nodiscard]] SendOutcome after_failure(ChannelState& state, const std::vector<ledger::OpenAlertSend>& open,
                                            const ledger::OpenAlertSend& tried, Result<void>& outcome);
    [[nodiscard]] asio::awaitable<Result<void>> send_by(ledger::AlertChannel channel, ledger::AlertRow alert,
                                                        std::string message_id);
    [[nodiscard]] asio::awaitable<MailResult> mail_to_each(ledger::AlertRow alert, std::string message_id,
                                                           std::vector<std::string> reached);
    void record_new_if_space();
    bool record_if_space(ChannelState& state);
    void record(ChannelState& state, const ledger::OpenAlertSend& send, const Result<void>& outcome);
    [[nodiscard]] std::string message_id(std::int64_t alert_id) const;
    [[nodiscard]] asio::awaitable<void> pause(asio::steady_timer& timer, std::chrono::milliseconds length);

    asio::any_io_executor executor_;
    ledger::Ledger& ledger_;
    const Clock& clock_;
    Settings settings_;
    Transports transports_;
    LogSink log_;
    std::list<ChannelState> channels_;  // the configured ones
    asio::steady_timer scan_timer_;
    std::optional<BusinessDate> confirmations_checked_on_;
    std::optional<std::int64_t> acts_seen_;  // the last one, once its alert is recorded; nullopt: since the start
    bool removed_channels_dropped_ = false;  // sends of channels that are no longer configured
    // Who has the mail that is being retried, by its message id. A restart sends it to everybody again.
    std::map<std::string, std::vector<std::string>> reached_;
    std::map<std::string, int> unreachable_;  // recipients: consecutive failures
    bool stopping_ = false;
};

}  // namespace drawbridge::alerts
