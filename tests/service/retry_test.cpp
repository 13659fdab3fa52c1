#include "retry.hpp"

#include <gtest/gtest.h>

namespace drawbridge::service {
namespace {

using std::chrono::seconds;

const SteadyTime start{std::chrono::hours(1)};

TEST(JitteredDelay, is_anywhere_below_a_doubling_ceiling_and_never_above_the_cap) {
    const milliseconds base(100);
    const milliseconds cap(1000);
    EXPECT_EQ(jittered_delay(1, base, cap, 0.0), milliseconds(0));
    EXPECT_EQ(jittered_delay(1, base, cap, 0.5), milliseconds(50));
    EXPECT_EQ(jittered_delay(3, base, cap, 0.5), milliseconds(200));
    EXPECT_EQ(jittered_delay(5, base, cap, 0.5), milliseconds(500));
    EXPECT_LT(jittered_delay(1000, base, cap, 0.999), cap);
}

TEST(RetryAfter, is_seconds_or_a_date_relative_to_the_answers_date_or_our_clock) {
    // Ours is ten seconds behind the service's.
    const Instant ours = std::chrono::sys_days(std::chrono::year(2026) / 11 / 20) + std::chrono::hours(23) +
                         std::chrono::minutes(6) + seconds(22);
    constexpr const char* date = "Fri, 20 Nov 2026 23:06:32 GMT";
    const struct {
        const char* retry_after;
        const char* date;
        std::optional<milliseconds> expected;
    } cases[] = {
        {"0", date, milliseconds(0)},
        {"120", "", seconds(120)},
        {"Fri, 20 Nov 2026 23:07:02 GMT", date, seconds(30)},
        {"Sat, 21 Nov 2026 00:06:32 GMT", date, seconds(3600)},
        {"Fri, 20 Nov 2026 23:00:00 GMT", date, milliseconds(0)},
        {"Fri, 20 Nov 2026 23:07:02 GMT", "", seconds(40)},
        {"Fri, 20 Nov 2026 23:07:02 GMT", "yesterday", seconds(40)},
        {"Fri, 20 Nov 2026 23:07:02 GMT", "Fri, 31 Feb 2026 23:06:32 GMT", seconds(40)},
        {"Fri, 20 Nov 2026 23:00:00 GMT", "", milliseconds(0)},
        {"soon", "", std::nullopt},
        {"Fri, 20 Nov 2026 23:07:02 CET", date, std::nullopt},
        {"Fri, 31 Feb 2026 23:07:02 GMT", date, std::nullopt},
        {"", date, std::nullopt},
        {"-5", date, std::nullopt},
        {"1.5", date, std::nullopt},
        {"soon", date, std::nullopt},
        {"99999999999999", date, std::nullopt},
    };
    for (const auto& c : cases)
        EXPECT_EQ(parse_retry_after(c.retry_after, c.date, ours), c.expected) << c.retry_after << " " << c.date;
}

TEST(RetryBudget, allows_a_number_of_retries_per_window) {
    RetryBudget budget(2, seconds(10));
    EXPECT_TRUE(budget.spend(start));
    EXPECT_TRUE(budget.spend(start + seconds(5)));
    EXPECT_FALSE(budget.spend(start + seconds(9)));
    EXPECT_TRUE(budget.spend(start + seconds(10)));
}

TEST(Circuit, opens_after_consecutive_failures_and_closes_after_a_success) {
    Circuit circuit(2, seconds(10));
    EXPECT_TRUE(circuit.enter(start));
    circuit.failed(start);
    circuit.succeeded();
    circuit.failed(start);
    EXPECT_EQ(circuit.state(start), CircuitState::closed);
    circuit.failed(start);
    EXPECT_EQ(circuit.state(start), CircuitState::open);
    EXPECT_FALSE(circuit.enter(start + seconds(9)));
    EXPECT_EQ(circuit.next_try_in(start + seconds(9)), seconds(1));
}

TEST(Circuit, lets_one_attempt_probe_and_a_failure_opens_it_again) {
    Circuit circuit(1, seconds(10));
    circuit.failed(start);
    const SteadyTime later = start + seconds(10);
    EXPECT_EQ(circuit.state(later), CircuitState::half_open);
    EXPECT_TRUE(circuit.enter(later));
    EXPECT_FALSE(circuit.enter(later));
    circuit.abandoned();
    EXPECT_TRUE(circuit.enter(later));
    circuit.failed(later);
    EXPECT_FALSE(circuit.enter(later + seconds(9)));
    EXPECT_TRUE(circuit.enter(later + seconds(10)));
    circuit.succeeded();
    EXPECT_EQ(circuit.state(later + seconds(10)), CircuitState::closed);
}

TEST(RateLimiter, spaces_requests_evenly_and_pauses_them) {
    RateLimiter limiter(10);
    EXPECT_EQ(limiter.take(start), start);
    EXPECT_EQ(limiter.take(start), start + milliseconds(100));
    EXPECT_EQ(limiter.take(start), start + milliseconds(200));
    EXPECT_EQ(limiter.take(start + seconds(5)), start + seconds(5));
    limiter.pause_until(start + seconds(9));
    limiter.pause_until(start + seconds(7));
    EXPECT_EQ(limiter.take(start + seconds(5)), start + seconds(9));
    RateLimiter unlimited(0);
    EXPECT_EQ(unlimited.take(start), start);
    EXPECT_EQ(unlimited.take(start), start);
}

}  // namespace
}  // namespace drawbridge::service
