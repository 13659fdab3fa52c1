#include "health.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "drawbridge/ledger/facts/runs.hpp"

namespace drawbridge::admin {
namespace {

using Problems = std::vector<std::string>;

// The number of missed polls before readiness fails. A full sweep of a large service takes long.
constexpr int polls_missed = 3;
constexpr std::chrono::minutes poll_patience{5};

Response say(const char* good, const char* bad, const Problems& problems) {
    const nlohmann::json body = {{"status", problems.empty() ? good : bad}, {"problems", problems}};
    return {problems.empty() ? 200 : 503, body.dump() + "\n"};
}

Problems process_problems(const DaemonStatus& live) {
    if (!live.daemon) return {"no daemon is running"};
    if (live.idle > live.idle_at_most) return {"the work loop is stuck"};
    return {};
}

void add_runs(Problems& problems, AdminContext& context, const DaemonStatus& live) {
    for (const auto& run : ledger::last_runs(context.ledger)) {
        if (!run.last.ok) problems.push_back(fmt::format("the last run of {} failed", to_string(run.last.step)));
    }
    const auto poll = ledger::last_run(context.ledger, Step::poll);
    if (!poll) return problems.emplace_back("the Draws Service has not been polled yet"), void();
    const auto patience = std::max<std::chrono::milliseconds>(live.poll_every * polls_missed, poll_patience);
    if (context.clock.now() - poll->ended_at > patience) problems.emplace_back("the last poll is too old");
}

}  // namespace

Response healthz(AdminContext& context) {
    return say("ok", "failing", process_problems(context.program.status()));
}

Response readyz(AdminContext& context) {
    const DaemonStatus live = context.program.status();
    auto problems = process_problems(live);
    if (live.rule_set_sha256.empty()) problems.emplace_back("no rules are in force");
    if (!live.reload_problems.empty()) problems.emplace_back("rules or payees on disk are not those in force");
    if (ledger::is_paused(context.ledger)) problems.emplace_back("all movement of money is paused");
    add_runs(problems, context, live);
    return say("ready", "not ready", problems);
}

}  // namespace drawbridge::admin
