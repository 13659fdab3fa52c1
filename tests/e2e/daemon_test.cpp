// The daemon with the service, finance and the bank, also when it is killed at random moments.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <csignal>
#include <fstream>
#include <random>
#include <thread>

#include "e2e/office.hpp"

namespace drawbridge::e2e {
namespace {

using testing::AllOf;
using testing::Each;
using testing::ElementsAre;
using testing::IsEmpty;
using testing::Pair;
using testing::SizeIs;

constexpr auto soon = std::chrono::seconds(10);

bool socket_there(const Office& office) {
    return std::filesystem::exists(office.state() / "drawbridge.sock");
}

void expect_clean_stop(Process& daemon, const Office& office) {
    daemon.signal(SIGTERM);
    const auto exit = daemon.wait(soon);
    ASSERT_TRUE(exit.has_value()) << "it does not stop";
    EXPECT_EQ(to_string(*exit), "exit 0") << office.daemon_log();
}

TEST(Daemon, pays_and_reports_a_draw_on_schedule_and_stops_cleanly) {
    House house;
    auto daemon = house.office.start_daemon();
    ASSERT_TRUE(eventually([&] { return socket_there(house.office) || !daemon.running(); }));
    ASSERT_TRUE(daemon.running()) << house.office.daemon_log();
    house.sandbox.add({1, 250'00, "ACH-1"});
    ASSERT_TRUE(eventually([&] { return house.office.state_of(1) == "approved"; })) << house.office.daemon_log();
    EXPECT_THAT(files_in(house.office.outgoing()), IsEmpty()) << "no cut-off has passed";

    const auto paid = house.office.run({"pay", "--now", "--reason", "month end"});
    EXPECT_EQ(to_string(paid.exit), "exit 0") << paid.err;
    EXPECT_EQ(house.office.state_of(1), "paying");
    house.office.release_what_waits();
    house.people_do_their_part("bank.csv");
    EXPECT_TRUE(eventually([&] { return house.office.state_of(1) == "reported"; })) << house.office.daemon_log();
    expect_clean_stop(daemon, house.office);
    house.office.expect_verified();
}

TEST(Daemon, forecasts_when_an_approved_draw_settles_and_why) {
    House house;
    auto daemon = house.office.start_daemon();
    ASSERT_TRUE(eventually([&] { return socket_there(house.office); }));
    house.sandbox.add({1, 250'00, "ACH-1"});
    house.sandbox.add({2, 350'00, "CHK-1"});
    ASSERT_TRUE(eventually([&] { return house.office.state_of(2) == "approved"; })) << house.office.daemon_log();
    const auto ach = house.office.json({"draw", "1"}).at("forecast");
    EXPECT_THAT(ach.at("effective_entry_date").get<std::string>(), testing::MatchesRegex("20..-..-.."));
    EXPECT_THAT(ach.at("because").get<std::string>(), AllOf(testing::StartsWith("planned at the cut-off of 20"),
                                                            testing::HasSubstr("; one banking day after ")));
    EXPECT_THAT(
        house.office.run({"draw", "1"}).out,
        testing::HasSubstr("would settle on " + ach.at("effective_entry_date").get<std::string>() + ": planned"));
    EXPECT_THAT(house.office.run({"draw", "2"}).out, testing::HasSubstr(", as a check of 20"));
    house.office.run({"pay", "--now", "--reason", "month end"});
    EXPECT_TRUE(house.office.json({"draw", "1"}).at("forecast").is_null()) << "its payment has the date now";
    expect_clean_stop(daemon, house.office);
}

TEST(Daemon, an_amount_edited_between_approval_and_cutoff_is_not_paid) {
    House house;
    house.sandbox.add({1, 250'00, "ACH-1"});
    auto daemon = house.office.start_daemon();
    ASSERT_TRUE(eventually([&] { return socket_there(house.office); }));
    ASSERT_TRUE(eventually([&] { return house.office.state_of(1) == "approved"; })) << house.office.daemon_log();
    house.sandbox.edit(1, {{"amountApproved", 9'999.00}});
    house.office.run({"pay", "--now", "--reason", "month end"});
    EXPECT_EQ(house.office.state_of(1), "blocked");
    EXPECT_THAT(house.office.open_exceptions(1), ElementsAre("amount_changed"));
    EXPECT_THAT(files_in(house.office.outgoing()), IsEmpty());
    expect_clean_stop(daemon, house.office);
}

TEST(Daemon, uses_credentials_that_were_renewed_after_a_refused_login) {
    House house;
    const auto file = house.office.folder() / "client_secret";
    std::ofstream(file) << "a-former-secret\n";
    house.sandbox.add({1, 250'00, "ACH-1"});
    auto daemon = house.office.start_daemon();
    ASSERT_TRUE(eventually([&] { return socket_there(house.office); }));
    ASSERT_TRUE(eventually([&] { return !house.office.open_exceptions().empty(); })) << house.office.daemon_log();
    EXPECT_THAT(house.office.open_exceptions(), ElementsAre("login_refused"));
    std::ofstream(file) << client_secret << "\n";
    EXPECT_TRUE(eventually([&] { return house.office.state_of(1) == "approved"; })) << house.office.daemon_log();
    EXPECT_THAT(house.office.open_exceptions(), IsEmpty());
    expect_clean_stop(daemon, house.office);
}

TEST(Daemon, continues_after_an_outage_of_the_service) {
    House house;
    auto daemon = house.office.start_daemon();
    ASSERT_TRUE(eventually([&] { return socket_there(house.office); }));
    house.sandbox.process().kill();
    house.sandbox.restart();
    house.sandbox.add({1, 250'00, "ACH-1"});
    EXPECT_TRUE(eventually([&] { return house.office.state_of(1) == "approved"; }, std::chrono::seconds(40)))
        << house.office.daemon_log();
    expect_clean_stop(daemon, house.office);
}

// People and the bank continue while the daemon is killed at seeded random moments.
class KilledAtAnyMoment {
  public:
    explicit KilledAtAnyMoment(unsigned seed) : random_(seed) {}

    void round(House& house) {
        auto daemon = house.office.start_daemon();
        for (int i = 0; i < 3; ++i)
            add_draw(house);
        const auto end = std::chrono::steady_clock::now() + std::chrono::milliseconds(pick(20, 400));
        while (std::chrono::steady_clock::now() < end) {
            act(house);
            std::this_thread::sleep_for(std::chrono::milliseconds(pick(1, 30)));
        }
        daemon.kill();
    }

    [[nodiscard]] std::int64_t draws() const { return next_id_ - 1; }

  private:
    int pick(int low, int high) { return std::uniform_int_distribution(low, high)(random_); }

    void add_draw(House& house) {
        const auto id = next_id_++;
        house.sandbox.add({id, 100'00 + id, (pick(0, 1) == 0 ? "ACH-" : "CHK-") + std::to_string(pick(1, 9))});
    }

    // In random order: finance confirms, people mark draws, an operator starts a pay run.
    void act(House& house) {
        switch (pick(0, 2)) {
            case 0:
                house.office.run({"pay", "--now", "--reason", "another run"});
                house.office.release_what_waits();
                break;
            case 1: {
                const auto taken = house.bank.collect(house.office.outgoing());
                if (taken.empty()) break;
                house.office.drop("bank-" + std::to_string(++dropped_) + ".csv", confirmation_csv(taken));
                break;
            }
            default: disburse_what_was_paid(house); break;
        }
    }

    static void disburse_what_was_paid(House& house) {
        for (const auto& instruction : house.bank.instructions()) {
            const auto id = instruction.cents - 100'00;
            if (house.sandbox.draw(id).at("status") == 4) house.sandbox.act(id, "disburse");
        }
    }

    std::mt19937 random_;
    std::int64_t next_id_ = 1;
    int dropped_ = 0;
};

TEST(Daemon, reports_every_draw_once_when_killed_at_any_moment) {
    House house;
    house.office.run_once();
    KilledAtAnyMoment chaos(/*seed=*/20260304);
    for (int round = 0; round < 15; ++round)
        chaos.round(house);

    house.office.run_once();
    house.office.release_what_waits();
    house.people_do_their_part("last.csv");
    house.office.run_once();
    EXPECT_THAT(house.office.states(), AllOf(SizeIs(chaos.draws()), Each(Pair(testing::_, "reported"))));
    EXPECT_THAT(house.bank.times_paid(), AllOf(SizeIs(chaos.draws()), Each(Pair(testing::_, 1))));
    EXPECT_THAT(house.bank.references_used_twice(), IsEmpty());
    for (std::int64_t id = 1; id <= chaos.draws(); ++id)
        EXPECT_EQ(house.sandbox.draw(id).at("approvalCount"), 1) << "draw " << id;
    EXPECT_THAT(house.office.open_exceptions(), IsEmpty());
    house.office.expect_verified();
}

}  // namespace
}  // namespace drawbridge::e2e
