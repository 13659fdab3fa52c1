// The steps of the pipeline; `deliver` is in deliver.hpp. Each step reads the ledger, does one thing and writes the
// ledger; no step calls another. Each run is recorded in the ledger (ledger/facts/runs.hpp) with its summary.
#pragma once

#include <boost/asio/awaitable.hpp>

#include "drawbridge/domain/error.hpp"
#include "drawbridge/pipeline/context.hpp"

namespace drawbridge::pipeline {

namespace asio = boost::asio;

// Mirrors the service's draws (pending, approved, disbursed) into the ledger, and reads every unfinished draw that the
// sweep did not show. Fails if an answer does not match the request; pages read before that stay recorded.
[[nodiscard]] asio::awaitable<StepReport> poll(Context& context);
// Evaluates every undecided pending draw against the rules.
[[nodiscard]] asio::awaitable<StepReport> decide(Context& context);
// Reads back what an earlier run left open, then submits approvals, at most 500 per call.
[[nodiscard]] asio::awaitable<StepReport> approve(Context& context);
// Finishes files that an earlier run left unfinished, reads every approved draw again, then plans, writes and releases
// payment files.
[[nodiscard]] asio::awaitable<StepReport> pay(Context& context);
// The same, ordered by the context's principal. Errors: movement is paused; nobody would be left to release the files.
[[nodiscard]] asio::awaitable<Result<StepReport>> pay_on_order(Context& context, std::string reason);
// Completes the files of a run of `pay` that ended in the middle, as they are: the next run plans the other draws. From
// then on they are files like any other.
[[nodiscard]] asio::awaitable<void> complete_interrupted_plan(Context context);
// Imports the confirmation files from the inbox.
[[nodiscard]] asio::awaitable<StepReport> confirm(Context& context);
// Reports confirmed payments to the service once their draw is Disbursed there.
[[nodiscard]] asio::awaitable<StepReport> report(Context& context);

// Runs one of them, or `deliver`.
[[nodiscard]] asio::awaitable<StepReport> run_step(Step step, Context& context);

}  // namespace drawbridge::pipeline
