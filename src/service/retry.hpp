// When to try again, and when to stop trying. Pure: the time and the dice are handed in. It decides nothing about
// which requests are safe to repeat.
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <string_view>

#include "drawbridge/domain/time.hpp"
#include "drawbridge/service/client.hpp"
#include "steady_time.hpp"

namespace drawbridge::service {

// Full jitter: anywhere between nothing and base * 2^(attempt - 1), never above the cap. `fraction` is in [0, 1).
[[nodiscard]] milliseconds jittered_delay(int attempt, milliseconds base, milliseconds cap, double fraction);

// Seconds, or an HTTP date. A date is read against the answer's own Date, so that clocks need not agree; where that is
// missing or unreadable, against `now`, our own clock. nullopt: it says nothing that can be understood. Never negative.
[[nodiscard]] std::optional<milliseconds> parse_retry_after(std::string_view retry_after, std::string_view date,
                                                            Instant now);

// At most `retries` in any window: a service in trouble is not buried under repeats.
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

// Opens after a row of failed attempts; then lets one attempt at a time try whether the service is back.
class Circuit {
  public:
    Circuit(int failures, milliseconds open_for) : failures_(failures), open_for_(open_for) {}

    [[nodiscard]] CircuitState state(SteadyTime now) const;
    // May this attempt go? If so, exactly one of succeeded, failed, abandoned must follow.
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

// Spaces requests evenly, and holds all of them back while the service asks for it.
class RateLimiter {
  public:
    explicit RateLimiter(int per_second) : per_second_(per_second) {}
    // Takes the next free moment: when this request may go.
    [[nodiscard]] SteadyTime take(SteadyTime now);
    void hold_until(SteadyTime moment);
    [[nodiscard]] SteadyTime held_until() const { return held_until_; }

  private:
    int per_second_;
    SteadyTime next_{};
    SteadyTime held_until_{};
};

}  // namespace drawbridge::service
