// One thing breaks at a time, at the moment that is worst for it. Each case ends with the checker.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <csignal>
#include <cstdio>
#include <future>
#include <string>

#include "cluster/cases.hpp"
#include "drawbridge/ledger/store/lease.hpp"

namespace drawbridge::cluster {
namespace {

using namespace std::chrono_literals;
using std::chrono::steady_clock;

TEST_F(Cluster, takes_over_when_the_active_daemon_is_killed) {
    World world;
    begin(world);
    world.restarts = false;
    const auto since = steady_clock::now();
    world.a().daemon().signal(SIGKILL);
    world.waits_until("the takeover", [&] { return world.b().is_working(); });
    print("kill -9 of the active daemon, until the other works", since);
    EXPECT_LE(steady_clock::now() - since, ledger::lease_length + 6s + 500ms);
    world.restarts = true;
    world.add_draws(6);
    world.finishes();
    world.expect_all_well();
}

TEST_F(Cluster, goes_on_when_a_standby_of_the_database_is_killed) {
    World world;
    begin(world);
    world.database().standby(/*is_synchronous=*/true).kill_server();
    world.add_draws(6);
    world.finishes();
    auto& lost = world.database().standby(/*is_synchronous=*/true);
    lost.crash();
    world.add_draws(6);
    world.finishes();
    lost.boot();
    world.expect_all_well();
}

TEST_F(Cluster, survives_a_switchover) {
    World world;
    begin(world);
    const auto* before = &world.database().primary();
    const auto* active = world.working();
    const auto writers = world.writers();
    {
        const Writer writer(world.database().to_write());
        const auto since = steady_clock::now();
        auto ordered = std::async(std::launch::async, [&] { world.database().switch_over(); });
        // Nobody but systemd does anything meanwhile: people wait for answers.
        const auto happens = [&](auto condition) {
            return e2e::eventually(
                [&] {
                    world.restart_what_has_ended();
                    return condition();
                },
                60s);
        };
        EXPECT_TRUE(happens([&] { return !world.a().is_running(); })) << world.a().said();
        print("switchover, from the order until the daemon has ended", since);
        const auto ended = steady_clock::now();
        EXPECT_TRUE(happens([&] { return world.working() != nullptr; })) << world.a().said() << world.b().said();
        print("switchover, from there until Drawbridge works again", ended);
        ordered.wait();
        EXPECT_GT(world.writers(), writers);
        std::printf("switchover, longest time without a commit: %.1f s (of %d commits)\n",
                    std::chrono::duration<double>(writer.longest_silence()).count(), writer.commits());
        EXPECT_LE(writer.longest_silence(), 5s);
        EXPECT_LE(steady_clock::now() - ended, 5s + 1s);
    }
    EXPECT_EQ(active, world.working()) << "its files are there";
    EXPECT_NE(before, &world.database().primary());
    world.add_draws(6);
    world.finishes();
    world.expect_all_well();
}

TEST_F(Cluster, survives_the_loss_of_the_primary_machine) {
    World world;
    begin(world);
    auto& lost = world.database().primary();
    const auto writers = world.writers();
    const auto since = steady_clock::now();
    lost.crash();
    world.add_draws(6);
    world.waits_until("another writer works", [&] { return world.writers() > writers && world.working() != nullptr; });
    print("loss of the primary's machine, until Drawbridge works again", since);
    world.finishes();
    lost.boot();
    world.expect_all_well();
}

// The service can still be reached from there.
TEST_F(Cluster, takes_over_when_the_active_daemon_is_cut_off_from_the_database) {
    World world;
    begin(world);
    world.restarts = false;
    const auto since = steady_clock::now();
    world.a().machine().unplug();
    world.add_draws(6);
    world.waits_until("the takeover", [&] { return world.b().is_working(); });
    print("cut between the active daemon and PostgreSQL, until the other works", since);
    EXPECT_FALSE(world.a().is_running()) << world.a().said();
    world.finishes();
    world.a().machine().plug_in();
    world.expect_all_well();
}

TEST_F(Cluster, survives_a_primary_that_is_cut_off_from_everybody) {
    World world;
    begin(world);
    auto& cut = world.database().primary();
    cut.machine().unplug();
    world.add_draws(6);
    const auto* now = &world.database().primary(&cut);
    EXPECT_NE(now, &cut);
    world.finishes();
    cut.machine().plug_in();
    world.add_draws(6);
    world.finishes();
    world.expect_all_well();
}

// The server hears nothing and is told nothing, nor is the daemon.
TEST_F(Cluster, survives_a_connection_that_stalls_for_longer_than_the_lease) {
    World world;
    auto& relay = world.put_relay_before_database();
    begin(world);
    relay.stall();
    world.add_draws(6);
    const auto end = steady_clock::now() + ledger::takeover_wait + 15s;
    world.waits_until("it stalls", [&] { return steady_clock::now() > end; });
    relay.go_on();
    world.finishes();
    world.expect_all_well();
}

TEST_F(Cluster, lets_one_of_two_daemons_work_that_start_at_once) {
    World world;
    world.add_draws(6);
    for (int round = 0; round < 3; ++round) {
        world.a().start();
        world.b().start();
        world.waits_until("one works", [&] { return world.working() != nullptr; });
        EXPECT_FALSE(world.other(*world.working()).is_working());
        if (round == 2) break;
        for (auto* host : world.hosts())
            host->daemon().signal(SIGKILL);
    }
    world.finishes();
    world.expect_all_well();
}

enum class End { cancel, terminate };
class CancelledCommit : public Cluster, public testing::WithParamInterface<End> {};

TEST_P(CancelledCommit, counts_as_failed) {
    World world;
    begin(world);
    world.restarts = false;
    world.add_draws(6);
    world.database().freeze_standbys();
    EXPECT_TRUE(e2e::eventually([&] { return world.database().a_commit_waits(); }));
    if (GetParam() == End::cancel) {
        world.database().cancel_statements_of(world.a().machine().address());
    } else {
        world.database().end_sessions_of(world.a().machine().address());
    }
    // To end, daemon and server commit once more.
    world.database().let_standbys_go_on();
    EXPECT_TRUE(e2e::eventually([&] { return !world.a().is_running(); })) << world.a().said();
    EXPECT_THAT(world.a().said(), testing::HasSubstr("critical"));
    world.restarts = true;
    world.finishes();
    world.expect_all_well();
}

INSTANTIATE_TEST_SUITE_P(By, CancelledCommit, testing::Values(End::cancel, End::terminate),
                         [](const auto& of) { return of.param == End::cancel ? "cancel" : "terminate"; });

TEST_F(Cluster, notices_that_an_old_replica_was_promoted) {
    World world;
    world.start_daemons();
    world.add_draws(6);
    world.finishes();
    auto& old = world.database().standby(/*is_synchronous=*/false);
    old.machine().unplug();
    world.add_draws(6);
    world.finishes();
    const auto paid = world.at_the_bank().size();
    // The standby looks every few seconds. Whoever has not seen what the old replica lacks cannot miss it.
    const auto marked = [](Host& host) {
        return std::stoll("0" + e2e::read_file(host.office().state() / "ledger.mark"));
    };
    world.waits_until("the standby has seen all of it", [&] { return marked(world.b()) >= marked(world.a()); });
    for (auto& node : world.database().nodes())
        if (node.get() != &old) node->crash();
    old.kill_patroni();
    old.promote();
    old.machine().plug_in();
    world.waits_until("somebody works on the old ledger", [&] {
        return world.working() != nullptr && &world.database().primary() == &old && world.is_paused();
    });
    // The draws that the old ledger has as pending, and new ones, wait for a person.
    world.add_draws(2);
    const auto end = steady_clock::now() + 20s;
    world.waits_until("time passes", [&] { return steady_clock::now() > end; });
    EXPECT_EQ(world.at_the_bank().size(), paid);
    EXPECT_THAT(world.doubles(), testing::IsEmpty());
}

}  // namespace
}  // namespace drawbridge::cluster
