// What is true of every world (world.hpp) in which people are honest.
//
// DRAWBRIDGE_MODEL_SEED begins elsewhere, DRAWBRIDGE_MODEL_RUNS makes it longer.
#include "pipeline/world.hpp"

namespace drawbridge::pipeline {
namespace {

TEST(EveryWorld, pays_each_draw_once) {
    const unsigned first = number_from("DRAWBRIDGE_MODEL_SEED", 1);
    const unsigned runs = number_from("DRAWBRIDGE_MODEL_RUNS", 10);
    for (unsigned seed = first; seed < first + runs && !::testing::Test::HasFailure(); ++seed)
        World().run_seed(seed);
    if (runs < 10) return;
    for (const char* what :
         {"released", "voided file", "voided payment", "paid by silence", "put back", "manifests lost", "reissued"})
        EXPECT_GT(World::happened(what), 0) << what;
}

}  // namespace
}  // namespace drawbridge::pipeline
