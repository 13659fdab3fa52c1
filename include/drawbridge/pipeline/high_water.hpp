// What is recorded outside the ledger before anything leaves the process: a ledger that lacks it is an older copy.
#pragma once

#include <boost/asio/awaitable.hpp>

#include "drawbridge/domain/error.hpp"
#include "drawbridge/pipeline/context.hpp"

namespace drawbridge::pipeline {

namespace asio = boost::asio;

// Writes, durably, how far the committed ledger has come. Nothing may leave unless it succeeds.
[[nodiscard]] asio::awaitable<Result<void>> record_high_water_mark(Context& context);

}  // namespace drawbridge::pipeline
