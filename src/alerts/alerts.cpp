#include "drawbridge/alerts/alerts.hpp"

#include <algorithm>
#include <boost/asio/as_tuple.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <utility>

#include "digest.hpp"
#include "drawbridge/domain/assert.hpp"
#include "drawbridge/domain/crash_point.hpp"
#include "drawbridge/domain/elapsed.hpp"
#include "drawbridge/ledger/disk_space.hpp"
#include "drawbridge/ledger/runs.hpp"
#include "messages.hpp"

namespace drawbridge::alerts {
namespace {

using ledger::AlertChannel;
using ledger::AlertSource;

constexpr int max_exceptions_at_once = 100'000;
constexpr std::chrono::minutes release_patience{2};
constexpr std::chrono::days corrections_looked_back{30};
constexpr std::string_view actor = "drawbridge";

std::string error_line(const Error& error) {
    constexpr std::size_t longest = 500;
    return error.message.empty() ? std::string("failed") : error.message.substr(0, longest);
}

}  // namespace

Alerts::Alerts(asio::any_io_executor executor, ledger::Ledger& ledger, const Clock& clock, Settings settings, Ways ways,
               Say say)
    : executor_(std::move(executor)),
      ledger_(ledger),
      clock_(clock),
      settings_(std::move(settings)),
      out_(std::move(ways)),
      say_(std::move(say)),
      look_timer_(executor_) {
    if (out_.webhook) ways_.emplace_back(executor_, AlertChannel::webhook);
    if (out_.mail) ways_.emplace_back(executor_, AlertChannel::email);
}

std::vector<AlertChannel> Alerts::channels() const {
    std::vector<AlertChannel> all;
    for (const auto& way : ways_)
        all.push_back(way.channel);
    return all;
}

Alerts::Way& Alerts::way(AlertChannel channel) {
    const auto found = std::ranges::find(ways_, channel, &Way::channel);
    DRAWBRIDGE_ASSERT(found != ways_.end(), "only ways that are configured are asked for");
    return *found;
}

void Alerts::add_exceptions(std::vector<ledger::NewAlert>& alerts) {
    std::ranges::move(exception_messages(ledger::exceptions_to_tell(ledger_, max_exceptions_at_once)),
                      std::back_inserter(alerts));
}

void Alerts::add_files(std::vector<ledger::NewAlert>& alerts, Instant now) {
    std::vector<ledger::FileRow> waiting;
    for (auto& file : ledger::payment_files(ledger_, /*unreleased_only=*/true)) {
        if (file.state != ledger::FileState::staged) continue;
        if (settings_.release_automatically && file.staged_at && !has_elapsed(*file.staged_at, release_patience, now))
            continue;
        if (!ledger::was_told(ledger_, AlertSource::file, file.file_id)) waiting.push_back(std::move(file));
    }
    if (!waiting.empty()) alerts.push_back(release_message(waiting));
}

// Told once more when the day is near, and where nothing was told in time: after it.
void Alerts::add_corrections(std::vector<ledger::NewAlert>& alerts, BusinessDate today) {
    const BusinessDate from(std::chrono::sys_days(today) - corrections_looked_back);
    auto due = ledger::open_corrections(ledger_, from, settings_.calendar.add(today, 1));
    std::erase_if(due,
                  [&](const auto& row) { return ledger::was_told(ledger_, AlertSource::correction, row.hold_id); });
    if (!due.empty()) alerts.push_back(correction_message(due, today));
}

void Alerts::add_unconfirmed(std::vector<ledger::NewAlert>& alerts, const LocalTime& local) {
    const auto by = settings_.nothing_confirmed_by;
    if (!by || local.time_of_day < *by || !settings_.calendar.is_banking_day(local.date)) return;
    if (confirmations_looked_for_ == local.date) return;
    confirmations_looked_for_ = local.date;
    if (ledger::was_told(ledger_, AlertSource::confirmation, day_number(local.date))) return;
    const auto midnight = settings_.zone.to_instant(local.date, std::chrono::minutes(0));
    if (ledger::is_anything_confirmed_since(ledger_, midnight)) return;
    const auto waiting = ledger::unconfirmed_payments(ledger_, midnight);
    if (waiting.count > 0) alerts.push_back(unconfirmed_message(waiting, local.date, *by));
}

void Alerts::add_digest(std::vector<ledger::NewAlert>& alerts, const LocalTime& local, Instant now) {
    if (!settings_.daily_digest || local.time_of_day < *settings_.daily_digest) return;
    if (ledger::was_told(ledger_, AlertSource::digest, day_number(local.date))) return;
    // Not before the day's first look at the service: a program that was just started knows what was yesterday.
    const auto poll = ledger::last_run(ledger_, Step::poll);
    if (!poll || settings_.zone.date_of(poll->ended_at) != local.date) return;
    alerts.push_back(daily_digest(ledger_, settings_.zone, now));
}

int Alerts::notice() {
    const Instant now = clock_.now();
    if (!std::exchange(dropped_, true)) {
        ledger_.transaction([&] {
            for (const auto channel : {AlertChannel::webhook, AlertChannel::email}) {
                if (std::ranges::find(ways_, channel, &Way::channel) == ways_.end())
                    ledger::drop_deliveries(ledger_, channel, now);
            }
        });
    }
    const auto local = settings_.zone.to_local(now);
    std::vector<ledger::NewAlert> alerts;
    add_exceptions(alerts);
    add_files(alerts, now);
    add_corrections(alerts, local.date);
    add_unconfirmed(alerts, local);
    add_digest(alerts, local, now);
    if (alerts.empty()) return 0;
    const auto ways = channels();
    ledger_.transaction([&] {
        for (const auto& alert : alerts)
            ledger::record_alert(ledger_, alert, ways, {now, std::string(actor)});
    });
    crash_point("alerts.intent_committed");
    for (auto& way : ways_) {
        if (way.failures == 0) way.timer.cancel();  // one that fails waits its time out
    }
    return static_cast<int>(alerts.size());
}

// A full disk is waited out: the work loop says that it is full.
void Alerts::notice_if_space() {
    try {
        notice();
    } catch (const std::exception& failure) {
        if (!ledger::no_space(ledger_, failure)) throw;
    }
}

bool Alerts::record_if_space(Way& way) {
    try {
        record(way, way.unrecorded->delivery, way.unrecorded->outcome);
        way.unrecorded.reset();
        return true;
    } catch (const std::exception& failure) {
        if (!ledger::no_space(ledger_, failure)) throw;
        return false;
    }
}

asio::awaitable<void> Alerts::watch() {
    while (!stopping_) {
        notice_if_space();
        co_await pause(look_timer_, settings_.look_every);
    }
}

asio::awaitable<void> Alerts::send(AlertChannel channel) {
    Way& mine = way(channel);
    while (!stopping_) {
        const Sent sent = co_await send_next(mine);
        if (sent == Sent::one) continue;
        auto length = settings_.look_every;
        if (sent == Sent::failed) {
            const int doublings = std::min(mine.failures - 1, 16);
            length =
                std::min(settings_.retry_cap, std::chrono::milliseconds(settings_.retry_base.count() << doublings));
        }
        co_await pause(mine.timer, length);
    }
}

asio::awaitable<void> Alerts::send_once() {
    for (auto& way : ways_) {
        Sent sent = Sent::one;
        while (sent == Sent::one)
            sent = co_await send_next(way);
    }
}

asio::awaitable<Alerts::Sent> Alerts::send_next(Way& way) {
    if (way.unrecorded && !record_if_space(way)) co_return Sent::nothing;
    const auto open = ledger::open_deliveries(ledger_, way.channel, 1);
    if (open.empty()) co_return Sent::nothing;
    const auto& delivery = open.front();
    auto outcome = co_await deliver(way.channel, delivery.alert, message_id(delivery.alert.alert_id));
    way.unrecorded.emplace(delivery, outcome);
    if (!record_if_space(way)) co_return Sent::nothing;
    const bool done = outcome.has_value() || outcome.error().code == ErrorCode::invalid_input;
    co_return done ? Sent::one : Sent::failed;
}

asio::awaitable<Result<void>> Alerts::deliver(AlertChannel channel, ledger::AlertRow alert, std::string message_id) {
    if (channel == AlertChannel::webhook) {
        std::string body = webhook_body(alert, message_id, settings_.office);
        co_return co_await out_.webhook->post(std::move(body), std::move(message_id));
    }
    Mail mail;
    mail.message_id = message_id + "@drawbridge";
    mail.date = alert.raised_at;
    mail.subject = "[" + (settings_.office.empty() ? std::string("Drawbridge") : settings_.office) + "] " + alert.title;
    mail.text = alert.text + "\n-- \nDrawbridge, message " + message_id + "\n";
    MailOptions options = *out_.mail;
    auto taken = co_await send_mail(executor_, std::move(options), std::move(mail));
    if (taken) crash_point("alerts.sent");
    co_return taken;
}

asio::awaitable<Result<void>> Alerts::mail_now(std::string title, std::string text) {
    if (!out_.mail) {
        co_return fail(ErrorCode::unavailable,
                       "no e-mail is configured, and the release code goes by e-mail: set alerts.email");
    }
    ledger::AlertRow alert;
    alert.raised_at = clock_.now();
    alert.title = std::move(title);
    alert.text = std::move(text);
    std::string id = "release-code-" + std::to_string(alert.raised_at.time_since_epoch().count());
    auto taken = co_await deliver(AlertChannel::email, std::move(alert), std::move(id));
    co_return taken;
}

void Alerts::record(Way& way, const ledger::OpenDelivery& delivery, const Result<void>& outcome) {
    const Instant now = clock_.now();
    const std::string which = std::string(ledger::to_string(way.channel));
    if (outcome) {
        ledger_.transaction(
            [&] { ledger::close_delivery(ledger_, delivery.delivery_id, ledger::DeliveryOutcome::sent, now); });
        crash_point("alerts.result_committed");
        if (std::exchange(way.failures, 0) > 0) say_(/*is_problem=*/false, "alerts go out by " + which + " again");
        return;
    }
    const auto text = error_line(outcome.error());
    if (outcome.error().code == ErrorCode::invalid_input) {
        ledger_.transaction([&] {
            ledger::record_failed_attempt(ledger_, delivery.delivery_id, text, now);
            ledger::close_delivery(ledger_, delivery.delivery_id, ledger::DeliveryOutcome::refused, now);
        });
        way.failures = 0;
        return say_(/*is_problem=*/true, "alert '" + delivery.alert.title + "' was refused by " + which + ": " + text);
    }
    ledger_.transaction([&] { ledger::record_failed_attempt(ledger_, delivery.delivery_id, text, now); });
    if (++way.failures == 1) say_(/*is_problem=*/true, "no alert goes out by " + which + ": " + text);
}

asio::awaitable<Result<std::vector<TestDelivery>>> Alerts::test(std::string reason, ledger::Stamp stamp) {
    if (ways_.empty()) {
        co_return fail(ErrorCode::conflict,
                       "there is no way for alerts: add alerts.webhook or alerts.email to drawbridge.yaml");
    }
    ledger::AlertRow alert;
    alert.kind = "test";
    alert.raised_at = stamp.at;
    alert.title = "this is a test";
    alert.text = "Ordered by " + stamp.actor + ": " + reason + "\nNothing is wrong.\n";
    alert.items_json = "[]";
    const std::string id =
        ledger_.ledger_id().substr(0, 12) + "-test-" + std::to_string(stamp.at.time_since_epoch().count());
    std::vector<TestDelivery> deliveries;
    std::string outcomes;
    for (auto& way : ways_) {
        const auto outcome = co_await deliver(way.channel, alert, id);
        deliveries.push_back({way.channel, outcome ? std::string() : error_line(outcome.error())});
        outcomes += "; " + std::string(ledger::to_string(way.channel)) + ": " +
                    (outcome ? std::string("taken") : deliveries.back().error);
    }
    ledger_.transaction([&] { ledger::audit(ledger_, stamp, "alerts.tested", "alerts", reason + outcomes); });
    co_return deliveries;
}

std::string Alerts::message_id(std::int64_t alert_id) const {
    return ledger_.ledger_id().substr(0, 12) + "-" + std::to_string(alert_id);
}

asio::awaitable<void> Alerts::pause(asio::steady_timer& timer, std::chrono::milliseconds length) {
    if (stopping_) co_return;
    timer.expires_after(length);
    static_cast<void>(co_await timer.async_wait(asio::as_tuple(asio::use_awaitable)));
}

void Alerts::stop() {
    stopping_ = true;
    look_timer_.cancel();
    for (auto& way : ways_)
        way.timer.cancel();
}

}  // namespace drawbridge::alerts
