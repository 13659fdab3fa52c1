// When to retry and when to stop. Pure: time and randomness are parameters. It does not decide which requests are safe
// to repeat.
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <string_view>

#include "drawbridge/domain/time.hpp"
#include "drawbridge/service/client.hpp"
#include "steady_time.hpp"

namespace drawbridge::service {

// Full jitter: between 0 and base * 2^(attempt - 1), at most the cap. `fraction` is in [0, 1).
[[nodiscard]] milliseconds jittered_delay(int attempt, milliseconds base, milliseconds cap, double fraction);

// "Sun, 06 Nov 1994 08:49:37 GMT", the only format that HTTP senders may still use. nullopt: anything else.
[[nodiscard]] std::optional<std::chrono::sys_seconds> parse_http_date(std::string_view text);

// Seconds or an HTTP date. A date is compared with the answer's own Date, so that the clocks need not agree; without a
// readable Date, with `now`, our own clock. nullopt: unreadable. Never negative.
[[nodiscard]] std::optional<milliseconds> parse_retry_after(std::string_view retry_after, std::string_view date,
                                                            Instant now);

// At most `retries` per window, so that retries do not overload a failing service.
class RetryBudget {
  public:
    RetryBudget(int retries, milliseconds window) : retries_(retries), window_(window) {}
    [[nodiscard]] bool spend(SteadyTime now);

  private:
    int retries_;
    milliseconds window_;
    SteadyTime window_began_{};
    int spent_ = 0;
};

// Opens after consecutive failed attempts; then lets one attempt at a time probe whether the service is back.
class Circuit {
  public:
    Circuit(int failures, milliseconds open_for) : failures_(failures), open_for_(open_for) {}

    [[nodiscard]] CircuitState state(SteadyTime now) const;
    // Whether this attempt may start. If so, exactly one of succeeded, failed, abandoned must follow.
    [[nodiscard]] bool enter(SteadyTime now);
    void succeeded();
    void failed(SteadyTime now);
    void abandoned() { probing_ = false; }

    [[nodiscard]] int consecutive_failures() const { return consecutive_; }
    [[nodiscard]] std::optional<milliseconds> next_try_in(SteadyTime now) const;

  private:
    int failures_;
    milliseconds open_for_;
    int consecutive_ = 0;
    bool open_ = false;
    bool probing_ = false;
    SteadyTime opened_{};
};

// Spaces requests evenly, and pauses all of them when the service asks for it.
class RateLimiter {
  public:
    explicit RateLimiter(int per_second) : per_second_(per_second) {}
    // Reserves the next free time slot and returns when this request may start.
    [[nodiscard]] SteadyTime take(SteadyTime now);
    void pause_until(SteadyTime moment);
    [[nodiscard]] SteadyTime paused_until() const { return paused_until_; }

  private:
    int per_second_;
    SteadyTime next_{};
    SteadyTime paused_until_{};
};

}  // namespace drawbridge::service
