#include "drawbridge/disbursement/check_orders.hpp"

#include <algorithm>

#include "drawbridge/domain/assert.hpp"
#include "number_allocator.hpp"

namespace drawbridge::disbursement {

namespace {

const checks::IssueLayout& layout_for(const PlanSettings& settings, const CheckProfile& issued) {
    return settings.check ? settings.check->layout : issued.layout;
}

std::string file_name(BusinessDate date, std::int64_t sequence, const checks::IssueLayout& layout) {
    std::string day = format_date(date);
    std::erase(day, '-');
    const bool fixed = layout.format == checks::FileFormat::fixed;
    return "CHV-" + day + "-" + zero_filled(sequence, 4) + (fixed ? ".txt" : ".csv");
}

CheckOrderFile new_file(const PlanSettings& settings, const CheckProfile& issued, std::int64_t sequence, Instant now) {
    const LocalTime local = settings.zone.to_local(now);
    CheckOrderFile planned{.file = {}, .profile = {issued.account, layout_for(settings, issued)}, .order_ids = {}};
    planned.file.kind = FileKind::check_orders;
    planned.file.rail = Rail::check;
    planned.file.name = file_name(local.date, sequence, planned.profile.layout);
    planned.file.created_at = now;
    planned.file.creation_date = local.date;
    planned.file.creation_time = local.time_of_day;
    return planned;
}

// The header and trailer may have room for fewer orders, or a smaller total, than are given.
bool has_room(const CheckOrderFile& planned, const CheckOrder& order, std::int64_t max_orders) {
    const auto capacity = checks::capacity_of(planned.profile.layout);
    return planned.profile.account == order.issued.account &&
           static_cast<std::int64_t>(planned.order_ids.size()) < std::min(max_orders, capacity.count) &&
           planned.file.total + order.payment.amount <= capacity.total;
}

}  // namespace

std::string fault_in_order(const PlanSettings& settings, const CheckProfile& issued, checks::CheckAction action) {
    const checks::IssueLayout& layout = layout_for(settings, issued);
    if (checks::can_express(layout, action)) return {};
    return "the layout " + layout.name + " has no code for a " + std::string(checks::to_string(action)) +
           ": add it under codes if the bank accepts it in this file, otherwise tell the bank by other means";
}

CheckOrderPlan plan_check_orders(const std::vector<CheckOrder>& orders, const PlanSettings& settings,
                                 std::int64_t next_file_sequence, Instant now) {
    CheckOrderPlan plan;
    next_file_sequence = std::max(next_file_sequence, settings.numbers.file.from);
    for (const CheckOrder& order : orders) {
        DRAWBRIDGE_ASSERT(order.payment.rail == Rail::check && order.payment.check_number.has_value(),
                          "only checks can be voided or stopped by file");
        if (auto fault = fault_in_order(settings, order.issued, order.payment.check_action); !fault.empty()) {
            plan.refused.push_back({order.order_id, order.payment.payment_id, order.payment.draw_id,
                                    "check " + std::to_string(*order.payment.check_number) + ": " + std::move(fault)});
            continue;
        }
        auto file = std::ranges::find_if(plan.files, [&](const CheckOrderFile& planned) {
            return has_room(planned, order, settings.max_file_entries);
        });
        if (file == plan.files.end() && next_file_sequence > settings.numbers.file.to) {
            plan.refused.push_back({order.order_id, order.payment.payment_id, order.payment.draw_id,
                                    "the file numbers up to " + std::to_string(settings.numbers.file.to) +
                                        " (pay.file_numbers) are used up: ask an administrator for another range"});
            continue;
        }
        if (file == plan.files.end()) {
            plan.files.push_back(new_file(settings, order.issued, next_file_sequence++, now));
            file = plan.files.end() - 1;
        }
        file->file.payments.push_back(order.payment);
        file->file.total += order.payment.amount;
        file->order_ids.push_back(order.order_id);
    }
    plan.next_file_sequence = next_file_sequence;
    return plan;
}

}  // namespace drawbridge::disbursement
