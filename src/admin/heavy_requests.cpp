#include "heavy_requests.hpp"

#include <algorithm>
#include <chrono>

namespace drawbridge::admin {
namespace {

// A console that asks for no further slice for so long has given up.
constexpr std::chrono::seconds between_slices{10};
// What is being answered is under way however long it takes; the clock may be set.
constexpr std::chrono::minutes answer_timeout{10};

constexpr std::string_view heavy_patterns[] = {"/reconcile", "/rules/backtest", "/ingest/*/preview", "/verify",
                                               "/draws/refresh"};

bool is_further_slice(const Call& call) {
    const auto parameter = call.query.find("after");
    if (parameter != call.query.end()) return !parameter->second.empty();
    const auto member = call.body.find("after");
    return member != call.body.end() && *member != 0;
}

}  // namespace

bool HeavyRequests::has(std::string_view pattern) {
    return std::ranges::find(heavy_patterns, pattern) != std::end(heavy_patterns);
}

Result<void> HeavyRequests::begin(const std::string& who, const Call& call, Instant now) {
    std::erase_if(by_person_, [&](const auto& entry) { return entry.second.until <= now || entry.second.began > now; });
    const std::string what = call.method + " /" + call.path.front();
    const auto found = by_person_.find(who);
    const bool goes_on = found != by_person_.end() && is_further_slice(call) && found->second.what == what &&
                         !found->second.is_being_answered;
    if (found != by_person_.end() && !goes_on) {
        return fail(
            ErrorCode::unavailable,
            "another report, replay, preview or refresh of yours is in progress: try again when it is done, or " +
                std::to_string(between_slices.count()) + " seconds after you closed its page");
    }
    const Instant began = goes_on ? found->second.began : now;
    by_person_.insert_or_assign(who, UnderWay{what, /*is_being_answered=*/true, began, now + answer_timeout});
    return {};
}

void HeavyRequests::end(const std::string& who, bool has_more_slices, Instant now) {
    const auto found = by_person_.find(who);
    if (found == by_person_.end()) return;
    if (!has_more_slices) {
        by_person_.erase(found);
        return;
    }
    found->second.is_being_answered = false;
    found->second.until = now + between_slices;
}

}  // namespace drawbridge::admin
