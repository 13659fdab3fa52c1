#include "drawbridge/disbursement/plan.hpp"

#include <algorithm>
#include <cstdio>
#include <map>
#include <utility>

#include "drawbridge/domain/assert.hpp"
#include "drawbridge/nacha/records.hpp"
#include "drawbridge/nacha/transliterate.hpp"

namespace drawbridge::disbursement {

namespace {

constexpr std::int64_t last_payment_id = 9'999'999'999;  // ten digits after the P
constexpr std::int64_t last_trace_sequence = 9'999'999;
constexpr std::int64_t last_batch_number = 9'999'999;
constexpr std::int64_t last_check_number = 9'999'999'999;  // ten digits in the layouts that banks use
constexpr std::string_view file_id_modifiers = "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789";

std::string zero_filled(std::int64_t value, int width) {
    char text[24];
    std::snprintf(text, sizeof text, "%0*lld", width, static_cast<long long>(value));
    return text;
}

std::string yyyymmdd(BusinessDate date) {
    std::string text = format_date(date);
    std::erase(text, '-');
    return text;
}

// A payable that passed every check, and whom it pays.
struct Accepted {
    const Payable* payable;
    const Payee* payee;
};

using Refusal = std::pair<std::string_view, std::string>;  // reason code and detail

// What stands in the way of the amount, or nothing.
std::optional<Refusal> fault_in_amount(const Payable& payable) {
    if (!payable.amount) {
        return Refusal{reason::amount_missing, "the approved amount is empty: set it in the portal"};
    }
    const Money amount = *payable.amount;
    if (!payable.agreed_amount) {
        return Refusal{reason::amount_not_agreed, "no amount is on record to hold " + amount.to_display() + " against"};
    }
    if (amount != *payable.agreed_amount) {
        return Refusal{reason::amount_changed, "approved were " + payable.agreed_amount->to_display() + ", now it is " +
                                                   amount.to_display() + ": have the new amount approved"};
    }
    if (amount <= Money()) return Refusal{reason::amount_zero, "the approved amount is zero: there is nothing to pay"};
    if (amount > nacha::max_entry_amount) {
        return Refusal{reason::amount_too_large, amount.to_display() + " is more than a payment may be (" +
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
        return Refusal{reason::name_not_encodable, "the name of payee '" + payee.key +
                                                       "' has no form in the characters that banks read: " +
                                                       (name ? "nothing is left of it" : name.error().message)};
    }
    return std::nullopt;
}

class Planner {
  public:
    Planner(const PayeeDirectory& payees, const PlanSettings& settings, const NumberBlock& numbers, Instant now)
        : payees_(payees), settings_(settings), numbers_(numbers), now_(now), local_(settings.zone.to_local(now)) {
        DRAWBRIDGE_ASSERT(numbers.next_payment_id > 0 && numbers.next_trace_sequence > 0 &&
                              numbers.next_check_number > 0 && numbers.next_batch_number > 0 &&
                              numbers.next_file_sequence > 0,
                          "numbers begin at 1");
    }

    Plan run(const std::vector<Payable>& payables) {
        const std::vector<const Payable*> ordered = by_draw_id(payables);
        std::vector<Accepted> ach, checks;
        for (const Payable* payable : ordered) {
            if (const Payee* payee = accept(*payable))
                (payee->rail == Rail::ach ? ach : checks).push_back({payable, payee});
        }
        for (const auto& part : split(ach))
            plan_ach_file(part);
        for (const auto& part : split(checks))
            plan_check_file(part);
        plan_.numbers_after = numbers_;
        std::ranges::stable_sort(plan_.exceptions, {}, &PlanException::draw_id);
        assert_complete(payables);
        return std::move(plan_);
    }

  private:
    static std::vector<const Payable*> by_draw_id(const std::vector<Payable>& payables) {
        std::vector<const Payable*> ordered;
        ordered.reserve(payables.size());
        for (const Payable& payable : payables)
            ordered.push_back(&payable);
        std::ranges::sort(ordered, {}, [](const Payable* payable) { return payable->draw_id; });
        const auto twice =
            std::ranges::adjacent_find(ordered, {}, [](const Payable* payable) { return payable->draw_id; });
        DRAWBRIDGE_ASSERT(twice == ordered.end(), "a draw must not be planned twice");
        return ordered;
    }

    void refuse(const Payable& payable, std::string_view reason_code, std::string detail) {
        plan_.exceptions.push_back({payable.draw_id, std::string(reason_code), std::move(detail)});
    }

    // Whom to pay, or nullptr after recording the exception.
    const Payee* accept(const Payable& payable) {
        if (auto fault = fault_in_amount(payable)) {
            refuse(payable, fault->first, std::move(fault->second));
            return nullptr;
        }
        if (!payable.payee_key || payable.payee_key->find_first_not_of(" \t") == std::string::npos) {
            refuse(payable, reason::payee_key_missing,
                   "the draw names no payee: fill in its payee field in the portal");
            return nullptr;
        }
        const Payee* payee = payees_.find(*payable.payee_key);
        if (payee == nullptr) {
            refuse(payable, reason::no_payee,
                   "no payee has the key '" + *payable.payee_key + "': add it to the payee file or correct the draw");
            return nullptr;
        }
        if (auto fault = fault_in_payee(*payee, settings_)) {
            refuse(payable, fault->first, std::move(fault->second));
            return nullptr;
        }
        return payee;
    }

    // In parts that one file can hold, in the same order.
    [[nodiscard]] std::vector<std::vector<Accepted>> split(const std::vector<Accepted>& all) const {
        std::vector<std::vector<Accepted>> parts;
        Money total;
        for (const Accepted& one : all) {
            const Money amount = *one.payable->amount;
            const bool fits = !parts.empty() &&
                              static_cast<std::int64_t>(parts.back().size()) < settings_.max_file_entries &&
                              total + amount <= settings_.max_file_total;
            if (!fits) {
                parts.emplace_back();
                total = Money();
            }
            parts.back().push_back(one);
            total += amount;
        }
        return parts;
    }

    [[nodiscard]] PlannedFile new_file(Rail rail) const {
        PlannedFile file;
        file.rail = rail;
        file.created_at = now_;
        file.creation_date = local_.date;
        file.creation_time = local_.time_of_day;
        return file;
    }

    PlannedPayment new_payment(const Accepted& one) {
        PlannedPayment payment;
        payment.payment_id = numbers_.next_payment_id++;
        payment.draw_id = one.payable->draw_id;
        payment.reading_id = one.payable->reading_id;
        payment.rail = one.payee->rail;
        payment.amount = *one.payable->amount;
        payment.payee = *one.payee;
        return payment;
    }

    void exhausted(const Accepted& one, const std::string& what) {
        refuse(*one.payable, reason::numbers_exhausted, what + " are used up: nothing is reused, see the handbook");
    }

    void finish(PlannedFile file) {
        if (file.payments.empty()) return;
        const ControlTotals totals = control_totals(file);
        file.total = totals.total;
        file.entry_hash = totals.entry_hash;
        plan_.files.push_back(std::move(file));
    }

    void plan_ach_file(const std::vector<Accepted>& part) {
        const auto modifier = std::ranges::find_if(
            file_id_modifiers, [&](char c) { return numbers_.used_file_id_modifiers.find(c) == std::string::npos; });
        if (modifier == file_id_modifiers.end()) {
            for (const Accepted& one : part)
                exhausted(one, "the 36 file id modifiers of " + format_date(local_.date));
            return;
        }
        PlannedFile file = new_file(Rail::ach);
        file.file_id_modifier = *modifier;
        file.name = "ACH-" + yyyymmdd(local_.date) + "-" + *modifier + ".ach";
        for (const SecCode sec_code : {SecCode::ppd, SecCode::ccd})
            add_batch(file, part, sec_code);
        if (!file.payments.empty()) numbers_.used_file_id_modifiers += *modifier;
        finish(std::move(file));
    }

    void add_batch(PlannedFile& file, const std::vector<Accepted>& part, SecCode sec_code) {
        bool is_open = false;
        for (const Accepted& one : part) {
            if (one.payee->sec_code != sec_code) continue;
            if (numbers_.next_trace_sequence > last_trace_sequence) {
                exhausted(one, "the trace numbers");
            } else if (numbers_.next_batch_number > last_batch_number) {
                exhausted(one, "the batch numbers");
            } else if (numbers_.next_payment_id > last_payment_id) {
                exhausted(one, "the payment ids");
            } else {
                is_open = true;
                PlannedPayment payment = new_payment(one);
                payment.trace_number =
                    std::string(settings_.ach->odfi.identification()) + zero_filled(numbers_.next_trace_sequence++, 7);
                payment.batch_number = numbers_.next_batch_number;
                payment.effective_entry_date = settings_.calendar.add(local_.date, 1);
                file.payments.push_back(std::move(payment));
            }
        }
        if (is_open) ++numbers_.next_batch_number;
    }

    void plan_check_file(const std::vector<Accepted>& part) {
        PlannedFile file = new_file(Rail::check);
        file.name = "CHK-" + yyyymmdd(local_.date) + "-" + zero_filled(numbers_.next_file_sequence, 4) +
                    (settings_.check->layout.format == checks::FileFormat::fixed ? ".txt" : ".csv");
        for (const Accepted& one : part) {
            if (numbers_.next_check_number > last_check_number) {
                exhausted(one, "the check numbers");
            } else if (numbers_.next_payment_id > last_payment_id) {
                exhausted(one, "the payment ids");
            } else {
                PlannedPayment payment = new_payment(one);
                payment.check_number = numbers_.next_check_number++;
                payment.check_date = local_.date;
                file.payments.push_back(std::move(payment));
            }
        }
        if (!file.payments.empty()) ++numbers_.next_file_sequence;
        finish(std::move(file));
    }

    // Nothing lost, nothing doubled: every payable is one payment or one exception, and the cents add up.
    void assert_complete(const std::vector<Payable>& payables) const {
        std::map<DrawId, int> outcomes;
        for (const Payable& payable : payables)
            outcomes.emplace(payable.draw_id, 0);
        for (const PlannedFile& file : plan_.files) {
            for (const PlannedPayment& payment : file.payments)
                ++outcomes[payment.draw_id];
        }
        for (const PlanException& exception : plan_.exceptions)
            ++outcomes[exception.draw_id];
        const bool each_once = std::ranges::all_of(outcomes, [](const auto& outcome) { return outcome.second == 1; });
        DRAWBRIDGE_ASSERT(each_once && outcomes.size() == payables.size(), "a payable is one payment or one exception");
    }

    const PayeeDirectory& payees_;
    const PlanSettings& settings_;
    NumberBlock numbers_;
    Instant now_;
    LocalTime local_;
    Plan plan_;
};

}  // namespace

BusinessDate plan_date(const PlanSettings& settings, Instant now) {
    return settings.zone.date_of(now);
}

Plan plan(const std::vector<Payable>& payables, const PayeeDirectory& payees, const PlanSettings& settings,
          const NumberBlock& numbers, Instant now) {
    return Planner(payees, settings, numbers, now).run(payables);
}

FileProfile profile_for(const PlanSettings& settings, Rail rail) {
    if (rail == Rail::ach) {
        DRAWBRIDGE_ASSERT(settings.ach.has_value(), "an ACH file is planned only when ACH is configured");
        return *settings.ach;
    }
    DRAWBRIDGE_ASSERT(settings.check.has_value(), "a check file is planned only when checks are configured");
    return *settings.check;
}

ControlTotals control_totals(const PlannedFile& file) {
    constexpr std::int64_t ten_digits = 10'000'000'000;
    ControlTotals totals;
    for (const PlannedPayment& payment : file.payments) {
        ++totals.count;
        totals.total += payment.amount;
        if (payment.rail != Rail::ach) continue;
        const std::string& routing_number = payment.payee.routing_number.value().to_string();
        totals.entry_hash = (totals.entry_hash + std::stoll(routing_number.substr(0, 8))) % ten_digits;
    }
    return totals;
}

std::string format_payment_id(std::int64_t payment_id) {
    DRAWBRIDGE_ASSERT(payment_id > 0 && payment_id <= last_payment_id, "a payment id has at most ten digits");
    return "P" + zero_filled(payment_id, 10);
}

std::optional<std::int64_t> parse_payment_id(std::string_view text) {
    if (text.size() != 11 || text.front() != 'P') return std::nullopt;
    std::int64_t id = 0;
    for (const char c : text.substr(1)) {
        if (c < '0' || c > '9') return std::nullopt;
        id = id * 10 + (c - '0');
    }
    if (id == 0) return std::nullopt;
    return id;
}

}  // namespace drawbridge::disbursement
