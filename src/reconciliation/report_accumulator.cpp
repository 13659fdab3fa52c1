// Turns facts into lines and totals.
#include <algorithm>
#include <utility>

#include "drawbridge/reconciliation/totals.hpp"
#include "payment_timeline.hpp"

namespace drawbridge::reconciliation {
namespace {

BusinessDate day_before(BusinessDate day) {
    return std::chrono::sys_days(day) - std::chrono::days(1);
}

bool is_terminal(const Line& line) {
    return words(line.line_class).terminal;
}

const Line* line_of_draw(const std::vector<Line>& lines) {
    const auto found = std::ranges::find(lines, true, &Line::counts_draw);
    return found == lines.end() ? nullptr : &*found;
}

// It was finished before the period began, and nothing happened since.
bool is_done_before(const Line& line, const std::vector<Line>& opening) {
    return is_terminal(line) && std::ranges::any_of(opening, [&](const Line& was) {
               return was.line_class == line.line_class && was.payment_id == line.payment_id &&
                      was.counts_draw == line.counts_draw;
           });
}

// The sum for an amount that moves from one bucket to the next within the period.
Sum& transition_sum(PaymentFlow& flow, const PaymentTransition& step) {
    switch (step.to) {
        case Bucket::in_flight: return flow.made;
        case Bucket::confirmed: return flow.confirmed;
        case Bucket::reported: return flow.reported;
        case Bucket::out:
        case Bucket::none: break;
    }
    if (step.from == Bucket::in_flight) return flow.ended_in_flight;
    return step.from == Bucket::confirmed ? flow.ended_confirmed : flow.ended_reported;
}

Sum& of_day(DayFlow& flow, const PaymentTransition& step) {
    switch (step.to) {
        case Bucket::in_flight: return flow.made;
        case Bucket::confirmed: return flow.confirmed;
        case Bucket::reported: return flow.reported;
        case Bucket::out:
        case Bucket::none: break;
    }
    return flow.ended;
}

void add_opening(PaymentFlow& flow, Bucket bucket, Money amount) {
    if (bucket == Bucket::in_flight) flow.in_flight_opening.add(amount);
    if (bucket == Bucket::confirmed) flow.confirmed_opening.add(amount);
    if (bucket == Bucket::reported) flow.reported_opening.add(amount);
}

void add_closing(PaymentFlow& flow, Bucket bucket, Money amount) {
    if (bucket == Bucket::in_flight) flow.in_flight_closing.add(amount);
    if (bucket == Bucket::confirmed) flow.confirmed_closing.add(amount);
    if (bucket == Bucket::reported) flow.reported_closing.add(amount);
}

}  // namespace

// Opening and closing positions come from the lines, the changes between them from the transitions: two independent
// ways to the same sum.
void ReportAccumulator::add_transitions(const PaymentFacts& payment) {
    for (const auto& step : transitions_of(payment, settings_.zone)) {
        if (step.on < settings_.period.from || step.on > settings_.period.to) continue;
        transition_sum(totals_.payments, step).add(payment.amount);
        of_day(totals_.days[step.on], step).add(payment.amount);
    }
}

void ReportAccumulator::add_flow(const DrawFacts& facts, const std::vector<Line>& opening,
                                 const std::vector<Line>& closing) {
    for (const auto& line : opening)
        add_opening(totals_.payments, line.bucket, line.amount);
    for (const auto& line : closing)
        add_closing(totals_.payments, line.bucket, line.amount);
    for (const auto& payment : facts.payments)
        add_transitions(payment);
    const Line* was = line_of_draw(opening);
    const Line* is = line_of_draw(closing);
    if (is == nullptr) return;
    const bool was_open = was != nullptr && !is_terminal(*was);
    const bool is_open = !is_terminal(*is);
    auto& flow = totals_.draws;
    if (was_open) {
        flow.opening.add(was->amount);
        flow.revalued += is->amount - was->amount;
    } else if (was == nullptr) {
        flow.came.add(is->amount);
    } else if (is_open) {
        flow.reopened.add(is->amount);
    }
    if (is_open) {
        flow.closing.add(is->amount);
    } else if (was_open || was == nullptr) {
        flow.done.add(is->amount);
    }
}

void ReportAccumulator::count(const SettledFact& fact, Money amount) {
    if (fact.by == SettledBy::line) return totals_.control_counts.settlements.add(amount);
    const auto day = settings_.zone.date_of(fact.recorded_at);
    if (day < settings_.period.from || day > settings_.period.to) return;
    (fact.by == SettledBy::person ? totals_.bank.by_person : totals_.bank.by_time).add(amount);
}

void ReportAccumulator::count(const DrawFacts& facts) {
    auto& control_counts = totals_.control_counts;
    ++control_counts.draws;
    for (const auto& payment : facts.payments) {
        control_counts.payments.add(payment.amount);
        for (const auto* fact : {&payment.paid, &payment.returned, &payment.voided}) {
            if (*fact) count(**fact, payment.amount);
        }
    }
}

std::vector<Line> ReportAccumulator::add(const DrawFacts& facts) {
    count(facts);
    auto& control_counts = totals_.control_counts;
    const auto opening = lines_at(facts, facts.opening, day_before(settings_.period.from), settings_);
    auto closing = lines_at(facts, facts.closing, settings_.period.to, settings_);
    add_flow(facts, opening, closing);
    std::size_t payments_on_lines = 0;
    std::erase_if(closing, [&](const Line& line) {
        if (line.payment_id) ++payments_on_lines;
        const bool is_done = is_done_before(line, opening);
        if (line.counts_draw) ++(is_done ? control_counts.draws_done_before : control_counts.draws_listed);
        if (line.payment_id)
            (is_done ? control_counts.payments_done_before : control_counts.payments_listed).add(line.amount);
        return is_done;
    });
    if (!facts.closing) ++control_counts.draws_after;
    for (auto i = payments_on_lines; i < facts.payments.size(); ++i)
        control_counts.payments_after.add(facts.payments[i].amount);
    for (const auto& line : closing)
        add(line);
    return closing;
}

void ReportAccumulator::add(const Line& line) {
    const bool is_of_ledger = line.bucket != Bucket::none || line.counts_draw;
    totals_.classes[line.line_class] +=
        {1, line.counts_draw ? 1 : 0, is_of_ledger && line.payment_id ? 1 : 0, line.amount, line.sides};
    const auto group = words(line.line_class).group;
    if (group == LineGroup::in_flight || group == LineGroup::differs) {
        totals_.ages[line.line_class][age_index(line.age_days)].add(line.amount);
    }
    const bool is_equal = line.sides.ledger == line.sides.service && line.sides.service == line.sides.bank;
    if (group == LineGroup::agrees && !is_equal) ++totals_.control_counts.disagreeing;
}

std::vector<Line> ReportAccumulator::add(const BankLineFacts& facts) {
    ++totals_.control_counts.bank_lines;
    if (facts.outcome == "applied") totals_.control_counts.applied_lines.add(facts.amount);
    const auto taken_on = settings_.zone.date_of(facts.file_recorded_at);
    auto& bank = totals_.bank;
    if (taken_on >= settings_.period.from && taken_on <= settings_.period.to) {
        Sum& sum = facts.outcome == "duplicate"   ? bank.duplicates
                   : facts.outcome == "exception" ? bank.exceptions
                   : facts.outcome == "recorded"  ? bank.no_effect
                   : facts.kind == ConfirmationKind::paid
                       ? bank.paid
                       : (facts.kind == ConfirmationKind::returned ? bank.returned : bank.voided);
        sum.add(facts.amount);
    }
    auto line = line_of(facts, settings_);
    if (!line) return {};
    add(*line);
    return {std::move(*line)};
}

std::vector<Line> ReportAccumulator::add(const PaymentFileFacts& facts) {
    if (settings_.zone.date_of(facts.made_at) <= settings_.period.to) {
        auto& ends = totals_.control_counts.file_ends;
        ends.open += {facts.open_count, facts.open};
        ends.paid += {facts.paid_count, facts.paid};
        ends.ended += {facts.ended_count, facts.ended};
    }
    auto line = line_of(facts, settings_);
    if (!line) return {};
    add(*line);
    return {std::move(*line)};
}

std::vector<Line> ReportAccumulator::add(const ExceptionFacts& facts) {
    auto line = line_of(facts, settings_);
    if (!line) return {};
    add(*line);
    return {std::move(*line)};
}

}  // namespace drawbridge::reconciliation
