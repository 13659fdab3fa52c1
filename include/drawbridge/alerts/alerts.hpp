// Tells people what needs them, without being asked: notices it in the ledger, writes it down as an intent, sends it by
// webhook and e-mail until it is taken; each thing in one message.
//
// It never holds up a step: it has coroutines of its own, and what cannot be sent waits in the ledger. A message that
// was sent when the program died before that was recorded goes out once more, under the same id. No account number and
// no secret is in any message.
#pragma once

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/awaitable.hpp>
#include <boost/asio/steady_timer.hpp>
#include <chrono>
#include <cstdint>
#include <functional>
#include <list>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "drawbridge/alerts/mail.hpp"
#include "drawbridge/domain/banking_calendar.hpp"
#include "drawbridge/domain/clock.hpp"
#include "drawbridge/ledger/alerts.hpp"
#include "drawbridge/service/webhook.hpp"

namespace drawbridge::alerts {

namespace asio = boost::asio;

struct Settings {
    TimeZone zone;             // of the times of day
    BankingCalendar calendar;  // on which days confirmations are expected
    std::optional<std::chrono::minutes> daily_digest{}, nothing_confirmed_by{};
    // Released without a person: a file that waits is told only when it still waits after two minutes.
    bool release_automatically = false;
    std::string office{};  // whose messages these are, for their titles; may be empty
    std::chrono::milliseconds look_every{15'000};
    std::chrono::milliseconds retry_base{10'000};  // doubles with each failure of a way
    std::chrono::milliseconds retry_cap{300'000};
};

struct Ways {
    std::unique_ptr<service::Webhook> webhook;  // null: not configured
    std::optional<MailOptions> mail;
};

struct TestDelivery {
    ledger::AlertChannel channel = ledger::AlertChannel::webhook;
    std::string error;  // empty: it was taken
};

class Alerts {
  public:
    // `say` is told of a way that begins to fail, of one that works again, and of a message that was refused.
    using Say = std::function<void(bool is_problem, const std::string& text)>;
    // `ledger` and `clock` outlive it.
    Alerts(asio::any_io_executor executor, ledger::Ledger& ledger, const Clock& clock, Settings settings, Ways ways,
           Say say);
    Alerts(const Alerts&) = delete;
    Alerts& operator=(const Alerts&) = delete;

    [[nodiscard]] std::vector<ledger::AlertChannel> channels() const;

    // Writes down everything that is new since the last look; how many messages.
    int notice();
    // Looks again and again, until stop().
    [[nodiscard]] asio::awaitable<void> watch();
    // Sends what waits for this way, with growing waits while it fails, until stop().
    [[nodiscard]] asio::awaitable<void> send(ledger::AlertChannel channel);
    // Everything that waits, each way until its first failure; for a program that ends afterwards.
    [[nodiscard]] asio::awaitable<void> send_once();
    // A message that says that it is a test, by every way, at once. Audited in the caller's name. Errors: no way is
    // configured.
    [[nodiscard]] asio::awaitable<Result<std::vector<TestDelivery>>> test(std::string reason, ledger::Stamp stamp);
    // By e-mail, at once, past the ledger: for what must not be kept, such as a release code. Errors: no e-mail is
    // configured, or the server does not take it.
    [[nodiscard]] asio::awaitable<Result<void>> mail_now(std::string title, std::string text);
    // The waits end; a message in hand goes on.
    void stop();

  private:
    // What became of a message; kept while the disk has no room for it, so that nothing is sent twice.
    struct Told {
        ledger::OpenDelivery delivery;
        Result<void> outcome;
    };
    struct Way {
        Way(const asio::any_io_executor& executor, ledger::AlertChannel which) : channel(which), timer(executor) {}
        ledger::AlertChannel channel;
        asio::steady_timer timer;
        int failures = 0;  // in a row
        std::optional<Told> unrecorded = {};
    };

    [[nodiscard]] Way& way(ledger::AlertChannel channel);
    void add_exceptions(std::vector<ledger::NewAlert>& alerts);
    void add_files(std::vector<ledger::NewAlert>& alerts, Instant now);
    void add_corrections(std::vector<ledger::NewAlert>& alerts, BusinessDate today);
    void add_unconfirmed(std::vector<ledger::NewAlert>& alerts, const LocalTime& local);
    void add_digest(std::vector<ledger::NewAlert>& alerts, const LocalTime& local, Instant now);
    // Nothing waits, or the first message that does was dealt with; false: the way failed.
    enum class Sent { nothing, one, failed };
    [[nodiscard]] asio::awaitable<Sent> send_next(Way& way);
    [[nodiscard]] asio::awaitable<Result<void>> deliver(ledger::AlertChannel channel, ledger::AlertRow alert,
                                                        std::string message_id);
    void notice_if_space();
    bool record_if_space(Way& way);
    void record(Way& way, const ledger::OpenDelivery& delivery, const Result<void>& outcome);
    [[nodiscard]] std::string message_id(std::int64_t alert_id) const;
    [[nodiscard]] asio::awaitable<void> pause(asio::steady_timer& timer, std::chrono::milliseconds length);

    asio::any_io_executor executor_;
    ledger::Ledger& ledger_;
    const Clock& clock_;
    Settings settings_;
    Ways out_;
    Say say_;
    std::list<Way> ways_;  // those that are configured
    asio::steady_timer look_timer_;
    std::optional<BusinessDate> confirmations_looked_for_;  // on which day
    bool dropped_ = false;                                  // what waited for a way that is gone
    bool stopping_ = false;
};

}  // namespace drawbridge::alerts
