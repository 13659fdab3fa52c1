#include "retry.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <sstream>

namespace drawbridge::service {
namespace {

using std::chrono::seconds;

std::optional<int> small_number(std::string_view text) {
    int value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error != std::errc() || end != text.data() + text.size() || value < 0) return std::nullopt;
    return value;
}

}  // namespace

milliseconds jittered_delay(int attempt, milliseconds base, milliseconds cap, double fraction) {
    const double ceiling = std::min(static_cast<double>(cap.count()),
                                    static_cast<double>(base.count()) * std::pow(2.0, std::max(0, attempt - 1)));
    return milliseconds(static_cast<std::int64_t>(ceiling * fraction));
}

std::optional<std::chrono::sys_seconds> parse_http_date(std::string_view text) {
    constexpr std::array<std::string_view, 12> months = {"Jan", "Feb", "Mar", "Apr", "May", "Jun",
                                                         "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"};
    if (text.size() != 29 || text.substr(3, 2) != ", " || text.substr(25) != " GMT") return std::nullopt;
    if (text[7] != ' ' || text[11] != ' ' || text[16] != ' ' || text[19] != ':' || text[22] != ':') return std::nullopt;
    const auto* month = std::ranges::find(months, text.substr(8, 3));
    const auto day = small_number(text.substr(5, 2));
    const auto year = small_number(text.substr(12, 4));
    const auto hour = small_number(text.substr(17, 2));
    const auto minute = small_number(text.substr(20, 2));
    const auto second = small_number(text.substr(23, 2));
    if (month == months.end() || !day || !year || !hour || !minute || !second) return std::nullopt;
    const auto date = std::chrono::year(*year) / static_cast<int>(month - months.begin() + 1) / *day;
    if (!date.ok() || *hour > 23 || *minute > 59 || *second > 60) return std::nullopt;
    return std::chrono::sys_days(date) + std::chrono::hours(*hour) + std::chrono::minutes(*minute) + seconds(*second);
}

std::optional<milliseconds> parse_retry_after(std::string_view retry_after, std::string_view date, Instant now) {
    if (const auto delay = small_number(retry_after)) return seconds(*delay);
    const auto moment = parse_http_date(retry_after);
    if (!moment) return std::nullopt;
    const auto answered = parse_http_date(date);
    return std::max(milliseconds(0), *moment - (answered ? Instant(*answered) : now));
}

bool RetryBudget::spend(SteadyTime now) {
    if (now - window_began_ >= window_) {
        window_began_ = now;
        spent_ = 0;
    }
    if (spent_ >= retries_) return false;
    ++spent_;
    return true;
}

CircuitState Circuit::state(SteadyTime now) const {
    if (!open_) return CircuitState::closed;
    return now - opened_ >= open_for_ ? CircuitState::half_open : CircuitState::open;
}

bool Circuit::enter(SteadyTime now) {
    switch (state(now)) {
        case CircuitState::closed: return true;
        case CircuitState::open: return false;
        case CircuitState::half_open: return !std::exchange(probing_, true);
    }
    return false;
}

void Circuit::succeeded() {
    consecutive_ = 0;
    open_ = false;
    probing_ = false;
}

void Circuit::failed(SteadyTime now) {
    probing_ = false;
    ++consecutive_;
    if (consecutive_ < failures_) return;
    open_ = true;
    opened_ = now;
}

std::optional<milliseconds> Circuit::next_try_in(SteadyTime now) const {
    if (state(now) != CircuitState::open) return std::nullopt;
    return std::chrono::ceil<milliseconds>(open_for_ - (now - opened_));
}

SteadyTime RateLimiter::take(SteadyTime now) {
    const SteadyTime moment = std::max({now, next_, paused_until_});
    if (per_second_ > 0) next_ = moment + std::chrono::nanoseconds(seconds(1)) / per_second_;
    return moment;
}

void RateLimiter::pause_until(SteadyTime moment) {
    paused_until_ = std::max(paused_until_, moment);
}

}  // namespace drawbridge::service
