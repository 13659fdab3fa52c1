// What the cases share.
#pragma once

#include <gtest/gtest.h>

#include <chrono>
#include <cstdio>
#include <string>

#include "cluster/world.hpp"

namespace drawbridge::cluster {

class Cluster : public testing::Test {
  protected:
    void SetUp() override {
        if (!has_switch()) GTEST_SKIP() << "not run: scripts/cluster runs this";
    }
};

// A figure for docs/reliability.md.
inline void print(const std::string& what, std::chrono::steady_clock::time_point since) {
    std::printf("%s: %.1f s\n", what.c_str(),
                std::chrono::duration<double>(std::chrono::steady_clock::now() - since).count());
    std::fflush(stdout);
}

// Daemons that work, and the first draws are reported.
inline void begin(World& world) {
    world.start_daemons();
    world.add_draws(6);
    world.waits_until("the first report", [&] { return world.reported() > 0; });
}

// Two daemons, of which A stops itself at that point of six new draws. Nobody starts A again. On a slow machine its
// lease may be over by now.
inline void stop_at(World& world, const std::string& point, const std::string& program) {
    world.restarts = false;
    world.a().start({{"DRAWBRIDGE_HANG_AT", point + ":1"}}, program);
    world.waits_until("the start of the first daemon", [&] { return world.a().is_working(); });
    world.b().start();
    world.waits_until("the second daemon stands by", [&] { return world.b().said().contains("standing by"); });
    world.add_draws(6);
    world.waits_until("the stop at " + point,
                      [&] { return world.a().daemon().is_stopped() || !world.a().is_running(); });
}

}  // namespace drawbridge::cluster
