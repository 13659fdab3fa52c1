#include "show.hpp"

#include <gtest/gtest.h>

namespace drawbridge::cli {
namespace {

TEST(Show, a_maker_is_named_once_however_often_they_had_a_hand_in_a_file) {
    const std::vector<records::Maker> makers = {{.uid = 61002, .by = "Ben (uid 61002)", .hand = "approved draw 7"},
                                                {.uid = std::nullopt, .by = "Ben", .hand = "approved draw 8"},
                                                {.uid = std::nullopt, .by = "Benno", .hand = "approved draw 9"},
                                                {.uid = 61002, .by = "Ben (uid 61002)", .hand = "approved draw 9"}};
    EXPECT_EQ(maker_names(makers), "Ben (uid 61002), Benno");
    EXPECT_EQ(maker_names({}), "");
}

}  // namespace
}  // namespace drawbridge::cli
