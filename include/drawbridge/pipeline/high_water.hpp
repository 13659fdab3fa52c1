// What is recorded outside the ledger before anything leaves the process: a ledger that lacks it is an older copy, and
// begins a restoration.
//
// The mark lies beside the ledger; the witness, a folder on another disk or machine, has a copy of it. A snapshot that
// is rolled back under a running machine takes ledger, mark and process back: so the witness is read each time before
// it is written, and what it has must be in the committed audit trail.
#pragma once

#include <boost/asio/awaitable.hpp>

#include "drawbridge/domain/error.hpp"
#include "drawbridge/pipeline/context.hpp"

namespace drawbridge::pipeline {

namespace asio = boost::asio;

// Compares the ledger with its traces: the witness; and, once after the start, the newest backup and the manifests.
// Then brings the witness up to date. Errors: the witness cannot be used (an exception says so, which closes when it is
// back); the ledger is an older copy.
[[nodiscard]] asio::awaitable<Result<void>> look_at_traces(Context& context);

// The same, and then writes the mark. Both survive power loss when it returns. Nothing may leave unless it succeeds; as
// it waits, ask again afterwards what may have changed meanwhile.
[[nodiscard]] asio::awaitable<Result<void>> record_high_water_mark(Context& context);

}  // namespace drawbridge::pipeline
