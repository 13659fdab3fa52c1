// Random faults for DRAWBRIDGE_CLUSTER_MINUTES, from DRAWBRIDGE_CLUSTER_SEED.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <random>
#include <string>
#include <vector>

#include "cluster/cases.hpp"

namespace drawbridge::cluster {
namespace {

using namespace std::chrono_literals;
using std::chrono::steady_clock;

// New draws before each fault: a few, a file full, or more than a commit holds.
constexpr std::array most_new_draws = {6U, 100U, 1200U};

// What goes wrong, and what makes it good again; nothing: it heals by itself.
struct Fault {
    std::string name;
    std::function<std::function<void()>(World&)> strike;
};

Host& some_host(World& world, std::mt19937& random) {
    return random() % 2 == 0 ? world.a() : world.b();
}

Host& active_host(World& world) {
    auto* now = world.working();
    return now == nullptr ? world.a() : *now;
}

std::vector<Fault> all_faults(std::mt19937& random) {
    const auto nothing = [] {};
    return {
        {"kill -9 of the active daemon",
         [=](World& world) {
             if (auto& host = active_host(world); host.daemon_started()) host.daemon().signal(SIGKILL);
             return nothing;
         }},
        {"end of the active daemon",
         [=](World& world) {
             if (auto& host = active_host(world); host.daemon_started()) host.daemon().signal(SIGTERM);
             return nothing;
         }},
        {"stop of the active daemon, whose session ends",
         [](World& world) {
             auto& host = active_host(world);
             if (host.daemon_started()) host.daemon().signal(SIGSTOP);
             world.database().end_sessions_of(host.machine().address());
             return [&host] {
                 if (host.daemon_started()) host.daemon().signal(SIGCONT);
             };
         }},
        {"stop of the active daemon",
         [](World& world) {
             auto& host = active_host(world);
             if (host.daemon_started()) host.daemon().signal(SIGSTOP);
             return [&host] {
                 if (host.daemon_started()) host.daemon().signal(SIGCONT);
             };
         }},
        {"a host is cut off from the database",
         [&random](World& world) {
             auto& host = some_host(world, random);
             host.machine().unplug();
             return [&host] { host.machine().plug_in(); };
         }},
        {"the service does not answer a host",
         [&random](World& world) {
             auto& host = some_host(world, random);
             host.service().stall();
             return [&host] { host.service().go_on(); };
         }},
        {"the bank does not answer a host",
         [&random](World& world) {
             auto& host = some_host(world, random);
             host.bank().stall();
             return [&host] { host.bank().go_on(); };
         }},
        {"a host hears nobody",
         [](World& world) {
             auto& host = active_host(world);
             host.machine().unplug();
             host.service().stall();
             host.bank().stall();
             return [&host] {
                 host.machine().plug_in();
                 host.service().go_on();
                 host.bank().go_on();
             };
         }},
        {"kill -9 of the primary",
         [=](World& world) {
             world.database().primary().kill_server();
             return nothing;
         }},
        {"loss of the primary's machine",
         [](World& world) {
             auto& lost = world.database().primary();
             lost.crash();
             return [&lost] { lost.boot(); };
         }},
        {"the primary is cut off",
         [](World& world) {
             auto& cut = world.database().primary();
             cut.machine().unplug();
             return [&cut] { cut.machine().plug_in(); };
         }},
        {"kill -9 of a standby",
         [&random, nothing](World& world) {
             world.database().nodes().at(random() % 3)->kill_server();
             return nothing;
         }},
        {"commits wait",
         [](World& world) {
             auto& database = world.database();
             database.freeze_standbys();
             return [&database] { database.let_standbys_go_on(); };
         }},
        {"statements are cancelled",
         [=](World& world) {
             for (auto* host : world.hosts())
                 world.database().cancel_statements_of(host->machine().address());
             return nothing;
         }},
        {"sessions end",
         [=](World& world) {
             for (auto* host : world.hosts())
                 world.database().end_sessions_of(host->machine().address());
             return nothing;
         }},
    };
}

class RandomFaults : public Cluster {};

TEST_F(RandomFaults, lose_and_double_nothing) {
    const char* minutes = std::getenv("DRAWBRIDGE_CLUSTER_MINUTES");
    const char* seed = std::getenv("DRAWBRIDGE_CLUSTER_SEED");
    if (minutes == nullptr || seed == nullptr) GTEST_SKIP() << "not run: scripts/cluster MINUTES runs this";
    std::printf("seed %s\n", seed);
    std::mt19937 random(static_cast<unsigned>(std::stoul(seed)));
    World world;
    world.order_every = std::chrono::seconds(40);
    world.start_daemons();
    auto faults = all_faults(random);
    const auto end = steady_clock::now() + std::chrono::minutes(std::stoi(minutes));
    const auto pass = [&](std::chrono::milliseconds time) {
        const auto until = steady_clock::now() + time;
        world.waits_until("time passes", [&] { return steady_clock::now() > until; });
    };
    int struck = 0;
    while (steady_clock::now() < end && !HasFailure()) {
        world.add_draws(1 + static_cast<std::int64_t>(random() % most_new_draws.at(random() % most_new_draws.size())));
        pass(std::chrono::milliseconds(random() % 6000));
        const auto& fault = faults.at(random() % faults.size());
        std::printf("%3d %s; %zu of %lld draws are reported\n", ++struck, fault.name.c_str(), world.reported(),
                    static_cast<long long>(world.draws()));
        std::fflush(stdout);
        const auto heal = fault.strike(world);
        pass(std::chrono::milliseconds(random() % 25000));
        heal();
        EXPECT_THAT(world.doubles(), testing::IsEmpty());
        if (random() % 4 == 0) world.finishes();
    }
    world.finishes();
    world.expect_all_well();
    std::printf("%d faults, %zu payments\n", struck, world.at_the_bank().size());
}

}  // namespace
}  // namespace drawbridge::cluster
