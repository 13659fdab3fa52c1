// The reconciliation report: the verdict first, then what differs, what is in flight, and the sums that prove it.
#include <algorithm>

#include "charts.hpp"
#include "drawbridge/pages/screens.hpp"
#include "drawbridge/reconciliation/document.hpp"
#include "frame.hpp"
#include "parts.hpp"

namespace drawbridge::pages {
namespace {

using reconciliation::Line;
using reconciliation::LineClass;
using reconciliation::LineGroup;
using reconciliation::Report;

constexpr std::size_t max_lines_per_class = 200;  // of each class

Html sum_words(const Sum& sum) {
    return group(grouped(sum.count), " · ", amount(sum.amount));
}

Html period_form(const Report& report) {
    using Kind = Field::Kind;
    const auto& period = report.head.period;
    return el(
        "form",
        {{"class", "filters compact"},
         {"method", "get"},
         {"action", Link("/reconciliation")},
         {"aria-label", "Period"}},
        input({.kind = Kind::date,
               .name = "from",
               .label = "From",
               .value = format_date(period.from),
               .is_required = true},
              "period"),
        input({.kind = Kind::date, .name = "to", .label = "To", .value = format_date(period.to), .is_required = true},
              "period"),
        el("button", {{"type", "submit"}}, "Show"));
}

Html three_sides(const Report& report) {
    reconciliation::ThreeSides all;
    for (const auto& [line_class, total] : report.totals.classes) {
        all.ledger += total.sides.ledger;
        all.service += total.sides.service;
        all.bank += total.sides.bank;
    }
    Facts facts;
    facts.number("Sent by Drawbridge", amount(all.ledger));
    facts.number("Confirmed by the bank", amount(all.bank));
    facts.number("Disbursed at the service", amount(all.service));
    return card("The same money, three ways", facts.html());
}

Html flow_card(const Report& report) {
    const auto& payments = report.totals.payments;
    Facts facts;
    facts.number("In flight, opening", sum_words(payments.in_flight_opening));
    facts.number("Made", sum_words(payments.made));
    facts.number("Confirmed by the bank", sum_words(payments.confirmed));
    facts.number("Voided or returned", sum_words(payments.ended_in_flight));
    facts.number("In flight, closing", el("b", sum_words(payments.in_flight_closing)));
    facts.number("Reported to the service", sum_words(payments.reported));
    return card("Payments in the period", facts.html());
}

Html controls_card(const Report& report) {
    Html items;
    for (const auto& control : report.controls) {
        items += el("li", tag(control.holds ? Tone::good : Tone::alarm, control.holds ? "holds" : "fails"), " ",
                    control.title, small(control.detail));
    }
    if (items.empty()) return {};
    const bool holds = report.adds_up();
    return card(holds ? "The control sums hold" : "A control sum fails: do not rely on this report",
                el("ul", {{"class", "plain-list"}}, items), holds ? Tone::plain : Tone::alarm);
}

std::string_view kind_of(LineGroup group) {
    switch (group) {
        case LineGroup::differs: return "s-differs";
        case LineGroup::in_flight: return "s-waiting";
        case LineGroup::agrees: return "s-released";
        case LineGroup::not_ours: return "s-possible";
    }
    return "";
}

Html money_by_class(const Report& report) {
    std::vector<ChartBar> all;
    for (const auto& [line_class, total] : report.totals.classes) {
        if (total.lines == 0 || total.amount.is_zero()) continue;
        const auto& words = reconciliation::words(line_class);
        all.push_back({capitalized(std::string(words.title)), total.amount, kind_of(words.group), ""});
    }
    std::ranges::stable_sort(all, std::ranges::greater(), &ChartBar::amount);
    const Html chart = bars("Money by outcome", all);
    return chart.empty() ? Html() : card("Money by outcome", chart);
}

// Where the report names a command, the console has a page that does it.
Html what_to_do(std::string_view text) {
    struct Place {
        std::string_view command, words, page, path;
    };
    constexpr Place places[] = {
        {"drawbridge draws --state held", "Decide them in ", "Draws", "/draws?state=held"},
        {"drawbridge release FILE --reason …", "Release the file in ", "Files", "/files"},
        {"drawbridge void FILE --reason …", "Void the file in ", "Files", "/files"},
        {"drawbridge reissue DRAW --reason …", "Open the draw, and order it to be paid again", "", ""},
        {"drawbridge exceptions", "Resolve it in ", "Exceptions", "/exceptions"}};
    for (const auto& place : places) {
        if (!text.starts_with(place.command)) continue;
        const auto link = Link::local(place.path);
        return group(place.words, link ? link_to(*link, place.page) : Html(), text.substr(place.command.size()));
    }
    return capitalized(std::string(text));
}

Html lines_of(const PageContext& page, const Report& report, LineClass line_class) {
    const auto& words = reconciliation::words(line_class);
    Table table(std::string(words.title), {{"Draw", Cells::fixed},
                                           {"Payment", Cells::fixed},
                                           {"Name"},
                                           {"Amount", Cells::number},
                                           {"Since", Cells::fixed},
                                           {"Days", Cells::number},
                                           {"Why"}});
    std::size_t shown = 0;
    for (const Line& line : report.lines) {
        if (line.line_class != line_class || shown == max_lines_per_class) continue;
        ++shown;
        const std::string draw = line.draw_id ? std::to_string(*line.draw_id) : "";
        table.row({draw.empty() ? none() : link_to(draw_link(draw), draw), mono(line.payment_id_text), line.name,
                   amount(line.amount), day(page, line.since), std::to_string(line.age_days),
                   el("span", {{"class", "small"}}, line.why.empty() ? line.reference : line.why)});
    }
    if (table.empty()) return {};
    const auto& total = report.totals.of(line_class);
    const bool differs = words.group == LineGroup::differs;
    const Html sum = el("span", {{"class", "small"}}, counted(total.lines, "line"), ", ", amount(total.amount));
    const Html to_do = words.what_to_do.empty() ? Html() : small(what_to_do(words.what_to_do));
    return card(capitalized(std::string(words.title)), group(to_do, table.html()), differs ? Tone::alarm : Tone::plain,
                sum);
}

Html lines_of(const PageContext& page, const Report& report, LineGroup group_wanted) {
    Html all;
    for (std::size_t i = 0; i < reconciliation::line_class_count; ++i) {
        const auto line_class = static_cast<LineClass>(i);
        if (reconciliation::words(line_class).group == group_wanted) all += lines_of(page, report, line_class);
    }
    return all;
}

Html reading(const Report& report) {
    Html items;
    for (const auto& rule : reconciliation::reading_rules(report.head))
        items += el("li", rule);
    items += el("li", reconciliation::freshness(report.head.service));
    return el("details", {{"class", "card fold"}}, el("summary", el("h2", "How to read this")),
              el("ul", {{"class", "plain-list"}}, items));
}

}  // namespace

std::string reconciliation_page(const PageContext& page, const reconciliation::Report& report) {
    const auto& period = report.head.period;
    const auto differences = report.differences();
    Html heading;
    if (!report.adds_up()) {
        heading = "A control sum fails. Do not rely on this report.";
    } else if (differences == 0) {
        heading = "Everything agrees.";
    } else {
        heading =
            number_words(differences) + (differences == 1 ? " difference needs" : " differences need") + " a person.";
    }
    const Link csv =
        Link("/reconciliation.csv").with("from", format_date(period.from)).with("to", format_date(period.to));
    const Link in_question = Link("/api/reconciliation/in-question")
                                 .with("from", format_date(period.from))
                                 .with("to", format_date(period.to));
    const Html acts =
        group(may_refresh(page) ? refresh_button("Read draws again", in_question) : Html(),
              el("a", {{"class", "button"}, {"href", csv}, {"download", ""}}, "CSV"),
              el("button", {{"type", "button"}, {"data-print", ""}, {"hidden", true}}, icon("print"), "Print"));
    const Html quiet = el("details", {{"class", "fold"}}, el("summary", "What agrees, line by line"),
                          lines_of(page, report, LineGroup::agrees), lines_of(page, report, LineGroup::not_ours));
    return to_page(
        page,
        Frame{.title = "Reconciliation",
              .place = "/reconciliation",
              .heading = heading,
              .under = group(day_words(page, period.from), " to ", day_words(page, period.to), ", as of ",
                             moment(page, period.as_of), ". ", reconciliation::verdict(report)),
              .acts = acts,
              .content = group(period_form(report), report.adds_up() ? Html() : controls_card(report),
                               lines_of(page, report, LineGroup::differs),
                               el("div", {{"class", "cols"}}, three_sides(report), flow_card(report)),
                               money_by_class(report), lines_of(page, report, LineGroup::in_flight), quiet,
                               report.adds_up() ? controls_card(report) : Html(), reading(report)),
              .command = "drawbridge reconcile --from " + format_date(period.from) + " --to " + format_date(period.to),
              .modules = {"table", "refresh"}});
}

}  // namespace drawbridge::pages
