// The guards that also look at the other payments of the run and of the day. Private to this module.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <utility>

#include "acceptance.hpp"
#include "drawbridge/disbursement/plan.hpp"

namespace drawbridge::disbursement {

class RunGuards {
  public:
    // `today` is in the settings' time zone; `planned_today` is what earlier runs of the day planned.
    RunGuards(const PlanSettings& settings, Instant now, BusinessDate today, Money planned_today)
        : settings_(settings), now_(now), today_(today), day_total_(planned_today) {}

    // What blocks this payment. A payment that passes counts for later ones.
    [[nodiscard]] std::optional<Refusal> admit(const Payable& payable, const Payee& payee);

  private:
    [[nodiscard]] std::optional<Refusal> over_file_limit(Money amount, Rail rail) const;
    [[nodiscard]] std::optional<Refusal> paid_twice(const Payable& payable, const Payee& payee);
    [[nodiscard]] std::optional<Refusal> over_day_limit(const Payable& payable) const;

    const PlanSettings& settings_;
    Instant now_;
    BusinessDate today_;
    Money day_total_;
    std::map<std::pair<std::string, Money>, DrawId> paid_;  // by payee, and by Payable::account_fingerprint
};

// The maximum total of a batch; the offset of a balanced batch is one entry for all of it, which on the same day has a
// lower limit.
[[nodiscard]] Money batch_total_limit(const PlanSettings& settings, bool same_day = false);

}  // namespace drawbridge::disbursement
