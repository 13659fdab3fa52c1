#include "drawbridge/domain/sum.hpp"

#include <gtest/gtest.h>

namespace drawbridge {
namespace {

TEST(Sum, counts_what_has_no_known_amount_too) {
    Sum sum;
    EXPECT_EQ(sum, (Sum{0, Money::from_cents(0)}));
    sum.add(Money::from_cents(250));
    sum.add(std::nullopt);
    EXPECT_EQ(sum, (Sum{2, Money::from_cents(250)}));
    sum += Sum{3, Money::from_cents(1'000)};
    EXPECT_EQ(sum, (Sum{5, Money::from_cents(1'250)}));
}

TEST(Sum, has_differences_below_zero) {
    EXPECT_EQ((Sum{1, Money::from_cents(100)} - Sum{3, Money::from_cents(250)}), (Sum{-2, Money::from_cents(-150)}));
}

}  // namespace
}  // namespace drawbridge
