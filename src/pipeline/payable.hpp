// What the pay step asks of an approved draw before it is paid. A release asks the same questions again, of the draws
// that the file pays: then the ledger answers as if the file and all after it were not there. Private to this module.
#pragma once

#include "drawbridge/disbursement/plan.hpp"
#include "drawbridge/ledger/payments.hpp"
#include "drawbridge/pipeline/context.hpp"

namespace drawbridge::pipeline {

// Whether the draw's workflow is still one that is paid here.
[[nodiscard]] bool is_configured(const Context& context, const Draw& draw);

// Approved; or Disbursed, when its payment came back and a person ordered that it be paid again. `before`: only files
// planned before this one count.
[[nodiscard]] bool may_be_paid(Context& context, const Draw& draw, ledger::FileId before = ledger::every_file);

// The value of the configured payee field; nullopt: it is null or no text.
[[nodiscard]] std::optional<std::string> payee_key(const Context& context, const Draw& draw);

// Everything that disbursement::plan() asks about, answered from the ledger and the payee directory.
[[nodiscard]] disbursement::Payable to_payable(Context& context, const Draw& draw, ledger::ReadingId reading_id,
                                               ledger::FileId before = ledger::every_file);

// What was planned on `day` already.
[[nodiscard]] disbursement::PlanHistory plan_history(Context& context, BusinessDate day,
                                                     ledger::FileId before = ledger::every_file);

}  // namespace drawbridge::pipeline
