// The active daemon is stopped with SIGSTOP while it acts, loses its session, and is continued when the other one has
// long taken over: it must do nothing more.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <csignal>
#include <string>

#include "cluster/cases.hpp"
#include "drawbridge/ledger/store/lease.hpp"
#include "e2e/office.hpp"

namespace drawbridge::cluster {
namespace {

using namespace std::chrono_literals;

// The bank collects the file from the machine's own folder, where nothing but the lease keeps a late release away.
Delivery delivery_of(const std::string& point) {
    return point.starts_with("pay.release") ? Delivery::collected : Delivery::by_sftp;
}

// Something outside is on its way there.
bool is_under_lease(const std::string& point) {
    return point.ends_with("request_sent") || point.ends_with("answer_received") || point == "pay.release_begun" ||
           point == "pay.released_renamed";
}

void take_over_from_stopped(World& world, const std::string& point, const std::string& program) {
    stop_at(world, point, program);
    world.database().end_sessions_of(world.a().machine().address());
    world.waits_until("the takeover", [&] { return world.b().is_working(); });
    world.ask_about_lost_files(world.b());
    world.finishes();
}

void go_on(World& world) {
    world.a().daemon().signal(SIGCONT);
    EXPECT_TRUE(e2e::eventually([&] { return !world.a().is_running(); }, 30s)) << world.a().said();
}

class StoppedDaemon : public Cluster, public testing::WithParamInterface<std::string> {};

TEST_P(StoppedDaemon, does_nothing_when_it_wakes_after_the_takeover) {
    World world(delivery_of(GetParam()));
    take_over_from_stopped(world, GetParam(), "tests/drawbridge-crash");
    if (is_under_lease(GetParam())) {
        EXPECT_FALSE(world.a().is_running()) << "its kernel kills it at the end of its lease";
    }
    go_on(world);
    world.expect_all_well();
}

INSTANTIATE_TEST_SUITE_P(At, StoppedDaemon,
                         testing::Values("approve.intent_committed", "approve.request_sent", "approve.answer_received",
                                         "pay.release_committed", "pay.release_begun", "pay.released_renamed",
                                         "deliver.intent_committed", "deliver.uploaded", "deliver.uploaded_committed",
                                         "deliver.renamed", "report.intent_committed", "report.request_sent",
                                         "report.answer_received"),
                         [](const auto& of) { return e2e::test_name_of(of.param); });

// The control: with the timer disabled, the same case pays twice, and the checker sees it.
TEST_F(Cluster, without_the_lease_would_pay_twice) {
    World world(Delivery::collected);
    take_over_from_stopped(world, "pay.release_begun", "tests/drawbridge-unleased");
    EXPECT_TRUE(world.a().is_running()) << "nothing kills it";
    EXPECT_THAT(world.doubles(), testing::IsEmpty());
    go_on(world);
    world.look_at_the_bank();
    EXPECT_THAT(world.doubles(), testing::Not(testing::IsEmpty()));
}

}  // namespace
}  // namespace drawbridge::cluster
