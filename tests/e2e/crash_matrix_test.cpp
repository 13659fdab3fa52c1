// SIGKILL at each durable step: the program restarts and finishes, and nothing is lost or done twice.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <ostream>
#include <string>
#include <utility>

#include "drawbridge/domain/crash_point.hpp"
#include "e2e/office.hpp"

namespace drawbridge::e2e {
namespace {

using testing::AllOf;
using testing::Each;
using testing::IsEmpty;
using testing::Pair;
using testing::SizeIs;

namespace fs = std::filesystem;

constexpr std::int64_t draw_count = 6;

struct CrashAt {
    std::string name;
    int occurrence = 1;
    [[nodiscard]] std::string text() const { return name + ":" + std::to_string(occurrence); }
    friend void PrintTo(const CrashAt& crash_at, std::ostream* out) { *out << crash_at.text(); }
};

// With one file per rail, two good and two bad confirmation files and six patches, a run passes these points more than
// once.
bool occurs_twice(std::string_view name) {
    if (name == "confirm.part_committed") return true;    // of one large file
    if (name == "confirm.claimed") return false;          // all files of a run are claimed together
    if (name == "report.result_committed") return false;  // so few answers are recorded together
    return name.starts_with("pay.staged") || name.starts_with("pay.release") || name.starts_with("pay.manifest") ||
           name.starts_with("confirm.") || (name.starts_with("report.") && name != "report.intent_committed");
}

std::vector<CrashAt> every_crash_point() {
    std::vector<CrashAt> all;
    for (const auto name : crash_points) {
        // check_orders_test, delivery_test and alerts_test die there.
        if (name.starts_with("checks.") || name.starts_with("deliver.") || name.starts_with("alerts.")) continue;
        if (name.starts_with("keep.")) continue;      // backup_test dies there
        if (name.starts_with("archive.")) continue;   // archive_test
        if (name.starts_with("takeover.")) continue;  // takeover_test
        if (name == "void.committed") continue;       // void_payment_test
        // returns_test dies there: acts of a person, and points that need special configuration.
        if (name.starts_with("resolve.") || name.starts_with("reissue.")) continue;
        if (name.starts_with("by_time.") || name.starts_with("write_back.")) continue;
        if (name == "confirm.copied") continue;  // the spool's tests die there
        all.push_back({std::string(name), 1});
        if (occurs_twice(name)) all.push_back({std::string(name), 2});
    }
    return all;
}

std::string test_name(const testing::TestParamInfo<CrashAt>& info) {
    return test_name_of(info.param.text());
}

std::map<std::string, int> accepted_patches(const Sandbox& sandbox) {
    std::map<std::string, int> counts;
    const auto log = sandbox.portal("GET", "/requests?last=1000");
    for (const auto& request : log.at("requests")) {
        if (request.at("method") == "PATCH" && request.at("status") == 200) ++counts[request.at("target")];
    }
    return counts;
}

int times_in_timeline(const Json& draw, std::string_view what) {
    return static_cast<int>(
        std::ranges::count_if(draw.at("timeline"), [&](const Json& entry) { return entry.at("what") == what; }));
}

std::size_t count_files_below(const fs::path& folder) {
    const auto entries = fs::recursive_directory_iterator(folder);
    return static_cast<std::size_t>(
        std::count_if(begin(entries), end(entries), [](const fs::directory_entry& e) { return e.is_regular_file(); }));
}

class CrashMatrix : public testing::TestWithParam<CrashAt> {
  protected:
    void SetUp() override { add_draws(house_.sandbox, draw_count); }

    // Runs once and dies if the run reaches the crash point. The bank then collects the released files.
    void run_dying() {
        if (dies(house_.office, GetParam().text())) ++deaths_;
        collect();
    }

    void run_normally() {
        house_.office.run_once();
        collect();
    }

    void collect() {
        for (const auto& instruction : house_.bank.collect(house_.office.outgoing()))
            taken_.push_back(instruction);
    }

    // Two files with half of the payments each, and two invalid files.
    void people_do_their_part() {
        house_.sandbox.disburse_all_approved();
        ASSERT_THAT(taken_, SizeIs(draw_count));
        const std::vector<Instruction> first(taken_.begin(), taken_.begin() + draw_count / 2);
        const std::vector<Instruction> second(taken_.begin() + draw_count / 2, taken_.end());
        house_.office.drop("a-first.bai", large_statement(first));
        house_.office.drop("b-bad.csv", std::string(confirmation_header) + "123,paid,lots,2026-01-01\n");
        house_.office.drop("c-second.csv", confirmation_csv(second));
        house_.office.drop("d-bad.csv", std::string(confirmation_header) + "456,paid,1.00,soon\n");
    }

    // A BAI2 file that is recorded in three pieces: so many transfers, which are not ours, come before the payments.
    static std::string large_statement(const std::vector<Instruction>& paid) {
        constexpr std::int64_t transfers = 600;
        std::string day = paid.front().created_on.substr(2);
        std::erase(day, '-');
        std::string text =
            "01,BANK,OFFICE," + day + ",0800,7,,,2/\n02,OFFICE,BANK,1," + day + ",,USD,2/\n03,12345,USD,,,,/\n";
        std::int64_t total = transfers;
        for (std::int64_t i = 0; i < transfers; ++i)
            text += "16,108,1,Z,,,TRANSFER/\n";
        for (const auto& payment : paid) {
            text += (payment.check ? "16,475," : "16,451,") + std::to_string(payment.cents) + ",Z,," +
                    payment.reference + ",PAYMENT/\n";
            total += payment.cents;
        }
        const auto records = transfers + static_cast<std::int64_t>(paid.size());
        const auto control = [&](const char* of) { return of + std::to_string(total); };
        return text + control("49,") + "," + std::to_string(records + 2) + "/\n" + control("98,") + ",1," +
               std::to_string(records + 4) + "/\n" + control("99,") + ",1," + std::to_string(records + 6) + "/\n";
    }

    void expect_everything_happened_once() {
        EXPECT_THAT(house_.office.states(), AllOf(SizeIs(draw_count), Each(Pair(testing::_, "reported"))));
        EXPECT_THAT(house_.bank.references_used_twice(), IsEmpty());
        EXPECT_THAT(house_.bank.times_paid(), AllOf(SizeIs(draw_count), Each(Pair(testing::_, 1))));
        auto patches = accepted_patches(house_.sandbox);
        for (std::int64_t id = 1; id <= draw_count; ++id) {
            SCOPED_TRACE("draw " + std::to_string(id));
            const auto at_service = house_.sandbox.draw(id);
            EXPECT_EQ(at_service.at("approvalCount"), 1);
            EXPECT_EQ(house_.bank.times_paid()[cents_of_draw(id)], 1);
            EXPECT_THAT(at_service.at("disbursedDate").get<std::string>(),
                        testing::StartsWith(taken_.front().created_on));
            EXPECT_EQ(patches["/caseBudgets/draws/" + std::to_string(id)], 1);
            const auto known = house_.office.json({"draw", std::to_string(id)});
            EXPECT_EQ(times_in_timeline(known, "confirmation"), 1) << known.dump(2);
        }
        EXPECT_THAT(house_.office.open_exceptions(), testing::ElementsAre("file_refused", "file_refused"));
        EXPECT_THAT(files_in(house_.office.state() / "inbox"), IsEmpty());
        EXPECT_EQ(count_files_below(house_.office.state() / "spool" / "claimed"), 0U);
        EXPECT_EQ(count_files_below(house_.office.state() / "spool" / "staged"), 0U);
        EXPECT_EQ(count_files_below(house_.office.state() / "spool" / "archive"), 2U);
        EXPECT_EQ(count_files_below(house_.office.state() / "quarantine"), 4U) << "two files, each with a report";
        house_.office.expect_verified();
    }

    House house_;
    std::vector<Instruction> taken_;
    int deaths_ = 0;
};

TEST_P(CrashMatrix, does_everything_once) {
    run_dying();
    run_normally();
    people_do_their_part();
    run_dying();
    run_normally();
    EXPECT_EQ(deaths_, 1) << GetParam().text() << " was reached in " << deaths_ << " runs";
    run_normally();
    expect_everything_happened_once();
}

INSTANTIATE_TEST_SUITE_P(AtEveryPoint, CrashMatrix, testing::ValuesIn(every_crash_point()), test_name);

}  // namespace
}  // namespace drawbridge::e2e
