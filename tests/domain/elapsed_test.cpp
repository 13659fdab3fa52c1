#include "drawbridge/domain/elapsed.hpp"

#include <gtest/gtest.h>

namespace drawbridge {
namespace {

using std::chrono::milliseconds;

TEST(HasElapsed, counts_the_last_millisecond_and_takes_a_time_in_the_future_as_past) {
    const Instant since(milliseconds(1'000));
    EXPECT_FALSE(has_elapsed(since, milliseconds(500), since));
    EXPECT_FALSE(has_elapsed(since, milliseconds(500), Instant(milliseconds(1'499))));
    EXPECT_TRUE(has_elapsed(since, milliseconds(500), Instant(milliseconds(1'500))));
    EXPECT_TRUE(has_elapsed(since, milliseconds(500), Instant(milliseconds(999))));
}

TEST(Backoff, doubles_with_each_failure_up_to_the_longest) {
    const milliseconds base(100), longest(1'000);
    for (const auto& [failures, wait] :
         {std::pair(-1, 0), {0, 0}, {1, 100}, {2, 200}, {3, 400}, {4, 800}, {5, 1'000}, {1'000'000, 1'000}}) {
        EXPECT_EQ(backoff(failures, base, longest), milliseconds(wait)) << failures;
    }
    EXPECT_EQ(backoff(0, milliseconds(1), longest), milliseconds(0));
    // It doubles up to twenty times, so that a long row of failures cannot overflow it.
    EXPECT_EQ(backoff(21, milliseconds(1), milliseconds::max()), milliseconds(1 << 20));
    EXPECT_EQ(backoff(1'000'000, milliseconds(1), milliseconds::max()), milliseconds(1 << 20));
}

}  // namespace
}  // namespace drawbridge
