// The steps of the pipeline; `deliver` is in deliver.hpp. A step reads the ledger, does its one thing and writes the
// ledger; none calls another. Each run is recorded in the ledger (ledger/runs.hpp) with its summary.
#pragma once

#include <boost/asio/awaitable.hpp>

#include "drawbridge/pipeline/context.hpp"

namespace drawbridge::pipeline {

namespace asio = boost::asio;

// Mirrors the service's draws (pending, approved, disbursed) into the ledger, and reads singly every unfinished draw
// that the sweep did not show. Fails when the service's answers are not what was asked for; pages read before stand.
[[nodiscard]] asio::awaitable<StepReport> poll(Context& context);
// Puts every undecided pending draw before the rules.
[[nodiscard]] asio::awaitable<StepReport> decide(Context& context);
// Reads back what an earlier run left open, then submits approvals, at most 500 a call.
[[nodiscard]] asio::awaitable<StepReport> approve(Context& context);
// Finishes files that an earlier run left unfinished, then reads every approved draw afresh, plans, writes and
// releases.
[[nodiscard]] asio::awaitable<StepReport> pay(Context& context);
// Takes the confirmation files from the inbox.
[[nodiscard]] asio::awaitable<StepReport> confirm(Context& context);
// Tells the service of confirmed payments whose draw is Disbursed there.
[[nodiscard]] asio::awaitable<StepReport> report(Context& context);

// Runs one of them, or `deliver`.
[[nodiscard]] asio::awaitable<StepReport> run_step(Step step, Context& context);

}  // namespace drawbridge::pipeline
