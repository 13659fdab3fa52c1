// Every question that stands between an approved draw and its payment, in one order: planning asks them, and a release
// asks them again. Private to this module.
#pragma once

#include <string>
#include <variant>

#include "acceptance.hpp"
#include "drawbridge/disbursement/plan.hpp"
#include "run_guards.hpp"

namespace drawbridge::disbursement {

// A payable that passed every question, and whom it pays.
struct Accepted {
    const Payable* payable;
    const Payee* payee;
    std::string remittance;  // in the characters that banks read
    Settlement settlement;   // ACH
    std::string entry_description;
    std::int64_t records = 1;  // the entry and its addenda
};
// It would be paid, but a prenote must try out the account first.
struct NeedsPrenote {
    Accepted payment;
};

class Acceptor {
  public:
    // `day`: the creation date of the file. All references outlive this object.
    Acceptor(const PayeeDirectory& payees, const PlanSettings& settings, Instant now, BusinessDate day,
             const PlanHistory& history)
        : payees_(payees), settings_(settings), now_(now), guards_(settings, day, history.planned_today) {}

    // An accepted payable counts toward the limits of those after it.
    [[nodiscard]] std::variant<Accepted, NeedsPrenote, Refusal> judge(const Payable& payable);

  private:
    void complete_entry(Accepted& accepted) const;

    const PayeeDirectory& payees_;
    const PlanSettings& settings_;
    Instant now_;
    RunGuards guards_;
};

}  // namespace drawbridge::disbursement
