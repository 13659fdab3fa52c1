#include "auto_confirm.hpp"

#include <algorithm>
#include <map>
#include <set>
#include <utility>
#include <vector>

#include "drawbridge/domain/crash_point.hpp"
#include "drawbridge/ledger/facts/by_time.hpp"
#include "drawbridge/ledger/facts/exceptions.hpp"
#include "drawbridge/ledger/facts/runs.hpp"
#include "drawbridge/reconciliation/by_time.hpp"
#include "drawbridge/text/show.hpp"

namespace drawbridge::pipeline {
namespace {

using std::chrono::days;
using std::chrono::sys_days;

constexpr std::size_t credits_per_transaction = 1000;
// The subject of the exception.
constexpr std::string_view key = "ach.confirm_after_banking_days";

struct DueCredit {
    ledger::UnconfirmedCredit credit;
    BusinessDate paid_on;
};

// Credits whose time is over by the clock.
std::vector<DueCredit> due_credits(Context& context, int banking_days, BusinessDate today) {
    const auto& plan = context.settings.plan;
    std::vector<DueCredit> due;
    for (auto& credit : ledger::unconfirmed_credits(context.ledger, today)) {
        const auto paid_on = reconciliation::paid_by_time(
            credit.effective_entry_date, plan.zone.date_of(credit.at_bank_since), banking_days, plan.calendar, today);
        if (paid_on) due.push_back({std::move(credit), *paid_on});
    }
    return due;
}

// The days before today, as far back as runs are kept, on which the confirm step ran and succeeded, each with the
// newest run.
std::map<BusinessDate, std::int64_t> days_of_confirm_runs(Context& context, BusinessDate after, BusinessDate today) {
    const auto& zone = context.settings.plan.zone;
    std::map<BusinessDate, std::int64_t> found;
    sys_days day = std::max(sys_days(after) + days(1), sys_days(today) - ledger::idle_run_retention);
    for (; day < sys_days(today); day += days(1)) {
        if (const auto run = ledger::newest_run(context.ledger, Step::confirm, zone, day)) found.emplace(day, run);
    }
    return found;
}

// Removes the credits for which nobody looked for returns on enough days since the bank had the file: the clock leapt
// or was behind, or the program was off.
std::int64_t drop_unwatched(Context& context, std::vector<DueCredit>& due, int banking_days, BusinessDate today) {
    if (due.empty()) return 0;
    const auto first = std::ranges::min(due, {}, &DueCredit::paid_on).paid_on;
    const auto looked_on = days_of_confirm_runs(context, first, today);
    std::map<std::int64_t, std::set<BusinessDate>> looked_after;  // by the newest run when the bank had the file
    const auto days_after = [&](std::int64_t run) -> const std::set<BusinessDate>& {
        const auto [at, is_new] = looked_after.try_emplace(run);
        for (const auto& [day, newest] : looked_on) {
            if (is_new && newest > run) at->second.insert(day);
        }
        return at->second;
    };
    return static_cast<std::int64_t>(std::erase_if(due, [&](const DueCredit& one) {
        return !reconciliation::looked_for_returns(one.paid_on, banking_days, context.settings.plan.calendar,
                                                   days_after(one.credit.at_bank_after), today);
    }));
}

void note_unwatched(Context& context, std::int64_t count, int banking_days) {
    context.ledger.transaction([&] {
        if (count == 0) {
            ledger::close_exceptions_of_subject(context.ledger, key, "no credit waits for days that were missed",
                                                context.stamp());
            return;
        }
        ledger::raise_exception(context.ledger,
                                {"confirm", "banking_days_missed", std::nullopt, std::nullopt, std::string(key),
                                 text::counted(count, "credit") +
                                     " would count as paid by the clock, but Drawbridge did not look for "
                                     "returns on " +
                                     text::counted(banking_days, "banking day") +
                                     " since: the clock leaped ahead or was behind, or Drawbridge was off. Check the "
                                     "machine's clock; they count as paid "
                                     "once Drawbridge has run on enough banking days"},
                                context.stamp());
    });
}

}  // namespace

AutoConfirmed auto_confirm(Context& context) {
    AutoConfirmed counted;
    const auto banking_days = context.config.ach ? context.config.ach->confirm_after_banking_days : std::nullopt;
    if (!banking_days || ledger::is_paused(context.ledger)) return counted;
    const BusinessDate today = context.settings.plan.zone.date_of(context.clock.now());
    auto due = due_credits(context, *banking_days, today);
    note_unwatched(context, drop_unwatched(context, due, *banking_days, today), *banking_days);
    for (std::size_t from = 0; from < due.size(); from += credits_per_transaction) {
        context.ledger.transaction([&] {
            for (std::size_t i = from; i < due.size() && i < from + credits_per_transaction; ++i) {
                ledger::confirm_by_time(context.ledger, due[i].credit, due[i].paid_on, *banking_days, context.stamp());
                ++counted.payments;
                counted.amount += due[i].credit.amount;
            }
        });
        crash_point("by_time.committed");
    }
    return counted;
}

}  // namespace drawbridge::pipeline
