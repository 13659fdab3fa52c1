// pay.release_limit: how much may go out by itself, without a person's release. Private to this module.
#pragma once

#include <optional>
#include <string>

#include "drawbridge/ledger/payments.hpp"
#include "drawbridge/pipeline/context.hpp"

namespace drawbridge::pipeline {

// Why this file waits for a person: with what went out by itself today (the office's day) from the same account it
// would be over the limit. It names limit, used and the file. nullopt: it may go out by itself.
[[nodiscard]] std::optional<std::string> over_release_limit(Context& context, const ledger::FileRow& file);

}  // namespace drawbridge::pipeline
