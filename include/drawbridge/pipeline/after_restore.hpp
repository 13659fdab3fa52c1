// Compares a restored ledger with the service, the manifests and the files sent, and records what happened without it,
// so that nothing is paid twice and no number is used twice.
//
// It never ends a restoration: a person does that.
#pragma once

#include <optional>
#include <string>

#include "drawbridge/pipeline/context.hpp"

namespace drawbridge::pipeline {

// Call it right after a complete full sweep: the ledger then knows what the service shows. Returns a summary for
// people; nullopt: there is nothing to compare, or the comparison was done before.
[[nodiscard]] std::optional<std::string> compare_after_restore(Context& context);

// After the comparison, until a person ends the restoration: the service may show an approval from before the restore
// late. Call it after each poll.
void report_late_approvals(Context& context);

}  // namespace drawbridge::pipeline
