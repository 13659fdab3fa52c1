// The control sums: what must be equal, and whether it is.
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
    const auto& met = totals.met;
    const auto placed = met.draws_listed + met.draws_done_before + met.draws_after;
    return {"every draw stands on one line",
            "the ledger has " + std::to_string(counted.draws) + ": " + std::to_string(met.draws_listed) +
                " in the report, " + std::to_string(met.draws_done_before) + " done before, " +
                std::to_string(met.draws_after) + " seen after",
            counted.draws == placed && counted.draws == met.draws};
}

Control payments_once(const Totals& totals, const Counted& counted) {
    const auto& met = totals.met;
    const auto placed = plus(plus(met.payments_listed, met.payments_done_before), met.payments_after);
    return {"every payment stands on one line",
            "the payment files hold " + show(counted.payments) + ": " + show(met.payments_listed) + " in the report, " +
                show(met.payments_done_before) + " done before, " + show(met.payments_after) + " made after",
            counted.payments == placed && counted.payments == met.payments};
}

Control bank_lines_once(const Totals& totals, const Counted& counted) {
    return {"every line of the bank is accounted for",
            "the bank's files hold " + std::to_string(counted.bank_lines) + ", met " +
                std::to_string(totals.met.bank_lines),
            counted.bank_lines == totals.met.bank_lines};
}

// The lines of draws that are open, beside the draws' flow.
Control open_draws(const Totals& totals) {
    std::int64_t open = 0;
    for (std::size_t i = 0; i < line_class_count; ++i) {
        if (!words(static_cast<LineClass>(i)).terminal) open += totals.classes[i].draws;
    }
    return {"open draws are those of the lines",
            "open " + std::to_string(totals.draws.closing.count) + ", on lines " + std::to_string(open),
            open == totals.draws.closing.count};
}

Control draw_flow(const Totals& totals) {
    const auto& flow = totals.draws;
    auto end = plus(plus(flow.opening, flow.came), flow.reopened) - flow.done;
    end.amount += flow.revalued;
    return equal("draws: opening + new - done = closing", end, flow.closing, "comes to", "closing");
}

void add_pots(const PaymentFlow& flow, std::vector<Control>& to) {
    to.push_back(equal("payments to the bank: opening + made - settled = closing",
                       plus(flow.in_flight_opening, flow.made) - flow.confirmed - flow.ended_in_flight,
                       flow.in_flight_closing, "comes to", "closing"));
    to.push_back(equal("confirmed payments: opening + confirmed - reported - came back = closing",
                       plus(flow.confirmed_opening, flow.confirmed) - flow.reported - flow.ended_confirmed,
                       flow.confirmed_closing, "comes to", "closing"));
    to.push_back(equal("reported payments: opening + reported - came back = closing",
                       plus(flow.reported_opening, flow.reported) - flow.ended_reported, flow.reported_closing,
                       "comes to", "closing"));
}

}  // namespace

std::vector<Control> controls(const Totals& totals, const Counted& counted) {
    std::vector<Control> all = {draws_once(totals, counted), payments_once(totals, counted),
                                bank_lines_once(totals, counted)};
    all.push_back(equal("what the bank's lines settled is what payments were settled by", totals.met.applied_lines,
                        totals.met.settlements, "lines", "payments"));
    all.push_back(draw_flow(totals));
    add_pots(totals.payments, all);
    all.push_back(equal("payments on their way are those of the payment files", totals.payments.in_flight_closing,
                        totals.met.file_ends.open, "closing", "by file"));
    all.push_back(equal("payments that the bank paid are those of the payment files",
                        plus(totals.payments.confirmed_closing, totals.payments.reported_closing),
                        totals.met.file_ends.paid, "closing", "by file"));
    all.push_back(open_draws(totals));
    all.push_back({"lines that agree are equal on all three sides", std::to_string(totals.met.disagreeing) + " are not",
                   totals.met.disagreeing == 0});
    return all;
}

bool all_hold(const std::vector<Control>& controls) {
    for (const auto& control : controls) {
        if (!control.holds) return false;
    }
    return true;
}

}  // namespace drawbridge::reconciliation
