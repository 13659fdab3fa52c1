#include "run_guards.hpp"

#include <algorithm>

#include "drawbridge/nacha/records.hpp"

namespace drawbridge::disbursement {

Money batch_total_limit(const PlanSettings& settings, bool same_day) {
    if (!settings.ach || !settings.ach->offset) return settings.max_batch_total;
    const Money of_entry = same_day ? settings.settle.same_day_limit : nacha::max_entry_amount;
    return std::min(settings.max_batch_total, of_entry);
}

std::optional<Refusal> RunGuards::admit(const Payable& payable, const Payee& payee) {
    if (auto fault = check_guards(payable, payee, settings_, now_)) return fault;
    if (auto fault = over_file_limit(*payable.amount, payee.rail)) return fault;
    if (auto fault = paid_twice(payable, payee)) return fault;
    if (auto fault = over_day_limit(payable)) return fault;
    day_total_ += *payable.amount;
    return std::nullopt;
}

std::optional<Refusal> RunGuards::over_file_limit(Money amount, Rail rail) const {
    const bool is_ach = rail == Rail::ach;
    const Money limit =
        is_ach ? std::min(settings_.max_file_total, batch_total_limit(settings_)) : settings_.max_file_total;
    if (amount <= limit) return std::nullopt;
    return Refusal{reason::over_file_limit, amount.to_display() + " exceeds what a file " +
                                                (is_ach ? "or batch " : "") + "may carry (" + limit.to_display() +
                                                "): raise the limit or split the draw"};
}

std::optional<Refusal> RunGuards::paid_twice(const Payable& payable, const Payee& payee) {
    if (settings_.guards.duplicate_days <= 0) return std::nullopt;
    const std::string& account = payable.account_fingerprint;
    DrawId earlier = payable.draw_id;
    for (const std::string& to : {payee.key, account.empty() ? payee.key : account}) {
        const DrawId first = paid_.try_emplace({to, *payable.amount}, payable.draw_id).first->second;
        if (earlier == payable.draw_id) earlier = first;
    }
    if (earlier == payable.draw_id) return std::nullopt;
    Refusal refusal{reason::duplicate_suspected,
                    "draw " + std::to_string(earlier) + " pays " + payable.amount->to_display() + " to payee '" +
                        payee.key + "', or to the same account: if both are due, resolve this exception to pay it"};
    if (is_lifted(payable, refusal)) return std::nullopt;
    return refusal;
}

std::optional<Refusal> RunGuards::over_day_limit(const Payable& payable) const {
    const auto& limit = settings_.guards.day_limit;
    if (!limit || day_total_ + *payable.amount <= *limit) return std::nullopt;
    Refusal refusal{reason::over_day_limit,
                    "with this " + payable.amount->to_display() + ", payments on " + format_date(today_) +
                        " would exceed the " + limit->to_display() +
                        " daily limit: it is paid on a later day, or resolve this exception to pay it today"};
    if (is_lifted(payable, refusal)) return std::nullopt;
    return refusal;
}

}  // namespace drawbridge::disbursement
