#include "drawbridge/disbursement/plan.hpp"

#include <algorithm>
#include <map>
#include <set>
#include <span>
#include <tuple>
#include <utility>
#include <variant>

#include "acceptance.hpp"
#include "drawbridge/domain/assert.hpp"
#include "number_allocator.hpp"
#include "payable_checker.hpp"
#include "rendered_values.hpp"
#include "run_guards.hpp"

namespace drawbridge::disbursement {

std::string_view to_string(FileKind kind) {
    switch (kind) {
        case FileKind::payments: return "payments";
        case FileKind::check_orders: return "check_orders";
    }
    return {};
}

namespace {

std::string yyyymmdd(BusinessDate date) {
    std::string text = format_date(date);
    std::erase(text, '-');
    return text;
}

class Planner {
  public:
    Planner(const PayeeDirectory& payees, const PlanSettings& settings, const NumberBlock& numbers, Instant now,
            const PlanHistory& history)
        : settings_(settings),
          numbers_(numbers, settings.numbers),
          now_(now),
          local_(settings.zone.to_local(now)),
          checker_(payees, settings, now, local_.date, history) {}

    Plan run(const std::vector<Payable>& payables) {
        const std::vector<const Payable*> ordered = by_draw_id(payables);
        std::vector<Accepted> ach, checks;
        for (const Payable* payable : ordered) {
            if (auto accepted = accept(*payable)) {
                auto& rail = accepted->payee->rail == Rail::ach ? ach : checks;
                rail.push_back(std::move(*accepted));
            }
        }
        for (const auto& part : split(ach))
            plan_ach_file(part);
        for (const auto& part : split(checks))
            plan_check_file(part);
        plan_prenotes();
        plan_.numbers_after = numbers_.left();
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

    // The accepted payment. nullopt after recording an exception, or after noting the prenote that must come first.
    std::optional<Accepted> accept(const Payable& payable) {
        auto verdict = checker_.check(payable);
        if (auto* refusal = std::get_if<Refusal>(&verdict)) {
            refuse(payable, refusal->first, std::move(refusal->second));
            return std::nullopt;
        }
        if (auto* first = std::get_if<NeedsPrenote>(&verdict)) {
            to_prenote_.push_back(std::move(first->payment));
            return std::nullopt;
        }
        return std::get<Accepted>(std::move(verdict));
    }

    // Splits into parts that fit into one file each, in the same order.
    [[nodiscard]] std::vector<std::vector<Accepted>> split(const std::vector<Accepted>& all) const {
        std::vector<std::vector<Accepted>> parts;
        Money total;
        std::int64_t records = 0;
        for (const Accepted& one : all) {
            const Money amount = *one.payable->amount;
            const bool fits = !parts.empty() && records + one.records <= settings_.max_file_entries &&
                              total + amount <= settings_.max_file_total;
            if (!fits) {
                parts.emplace_back();
                total = Money();
                records = 0;
            }
            parts.back().push_back(one);
            total += amount;
            records += one.records;
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
        payment.payment_id = numbers_.take_payment_id();
        payment.draw_id = one.payable->draw_id;
        payment.reading_id = one.payable->reading_id;
        payment.rail = one.payee->rail;
        payment.amount = *one.payable->amount;
        payment.payee = *one.payee;
        return payment;
    }

    void exhausted(const Accepted& one, const std::string& what) {
        refuse(*one.payable, reason::numbers_exhausted,
               what + " are used up, and no number is used twice: ask an administrator for another range");
    }

    void finish(PlannedFile file) {
        if (file.payments.empty() && file.prenotes.empty()) return;
        const ControlTotals totals =
            control_totals(file, settings_.ach ? settings_.ach->offset : std::optional<OffsetAccount>());
        file.total = totals.total;
        file.entry_hash = totals.entry_hash;
        plan_.files.push_back(std::move(file));
    }

    // nullopt: no_file_left() says why.
    [[nodiscard]] std::optional<PlannedFile> new_ach_file() const {
        const auto modifier = numbers_.free_file_id_modifier();
        if (!modifier || (settings_.ach_file_name.uses_sequence() && !numbers_.file_used_up().empty())) {
            return std::nullopt;
        }
        PlannedFile file = new_file(Rail::ach);
        file.file_id_modifier = *modifier;
        file.name = settings_.ach_file_name.expand(
            {.date = local_.date,
             .time_of_day = local_.time_of_day,
             .file_id_modifier = *modifier,
             .sequence = numbers_.file_sequence(),
             .origin = settings_.ach->origin_id,
             .destination = settings_.ach->destination.value_or(settings_.ach->odfi).to_string()});
        return file;
    }

    void finish_ach(PlannedFile file) {
        if (file.payments.empty() && file.prenotes.empty()) return;
        numbers_.take_file_id_modifier(file.file_id_modifier);
        if (settings_.ach_file_name.uses_sequence()) numbers_.take_file_sequence();
        finish(std::move(file));
    }

    [[nodiscard]] std::string no_file_left() const {
        if (numbers_.free_file_id_modifier()) return numbers_.file_used_up();
        return "the " + std::to_string(settings_.numbers.file_id_modifiers.size()) + " file id modifiers of " +
               format_date(local_.date);
    }

    // One batch per SEC code, entry description and effective entry date, split at the batch limits.
    void plan_ach_file(std::vector<Accepted> part) {
        auto file = new_ach_file();
        if (!file) {
            for (const Accepted& one : part)
                exhausted(one, no_file_left());
            return;
        }
        const auto batch_of = [](const Accepted& one) {
            return std::tuple(*one.payee->sec_code, one.entry_description, one.settlement.effective_entry_date);
        };
        std::ranges::stable_sort(part, {}, batch_of);
        for (std::size_t at = 0; at < part.size();) {
            std::size_t end = at;
            std::int64_t records = settings_.ach->offset ? 1 : 0;
            Money total;
            while (end < part.size() && batch_of(part[end]) == batch_of(part[at]) &&
                   (end == at || (records + part[end].records <= settings_.max_batch_entries &&
                                  total + *part[end].payable->amount <= batch_total_limit(settings_)))) {
                records += part[end].records;
                total += *part[end].payable->amount;
                ++end;
            }
            add_batch(*file, std::span(part).subspan(at, end - at));
            at = end;
        }
        finish_ach(std::move(*file));
    }

    void add_batch(PlannedFile& file, std::span<const Accepted> entries) {
        const bool is_balanced = settings_.ach->offset.has_value();
        Money total;
        for (const Accepted& one : entries) {
            if (const auto what = numbers_.entry_used_up(is_balanced ? 2 : 1); !what.empty()) {
                exhausted(one, what);
                continue;
            }
            PlannedPayment payment = new_payment(one);
            payment.trace_number = numbers_.take_trace_number(settings_.ach->odfi);
            payment.batch_number = numbers_.batch_number();
            payment.effective_entry_date = one.settlement.effective_entry_date;
            payment.settles_because = one.settlement.because;
            payment.entry_description = one.entry_description;
            payment.remittance = one.remittance;
            total += payment.amount;
            file.payments.push_back(std::move(payment));
        }
        if (total.is_zero()) return;
        if (is_balanced)
            file.offsets.push_back({numbers_.batch_number(), numbers_.take_trace_number(settings_.ach->odfi), total});
        numbers_.take_batch_number();
    }

    // Prenotes get a separate file, so that it can be released independently of payments: one prenote per payee, one
    // batch per SEC code.
    void plan_prenotes() {
        if (to_prenote_.empty()) return;
        auto file = new_ach_file();
        const Settlement settlement = settle(settings_.settle, settings_.calendar, settings_.zone, Money(), now_);
        std::ranges::stable_sort(to_prenote_, {}, [](const Accepted& one) { return *one.payee->sec_code; });
        std::optional<SecCode> open;
        std::set<std::string_view> done;
        for (const Accepted& one : to_prenote_) {
            const auto what = file ? numbers_.entry_used_up(1) : no_file_left();
            if (!what.empty() && !done.contains(one.payee->key)) {
                exhausted(one, what);
                continue;
            }
            if (done.insert(one.payee->key).second) {
                if (open && open != one.payee->sec_code) numbers_.take_batch_number();
                open = one.payee->sec_code;
                file->prenotes.push_back({numbers_.take_trace_number(settings_.ach->odfi), numbers_.batch_number(),
                                          settlement.effective_entry_date, *one.payee,
                                          one.payable->prenote.fingerprint});
            }
            Payable waiting = *one.payable;
            waiting.prenote.state = PrenoteStatus::State::waiting;
            waiting.prenote.effective_entry_date = settlement.effective_entry_date;
            waiting.prenote.file_name = file->name;
            auto fault = fault_in_account(waiting, *one.payee, settings_);
            refuse(*one.payable, fault->first, std::move(fault->second));
        }
        if (open) numbers_.take_batch_number();
        if (file) finish_ach(std::move(*file));
    }

    void plan_check_file(const std::vector<Accepted>& part) {
        PlannedFile file = new_file(Rail::check);
        file.name = "CHK-" + yyyymmdd(local_.date) + "-" + zero_filled(numbers_.file_sequence(), 4) +
                    (settings_.check->layout.format == checks::FileFormat::fixed ? ".txt" : ".csv");
        for (const Accepted& one : part) {
            if (const auto what = numbers_.check_used_up(); !what.empty()) {
                exhausted(one, what);
            } else {
                PlannedPayment payment = new_payment(one);
                payment.check_number = numbers_.take_check_number();
                payment.check_date = local_.date;
                file.payments.push_back(std::move(payment));
            }
        }
        if (!file.payments.empty()) numbers_.take_file_sequence();
        finish(std::move(file));
    }

    // Nothing is lost or doubled: every payable is one payment or one exception, and the cents add up.
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

    const PlanSettings& settings_;
    NumberAllocator numbers_;
    Instant now_;
    LocalTime local_;
    PayableChecker checker_;
    std::vector<Accepted> to_prenote_;
    Plan plan_;
};

}  // namespace

BusinessDate plan_date(const PlanSettings& settings, Instant now) {
    return settings.zone.date_of(now);
}

Plan plan(const std::vector<Payable>& payables, const PayeeDirectory& payees, const PlanSettings& settings,
          const NumberBlock& numbers, Instant now, const PlanHistory& history) {
    return Planner(payees, settings, numbers, now, history).run(payables);
}

}  // namespace drawbridge::disbursement
