// Disks that fail and disks that lose power, under the real program: each call that changes the state folder fails in
// turn, once or for good; and the power goes off before it, with everything lost that was not synced. The program then
// runs again and finishes: nothing is lost and nothing happens twice.
//
// A complete walk over all calls takes long. DRAWBRIDGE_DISK_CASES=N takes N of them for each kind of fault and half of
// the day (default 4), 0 all; DRAWBRIDGE_DISK_SEED=S others.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <ostream>
#include <string>
#include <vector>

#include "disk/disk_log.hpp"
#include "e2e/office.hpp"

namespace drawbridge::disk {
namespace {

using e2e::House;
using e2e::Outcome;
using testing::AllOf;
using testing::Each;
using testing::IsEmpty;
using testing::Pair;
using testing::SizeIs;

namespace fs = std::filesystem;

constexpr std::int64_t draw_count = 4;

// The day of an office in two halves, each one run of all steps.
enum class Half {
    paying,      // poll to release
    confirming,  // bank files to reported
};

struct Fault {
    const char* name;
    bool power_loss = false;
    Loss loss = Loss::all;
    const char* variable = "";
    int error = 0;
};
constexpr Fault all_faults[] = {
    {.name = "the_power_goes_off_and_all_unsynced_is_lost", .power_loss = true, .loss = Loss::all},
    {.name = "the_power_goes_off_and_the_newest_is_lost", .power_loss = true, .loss = Loss::tail},
    {.name = "the_power_goes_off_and_anything_is_lost", .power_loss = true, .loss = Loss::anywhere},
    {.name = "a_call_fails_once", .variable = "DRAWBRIDGE_DISK_FAIL", .error = EIO},
    {.name = "the_disk_fails_for_good", .variable = "DRAWBRIDGE_DISK_FAIL_FROM", .error = EIO},
    {.name = "the_disk_is_full", .variable = "DRAWBRIDGE_DISK_FAIL_FROM", .error = ENOSPC},
};

// When the ledger's log is copied into its file.
enum class Copying {
    at_the_end,         // when the program ends: the log of a day is short
    after_each_commit,  // in its own thread, while the program goes on
};

struct Case {
    Fault fault;
    Half half = Half::paying;
    Copying copying = Copying::at_the_end;
    friend void PrintTo(const Case& value, std::ostream* out) { *out << value.fault.name; }
};

std::uint64_t number_of(const char* variable, std::uint64_t otherwise) {
    const char* text = std::getenv(variable);
    return text == nullptr ? otherwise : std::strtoull(text, nullptr, 10);
}

// One office that lives through one fault.
class Day {
  public:
    explicit Day(Copying copying = Copying::at_the_end) : copying_(copying) {
        e2e::add_draws(house_.sandbox, draw_count);
        fs::create_directory(house_.office.state());
    }

    void live_to(Half half) {
        if (half == Half::paying) return;
        run_normally();
        people_do_their_part();
    }

    // Runs all steps with the shim. The log is that of the state folder.
    Outcome run_with(const std::map<std::string, std::string>& fault) {
        auto environment = fault;
        environment["LD_PRELOAD"] = DRAWBRIDGE_DISK_SHIM;
        environment["ASAN_OPTIONS"] = "verify_asan_link_order=0";  // the shim comes first
        environment["DRAWBRIDGE_DISK_FOLDER"] = state().string();
        environment["DRAWBRIDGE_DISK_LOG"] = log().string();
        if (copying_ == Copying::after_each_commit) environment["DRAWBRIDGE_CHECKPOINT_PAGES"] = "1";
        return house_.office.run_test_program({"run", "--once"}, environment);
    }

    void live_on(Half half) {
        run_normally();
        if (half == Half::paying) people_do_their_part();
        run_normally();
        run_normally();
    }

    void expect_everything_happened_once() {
        EXPECT_THAT(house_.office.states(), AllOf(SizeIs(draw_count), Each(Pair(testing::_, "reported"))));
        EXPECT_THAT(house_.bank.references_used_twice(), IsEmpty());
        EXPECT_THAT(house_.bank.times_paid(), AllOf(SizeIs(draw_count), Each(Pair(testing::_, 1))));
        for (std::int64_t id = 1; id <= draw_count; ++id)
            EXPECT_EQ(house_.sandbox.draw(id).at("approvalCount"), 1) << id;
        house_.office.expect_verified();
    }

    [[nodiscard]] fs::path state() const { return fs::canonical(house_.office.state()); }
    [[nodiscard]] fs::path log() const { return house_.folder.path() / "disk.log"; }

    void run_normally() {
        house_.office.run_once();
        collect();
    }

    void collect() {
        for (const auto& instruction : house_.bank.collect(house_.office.outgoing()))
            taken_.push_back(instruction);
    }

  private:
    void people_do_their_part() {
        house_.sandbox.disburse_all_approved();
        ASSERT_THAT(taken_, SizeIs(draw_count));
        const auto middle = taken_.begin() + draw_count / 2;
        house_.office.drop("a.csv", e2e::confirmation_csv({taken_.begin(), middle}));
        house_.office.drop("b.csv", e2e::confirmation_csv({middle, taken_.end()}));
    }

    Copying copying_;
    House house_;
    std::vector<e2e::Instruction> taken_;
};

// How many calls a run without a fault makes.
std::size_t calls_of(Half half, Copying copying) {
    Day day(copying);
    day.live_to(half);
    DiskLog log(day.state());
    const auto outcome = day.run_with({});
    EXPECT_EQ(outcome.exit.code, 0) << outcome.err;
    log.read(day.log());
    return log.calls();
}

// The numbers of the calls that a test tries.
std::vector<std::size_t> chosen(std::size_t calls, std::uint64_t seed) {
    const auto cases = number_of("DRAWBRIDGE_DISK_CASES", 4);
    std::vector<std::size_t> numbers;
    if (cases == 0) {
        for (std::size_t i = 1; i <= calls; ++i)
            numbers.push_back(i);
        return numbers;
    }
    std::mt19937_64 random(seed);
    for (std::uint64_t i = 0; i < cases; ++i)
        numbers.push_back(1 + random() % calls);
    return numbers;
}

class DiskFaults : public testing::TestWithParam<Case> {
  protected:
    void one(std::size_t number, std::uint64_t seed) {
        const auto& [fault, half, copying] = GetParam();
        Day day(copying);
        day.live_to(half);
        const std::string at = std::to_string(number);
        if (fault.power_loss) {
            DiskLog log(day.state());
            const auto outcome = day.run_with({{"DRAWBRIDGE_DISK_DIE", at}});
            ASSERT_TRUE(outcome.exit.signal == SIGKILL || outcome.exit.code == 0) << to_string(outcome.exit);
            log.read(day.log());
            std::mt19937_64 random(seed + number);
            log.lose_power(fault.loss, random);
            if (log.calls() > 0) RecordProperty("last_call_" + at, log.describe(log.calls() - 1));
        } else {
            const auto outcome =
                day.run_with({{fault.variable, at}, {"DRAWBRIDGE_DISK_ERRNO", std::to_string(fault.error)}});
            EXPECT_EQ(outcome.exit.signal, 0) << to_string(outcome.exit) << "\n" << outcome.err;
            EXPECT_TRUE(outcome.exit.code == 0 || !outcome.err.empty()) << "it must say what failed";
        }
        day.live_on(half);
        day.expect_everything_happened_once();
    }
};

TEST_P(DiskFaults, lose_nothing_and_repeat_nothing) {
    const auto seed = number_of("DRAWBRIDGE_DISK_SEED", 1);
    for (const auto number : chosen(calls_of(GetParam().half, GetParam().copying), seed)) {
        SCOPED_TRACE("call " + std::to_string(number));
        one(number, seed);
        if (HasFailure()) break;
    }
}

// The tests above can fail: on a disk that lies about its syncs, a power loss takes back what the bank already has.
TEST(DiskFaultsControl, after_a_disk_that_lies_about_syncs_the_same_files_go_out_again) {
    Day day;
    DiskLog log(day.state());
    const auto outcome = day.run_with({{"DRAWBRIDGE_DISK_LIES", "1"}});
    ASSERT_EQ(outcome.exit.code, 0) << outcome.err;
    day.collect();
    log.read(day.log());
    std::mt19937_64 random(1);
    log.lose_power(Loss::all, random);
    EXPECT_ANY_THROW(day.run_normally()) << "the bank has files of these names";
}

std::vector<Case> all_cases() {
    std::vector<Case> cases;
    for (const auto& fault : all_faults) {
        cases.push_back({fault, Half::paying});
        cases.push_back({fault, Half::confirming});
        cases.push_back({fault, Half::paying, Copying::after_each_commit});
    }
    return cases;
}

std::string test_name(const testing::TestParamInfo<Case>& info) {
    return std::string(info.param.fault.name) +
           (info.param.half == Half::paying ? "_while_paying" : "_while_confirming") +
           (info.param.copying == Copying::after_each_commit ? "_and_the_log_is_copied" : "");
}

INSTANTIATE_TEST_SUITE_P(AtEachCall, DiskFaults, testing::ValuesIn(all_cases()), test_name);

}  // namespace
}  // namespace drawbridge::disk
