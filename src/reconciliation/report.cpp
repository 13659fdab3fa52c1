#include "drawbridge/reconciliation/report.hpp"

#include <algorithm>
#include <array>
#include <cstdlib>
#include <string_view>
#include <utility>

namespace drawbridge::reconciliation {
namespace {

constexpr std::array<std::string_view, 3> finished_states = {"reported", "cancelled", "external"};
constexpr std::array<std::string_view, 6> in_flight_states = {"pending", "approving", "approved",
                                                              "paying",  "paid",      "disbursed"};
constexpr std::array<std::string_view, 3> exception_states = {"held", "blocked", "returned"};

void add(StateTotal& to, const StateTotal& state) {
    to.count += state.count;
    to.amount += state.amount;
}

StateTotal placed(const ReconciliationSummary& summary) {
    StateTotal total;
    add(total, summary.finished);
    add(total, summary.in_flight);
    add(total, summary.exceptions);
    return total;
}

std::string show(const StateTotal& total) {
    return total.state + " " + std::to_string(total.count) + " (" + total.amount.to_display() + ")";
}

std::string draws(std::int64_t count) {
    return std::to_string(count) + (count == 1 ? " draw" : " draws");
}

std::string show_difference(const ReconciliationSummary& summary) {
    const StateTotal total = placed(summary);
    const std::int64_t count = summary.seen.count - total.count;
    const Money amount = summary.seen.amount - total.amount;
    std::string text = ": DOES NOT ADD UP: ";
    text += draws(std::abs(count)) + " and " + Money::from_cents(std::abs(amount.cents())).to_display();
    const bool too_many = count < 0 || (count == 0 && amount.cents() < 0);
    text += too_many ? " are in more than one state" : " are in no state";
    for (const std::string& state : summary.unknown_states)
        text += "; state '" + state + "' is unknown";
    return text;
}

}  // namespace

bool ReconciliationSummary::adds_up() const {
    const StateTotal total = placed(*this);
    return unknown_states.empty() && total.count == seen.count && total.amount == seen.amount;
}

ReconciliationSummary summarize(std::vector<StateTotal> states, const std::optional<StateTotal>& seen) {
    ReconciliationSummary summary;
    summary.finished.state = "finished";
    summary.in_flight.state = "in flight";
    summary.exceptions.state = "exceptions";
    StateTotal sum;
    for (const StateTotal& state : states) {
        add(sum, state);
        if (std::ranges::find(finished_states, state.state) != finished_states.end()) {
            add(summary.finished, state);
        } else if (std::ranges::find(in_flight_states, state.state) != in_flight_states.end()) {
            add(summary.in_flight, state);
        } else if (std::ranges::find(exception_states, state.state) != exception_states.end()) {
            add(summary.exceptions, state);
        } else {
            summary.unknown_states.push_back(state.state);
        }
    }
    summary.seen = seen.value_or(sum);
    summary.seen.state = "seen";
    summary.states = std::move(states);
    return summary;
}

std::string to_line(const ReconciliationSummary& summary) {
    const std::string line = show(summary.seen) + " = " + show(summary.finished) + " + " + show(summary.in_flight) +
                             " + " + show(summary.exceptions);
    return summary.adds_up() ? line : line + show_difference(summary);
}

}  // namespace drawbridge::reconciliation
