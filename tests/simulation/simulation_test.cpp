// One story for each seed: offices, a service, banks, portals, clocks, disks and connections that fail, honest and
// dishonest people, restores and rollbacks, in this process and without waiting. The same seed is the same story.
//
// DRAWBRIDGE_SEED sets the first seed, DRAWBRIDGE_SEEDS their number.
#include <gtest/gtest-spi.h>
#include <gtest/gtest.h>

#include <exception>
#include <memory>
#include <random>
#include <string>

#include "disk/failing_disk.hpp"
#include "simulation/bad_disks.hpp"
#include "simulation/hostile_world.hpp"
#include "simulation/sequence.hpp"

namespace drawbridge::pipeline {
namespace {

// Ordinary days, and those on which clocks and calendars surprise programs.
constexpr const char* starts[] = {
    "2026-03-04T15:00:00",  // a Wednesday
    "2026-03-08T06:30:00",  // New York: half an hour before clocks go ahead
    "2026-11-01T05:30:00",  // … and before they go back
    "2028-02-28T22:00:00",  // before a leap day
    "2026-12-31T23:30:00",  // before a new year
    "2027-07-02T20:00:00",  // Friday before a holiday that falls on a Sunday
    "2038-01-18T20:00:00",  // before 2^31 seconds have passed
    "2032-10-08T20:00:00",  // Friday before Columbus Day
};

std::shared_ptr<SimulatedSurroundings> surroundings(unsigned seed) {
    return std::make_shared<SimulatedSurroundings>(
        parse_instant(starts[seed / std::size(starts) % std::size(starts)]).value());
}

// Most stories are short, so that there are many.
unsigned length_of(unsigned seed) {
    return steps_of_a_seed(8 + seed * 7 % 23);
}

struct Told {
    std::string story;
    Instant ended;  // depends on how often anybody has looked at the clock
    friend bool operator==(const Told&, const Told&) = default;
};

template <class W>
Told tell(unsigned seed, unsigned length) {
    const auto around = surroundings(seed);
    W world(seed, around);
    world.begin();
    for (unsigned number = 1; number <= length && !::testing::Test::HasFailure(); ++number)
        world.act(number);
    world.end();
    return {world.story(), around->now()};
}

// Two offices with workflows, ledgers and banks of their own, at one service.
Told tell_of_two_offices(unsigned seed, unsigned length) {
    const auto around = surroundings(seed);
    World one(seed, around), other(seed + 1, around, /*first_draw=*/101);
    one.begin();
    other.begin();
    std::mt19937 random(seed);
    for (unsigned number = 1; number <= length && !::testing::Test::HasFailure(); ++number)
        (random() % 2 == 0 ? one : other).act(number);
    one.end();
    other.end();
    EXPECT_FALSE(one.knows(101));
    EXPECT_FALSE(other.knows(1));
    return {one.story() + other.story(), around->now()};
}

Told tell_sequence(unsigned seed) {
    const auto around = surroundings(seed);
    Sequence one(seed, around);
    one.run();
    return {one.story(), around->now()};
}

Told run(unsigned seed) {
    SCOPED_TRACE("DRAWBRIDGE_SEED=" + std::to_string(seed));
    const unsigned length = length_of(seed);
    switch (seed % 8) {
        case 0: return tell<World>(seed, length);
        case 1: return tell<LosingPower<World>>(seed, length);
        case 2: return tell_of_two_offices(seed, length);
        case 3:
        case 4: return tell_sequence(seed);
        case 5: return tell<LosingPower<HostileWorld>>(seed, length);
        default: return tell<HostileWorld>(seed, length);
    }
}

TEST(Simulation, in_every_seed_each_draw_is_paid_exactly_once) {
    const unsigned first = first_seed();
    const unsigned runs = number_of_seeds(120);
    for (unsigned seed = first; seed < first + runs && !::testing::Test::HasFailure(); ++seed)
        run(seed);
    if (first != 1 || runs < 120) return;
    // A simulation that never reaches a situation proves nothing about it.
    for (const char* what :
         {"released", "voided file", "voided payment", "confirmed automatically", "restored", "manifests lost",
          "reissued", "the disk failed", "the power failed", "the power failed within an act", "approved by hand",
          "forged a return", "reissued by mallory", "refused to mallory", "rolled back", "the clock jumped",
          "a second instance was refused"})
        EXPECT_GT(World::happened(what), 0) << what;
    for (const char* what : {"matched paid", "matched returned", "undone paid", "undone returned", "reissued",
                             "held for a bank report", "reported", "the clock jumped"})
        EXPECT_GT(Sequence::happened(what), 0) << what;
}

TEST(Simulation, runs_the_same_scenario_for_the_same_seed) {
    for (unsigned seed = 1; seed <= 8; ++seed) {
        const auto told = run(seed);
        EXPECT_FALSE(told.story.empty());
        EXPECT_EQ(run(seed), told);
    }
}

// The stories with power losses can fail: a disk that lies about its syncs forgets what was released. Not in each of
// them: it may lose nothing that anybody saw.
TEST(Simulation, notices_a_disk_that_lies_about_its_syncs) {
    testing::TestPartResultArray noticed;
    bool ended_badly = false;
    disk::lie_about_syncs(true);
    for (unsigned seed = 30'001; seed < 30'021 && !ended_badly && noticed.size() == 0; ++seed) {
        try {
            const testing::ScopedFakeTestPartResultReporter only_here(
                testing::ScopedFakeTestPartResultReporter::INTERCEPT_ONLY_CURRENT_THREAD, &noticed);
            tell<LosingPower<World>>(seed, length_of(seed));
        } catch (const std::exception&) {
            ended_badly = true;
        }
    }
    disk::lie_about_syncs(false);
    EXPECT_TRUE(ended_badly || noticed.size() > 0);
}

// The clock had been ahead and a file was planned five years from now; then a rollback lost a file of today.
TEST(Simulation, a_modifier_of_a_lost_file_is_not_used_again_after_a_file_of_a_later_date) {
    tell<HostileWorld>(7012, steps);
}

TEST(Simulation, anyone_can_complete_a_release_that_a_failing_disk_interrupted) {
    tell<OnFailingDisks<HostileWorld>>(317, length_of(317));
}

// The manifest had the line of a release, and the disk failed before the file moved. Then an older ledger was restored.
TEST(Simulation, people_bring_a_file_to_the_bank_that_only_its_manifest_released) {
    tell<OnFailingDisks<World>>(1289, length_of(1289));
}

// The power failed between the two, the file was voided, and then an older ledger was restored.
TEST(Simulation, finance_reports_a_file_that_was_voided_after_its_manifest_was_written) {
    tell<LosingPower<World>>(14409, length_of(14409));
}

// A rollback lost the approval. Who runs 'drawbridge resume' then answers for the draw, and another person releases it.
TEST(Simulation, a_person_answers_for_an_approval_that_a_rollback_lost) {
    tell<HostileWorld>(13238, length_of(13238));
}

// Likewise, a rollback lost that he let a voided payment be paid after all, and then another person decided that.
TEST(Simulation, a_person_answers_for_a_voided_payment_whose_resolution_a_rollback_lost) {
    tell<HostileWorld>(19703, length_of(19703));
}

// Its planning had been interrupted when the snapshot was taken, and ended a second time after the rollback.
TEST(Simulation, a_file_that_left_does_not_leave_again_when_a_rollback_lost_the_end_of_its_planning) {
    tell<HostileWorld>(29998, length_of(29998));
}

// It was returned and to be paid again, and a backup from before its second payment was restored.
TEST(Simulation, a_draw_paid_again_after_the_backup_stays_with_a_person) {
    tell<LosingPower<World>>(42553, 28);
}

// The bank's line about its payment is dated before the release then.
TEST(Simulation, a_person_matches_the_payment_of_a_file_released_while_the_clock_was_years_ahead) {
    tell<LosingPower<HostileWorld>>(32245, 8);
}

// The bank had fetched it, and the disk failed when it was to be removed from the folder.
TEST(Simulation, the_bank_books_a_file_once_that_it_could_not_remove) {
    tell<LosingPower<HostileWorld>>(48605, 21);
}

}  // namespace
}  // namespace drawbridge::pipeline
