#include "drawbridge/pipeline/check_orders.hpp"

#include "drawbridge/domain/crash_point.hpp"
#include "drawbridge/ledger/facts/exceptions.hpp"
#include "drawbridge/ledger/facts/plans.hpp"
#include "drawbridge/ledger/facts/runs.hpp"
#include "drawbridge/ledger/reports/check_register.hpp"

namespace drawbridge::pipeline {
namespace {

constexpr std::string_view not_expressible = disbursement::reason::order_not_expressible;

std::int64_t raise_stale(Context& context, const ledger::Stamp& stamp) {
    ledger::close_stale_exceptions(context.ledger, stamp);
    const auto until = stale_until(context.config, stamp.at);
    const auto stale = ledger::newly_stale_checks(context.ledger, until);
    for (const auto& check : stale) {
        ledger::raise_exception(context.ledger,
                                {"pay", std::string(ledger::check_stale), check.draw_id, check.payment_id, "",
                                 "check " + std::to_string(check.check_number) + " of " + check.amount.to_display() +
                                     " to " + check.payee_name + " is dated " + format_date(check.check_date) +
                                     " and is not cashed: ask the payee; void it if it is lost"},
                                stamp);
    }
    return static_cast<std::int64_t>(stale.size());
}

// Orders that the bank has not received yet, without those that the bank's own act has overtaken.
std::vector<disbursement::CheckOrder> orders_to_plan(Context& context, const ledger::Stamp& stamp,
                                                     CheckOrdersReport& report) {
    std::vector<disbursement::CheckOrder> orders;
    for (auto& open : ledger::open_check_orders(context.ledger)) {
        if (open.overtaken_by.empty()) {
            orders.push_back(std::move(open.order));
        } else {
            ledger::withdraw_overtaken(context.ledger, open, stamp);
            ++report.exceptions;
        }
    }
    return orders;
}

void record(Context& context, const disbursement::CheckOrderPlan& plan, const ledger::Stamp& stamp,
            CheckOrdersReport& report) {
    for (const auto& refused : plan.refused) {
        ledger::raise_exception(
            context.ledger,
            {"pay", std::string(not_expressible), refused.draw_id, refused.payment_id, "", refused.detail}, stamp);
        ++report.exceptions;
    }
    ledger::record_check_order_files(context.ledger, plan, stamp);
    for (const auto& file : plan.files) {
        for (const auto& payment : file.file.payments) {
            ledger::close_exceptions_of_payment(context.ledger, payment.payment_id, not_expressible,
                                                "it is in " + file.file.name, stamp);
            ++report.planned;
        }
    }
}

}  // namespace

CheckOrdersReport plan_check_orders(Context& context) {
    CheckOrdersReport report;
    const auto stamp = context.stamp();
    context.ledger.transaction([&] {
        report.stale = raise_stale(context, stamp);
        if (ledger::is_paused(context.ledger)) return;
        const auto orders = orders_to_plan(context, stamp, report);
        if (orders.empty()) return;
        const auto& settings = context.settings.plan;
        const auto numbers =
            ledger::number_block(context.ledger, disbursement::plan_date(settings, stamp.at), /*first_check_number=*/1);
        record(context, disbursement::plan_check_orders(orders, settings, numbers.next_file_sequence, stamp.at), stamp,
               report);
    });
    if (report.planned > 0) crash_point("checks.orders_committed");
    return report;
}

Result<void> order_check(Context& context, std::int64_t check_number, checks::CheckAction action,
                         std::string_view reason, const ledger::Stamp& stamp) {
    return context.ledger.transaction([&]() -> Result<void> {
        const auto issued = ledger::check_profile_of(context.ledger, check_number);
        if (!issued) return std::unexpected(issued.error());
        if (auto fault = disbursement::fault_in_order(context.settings.plan, *issued, action); !fault.empty()) {
            return fail(ErrorCode::conflict, "check " + std::to_string(check_number) + ": " + fault);
        }
        return ledger::order_check(context.ledger, check_number, action, reason, stamp);
    });
}

BusinessDate stale_until(const config::Config& config, Instant now) {
    // Checks of an office that writes no more of them become stale, too.
    const auto stale_after = config.checks ? config.checks->stale_after : config::default_stale_after;
    return std::chrono::sys_days(config.pay.timezone.date_of(now)) - stale_after;
}

}  // namespace drawbridge::pipeline
