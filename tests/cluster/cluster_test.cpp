// One thing breaks at a time, at the moment that is worst for it. Each case ends with the checker.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <csignal>
#include <cstdio>
#include <string>

#include "cluster/world.hpp"
#include "drawbridge/ledger/store/lease.hpp"

namespace drawbridge::cluster {
namespace {

using namespace std::chrono_literals;
using std::chrono::steady_clock;

// Figures for docs/reliability.md.
void print(const char* what, steady_clock::time_point since) {
    std::printf("%s: %.1f s\n", what, std::chrono::duration<double>(steady_clock::now() - since).count());
    std::fflush(stdout);
}

class Cluster : public testing::Test {
  protected:
    void SetUp() override {
        if (!has_switch()) GTEST_SKIP() << "not run: scripts/cluster runs this";
    }
};

TEST_F(Cluster, takes_over_when_the_active_daemon_is_killed) {
    World world;
    world.start_daemons();
    world.add_draws(6);
    world.waits_until("the first report", [&] { return world.reported() > 0; });
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

}  // namespace
}  // namespace drawbridge::cluster
