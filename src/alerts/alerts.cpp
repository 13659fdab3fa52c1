#include "drawbridge/alerts/alerts.hpp"

#include <algorithm>
#include <boost/asio/as_tuple.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <utility>

#include "digest.hpp"
#include "drawbridge/domain/assert.hpp"
#include "drawbridge/domain/crash_point.hpp"
#include "drawbridge/domain/elapsed.hpp"
#include "drawbridge/ledger/facts/confirmations.hpp"
#include "drawbridge/ledger/facts/runs.hpp"
#include "drawbridge/ledger/store/disk_space.hpp"
#include "messages.hpp"

namespace drawbridge::alerts {
namespace {

using ledger::AlertChannel;
using ledger::AlertSource;

constexpr int max_exceptions_at_once = 100'000;
constexpr std::int64_t max_entries_at_once = 50'000;
constexpr std::chrono::minutes automatic_release_grace{2};
constexpr std::chrono::days corrections_lookback{30};
constexpr std::string_view actor = "drawbridge";

std::string error_line(const Error& error) {
    constexpr std::size_t max_length = 500;
    return error.message.empty() ? std::string("failed") : error.message.substr(0, max_length);
}

}  // namespace

Alerts::Alerts(asio::any_io_executor executor, ledger::Ledger& ledger, const Clock& clock, Settings settings,
               Transports transports, LogSink log)
    : executor_(std::move(executor)),
      ledger_(ledger),
      clock_(clock),
      settings_(std::move(settings)),
      transports_(std::move(transports)),
      log_(std::move(log)),
      scan_timer_(executor_) {
    if (transports_.webhook) channels_.emplace_back(executor_, AlertChannel::webhook);
    if (transports_.mail) channels_.emplace_back(executor_, AlertChannel::email);
}

std::vector<AlertChannel> Alerts::channels() const {
    std::vector<AlertChannel> all;
    for (const auto& state : channels_)
        all.push_back(state.channel);
    return all;
}

Alerts::ChannelState& Alerts::state_of(AlertChannel channel) {
    const auto found = std::ranges::find(channels_, channel, &ChannelState::channel);
    DRAWBRIDGE_ASSERT(found != channels_.end(), "the channel is configured");
    return *found;
}

void Alerts::add_exceptions(std::vector<ledger::NewAlert>& alerts) {
    if (ledger::recording_since(ledger_)) return;  // its exceptions go out together
    std::ranges::move(exception_messages(ledger::exceptions_to_alert(ledger_, max_exceptions_at_once)),
                      std::back_inserter(alerts));
}

void Alerts::add_files(std::vector<ledger::NewAlert>& alerts, Instant now) {
    std::vector<ledger::FileRow> waiting;
    for (auto& file : ledger::payment_files(ledger_, /*unreleased_only=*/true)) {
        if (file.state != ledger::FileState::staged) continue;
        if (settings_.release_automatically && file.staged_at &&
            !has_elapsed(*file.staged_at, automatic_release_grace, now))
            continue;
        if (!ledger::was_alerted(ledger_, AlertSource::file, file.file_id)) waiting.push_back(std::move(file));
    }
    if (!waiting.empty()) alerts.push_back(release_message(waiting));
}

// A second alert one banking day before a correction's deadline. A deadline that passed without one, at most 30 days
// ago, gets it late.
void Alerts::add_corrections(std::vector<ledger::NewAlert>& alerts, BusinessDate today) {
    const BusinessDate from(std::chrono::sys_days(today) - corrections_lookback);
    auto due = ledger::open_corrections(ledger_, from, settings_.calendar.add(today, 1));
    std::erase_if(due,
                  [&](const auto& row) { return ledger::was_alerted(ledger_, AlertSource::correction, row.hold_id); });
    if (!due.empty()) alerts.push_back(correction_message(due, today));
}

void Alerts::add_unconfirmed(std::vector<ledger::NewAlert>& alerts, const LocalTime& local) {
    const auto by = settings_.nothing_confirmed_by;
    if (!by || local.time_of_day < *by || !settings_.calendar.is_banking_day(local.date)) return;
    if (confirmations_checked_on_ == local.date) return;
    confirmations_checked_on_ = local.date;
    if (ledger::was_alerted(ledger_, AlertSource::confirmation, day_number(local.date))) return;
    const auto midnight = settings_.zone.to_instant(local.date, std::chrono::minutes(0));
    if (ledger::is_anything_confirmed_since(ledger_, midnight)) return;
    const auto waiting = ledger::unconfirmed_payments(ledger_, midnight);
    if (waiting.count > 0) alerts.push_back(unconfirmed_message(waiting, local.date, *by));
}

std::int64_t Alerts::add_acts(std::vector<ledger::NewAlert>& alerts) {
    if (!acts_seen_) acts_seen_ = ledger::newest_alerted(ledger_, AlertSource::act).value_or(0);
    const auto last = std::min(ledger::journal_end(ledger_), *acts_seen_ + max_entries_at_once);
    const auto acts = ledger::powerful_acts(ledger_, *acts_seen_, last);
    if (acts.empty()) return last;
    std::map<std::string, ledger::FileRow> files;
    for (const auto& act : acts) {
        constexpr std::string_view of_file = "file ";
        if (!act.subject.starts_with(of_file)) continue;
        if (auto file = ledger::find_file(ledger_, act.subject.substr(of_file.size())))
            files.emplace(act.subject, std::move(*file));
    }
    alerts.push_back(acts_message(acts, files));
    return last;
}

void Alerts::add_digest(std::vector<ledger::NewAlert>& alerts, const LocalTime& local, Instant now) {
    if (!settings_.daily_digest || local.time_of_day < *settings_.daily_digest) return;
    if (ledger::was_alerted(ledger_, AlertSource::digest, day_number(local.date))) return;
    // Wait for the day's first poll: a program that has just started knows only yesterday's draws.
    const auto poll = ledger::last_run(ledger_, Step::poll);
    if (!poll || settings_.zone.date_of(poll->ended_at) != local.date) return;
    alerts.push_back(daily_digest(ledger_, settings_.zone, now));
}

int Alerts::record_new() {
    const Instant now = clock_.now();
    if (!std::exchange(removed_channels_dropped_, true)) {
        ledger_.transaction([&] {
            for (const auto channel : {AlertChannel::webhook, AlertChannel::email}) {
                if (std::ranges::find(channels_, channel, &ChannelState::channel) == channels_.end())
                    ledger::drop_alert_sends(ledger_, channel, now);
            }
        });
    }
    const auto local = settings_.zone.to_local(now);
    std::vector<ledger::NewAlert> alerts;
    add_exceptions(alerts);
    add_files(alerts, now);
    add_corrections(alerts, local.date);
    add_unconfirmed(alerts, local);
    const auto acts_seen = add_acts(alerts);
    add_digest(alerts, local, now);
    if (alerts.empty()) {
        acts_seen_ = acts_seen;
        return 0;
    }
    const auto configured = channels();
    ledger_.transaction([&] {
        for (const auto& alert : alerts)
            ledger::record_alert(ledger_, alert, configured, {now, std::string(actor)});
    });
    crash_point("alerts.intent_committed");
    for (auto& state : channels_) {
        if (state.failures == 0) state.timer.cancel();  // a failing channel keeps its backoff
    }
    acts_seen_ = acts_seen;
    return static_cast<int>(alerts.size());
}

// On a full disk this returns and the next scan tries again. The work loop reports the full disk.
void Alerts::record_new_if_space() {
    try {
        record_new();
    } catch (const std::exception& failure) {
        if (!ledger::no_space(ledger_, failure)) throw;
    }
}

bool Alerts::record_if_space(ChannelState& state) {
    try {
        record(state, state.unrecorded->send, state.unrecorded->outcome);
        state.unrecorded.reset();
        return true;
    } catch (const std::exception& failure) {
        if (!ledger::no_space(ledger_, failure)) throw;
        return false;
    }
}

asio::awaitable<void> Alerts::watch() {
    while (!stopping_) {
        record_new_if_space();
        co_await pause(scan_timer_, settings_.scan_interval);
    }
}

asio::awaitable<void> Alerts::send(AlertChannel channel) {
    ChannelState& state = state_of(channel);
    while (!stopping_) {
        const SendOutcome sent = co_await send_next(state);
        if (sent == SendOutcome::one) continue;
        auto length = settings_.scan_interval;
        if (sent == SendOutcome::failed) {
            length = backoff(state.failures, settings_.retry_base, settings_.retry_cap);
        }
        co_await pause(state.timer, length);
    }
}

asio::awaitable<void> Alerts::send_once() {
    for (auto& state : channels_) {
        SendOutcome sent = SendOutcome::one;
        while (sent == SendOutcome::one)
            sent = co_await send_next(state);
    }
}

asio::awaitable<Alerts::SendOutcome> Alerts::send_next(ChannelState& state) {
    if (state.unrecorded && !record_if_space(state)) co_return SendOutcome::nothing;
    const auto open = ledger::open_alert_sends(ledger_, state.channel, 2);
    if (open.empty()) co_return SendOutcome::nothing;
    const auto& send = open.size() > 1 && open[0].send_id == state.passed_over ? open[1] : open[0];
    auto outcome = co_await send_by(state.channel, send.alert, message_id(send.alert.alert_id));
    SendOutcome sent = SendOutcome::one;
    if (!outcome && outcome.error().code != ErrorCode::invalid_input) {
        sent = after_failure(state, open, send, outcome);
    } else if (outcome && state.passed_over != 0) {
        state.on_trial = std::exchange(state.passed_over, 0);
    }
    state.unrecorded.emplace(send, outcome);
    if (!record_if_space(state)) co_return SendOutcome::nothing;
    co_return sent;
}

// A receiver that takes other alerts and never this one refuses it, whatever it answers. Without this, one alert would
// hold up all later ones for good.
Alerts::SendOutcome Alerts::after_failure(ChannelState& state, const std::vector<ledger::OpenAlertSend>& open,
                                          const ledger::OpenAlertSend& tried, Result<void>& outcome) {
    constexpr int max_failures = 5;
    const bool is_oldest = tried.send_id == open.front().send_id;
    if (is_oldest && tried.send_id == std::exchange(state.on_trial, 0)) {
        outcome.error().code = ErrorCode::invalid_input;
        return SendOutcome::one;
    }
    const bool passes = is_oldest && open.size() > 1 && tried.attempts + 1 >= max_failures;
    state.passed_over = passes ? tried.send_id : 0;
    return passes ? SendOutcome::one : SendOutcome::failed;
}

asio::awaitable<Result<void>> Alerts::send_by(AlertChannel channel, ledger::AlertRow alert, std::string message_id) {
    if (channel == AlertChannel::webhook) {
        std::string body = webhook_body(alert, message_id, settings_.office);
        co_return co_await transports_.webhook->post(std::move(body), std::move(message_id));
    }
    auto& reached = reached_[message_id];
    auto result = co_await mail_to_each(std::move(alert), message_id, reached);
    reached = std::move(result.reached);
    if (result.may_be_retried) co_return fail(ErrorCode::unavailable, std::move(result.failures));
    const bool is_anybody_reached = !reached.empty();
    reached_.erase(message_id);
    if (!is_anybody_reached) co_return fail(ErrorCode::invalid_input, std::move(result.failures));
    if (!result.failures.empty()) log_(/*is_problem=*/true, "an alert did not reach everybody: " + result.failures);
    co_return Result<void>();
}

// One run of sendmail for each: a bad address keeps no mail from the others. An address that keeps failing while others
// are reached is tried once for each mail.
asio::awaitable<Alerts::MailResult> Alerts::mail_to_each(ledger::AlertRow alert, std::string message_id,
                                                         std::vector<std::string> reached) {
    constexpr int max_failures = 3;
    MailResult result{.reached = std::move(reached)};
    int refused = 0, retried = 0, given_up = 0;
    Mail mail;
    mail.message_id = message_id + "@drawbridge";
    mail.date = alert.raised_at;
    mail.subject = "[" + (settings_.office.empty() ? std::string("Drawbridge") : settings_.office) + "] " + alert.title;
    mail.text = alert.text + "\n-- \nDrawbridge, message " + message_id + "\n";
    for (const auto& address : transports_.mail->to) {
        if (std::ranges::find(result.reached, address) != result.reached.end()) continue;
        MailOptions options = *transports_.mail;
        options.to = {address};
        Mail copy = mail;
        const auto sent = co_await send_mail(executor_, std::move(options), std::move(copy));
        auto& failures = unreachable_[address];
        if (sent) {
            failures = 0;
            result.reached.push_back(address);
            crash_point("alerts.sent");
            continue;
        }
        ++failures;
        const bool is_refused = sent.error().code == ErrorCode::invalid_input;
        ++(is_refused ? refused : failures >= max_failures ? given_up : retried);
        result.failures += (result.failures.empty() ? "" : "; ") + address + ": " + sent.error().message;
    }
    // If nobody was reached, the mail system is down.
    result.may_be_retried = retried > 0 || (given_up > 0 && result.reached.empty());
    co_return result;
}

asio::awaitable<Result<void>> Alerts::mail_now(std::string title, std::string text) {
    if (!transports_.mail) {
        co_return fail(ErrorCode::unavailable,
                       "no email is configured, and the release code goes by email: set alerts.email");
    }
    ledger::AlertRow alert;
    alert.raised_at = clock_.now();
    alert.title = std::move(title);
    alert.text = std::move(text);
    std::string id = "release-code-" + std::to_string(alert.raised_at.time_since_epoch().count());
    std::vector<std::string> nobody;
    auto result = co_await mail_to_each(std::move(alert), std::move(id), std::move(nobody));
    if (result.reached.empty()) co_return fail(ErrorCode::unavailable, std::move(result.failures));
    co_return Result<void>();
}

void Alerts::record(ChannelState& state, const ledger::OpenAlertSend& send, const Result<void>& outcome) {
    const Instant now = clock_.now();
    const std::string which = std::string(ledger::to_string(state.channel));
    if (outcome) {
        ledger_.transaction([&] { ledger::close_alert_send(ledger_, send.send_id, ledger::SendOutcome::sent, now); });
        crash_point("alerts.result_committed");
        if (std::exchange(state.failures, 0) > 0) log_(/*is_problem=*/false, "alerts are sent by " + which + " again");
        return;
    }
    const auto text = error_line(outcome.error());
    if (outcome.error().code == ErrorCode::invalid_input) {
        ledger_.transaction([&] {
            ledger::record_failed_send(ledger_, send.send_id, text, now);
            ledger::close_alert_send(ledger_, send.send_id, ledger::SendOutcome::refused, now);
        });
        state.failures = 0;
        return log_(/*is_problem=*/true, which + " refused the alert '" + send.alert.title + "': " + text);
    }
    ledger_.transaction([&] { ledger::record_failed_send(ledger_, send.send_id, text, now); });
    if (++state.failures == 1) log_(/*is_problem=*/true, "alerts cannot be sent by " + which + ": " + text);
}

asio::awaitable<Result<std::vector<TestSend>>> Alerts::test(std::string reason, ledger::Stamp stamp) {
    if (channels_.empty()) {
        co_return fail(ErrorCode::conflict,
                       "no alert channel is configured: add alerts.webhook or alerts.email to drawbridge.yaml");
    }
    ledger::AlertRow alert;
    alert.kind = "test";
    alert.raised_at = stamp.at;
    alert.title = "this is a test";
    alert.text = "Ordered by " + stamp.actor + ": " + outgoing(reason) + "\nNothing is wrong.\n";
    alert.items_json = "[]";
    const std::string id =
        ledger_.ledger_id().substr(0, 12) + "-test-" + std::to_string(stamp.at.time_since_epoch().count());
    std::vector<TestSend> sends;
    std::string outcomes;
    for (auto& state : channels_) {
        Result<void> outcome;
        if (state.channel == AlertChannel::email) {
            std::vector<std::string> nobody;
            const auto result = co_await mail_to_each(alert, id, std::move(nobody));
            if (!result.failures.empty()) outcome = fail(ErrorCode::unavailable, result.failures);
        } else {
            outcome = co_await send_by(state.channel, alert, id);
        }
        sends.push_back({state.channel, outcome ? std::string() : error_line(outcome.error())});
        outcomes += "; " + std::string(ledger::to_string(state.channel)) + ": " +
                    (outcome ? std::string("sent") : sends.back().error);
    }
    ledger_.transaction([&] { ledger::audit(ledger_, stamp, "alerts.tested", "alerts", reason + outcomes); });
    co_return sends;
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
    scan_timer_.cancel();
    for (auto& state : channels_)
        state.timer.cancel();
}

}  // namespace drawbridge::alerts
