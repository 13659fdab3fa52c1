// The primary is killed while a commit of the daemon waits for the standby: the commit may survive or be lost, and the
// daemon cannot know. A sample of the crash points says before which commit; all of them with
// DRAWBRIDGE_CLUSTER_EVERY_POINT in the environment.
#include <gtest/gtest.h>

#include <csignal>
#include <cstdlib>
#include <string>
#include <utility>
#include <vector>

#include "cluster/cases.hpp"
#include "drawbridge/domain/crash_point.hpp"
#include "e2e/office.hpp"

namespace drawbridge::cluster {
namespace {

using namespace std::chrono_literals;

enum class Loss {
    server,              // PostgreSQL is killed and starts again with the commit
    machine,             // what has arrived at the standby counts
    machine_and_commit,  // nothing of the commit has arrived
};
using Case = std::pair<std::string, Loss>;

std::vector<Case> cases() {
    if (std::getenv("DRAWBRIDGE_CLUSTER_EVERY_POINT") == nullptr) {
        return {{"approve.intent_committed", Loss::machine_and_commit},
                {"approve.answer_received", Loss::machine},
                {"pay.plan_committed", Loss::server},
                {"deliver.uploaded", Loss::machine_and_commit},
                {"confirm.staged", Loss::server},
                {"report.answer_received", Loss::machine_and_commit}};
    }
    std::vector<Case> all;
    for (const auto name : crash_points) {
        const auto module = name.substr(0, name.find('.'));
        const bool is_here = module == "decide" || module == "approve" || module == "pay" || module == "deliver" ||
                             module == "confirm" || module == "report";
        const bool is_encrypting = name.starts_with("deliver.encrypted");
        const bool is_rare = name == "confirm.copied" || name == "confirm.part_committed" ||
                             name == "confirm.refused_committed" || name == "pay.part_committed";
        if (!is_here || is_encrypting || is_rare) continue;
        for (const auto loss : {Loss::server, Loss::machine, Loss::machine_and_commit})
            all.emplace_back(name, loss);
    }
    return all;
}

std::string name_of(const Case& given) {
    const char* const losses[] = {"server", "machine", "machine_and_commit"};
    return e2e::test_name_of(given.first) + "_" + losses[static_cast<int>(given.second)];
}

class LostCommit : public Cluster, public testing::WithParamInterface<Case> {};

TEST_P(LostCommit, loses_and_doubles_nothing) {
    const auto& [point, loss] = GetParam();
    World world;
    stop_at(world, point, "tests/drawbridge-crash");
    world.restarts = true;
    auto& database = world.database();
    auto& primary = database.primary();
    database.freeze_standbys();
    world.a().daemon().signal(SIGCONT);
    if (!e2e::eventually([&] { return database.a_commit_waits(); }, 4s))
        std::printf("no commit waits at %s\n", point.c_str());
    if (loss == Loss::server) {
        primary.kill_server();
    } else {
        primary.crash();
    }
    if (loss == Loss::machine_and_commit) {
        database.let_standbys_forget();
    } else {
        database.let_standbys_go_on();
    }
    world.finishes();
    if (loss != Loss::server) primary.boot();
    world.expect_all_well();
}

INSTANTIATE_TEST_SUITE_P(At, LostCommit, testing::ValuesIn(cases()), [](const auto& of) { return name_of(of.param); });

}  // namespace
}  // namespace drawbridge::cluster
