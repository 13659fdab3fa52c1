#include "checks_view.hpp"

#include "drawbridge/ledger/check_register.hpp"
#include "drawbridge/pipeline/check_orders.hpp"

namespace drawbridge::admin {
namespace {

json date_or_null(const std::optional<BusinessDate>& date) {
    return date ? json(format_date(*date)) : json(nullptr);
}

json order_view(const std::optional<ledger::CheckOrderRow>& order) {
    if (!order) return nullptr;
    return {{"action", checks::to_string(order->action)},
            {"ordered_at", format_instant(order->ordered_at)},
            {"ordered_by", order->ordered_by},
            {"reason", order->reason},
            {"file", text_or_null(order->file_name)},
            {"transmitted_at", view(order->transmitted_at)}};
}

json check_view(const ledger::CheckRow& row) {
    const bool gap = row.state == ledger::CheckState::never_used;
    return {{"number", row.first_number},
            {"last_number", row.last_number},
            {"state", ledger::to_string(row.state)},
            {"payment_id", gap ? json(nullptr) : json(disbursement::format_payment_id(row.payment_id))},
            {"draw_id", gap ? json(nullptr) : json(row.draw_id)},
            {"payee_name", text_or_null(row.payee_name)},
            {"amount", gap ? json(nullptr) : json(row.amount.to_string())},
            {"check_date", date_or_null(row.check_date)},
            {"file", text_or_null(row.file_name)},
            {"settled_on", date_or_null(row.settled_on)},
            {"order", order_view(row.order)},
            {"replaces", text_or_null(row.replaces)},
            {"replaced_by", text_or_null(row.replaced_by)}};
}

}  // namespace

BusinessDate stale_until(const AdminContext& context) {
    return pipeline::stale_until(context.zone, context.shared.settings.checks_stale_after, context.clock.now());
}

json checks_view(AdminContext& context, const Page& page) {
    json answer = page_view<ledger::CheckRow>(
        "checks", ledger::check_register(context.ledger, stale_until(context), page.after, page.wanted()), page,
        check_view, [](const auto& row) { return row.last_number; });
    if (page.with_total) answer["total"] = ledger::count_checks(context.ledger);
    return answer;
}

json outstanding_checks_view(AdminContext& context) {
    const auto sums = ledger::outstanding_checks(context.ledger, stale_until(context));
    return {{"outstanding", sums.count},
            {"amount", sums.amount.to_string()},
            {"stale", sums.stale},
            {"stale_amount", sums.stale_amount.to_string()},
            {"orders_not_transmitted", sums.orders}};
}

Result<json> act_on_check(AdminContext& context, std::int64_t check_number, const std::string& act,
                          const std::string& reason, const ledger::Stamp& stamp) {
    Result<void> done;
    if (act == "withdraw") {
        done = context.ledger.transaction(
            [&] { return ledger::withdraw_check_order(context.ledger, check_number, reason, stamp); });
    } else {
        const auto action = act == "stop" ? checks::CheckAction::stop : checks::CheckAction::void_check;
        pipeline::Context of_person(context.shared, stamp);
        done = pipeline::order_check(of_person, check_number, action, reason, stamp);
    }
    if (!done) return std::unexpected(done.error());
    const auto row = ledger::check_register(context.ledger, stale_until(context), check_number - 1, /*limit=*/1);
    return json{{"check", check_view(row.front())}};
}

}  // namespace drawbridge::admin
