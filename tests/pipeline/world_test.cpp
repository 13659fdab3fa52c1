// What holds in every world (world.hpp) in which people are honest.
//
// DRAWBRIDGE_MODEL_SEED sets the first seed, DRAWBRIDGE_MODEL_RUNS the number of runs.
#include "pipeline/world.hpp"

namespace drawbridge::pipeline {
namespace {

TEST(EveryWorld, in_every_seed_each_draw_is_paid_exactly_once) {
    const unsigned first = first_seed();
    const unsigned runs = number_of_seeds(10);
    for (unsigned seed = first; seed < first + runs && !::testing::Test::HasFailure(); ++seed)
        World().run_seed(seed);
    if (runs < 10) return;
    for (const char* what : {"released", "voided file", "voided payment", "confirmed automatically", "restored",
                             "manifests lost", "reissued"})
        EXPECT_GT(World::happened(what), 0) << what;
}

}  // namespace
}  // namespace drawbridge::pipeline
