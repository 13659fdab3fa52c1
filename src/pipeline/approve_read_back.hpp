// What the approve step and its read-back share. Private to this module.
#pragma once

#include <boost/asio/awaitable.hpp>
#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_set>

#include "drawbridge/ledger/facts/decisions.hpp"
#include "drawbridge/pipeline/context.hpp"

namespace drawbridge::pipeline {

struct ApproveTally {
    std::int64_t approved = 0, refused = 0, again = 0;
    Money amount;
};

void raise_approval(Context& context, DrawId id, std::string_view reason, std::string detail);
// Drawbridge approved it, and will not pay it: a person must know.
void tell_if_disbursed(Context& context, DrawId id, DrawStatus status);
void close_item(Context& context, const ledger::OpenApproval& item, ledger::ApprovalOutcome outcome,
                ledger::LearnedBy learned_by, std::string_view detail);

// Reads back every item without a result. Stops with an error if the service cannot answer.
// `answered`: the service answered the call without these draws; else it did not answer it. A draw that is pending and
// unchanged was skipped, and a later run submits it again, up to a limit. A draw that is pending and changed, or is one
// of `accepted`, which the service took without an error, may wait for a further approver: one rule must not approve
// for several approvers.
[[nodiscard]] boost::asio::awaitable<Result<void>> read_back(Context& context, ApproveTally& tally, bool answered,
                                                             const std::unordered_set<DrawId>& accepted = {});

}  // namespace drawbridge::pipeline
