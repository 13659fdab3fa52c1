#include "drawbridge/reconciliation/totals.hpp"

#include <algorithm>

namespace drawbridge::reconciliation {
namespace {

void add_sides(ThreeSides& to, const ThreeSides& more) {
    to.ledger += more.ledger;
    to.service += more.service;
    to.bank += more.bank;
}

void add_to(PaymentFlow& to, const PaymentFlow& more) {
    to.in_flight_opening += more.in_flight_opening;
    to.made += more.made;
    to.confirmed += more.confirmed;
    to.ended_in_flight += more.ended_in_flight;
    to.in_flight_closing += more.in_flight_closing;
    to.confirmed_opening += more.confirmed_opening;
    to.reported += more.reported;
    to.ended_confirmed += more.ended_confirmed;
    to.confirmed_closing += more.confirmed_closing;
    to.reported_opening += more.reported_opening;
    to.ended_reported += more.ended_reported;
    to.reported_closing += more.reported_closing;
}

void add_to(DrawFlow& to, const DrawFlow& more) {
    to.opening += more.opening;
    to.came += more.came;
    to.reopened += more.reopened;
    to.done += more.done;
    to.closing += more.closing;
    to.revalued += more.revalued;
}

void add_to(BankTotals& to, const BankTotals& more) {
    to.files += more.files;
    to.refused_files += more.refused_files;
    to.paid += more.paid;
    to.returned += more.returned;
    to.voided += more.voided;
    to.duplicates += more.duplicates;
    to.exceptions += more.exceptions;
    to.no_effect += more.no_effect;
    to.by_person += more.by_person;
    to.by_time += more.by_time;
}

void add_to(ControlCounts& to, const ControlCounts& more) {
    to.draws += more.draws;
    to.draws_listed += more.draws_listed;
    to.draws_done_before += more.draws_done_before;
    to.draws_after += more.draws_after;
    to.payments += more.payments;
    to.payments_listed += more.payments_listed;
    to.payments_done_before += more.payments_done_before;
    to.payments_after += more.payments_after;
    to.settlements += more.settlements;
    to.applied_lines += more.applied_lines;
    to.bank_lines += more.bank_lines;
    to.file_ends.open += more.file_ends.open;
    to.file_ends.paid += more.file_ends.paid;
    to.file_ends.ended += more.file_ends.ended;
    to.disagreeing += more.disagreeing;
}

}  // namespace

void Sum::add(Money more) {
    ++count;
    amount += more;
}

Sum& Sum::operator+=(const Sum& other) {
    count += other.count;
    amount += other.amount;
    return *this;
}

Sum operator-(const Sum& a, const Sum& b) {
    return {a.count - b.count, a.amount - b.amount};
}

ClassTotal& ClassTotal::operator+=(const ClassTotal& other) {
    lines += other.lines;
    draws += other.draws;
    payments += other.payments;
    amount += other.amount;
    add_sides(sides, other.sides);
    return *this;
}

std::size_t age_index(std::int64_t days) {
    return static_cast<std::size_t>(std::ranges::find_if(age_limits, [&](int limit) { return days <= limit; }) -
                                    age_limits.begin());
}

std::string age_words(std::size_t index) {
    if (index == age_limits.size()) return "over " + std::to_string(age_limits.back()) + " days";
    const int low = index == 0 ? 0 : age_limits[index - 1] + 1;
    return std::to_string(low) + "-" + std::to_string(age_limits[index]) + " days";
}

const ClassTotal& Totals::of(LineClass line_class) const {
    return classes[static_cast<std::size_t>(line_class)];
}

ClassTotal Totals::of(LineGroup group) const {
    ClassTotal total;
    for (std::size_t i = 0; i < line_class_count; ++i) {
        if (words(static_cast<LineClass>(i)).group == group) total += classes[i];
    }
    return total;
}

std::int64_t Totals::differences() const {
    return of(LineGroup::differs).lines;
}

Totals& Totals::operator+=(const Totals& other) {
    for (std::size_t i = 0; i < line_class_count; ++i) {
        classes[i] += other.classes[i];
        for (std::size_t age = 0; age < ages[i].size(); ++age)
            ages[i][age] += other.ages[i][age];
    }
    add_to(draws, other.draws);
    add_to(payments, other.payments);
    add_to(bank, other.bank);
    add_to(control_counts, other.control_counts);
    for (const auto& [day, flow] : other.days) {
        auto& mine = days[day];
        mine.made += flow.made;
        mine.confirmed += flow.confirmed;
        mine.reported += flow.reported;
        mine.ended += flow.ended;
    }
    return *this;
}

}  // namespace drawbridge::reconciliation
