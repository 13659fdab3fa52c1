// What the pay step checks before it pays an approved draw. A release repeats the checks for the draws that the file
// pays, as if that file and all later ones did not exist. Private to this module.
#pragma once

#include "drawbridge/disbursement/plan.hpp"
#include "drawbridge/ledger/facts/draw_facts.hpp"
#include "drawbridge/pipeline/context.hpp"

namespace drawbridge::pipeline {

// Whether the draw's workflow is configured here.
[[nodiscard]] bool is_configured(const Context& context, const Draw& draw);

// Approved; or Disbursed, if its payment was returned and a person ordered a reissue. `before`: only files planned
// before this one count.
[[nodiscard]] bool may_be_paid(Context& context, const Draw& draw, ledger::FileId before = ledger::every_file);

// The value of the configured payee field; nullopt: it is null or not text.
[[nodiscard]] std::optional<std::string> payee_key(const Context& context, const Draw& draw);

// What decides who is paid, as two readings of a draw show it: "the payee was 'A' and is now 'B'".
[[nodiscard]] std::vector<std::string> changes_between(const Context& context, const Draw& before, const Draw& now);

// Everything that disbursement::plan() needs, from the ledger and the payee directory. `facts`, with the same `before`,
// know this draw.
[[nodiscard]] disbursement::Payable to_payable(Context& context, const ledger::FactsOfDraws& facts, const Draw& draw,
                                               ledger::ReadingId reading_id,
                                               ledger::FileId before = ledger::every_file);

// What was already planned on `day` before `now`.
[[nodiscard]] disbursement::PlanHistory plan_history(Context& context, BusinessDate day, Instant now,
                                                     ledger::FileId before = ledger::every_file);

}  // namespace drawbridge::pipeline
