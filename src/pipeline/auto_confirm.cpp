#include "auto_confirm.hpp"

#include <utility>
#include <vector>

#include "drawbridge/domain/crash_point.hpp"
#include "drawbridge/ledger/facts/runs.hpp"
#include "drawbridge/ledger/reports/by_time.hpp"
#include "drawbridge/reconciliation/by_time.hpp"

namespace drawbridge::pipeline {
namespace {

constexpr std::size_t credits_per_transaction = 1000;

}  // namespace

AutoConfirmed auto_confirm(Context& context) {
    AutoConfirmed counted;
    const auto days = context.config.ach ? context.config.ach->confirm_after_banking_days : std::nullopt;
    if (!days || ledger::is_paused(context.ledger)) return counted;
    const auto& plan = context.settings.plan;
    const BusinessDate today = plan.zone.date_of(context.clock.now());
    std::vector<std::pair<ledger::UnconfirmedCredit, BusinessDate>> due;
    for (auto& credit : ledger::unconfirmed_credits(context.ledger, today)) {
        const auto paid_on = reconciliation::paid_by_time(
            credit.effective_entry_date, plan.zone.date_of(credit.at_bank_since), *days, plan.calendar, today);
        if (paid_on) due.emplace_back(std::move(credit), *paid_on);
    }
    for (std::size_t from = 0; from < due.size(); from += credits_per_transaction) {
        context.ledger.transaction([&] {
            for (std::size_t i = from; i < due.size() && i < from + credits_per_transaction; ++i) {
                ledger::confirm_by_time(context.ledger, due[i].first, due[i].second, *days, context.stamp());
                ++counted.payments;
                counted.amount += due[i].first.amount;
            }
        });
        crash_point("by_time.committed");
    }
    return counted;
}

}  // namespace drawbridge::pipeline
