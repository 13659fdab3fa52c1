#include "drawbridge/reconciliation/report.hpp"

#include <gtest/gtest.h>

namespace drawbridge::reconciliation {
namespace {

StateTotal total(std::string state, std::int64_t count, std::int64_t cents) {
    return {std::move(state), count, Money::from_cents(cents)};
}

TEST(ReconciliationSummary, adds_up_to_the_cent_over_every_state) {
    const auto summary = summarize(
        {total("pending", 1, 1), total("held", 2, 10), total("approving", 3, 100), total("approved", 4, 1'000),
         total("blocked", 5, 10'000), total("paying", 6, 100'000), total("paid", 7, 1'000'000),
         total("disbursed", 8, 10'000'000), total("reported", 9, 100'000'000), total("returned", 10, 1'000'000'000),
         total("cancelled", 11, 10'000'000'000), total("external", 12, 100'000'000'000)},
        total("", 78, 111'111'111'111));
    EXPECT_TRUE(summary.adds_up());
    EXPECT_EQ(summary.finished, total("finished", 32, 110'100'000'000));
    EXPECT_EQ(summary.in_flight, total("in flight", 29, 11'101'101));
    EXPECT_EQ(summary.exceptions, total("exceptions", 17, 1'000'010'010));
    EXPECT_EQ(to_line(summary),
              "seen 78 ($1,111,111,111.11) = finished 32 ($1,101,000,000.00) + in flight 29 ($111,011.01) + "
              "exceptions 17 ($10,000,100.10)");
}

TEST(ReconciliationSummary, reports_what_does_not_add_up) {
    struct Case {
        std::vector<StateTotal> states;
        StateTotal seen;
        std::string_view ends;
    };
    const Case cases[] = {
        {{total("paid", 2, 300)}, total("", 3, 500), ": DOES NOT ADD UP: 1 draw and $2.00 are in no state"},
        {{total("paid", 2, 300)}, total("", 2, 301), ": DOES NOT ADD UP: 0 draws and $0.01 are in no state"},
        {{total("paid", 2, 301)}, total("", 2, 300), ": DOES NOT ADD UP: 0 draws and $0.01 are in more than one state"},
        {{total("paid", 4, 300)}, total("", 2, 100), ": DOES NOT ADD UP: 2 draws and $2.00 are in more than one state"},
        {{total("paid", 1, 100), total("lost", 1, 50)},
         total("", 2, 150),
         ": DOES NOT ADD UP: 1 draw and $0.50 are in no state; state 'lost' is unknown"},
    };
    for (const Case& c : cases) {
        const auto summary = summarize(c.states, c.seen);
        EXPECT_FALSE(summary.adds_up());
        EXPECT_TRUE(to_line(summary).ends_with(c.ends)) << to_line(summary);
    }
}

TEST(ReconciliationSummary, adds_up_when_empty) {
    EXPECT_EQ(to_line(summarize({})),
              "seen 0 ($0.00) = finished 0 ($0.00) + in flight 0 ($0.00) + exceptions 0 ($0.00)");
}

TEST(ReconciliationSummary, counts_the_states_as_seen_by_default) {
    const auto summary = summarize({total("paid", 1, 100), total("held", 1, 50)});
    EXPECT_TRUE(summary.adds_up());
    EXPECT_EQ(summary.seen, total("seen", 2, 150));
}

}  // namespace
}  // namespace drawbridge::reconciliation
