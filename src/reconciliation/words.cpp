#include "words.hpp"

#include <algorithm>

#include "drawbridge/text/show.hpp"

namespace drawbridge::reconciliation {

std::string_view title_of(LineGroup group) {
    switch (group) {
        case LineGroup::differs: return "Needs a person";
        case LineGroup::in_flight: return "In flight";
        case LineGroup::agrees: return "Agrees";
        case LineGroup::not_ours: return "Not ours";
    }
    return "";
}

std::vector<LineClass> classes_of(const Totals& totals, LineGroup group) {
    std::vector<LineClass> found;
    for (std::size_t i = 0; i < line_class_count; ++i) {
        const auto line_class = static_cast<LineClass>(i);
        if (words(line_class).group == group && totals.of(line_class).lines > 0) found.push_back(line_class);
    }
    return found;
}

std::vector<const Line*> lines_of(const Report& report, LineClass line_class) {
    std::vector<const Line*> found;
    for (const auto& line : report.lines) {
        if (line.line_class == line_class) found.push_back(&line);
    }
    std::ranges::stable_sort(found, [](const Line* a, const Line* b) { return a->since < b->since; });
    return found;
}

std::string subject_of(const Line& line) {
    if (line.file_line > 0) return line.file_name + " line " + std::to_string(line.file_line);
    std::string text;
    if (line.draw_id) text = "draw " + std::to_string(*line.draw_id);
    if (!line.payment_id_text.empty()) text += (text.empty() ? "" : ", ") + line.payment_id_text;
    if (text.empty()) text = line.file_name.empty() ? line.reference : line.file_name;
    return text;
}

std::string releaser_of(const PaymentFileFacts& file) {
    if (!file.released_by.empty()) return file.released_by;
    return file.voided_at ? "nobody: it was voided before its release" : "nobody yet";
}

std::string moment(Instant at) {
    std::string text = format_instant(at);
    text.replace(text.find('T'), 1, " ");
    return text.substr(0, text.find('.')) + "Z";
}

std::vector<Flow> flows_of(const Totals& totals) {
    const auto& draws = totals.draws;
    const auto& payments = totals.payments;
    return {{"Open draws",
             {{"open before the period", draws.opening, ' '},
              {"new", draws.came, '+'},
              {"reopened", draws.reopened, '+'},
              {"finished", draws.done, '-'},
              {"open at the end", draws.closing, '='}},
             draws.revalued},
            {"Payments in flight to the bank",
             {{"in flight before the period", payments.in_flight_opening, ' '},
              {"made", payments.made, '+'},
              {"paid by the bank", payments.confirmed, '-'},
              {"voided or returned", payments.ended_in_flight, '-'},
              {"in flight at the end", payments.in_flight_closing, '='}},
             {}},
            {"Paid by the bank, not reported to the service",
             {{"not reported before the period", payments.confirmed_opening, ' '},
              {"paid by the bank", payments.confirmed, '+'},
              {"reported", payments.reported, '-'},
              {"returned", payments.ended_confirmed, '-'},
              {"not reported at the end", payments.confirmed_closing, '='}},
             {}},
            {"Reported to the service",
             {{"reported before the period", payments.reported_opening, ' '},
              {"reported", payments.reported, '+'},
              {"returned", payments.ended_reported, '-'},
              {"reported at the end", payments.reported_closing, '='}},
             {}}};
}

std::vector<BankRow> bank_rows_of(const BankTotals& bank) {
    return {{"paid", bank.paid},
            {"returned", bank.returned},
            {"voided or stopped", bank.voided},
            {"duplicates of recorded facts", bank.duplicates},
            {"not applied: exceptions", bank.exceptions},
            {"without effect on a payment", bank.no_effect},
            {"payments settled by a person", bank.by_person},
            {"payments that count as paid: no return in time", bank.by_time}};
}

std::string verdict(const Report& report) {
    const auto& totals = report.totals;
    const auto differs = totals.of(LineGroup::differs);
    const auto in_flight = totals.of(LineGroup::in_flight);
    const auto agrees = totals.of(LineGroup::agrees);
    std::string text = report.adds_up() ? "" : "THE CONTROL SUMS DO NOT MATCH: do not rely on this report. ";
    if (differs.lines == 0) {
        text += "Nothing differs; ";
    } else {
        text += text::counted(differs.lines, "difference") + " (" + differs.amount.to_display() +
                (differs.lines == 1 ? ") needs a person; " : ") need a person; ");
    }
    return text + text::grouped(in_flight.lines) + " in flight (" + in_flight.amount.to_display() + "); " +
           text::grouped(agrees.lines) + (agrees.lines == 1 ? " agrees (" : " agree (") + agrees.amount.to_display() +
           ").";
}

std::string source(const ReportHead& head) {
    return "The ledger was " + head.read_from + ".";
}

std::vector<std::string> reading_rules(const ReportHead& head) {
    return {"Both days are included, in " + head.zone + ". Facts recorded after " + moment(head.period.as_of) +
                " are not included.",
            "Draws are shown as the service showed them by the end of the last day.",
            "Payments count from the day their file was made to the bank's day of paid, returned or void (no later "
            "than the day that was recorded). They count as reported on the day the service accepted the date.",
            "Bank lines count on the day their file was imported.",
            "Whatever was finished before the period and did not change in it appears only in the opening positions.",
            "Anything in flight for more than " + text::counted(head.overdue_after_days, "day") +
                " is a difference, except an uncashed check."};
}

std::string freshness(const ServiceReading& service) {
    if (!service.all_read_at) return "The service has never been read completely: its side is what was seen so far.";
    std::string text = "The service's side is as of " + moment(*service.all_read_at) + " (all draws)";
    if (service.changes_read_at && *service.changes_read_at > *service.all_read_at)
        text += " and " + moment(*service.changes_read_at) + " (changes)";
    text += ".";
    if (!service.fresh_at) return text;
    text += " " + text::counted(service.fresh_asked, "draw") + " in question, read again at " +
            moment(*service.fresh_at) + ": " + text::grouped(service.fresh_changed) + " had changed";
    if (service.fresh_failed > 0) text += ", " + text::grouped(service.fresh_failed) + " COULD NOT BE READ";
    return text + ".";
}

}  // namespace drawbridge::reconciliation
