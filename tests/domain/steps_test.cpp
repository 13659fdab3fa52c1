#include "drawbridge/domain/steps.hpp"

#include <gtest/gtest.h>

#include <string>

namespace drawbridge {
namespace {

TEST(Steps, are_seven_in_pipeline_order) {
    std::string names;
    for (const Step step : all_steps)
        names += std::string(to_string(step)) + " ";
    EXPECT_EQ(names, "poll decide approve pay deliver confirm report ");
}

TEST(Steps, are_parsed_only_from_their_exact_names) {
    for (const Step step : all_steps)
        EXPECT_EQ(parse_step(to_string(step)), step);
    for (const char* other : {"", "Poll", "polls", "backup", "verify", "release", "waiting"})
        EXPECT_EQ(parse_step(other), std::nullopt) << other;
}

}  // namespace
}  // namespace drawbridge
