#include "reads.hpp"

#include <algorithm>

#include "drawbridge/ledger/facts/exceptions.hpp"
#include "drawbridge/ledger/facts/invariant_checks.hpp"
#include "drawbridge/ledger/facts/payments.hpp"
#include "drawbridge/ledger/facts/runs.hpp"
#include "drawbridge/ledger/reports/journal.hpp"
#include "drawbridge/ledger/reports/search.hpp"

namespace drawbridge::admin {
namespace {

// The path of the route that shows it. A payment is shown with its draw.
std::string route_to(const ledger::Found& found) {
    if (found.kind == "payment") return "/draws/" + std::to_string(found.draw_id);
    if (found.kind == "check") return "/checks?after=" + std::to_string(std::stoll(found.id) - 1) + "&limit=1";
    return "/" + found.kind + "s/" + found.id;
}

}  // namespace

Answer get_pulse(AdminContext& context) {
    const auto files = ledger::payment_files(context.ledger, /*unreleased_only=*/true);
    const auto waiting = std::ranges::count_if(
        files, [](const auto& file) { return file.state == ledger::FileState::staged && !file.order; });
    const DaemonStatus live = context.program.status();
    json breach = nullptr;
    for (const auto& check : ledger::last_invariant_checks(context.ledger)) {
        if (check.violations == 0) continue;
        breach = {{"invariant", check.number}, {"found_at", format_instant(check.checked_at)}};
        break;
    }
    return json{{"audit_seq", ledger::journal_end(context.ledger)},
                {"paused", ledger::is_paused(context.ledger)},
                {"open_exceptions", ledger::count_open_exceptions(context.ledger)},
                {"files_waiting", waiting},
                {"breach", std::move(breach)},
                {"doing", live.daemon ? json(live.doing) : json(nullptr)}};
}

Answer find_anything(AdminContext& context, const Call& call) {
    constexpr std::size_t max_length = 200;
    constexpr std::size_t max_found = 50;
    const auto wanted = call.query.find("q");
    if (wanted == call.query.end() || call.query.size() != 1 || wanted->second.size() > max_length) {
        return fail(ErrorCode::invalid_input,
                    "say what to find: ?q=, at most " + std::to_string(max_length) + " characters");
    }
    json matches = json::array();
    for (const auto& found : ledger::search(context.ledger, wanted->second, max_found)) {
        matches.push_back(
            to_json(records::Match{.kind = found.kind, .id = found.id, .title = found.title, .path = route_to(found)}));
    }
    return json{{"matches", std::move(matches)}};
}

}  // namespace drawbridge::admin
