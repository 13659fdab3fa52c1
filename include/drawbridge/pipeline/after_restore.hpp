// A restored ledger held against the service and the files sent: what happened without it is recorded, so that nothing
// is paid twice and no number is used twice.
//
// It ends no restoration: that is a person's act.
#pragma once

#include <optional>
#include <string>

#include "drawbridge/pipeline/context.hpp"

namespace drawbridge::pipeline {

// Call it right after a full sweep that was complete: the ledger then knows what the service shows. What came of it,
// for people; nullopt: there is nothing to compare, or it was done.
[[nodiscard]] std::optional<std::string> compare_after_restore(Context& context);

}  // namespace drawbridge::pipeline
