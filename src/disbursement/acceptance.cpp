#include "acceptance.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "drawbridge/domain/ascii.hpp"
#include "drawbridge/nacha/transliterate.hpp"
#include "drawbridge/text/show.hpp"

namespace drawbridge::disbursement {

std::optional<Refusal> fault_in_amount(const Payable& payable) {
    if (!payable.amount) {
        return Refusal{reason::amount_missing, "the approved amount is empty: set it in the portal"};
    }
    const Money amount = *payable.amount;
    if (!payable.agreed_amount) {
        return Refusal{reason::amount_not_agreed,
                       "no agreed amount is on record to compare with " + amount.to_display()};
    }
    if (amount != *payable.agreed_amount) {
        return Refusal{reason::amount_changed, "the amount agreed to was " + payable.agreed_amount->to_display() +
                                                   " and the approved one is now " + amount.to_display() +
                                                   ": get the new amount approved"};
    }
    if (amount <= Money()) return Refusal{reason::amount_zero, "the approved amount is zero: there is nothing to pay"};
    if (amount > nacha::max_entry_amount) {
        return Refusal{reason::amount_too_large, amount.to_display() + " exceeds the maximum for a payment (" +
                                                     nacha::max_entry_amount.to_display() + "): split the draw"};
    }
    return std::nullopt;
}

std::optional<Refusal> fault_in_payee(const Payee& payee, const PlanSettings& settings) {
    if (payee.rail == Rail::ach && !settings.ach) {
        return Refusal{reason::no_ach_profile, "payee '" + payee.key + "' is paid by ACH, which is not configured"};
    }
    if (payee.rail == Rail::check && !settings.check) {
        return Refusal{reason::no_check_account, "payee '" + payee.key +
                                                     "' is paid by check, and no check account is "
                                                     "configured"};
    }
    const auto name = nacha::transliterate(payee.name);
    if (!name || name->find_first_not_of(' ') == std::string::npos) {
        return Refusal{reason::name_not_encodable,
                       "the name of payee '" + payee.key + "' does not fit into a bank file: " +
                           (name ? "nothing is left of it in the characters that banks accept" : name.error().message)};
    }
    return std::nullopt;
}

std::optional<Refusal> fault_in_check(const Payee& payee, Money amount, const PlanSettings& settings) {
    if (payee.rail != Rail::check) return std::nullopt;
    const checks::IssueLayout& layout = settings.check->layout;
    const Money of_line = checks::largest_amount(layout), of_file = checks::capacity_of(layout).total;
    if (amount <= std::min(of_line, of_file)) return std::nullopt;
    const bool fits_line = amount <= of_line;
    return Refusal{reason::amount_too_large, amount.to_display() + " does not fit into the " +
                                                 (fits_line ? "total" : "amount") + " column of " + layout.name +
                                                 " (at most " + (fits_line ? of_file : of_line).to_display() +
                                                 "): split the draw, or widen the column if the bank agrees"};
}

Result<std::string> bank_text(std::string_view remittance) {
    auto text = nacha::transliterate(remittance);
    if (!text) return text;
    return std::string(trimmed(*text));
}

namespace {

// nullopt while the prenote has not been sent: nothing can come back yet. A prenote sent late settles on the next
// banking day.
std::optional<BusinessDate> end_of_wait(const PrenoteStatus& prenote, const PlanSettings& settings) {
    if (!prenote.sent_at) return std::nullopt;
    const BusinessDate sent_on = settings.zone.date_of(*prenote.sent_at);
    const BusinessDate settles_on =
        sent_on <= *prenote.effective_entry_date ? *prenote.effective_entry_date : settings.calendar.add(sent_on, 1);
    const int days = settings.guards.prenote_wait_days;
    return days == 0 ? settles_on : settings.calendar.add(settles_on, days);
}

}  // namespace

bool prenote_wait_is_over(const PrenoteStatus& prenote, const PlanSettings& settings, Instant now) {
    const auto end = end_of_wait(prenote, settings);
    return end && plan_date(settings, now) >= *end;
}

std::optional<Refusal> fault_in_account(const Payable& payable, const Payee& payee, const PlanSettings& settings) {
    if (payee.rail != Rail::ach) return std::nullopt;
    switch (payable.prenote.state) {
        case PrenoteStatus::State::not_needed:
        case PrenoteStatus::State::needed: return std::nullopt;
        case PrenoteStatus::State::returned:
            return Refusal{reason::prenote_returned, "the prenote to the account of payee '" + payee.key +
                                                         "' came back (" + payable.prenote.return_reason_code +
                                                         "): get the payee's bank details corrected"};
        case PrenoteStatus::State::waiting: break;
    }
    const auto until = end_of_wait(payable.prenote, settings);
    const std::string prenote = "a prenote tests the account of payee '" + payee.key + "'";
    if (!until) {
        return Refusal{reason::prenote_waiting, prenote + ": its file " + payable.prenote.file_name +
                                                    " has not been sent yet; the waiting time begins when it is"};
    }
    std::string detail = prenote + ": paid from " + format_date(*until) + " unless it comes back";
    if (const int days = settings.guards.prenote_wait_days; days > 0)
        detail += ", once Drawbridge has run on " + text::counted(days, "later day");
    return Refusal{reason::prenote_waiting, std::move(detail)};
}

std::optional<Refusal> fault_in_history(const Payable& payable) {
    if (!payable.approval_unrequested.empty()) {
        Refusal refusal{reason::approval_unrequested, payable.approval_unrequested};
        if (!is_lifted(payable, refusal)) return refusal;
    }
    if (!payable.changed_since_approval.empty()) {
        Refusal refusal{reason::draw_changed, payable.changed_since_approval +
                                                  ": find out who changed it and why; if the draw is right as it is "
                                                  "now, resolve this exception to pay it"};
        if (!is_lifted(payable, refusal)) return refusal;
    }
    for (const std::string& sign : payable.disbursed_elsewhere) {
        Refusal refusal{reason::disbursed_elsewhere, sign};
        if (!is_lifted(payable, refusal)) return refusal;
    }
    return std::nullopt;
}

namespace {

// New as of a minute, so that a cut-off at the same time some days later is not a few seconds too early.
std::optional<Refusal> fault_in_details(const Payable& payable, const Payee& payee, const PlanSettings& settings,
                                        Instant now) {
    using namespace std::chrono_literals;
    if (settings.guards.payee_hold_days <= 0 || !payable.details_since) return std::nullopt;
    const auto since = std::chrono::floor<std::chrono::minutes>(*payable.details_since);
    const auto until = since + std::chrono::days(settings.guards.payee_hold_days);
    if (now >= until && payable.details_were_watched) return std::nullopt;
    const auto local_time = [&](Instant at) {
        const auto local = settings.zone.to_local(at);
        return fmt::format("{} {:02}:{:02}", format_date(local.date), local.time_of_day / 1h,
                           local.time_of_day % 1h / 1min);
    };
    return Refusal{reason::payee_changed,
                   "the bank details of payee '" + payee.key + "' (fingerprint " +
                       payable.details_fingerprint.substr(0, 12) + ") are new as of " + local_time(since) +
                       ": held until " + local_time(until) + ", and until Drawbridge has run on " +
                       text::counted(settings.guards.payee_hold_days, "later day") +
                       "; call the payee at a number known before, then resolve this exception to pay"};
}

}  // namespace

std::optional<Refusal> check_guards(const Payable& payable, const Payee& payee, const PlanSettings& settings,
                                    Instant now) {
    const Guards& guards = settings.guards;
    const auto held = [&](std::string_view code, std::string detail) -> std::optional<Refusal> {
        Refusal refusal{code, std::move(detail)};
        if (is_lifted(payable, refusal)) return std::nullopt;
        return refusal;
    };
    const Money amount = *payable.amount;
    if (guards.payment_limit && amount > *guards.payment_limit) {
        if (auto refusal = held(reason::over_payment_limit,
                                amount.to_display() + " exceeds the " + guards.payment_limit->to_display() +
                                    " limit for one payment: resolve this exception to pay it anyway")) {
            return refusal;
        }
    }
    if (auto refusal = fault_in_details(payable, payee, settings, now); refusal && !is_lifted(payable, *refusal))
        return refusal;
    if (guards.duplicate_days > 0 && payable.duplicate_of) {
        return held(reason::duplicate_suspected, amount.to_display() + " went to payee '" + payee.key +
                                                     "', or to the same account, with " + *payable.duplicate_of +
                                                     ": if both are due, resolve this exception to pay it");
    }
    return std::nullopt;
}

bool is_lifted(const Payable& payable, const Refusal& refusal) {
    return std::ranges::any_of(payable.lifted, [&](const Lift& lift) {
        return lift.reason_code == refusal.first && lift.detail == refusal.second;
    });
}

bool is_hold(std::string_view reason_code) {
    return may_be_lifted(reason_code) || reason_code == reason::prenote_waiting ||
           reason_code == reason::prenote_returned || reason_code == reason::over_file_limit ||
           reason_code == reason::account_blocked || reason_code == reason::correction_pending ||
           reason_code == reason::case_stopped || reason_code == reason::payment_voided ||
           reason_code == reason::bank_says_paid;
}

bool may_be_lifted(std::string_view reason_code) {
    constexpr std::array liftable = {reason::over_payment_limit, reason::over_day_limit, reason::duplicate_suspected,
                                     reason::payee_changed,      reason::draw_changed,   reason::approval_unrequested,
                                     reason::disbursed_elsewhere};
    return std::ranges::find(liftable, reason_code) != liftable.end();
}

}  // namespace drawbridge::disbursement
