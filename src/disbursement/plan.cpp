#include "drawbridge/disbursement/plan.hpp"

#include <algorithm>
#include <map>
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

std::string_view item_of(FileKind kind) {
    switch (kind) {
        case FileKind::payments: return "payment";
        case FileKind::check_orders: return "check order";
    }
    return {};
}

namespace {

std::string yyyymmdd(BusinessDate date) {
    std::string text = format_date(date);
    std::erase(text, '-');
    return text;
}

// Completes open files: each batch of a balanced file gets its offset.
class FileCloser {
  public:
    explicit FileCloser(NumberAllocator& numbers) : numbers_(numbers) {}

    // Trace numbers that the offsets of its open batches will take.
    [[nodiscard]] static std::int64_t offsets_due(const OpenFile& open) {
        return is_balanced(open) ? static_cast<std::int64_t>(open.batches.size()) : 0;
    }
    [[nodiscard]] static bool is_balanced(const OpenFile& open) {
        const auto* ach = std::get_if<AchProfile>(&open.profile);
        return ach != nullptr && ach->offset.has_value();
    }

    void close_batch(OpenFile& open, std::size_t index) {
        const OpenBatch& batch = open.batches[index];
        if (is_balanced(open)) {
            open.file.offsets.push_back(
                {batch.batch_number, numbers_.take_trace_number(std::get<AchProfile>(open.profile).odfi), batch.total});
        }
        open.batches.erase(open.batches.begin() + static_cast<std::ptrdiff_t>(index));
    }

    // Moves what was added into the plan. False: nothing was.
    static bool flush(OpenFile& open, std::vector<PlannedFile>& into) {
        PlannedFile& file = open.file;
        if (file.payments.empty() && file.prenotes.empty() && file.offsets.empty()) return false;
        std::ranges::sort(file.offsets, {}, &PlannedOffset::batch_number);
        const auto* ach = std::get_if<AchProfile>(&open.profile);
        const auto totals = control_totals(file, ach != nullptr ? ach->offset : std::optional<OffsetAccount>());
        file.total = totals.total;
        file.entry_hash = totals.entry_hash;
        into.push_back(file);
        file.payments.clear();
        file.prenotes.clear();
        file.offsets.clear();
        return true;
    }

    void close(std::optional<OpenFile>& open, std::vector<PlannedFile>& into) {
        if (!open) return;
        // Prenotes move no money, so their batches have no offset.
        while (!open->batches.empty() && !open->total.is_zero())
            close_batch(*open, 0);
        flush(*open, into);
        open.reset();
    }

  private:
    NumberAllocator& numbers_;
};

class Planner {
  public:
    Planner(const PlanBasis& basis, OpenPlan& open, Part part)
        : settings_(basis.settings),
          numbers_(basis.numbers, settings_.numbers),
          closer_(numbers_),
          now_(basis.now),
          local_(settings_.zone.to_local(now_)),
          checker_(basis.payees, settings_, now_, local_.date, basis.history),
          open_(open),
          is_last_(part == Part::last) {}

    Plan run(const std::vector<Payable>& payables) {
        const std::vector<const Payable*> ordered = by_draw_id(payables);
        std::vector<Accepted> ach, checks;
        for (const Payable* payable : ordered) {
            if (auto accepted = accept(*payable)) {
                auto& rail = accepted->payee->rail == Rail::ach ? ach : checks;
                rail.push_back(std::move(*accepted));
            }
        }
        plan_ach(ach);
        end_part(open_.ach);
        plan_checks(checks);
        end_part(open_.checks);
        plan_prenotes();
        end_part(open_.prenotes);
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

    void end_part(std::optional<OpenFile>& open) {
        if (is_last_) {
            closer_.close(open, plan_.files);
        } else if (open) {
            FileCloser::flush(*open, plan_.files);
        }
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

    // How many of them fit into the file, with the offsets of the batches that they open.
    [[nodiscard]] std::size_t fitting(const OpenFile& open, std::span<const Accepted> all) const {
        checks::FileCapacity limit{settings_.max_file_entries, settings_.max_file_total};
        if (const auto* check = std::get_if<CheckProfile>(&open.profile)) {
            const auto layout = checks::capacity_of(check->layout);
            limit = {std::min(limit.count, layout.count), std::min(limit.total, layout.total)};
        }
        Money total = open.total;
        std::int64_t records = open.records;
        std::vector<OpenBatch> batches = open.batches;
        std::size_t count = 0;
        while (count < all.size()) {
            const Accepted& one = all[count];
            const bool is_first = records == 0;
            records += one.records;
            if (open.file.rail == Rail::ach) records += add_to_batches(open, batches, one);
            total += *one.payable->amount;
            const bool fits = records <= limit.count && total <= limit.total;
            if (!fits && !is_first) break;  // a single one fits by the guards
            ++count;
        }
        return count;
    }

    // As add_entry() will do. Returns the entries that this adds to the file besides its own.
    std::int64_t add_to_batches(const OpenFile& open, std::vector<OpenBatch>& batches, const Accepted& one) const {
        const auto index = batch_of(batches, one);
        const bool exists = index < batches.size();
        const bool is_new = !exists || !fits_batch(open, batches[index], one);
        if (!exists) batches.emplace_back();
        if (is_new) batches[index] = new_batch(open, one, 0);
        batches[index].records += one.records;
        batches[index].total += *one.payable->amount;
        return is_new ? own_offset(open) : 0;
    }

    [[nodiscard]] OpenFile new_file(Rail rail) const {
        OpenFile open{.file = {}, .profile = profile_for(settings_, rail)};
        open.file.rail = rail;
        open.file.created_at = now_;
        open.file.creation_date = local_.date;
        open.file.creation_time = local_.time_of_day;
        return open;
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

    void add(OpenFile& open, PlannedPayment payment, std::int64_t records) {
        open.records += records;
        open.total += payment.amount;
        open.file.payments.push_back(std::move(payment));
    }

    void exhausted(const Accepted& one, const std::string& what) {
        refuse(*one.payable, reason::numbers_exhausted,
               what + " are used up, and no number is used twice: ask an administrator for another range");
    }

    // nullopt: no_file_left() says why.
    [[nodiscard]] std::optional<OpenFile> new_ach_file() const {
        const auto modifier = numbers_.free_file_id_modifier();
        if (!modifier || (settings_.ach_file_name.uses_sequence() && !numbers_.file_used_up().empty())) {
            return std::nullopt;
        }
        OpenFile open = new_file(Rail::ach);
        open.file.file_id_modifier = *modifier;
        open.file.name = settings_.ach_file_name.expand(
            {.date = local_.date,
             .time_of_day = local_.time_of_day,
             .file_id_modifier = *modifier,
             .sequence = numbers_.file_sequence(),
             .origin = settings_.ach->origin_id,
             .destination = settings_.ach->destination.value_or(settings_.ach->odfi).to_string()});
        return open;
    }

    // With its first entry.
    void take_file_numbers(OpenFile& open) {
        if (std::exchange(open.has_numbers, true)) return;
        const bool is_ach = open.file.rail == Rail::ach;
        if (is_ach) numbers_.take_file_id_modifier(open.file.file_id_modifier);
        if (!is_ach || settings_.ach_file_name.uses_sequence()) numbers_.take_file_sequence();
    }

    [[nodiscard]] std::string no_file_left() const {
        if (numbers_.free_file_id_modifier()) return numbers_.file_used_up();
        return "the " + std::to_string(settings_.numbers.file_id_modifiers.size()) + " file id modifiers of " +
               format_date(local_.date);
    }

    void plan_ach(std::span<Accepted> all) {
        while (!all.empty()) {
            if (!open_.ach) open_.ach = new_ach_file();
            if (!open_.ach) {
                for (const Accepted& one : all)
                    exhausted(one, no_file_left());
                return;
            }
            const auto count = fitting(*open_.ach, all);
            add_to_ach_file(all.first(count));
            all = all.subspan(count);
            if (!open_.ach->has_numbers) {
                open_.ach.reset();
            } else if (!all.empty()) {
                closer_.close(open_.ach, plan_.files);
            }
        }
    }

    // One batch per SEC code, entry description and effective entry date, split at the batch limits.
    void add_to_ach_file(std::span<Accepted> some) {
        const auto words_of = [](const Accepted& one) {
            return std::tuple(*one.payee->sec_code, one.entry_description, one.settlement.effective_entry_date);
        };
        std::ranges::stable_sort(some, {}, words_of);
        for (std::size_t at = 0; at < some.size();) {
            std::size_t end = at;
            while (end < some.size() && words_of(some[end]) == words_of(some[at]))
                ++end;
            for (; at < end; ++at)
                add_entry(*open_.ach, some[at]);
            // Nothing follows, so the offset comes right behind its batch.
            if (is_last_) close_batch_of(*open_.ach, some[end - 1]);
        }
    }

    static std::size_t batch_of(const std::vector<OpenBatch>& batches, const Accepted& one) {
        const auto found = std::ranges::find_if(batches, [&](const OpenBatch& batch) {
            return batch.sec_code == *one.payee->sec_code && batch.entry_description == one.entry_description &&
                   batch.effective_entry_date == one.settlement.effective_entry_date;
        });
        return static_cast<std::size_t>(found - batches.begin());
    }

    [[nodiscard]] bool fits_batch(const OpenFile& open, const OpenBatch& batch, const Accepted& one) const {
        const bool same_day = FileCloser::is_balanced(open) && is_same_day(batch.effective_entry_date, now_);
        return batch.records + one.records <= settings_.max_batch_entries &&
               batch.total + *one.payable->amount <= batch_total_limit(settings_, same_day);
    }

    // The offset is an entry of its batch.
    static std::int64_t own_offset(const OpenFile& open) { return FileCloser::is_balanced(open) ? 1 : 0; }

    void close_batch_of(OpenFile& open, const Accepted& one) {
        const auto index = batch_of(open.batches, one);
        if (index < open.batches.size()) closer_.close_batch(open, index);
    }

    void add_entry(OpenFile& open, const Accepted& one) {
        auto index = batch_of(open.batches, one);
        if (index < open.batches.size() && !fits_batch(open, open.batches[index], one)) {
            closer_.close_batch(open, index);
            index = open.batches.size();
        }
        const bool is_new = index == open.batches.size();
        const std::int64_t new_offset = is_new ? own_offset(open) : 0;
        const auto what = numbers_.entry_used_up(1 + FileCloser::offsets_due(open) + new_offset, is_new);
        if (!what.empty()) return exhausted(one, what);
        take_file_numbers(open);
        if (is_new) open_batch(open, one);
        OpenBatch& batch = open.batches[index];
        PlannedPayment payment = new_payment(one);
        payment.trace_number = numbers_.take_trace_number(settings_.ach->odfi);
        payment.batch_number = batch.batch_number;
        payment.effective_entry_date = one.settlement.effective_entry_date;
        payment.settles_because = one.settlement.because;
        payment.entry_description = one.entry_description;
        payment.remittance = one.remittance;
        batch.records += one.records;
        batch.total += payment.amount;
        add(open, std::move(payment), one.records);
    }

    void open_batch(OpenFile& open, const Accepted& first) {
        open.batches.push_back(new_batch(open, first, numbers_.batch_number()));
        open.records += own_offset(open);
        numbers_.take_batch_number();
    }

    static OpenBatch new_batch(const OpenFile& open, const Accepted& first, std::int64_t number) {
        return {.sec_code = *first.payee->sec_code,
                .entry_description = first.entry_description,
                .effective_entry_date = first.settlement.effective_entry_date,
                .batch_number = number,
                .records = own_offset(open)};
    }

    // Prenotes get files of their own, so that they can be released independently of payments: one prenote per payee,
    // and batches by SEC code. They move no money, so their batches have no offset.
    void plan_prenotes() {
        const Settlement settlement = settle(settings_.settle, settings_.calendar, settings_.zone, Money(), now_);
        std::ranges::stable_sort(to_prenote_, {}, [](const Accepted& one) { return *one.payee->sec_code; });
        std::map<std::string_view, std::string> file_of;  // by payee
        for (const Accepted& one : to_prenote_) {
            if (!file_of.contains(one.payee->key)) {
                const auto what = add_prenote(one, settlement.effective_entry_date);
                if (!what.empty()) {
                    exhausted(one, what);
                    continue;
                }
                file_of[one.payee->key] = open_.prenotes->file.name;
            }
            refuse_until_prenote(one, file_of[one.payee->key], settlement.effective_entry_date);
        }
    }

    // Which numbers are used up, or an empty string.
    std::string add_prenote(const Accepted& one, BusinessDate effective_entry_date) {
        auto& open = open_.prenotes;
        if (open && open->records >= settings_.max_file_entries) closer_.close(open, plan_.files);
        if (!open) open = new_ach_file();
        if (!open) return no_file_left();
        auto batch = std::ranges::find(open->batches, *one.payee->sec_code, &OpenBatch::sec_code);
        const bool is_full = batch != open->batches.end() && batch->records >= settings_.max_batch_entries;
        const bool is_new = is_full || batch == open->batches.end();
        auto what = numbers_.entry_used_up(1, is_new);
        if (!what.empty()) {
            if (!open->has_numbers) open.reset();
            return what;
        }
        take_file_numbers(*open);
        if (is_full) open->batches.erase(batch);
        if (is_new) {
            open->batches.push_back({.sec_code = *one.payee->sec_code,
                                     .effective_entry_date = effective_entry_date,
                                     .batch_number = numbers_.batch_number()});
            numbers_.take_batch_number();
            batch = open->batches.end() - 1;
        }
        open->file.prenotes.push_back({numbers_.take_trace_number(settings_.ach->odfi), batch->batch_number,
                                       effective_entry_date, *one.payee, one.payable->prenote.fingerprint});
        ++batch->records;
        ++open->records;
        return {};
    }

    void refuse_until_prenote(const Accepted& one, const std::string& file_name, BusinessDate effective_entry_date) {
        Payable waiting = *one.payable;
        waiting.prenote.state = PrenoteStatus::State::waiting;
        waiting.prenote.effective_entry_date = effective_entry_date;
        waiting.prenote.file_name = file_name;
        auto fault = fault_in_account(waiting, *one.payee, settings_);
        refuse(*one.payable, fault->first, std::move(fault->second));
    }

    void plan_checks(std::span<const Accepted> all) {
        while (!all.empty()) {
            if (!open_.checks) open_.checks = new_check_file();
            const auto count = fitting(*open_.checks, all);
            for (const Accepted& one : all.first(count))
                add_check(*open_.checks, one);
            all = all.subspan(count);
            if (!open_.checks->has_numbers) {
                open_.checks.reset();
            } else if (!all.empty()) {
                closer_.close(open_.checks, plan_.files);
            }
        }
    }

    [[nodiscard]] OpenFile new_check_file() const {
        OpenFile open = new_file(Rail::check);
        open.file.name = "CHK-" + yyyymmdd(local_.date) + "-" + zero_filled(numbers_.file_sequence(), 4) +
                         (settings_.check->layout.format == checks::FileFormat::fixed ? ".txt" : ".csv");
        return open;
    }

    void add_check(OpenFile& open, const Accepted& one) {
        auto what = numbers_.check_used_up();
        if (what.empty() && !open.has_numbers) what = numbers_.file_used_up();
        if (!what.empty()) return exhausted(one, what);
        take_file_numbers(open);
        PlannedPayment payment = new_payment(one);
        payment.check_number = numbers_.take_check_number();
        payment.check_date = local_.date;
        add(open, std::move(payment), one.records);
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
    FileCloser closer_;
    Instant now_;
    LocalTime local_;
    PayableChecker checker_;
    OpenPlan& open_;
    bool is_last_;
    std::vector<Accepted> to_prenote_;
    Plan plan_;
};

}  // namespace

BusinessDate plan_date(const PlanSettings& settings, Instant now) {
    return settings.zone.date_of(now);
}

Plan plan_part(const std::vector<Payable>& payables, const PlanBasis& basis, OpenPlan& open, Part part) {
    return Planner(basis, open, part).run(payables);
}

Plan end_plan(OpenPlan& open, const NumberBlock& numbers, const NumberRanges& ranges) {
    NumberAllocator allocator(numbers, ranges);
    FileCloser closer(allocator);
    Plan plan;
    for (auto* file : {&open.ach, &open.checks, &open.prenotes})
        closer.close(*file, plan.files);
    plan.numbers_after = allocator.left();
    return plan;
}

Plan plan(const std::vector<Payable>& payables, const PayeeDirectory& payees, const PlanSettings& settings,
          const NumberBlock& numbers, Instant now, const PlanHistory& history) {
    OpenPlan open;
    const PlanBasis basis{.payees = payees, .settings = settings, .numbers = numbers, .now = now, .history = history};
    return plan_part(payables, basis, open, Part::last);
}

}  // namespace drawbridge::disbursement
