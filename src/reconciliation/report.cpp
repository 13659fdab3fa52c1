#include "drawbridge/reconciliation/report.hpp"

#include <algorithm>
#include <array>
#include <cstdlib>
#include <string_view>
#include <utility>

namespace drawbridge::reconciliation {
namespace {

constexpr std::array<std::string_view, 3> finished_stages = {"reported", "cancelled", "external"};
constexpr std::array<std::string_view, 6> in_flight_stages = {"pending", "approving", "approved",
                                                              "paying",  "paid",      "disbursed"};
constexpr std::array<std::string_view, 3> exception_stages = {"held", "blocked", "returned"};

void add(StageTotal& to, const StageTotal& stage) {
    to.count += stage.count;
    to.amount += stage.amount;
}

StageTotal placed(const ReconciliationSummary& summary) {
    StageTotal total;
    add(total, summary.finished);
    add(total, summary.in_flight);
    add(total, summary.exceptions);
    return total;
}

std::string show(const StageTotal& total) {
    return total.stage + " " + std::to_string(total.count) + " (" + total.amount.to_display() + ")";
}

std::string draws(std::int64_t count) {
    return std::to_string(count) + (count == 1 ? " draw" : " draws");
}

std::string show_difference(const ReconciliationSummary& summary) {
    const StageTotal total = placed(summary);
    const std::int64_t count = summary.seen.count - total.count;
    const Money amount = summary.seen.amount - total.amount;
    std::string text = ": DOES NOT ADD UP: ";
    text += draws(std::abs(count)) + " and " + Money::from_cents(std::abs(amount.cents())).to_display();
    const bool too_many = count < 0 || (count == 0 && amount.cents() < 0);
    text += too_many ? " are in more than one stage" : " are in no stage";
    for (const std::string& stage : summary.unknown_stages)
        text += "; stage '" + stage + "' is unknown";
    return text;
}

}  // namespace

bool ReconciliationSummary::adds_up() const {
    const StageTotal total = placed(*this);
    return unknown_stages.empty() && total.count == seen.count && total.amount == seen.amount;
}

ReconciliationSummary summarize(std::vector<StageTotal> stages, const std::optional<StageTotal>& seen) {
    ReconciliationSummary summary;
    summary.finished.stage = "finished";
    summary.in_flight.stage = "in flight";
    summary.exceptions.stage = "exceptions";
    StageTotal sum;
    for (const StageTotal& stage : stages) {
        add(sum, stage);
        if (std::ranges::find(finished_stages, stage.stage) != finished_stages.end()) {
            add(summary.finished, stage);
        } else if (std::ranges::find(in_flight_stages, stage.stage) != in_flight_stages.end()) {
            add(summary.in_flight, stage);
        } else if (std::ranges::find(exception_stages, stage.stage) != exception_stages.end()) {
            add(summary.exceptions, stage);
        } else {
            summary.unknown_stages.push_back(stage.stage);
        }
    }
    summary.seen = seen.value_or(sum);
    summary.seen.stage = "seen";
    summary.stages = std::move(stages);
    return summary;
}

std::string to_line(const ReconciliationSummary& summary) {
    const std::string line = show(summary.seen) + " = " + show(summary.finished) + " + " + show(summary.in_flight) +
                             " + " + show(summary.exceptions);
    return summary.adds_up() ? line : line + show_difference(summary);
}

}  // namespace drawbridge::reconciliation
