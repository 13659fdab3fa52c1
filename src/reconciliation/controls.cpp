// The control sums: which sums must be equal, and whether they are.
#include "drawbridge/reconciliation/totals.hpp"

namespace drawbridge::reconciliation {
namespace {

std::string show(const Sum& sum) {
    return std::to_string(sum.count) + " (" + sum.amount.to_display() + ")";
}

Sum plus(Sum a, const Sum& b) {
    a += b;
    return a;
}

Control equal(std::string_view title, const Sum& a, const Sum& b, std::string_view left, std::string_view right) {
    return {title, std::string(left) + " " + show(a) + ", " + std::string(right) + " " + show(b), a == b};
}

Control draws_once(const Totals& totals, const Counted& counted) {
    const auto& control_counts = totals.control_counts;
    const auto placed = control_counts.draws_listed + control_counts.draws_done_before + control_counts.draws_after;
    return {"every draw is on exactly one line",
            "the ledger has " + std::to_string(counted.draws) + ": " + std::to_string(control_counts.draws_listed) +
                " in the report, " + std::to_string(control_counts.draws_done_before) + " done before, " +
                std::to_string(control_counts.draws_after) + " seen after",
            counted.draws == placed && counted.draws == control_counts.draws};
}

Control payments_once(const Totals& totals, const Counted& counted) {
    const auto& control_counts = totals.control_counts;
    const auto placed =
        plus(plus(control_counts.payments_listed, control_counts.payments_done_before), control_counts.payments_after);
    return {"every payment is on exactly one line",
            "the payment files contain " + show(counted.payments) + ": " + show(control_counts.payments_listed) +
                " in the report, " + show(control_counts.payments_done_before) + " done before, " +
                show(control_counts.payments_after) + " made after",
            counted.payments == placed && counted.payments == control_counts.payments};
}

Control bank_lines_once(const Totals& totals, const Counted& counted) {
    return {"every bank line is accounted for",
            "the bank files contain " + std::to_string(counted.bank_lines) + ", found " +
                std::to_string(totals.control_counts.bank_lines),
            counted.bank_lines == totals.control_counts.bank_lines};
}

// Counts open draws from the lines, independently of the draw flow.
Control open_draws(const Totals& totals) {
    std::int64_t open = 0;
    for (const auto& [line_class, total] : totals.classes) {
        if (!words(line_class).terminal) open += total.draws;
    }
    return {"open draws match the lines",
            "open " + std::to_string(totals.draws.closing.count) + ", on lines " + std::to_string(open),
            open == totals.draws.closing.count};
}

Control draw_flow(const Totals& totals) {
    const auto& flow = totals.draws;
    auto end = plus(plus(flow.opening, flow.came), flow.reopened) - flow.done;
    end.amount += flow.revalued;
    return equal("draws: opening + new - done = closing", end, flow.closing, "computed", "closing");
}

void add_bucket_controls(const PaymentFlow& flow, std::vector<Control>& to) {
    to.push_back(equal("payments to the bank: opening + made - confirmed - ended = closing",
                       plus(flow.in_flight_opening, flow.made) - flow.confirmed - flow.ended_in_flight,
                       flow.in_flight_closing, "computed", "closing"));
    to.push_back(equal("confirmed payments: opening + confirmed - reported - returned = closing",
                       plus(flow.confirmed_opening, flow.confirmed) - flow.reported - flow.ended_confirmed,
                       flow.confirmed_closing, "computed", "closing"));
    to.push_back(equal("reported payments: opening + reported - returned = closing",
                       plus(flow.reported_opening, flow.reported) - flow.ended_reported, flow.reported_closing,
                       "computed", "closing"));
}

}  // namespace

std::vector<Control> controls(const Totals& totals, const Counted& counted) {
    std::vector<Control> all = {draws_once(totals, counted), payments_once(totals, counted),
                                bank_lines_once(totals, counted)};
    all.push_back(equal("applied bank lines match the payments that they settled", totals.control_counts.applied_lines,
                        totals.control_counts.settlements, "lines", "payments"));
    all.push_back(draw_flow(totals));
    add_bucket_controls(totals.payments, all);
    all.push_back(equal("payments in flight match the payment files", totals.payments.in_flight_closing,
                        totals.control_counts.file_ends.open, "closing", "by file"));
    all.push_back(equal("payments paid by the bank match the payment files",
                        plus(totals.payments.confirmed_closing, totals.payments.reported_closing),
                        totals.control_counts.file_ends.paid, "closing", "by file"));
    all.push_back(open_draws(totals));
    all.push_back({"lines that agree are equal on all three sides",
                   std::to_string(totals.control_counts.disagreeing) + " are not",
                   totals.control_counts.disagreeing == 0});
    return all;
}

bool all_hold(const std::vector<Control>& controls) {
    for (const auto& control : controls) {
        if (!control.holds) return false;
    }
    return true;
}

}  // namespace drawbridge::reconciliation
