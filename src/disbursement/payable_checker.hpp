// Every check between an approved draw and its payment, in a fixed order. Planning runs them, and a release runs them
// again. Private to this module.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <variant>

#include "acceptance.hpp"
#include "drawbridge/disbursement/plan.hpp"
#include "run_guards.hpp"

namespace drawbridge::disbursement {

// A payable that passed every check, with its payee.
struct Accepted {
    const Payable* payable;
    const Payee* payee;
    std::string remittance;  // in the characters that banks accept
    Settlement settlement;   // ACH
    std::string entry_description;
    std::int64_t records = 1;  // the entry and its addenda
};
// It would be paid, but its account needs a prenote first.
struct NeedsPrenote {
    Accepted payment;
};

class PayableChecker {
  public:
    // `day` is the creation date of the file. All references must outlive this object.
    PayableChecker(const PayeeDirectory& payees, const PlanSettings& settings, Instant now, BusinessDate day,
                   const PlanHistory& history)
        : payees_(payees), settings_(settings), now_(now), guards_(settings, now, day, history.planned_today) {}

    // An accepted payable counts toward the limits of later ones.
    [[nodiscard]] std::variant<Accepted, NeedsPrenote, Refusal> check(const Payable& payable);

  private:
    void complete_entry(Accepted& accepted) const;
    [[nodiscard]] std::optional<Refusal> fault_in_records(const Accepted& accepted) const;

    const PayeeDirectory& payees_;
    const PlanSettings& settings_;
    Instant now_;
    RunGuards guards_;
};

}  // namespace drawbridge::disbursement
