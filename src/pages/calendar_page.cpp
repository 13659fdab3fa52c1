// Banking days, cut-offs and what settles when; then the cash that leaves by day.
#include <fmt/format.h>

#include <chrono>

#include "charts.hpp"
#include "drawbridge/pages/screens.hpp"
#include "frame.hpp"
#include "parts.hpp"

namespace drawbridge::pages {
namespace {

using std::chrono::sys_days;
using std::chrono::year_month;

constexpr std::string_view month_names[] = {"January", "February", "March",     "April",   "May",      "June",
                                            "July",    "August",   "September", "October", "November", "December"};

std::string month_words(year_month month) {
    return fmt::format("{} {}", month_names[static_cast<unsigned>(month.month()) - 1], static_cast<int>(month.year()));
}

Link month_link(year_month month) {
    const BusinessDate first = month / std::chrono::day(1);
    const BusinessDate last = month / std::chrono::last;
    return Link("/calendar").with("from", format_date(first)).with("to", format_date(last));
}

Link day_link(BusinessDate date) {
    return Link("/calendar") / format_date(date);
}

// "15:30", of an instant, a text or {"at"}.
std::string cutoff_words(const PageContext& page, const Json& cutoff) {
    const std::string text = cutoff.is_object() ? text_in(cutoff, "at") : text_of(cutoff);
    const auto at = text.size() > 10 ? parse_instant(text) : fail(ErrorCode::invalid_input, "");
    return at ? time_words(page, *at) : text;
}

Html files_of(const Json& day) {
    Html links;
    for (const Json& file : list_in(day, "files")) {
        const std::string name = file.is_object() ? text_in(file, "name") : text_of(file);
        if (!name.empty()) links += el("li", el("a", {{"href", file_link(name)}}, name));
    }
    return links.empty() ? Html() : el("ul", {{"class", "day-files"}}, links);
}

Html settles_of(const Json& day) {
    const auto& settles = field(day, "settles");
    const auto sum = money_in(settles, "amount");
    if (!sum || sum->is_zero()) return {};
    return el("p", {{"class", "settles"}}, el("span", {{"class", "small"}}, "settles "), el("b", amount(sum)));
}

Html day_cell(const PageContext& page, const Json& day, BusinessDate date, BusinessDate today, bool is_of_month) {
    const std::string closed = text_in(day, "closed_for");
    const bool is_open = field(day, "banking_day").is_boolean() ? flag_in(day, "banking_day") : true;
    std::string kind = is_open ? "" : "closed";
    if (date == today) kind += " today";
    if (!is_of_month) kind += " other";
    std::string cutoffs;
    // Those of the past tell nobody anything.
    static const Json past = Json::array();
    for (const Json& one : date < today ? past : list_in(day, "cutoffs"))
        cutoffs += (cutoffs.empty() ? "" : ", ") + cutoff_words(page, one);
    const std::optional<std::string> current = date == today ? std::optional<std::string>("date") : std::nullopt;
    return el("td", {{"class", kind}, {"aria-current", current}},
              el("a", {{"class", "day-number"}, {"href", day_link(date)}, {"data-day", format_date(date)}},
                 el("span", {{"class", "narrow-only"}}, weekday_words(date).substr(0, 3) + " "),
                 el("time", {{"datetime", format_date(date)}}, std::to_string(static_cast<unsigned>(date.day()))),
                 el("span", {{"class", "unseen"}}, " " + long_day_words(page, date))),
              closed.empty() ? Html() : el("p", {{"class", "holiday"}}, closed),
              cutoffs.empty() ? Html()
                              : el("p", {{"class", "cutoff"}}, el("span", {{"class", "small"}}, "cut-off "), cutoffs),
              settles_of(day), files_of(day));
}

const Json& day_of(const Json& calendar, BusinessDate date) {
    static const Json nothing = nullptr;
    for (const Json& day : list_in(calendar, "days")) {
        if (date_in(day, "date") == date) return day;
    }
    return nothing;
}

Html month_grid(const PageContext& page, const Json& calendar, year_month month) {
    const auto today = page.zone.date_of(page.now);
    const sys_days first = month / std::chrono::day(1), last = month / std::chrono::last;
    sys_days at = first - std::chrono::days(std::chrono::weekday(first).c_encoding());
    Html weeks;
    while (at <= last) {
        Html cells;
        for (int i = 0; i < 7; ++i, at += std::chrono::days(1)) {
            const BusinessDate date = at;
            const bool is_of_month = date.month() == month.month();
            cells += is_of_month ? day_cell(page, day_of(calendar, date), date, today, is_of_month)
                                 : el("td", {{"class", "other"}});
        }
        weeks += el("tr", cells);
    }
    Html heads;
    for (const std::string_view name : {"Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday"})
        heads += el("th", {{"scope", "col"}}, el("abbr", {{"title", name}}, name.substr(0, 3)));
    return el("table", {{"class", "month"}}, el("caption", {{"class", "unseen"}}, month_words(month)),
              el("thead", el("tr", heads)), el("tbody", weeks));
}

Html cash_card(const PageContext& page, const Json& forecast) {
    const std::vector<Series> series = {{"Released", "s-released"},
                                        {"Waiting for release", "s-waiting"},
                                        {"Approved", "s-approved"},
                                        {"Possible", "s-possible"}};
    std::vector<ChartColumn> columns;
    Money week;
    for (const Json& one : list_in(forecast, "days")) {
        const auto date = date_in(one, "date");
        if (!date) continue;
        ChartColumn column{day_words(page, *date), {}};
        for (const std::string_view part : {"released", "waiting", "approved", "possible"})
            column.parts.push_back(money_in(field(one, part), "amount").value_or(Money()));
        if (columns.size() < 7) {
            for (const Money part : column.parts)
                week += part;
        }
        columns.push_back(std::move(column));
    }
    const Html chart =
        columns.empty() ? Html() : stacked_columns("Cash out by the day on which it settles", series, columns);
    const auto& checks = field(forecast, "checks_outstanding");
    const auto& overdue = field(forecast, "overdue");
    Html beside;
    if (count_in(overdue, "count") > 0) {
        beside += small(group(
            "Overdue: ", counted(count_in(overdue, "count"), "payment"), ", ", amount_in(overdue, "amount"), ", in ",
            link_to(Link("/files"), "files that are too late for their settlement date"), ": void them. "));
    }
    if (count_in(checks, "count") > 0) {
        beside += small(group(
            "In addition, ", counted(count_in(checks, "count"), "check"), ", ", amount_in(checks, "amount"),
            ", outstanding: ", link_to(Link("/checks").with("state", "issued"), "paid on the day somebody cashes them"),
            "."));
    }
    if (chart.empty()) return card("Cash out", group(empty_state("Nothing is on its way to the bank."), beside));
    return card("Cash out", group(chart, beside), Tone::plain,
                el("span", {{"class", "small"}}, "by the day on which it settles"));
}

std::string day_words_under(const PageContext& page, const Json& day, BusinessDate date) {
    const std::string closed = text_in(day, "closed_for");
    std::string words = flag_in(day, "banking_day") ? "A banking day." : "Not a banking day";
    if (!flag_in(day, "banking_day")) words += closed.empty() ? "." : ": " + closed + ".";
    if (date == page.zone.date_of(page.now)) words = "Today. " + words;
    std::string cutoffs;
    for (const Json& one : list_in(day, "cutoffs"))
        cutoffs += (cutoffs.empty() ? "" : ", ") + cutoff_words(page, one);
    return cutoffs.empty() ? words : words + " Cut-off " + cutoffs + ".";
}

Html settling_card(const Json& day) {
    Table table(
        "Files that settle on this day",
        {{"File", Cells::fixed}, {"State", Cells::fixed}, {"Payments", Cells::number}, {"Amount", Cells::number}});
    for (const Json& file : list_in(day, "files")) {
        const std::string name = text_in(file, "name");
        const bool is_out = flag_in(file, "went_out");
        table.row(file_link(name), {link_to(file_link(name), name),
                                    tag(is_out ? Tone::good : Tone::wait, is_out ? "released" : "waiting for release"),
                                    grouped(count_in(file, "count")), amount_in(file, "amount")});
    }
    const auto& settles = field(day, "settles");
    table.foot({"", "", grouped(count_in(settles, "count")), amount_in(settles, "amount")});
    return card("Files that settle on this day",
                table.empty() ? empty_state("No file settles on this day.") : table.html());
}

Html day_cash_card(const Json& forecast, BusinessDate date) {
    for (const Json& one : list_in(forecast, "days")) {
        if (date_in(one, "date") != date) continue;
        Facts facts;
        constexpr std::pair<std::string_view, std::string_view> parts[] = {
            {"released", "Released"},
            {"waiting", "Waiting for release"},
            {"approved", "Approved, to be paid at the next cut-off"},
            {"possible", "Possible, once approved"}};
        for (const auto& [part, words] : parts) {
            const Json& sum = field(one, part);
            facts.number(words, group(amount_in(sum, "amount"), small(counted(count_in(sum, "count"), "payment"))));
        }
        return card("Cash out on this day", facts.html());
    }
    return {};
}

}  // namespace

std::string calendar_page(const PageContext& page, const Json& calendar, const Json& forecast) {
    const auto today = page.zone.date_of(page.now);
    year_month month = today.year() / today.month();
    const auto& days = list_in(calendar, "days");
    if (!days.empty()) {
        if (const auto first = date_in(days.front(), "date")) month = first->year() / first->month();
    }
    const Html around = el("nav", {{"class", "month-nav"}, {"aria-label", "Months"}},
                           el("a",
                              {{"class", "button"},
                               {"rel", "prev"},
                               {"data-key", "p"},
                               {"href", month_link(month - std::chrono::months(1))}},
                              "Earlier", key_hint(page, "p")),
                           el("a", {{"class", "button"}, {"href", Link("/calendar")}}, "Today"),
                           el("a",
                              {{"class", "button"},
                               {"rel", "next"},
                               {"data-key", "n"},
                               {"href", month_link(month + std::chrono::months(1))}},
                              "Later", key_hint(page, "n")));
    return to_page(page, Frame{.title = "Calendar",
                               .place = "/calendar",
                               .heading = month_words(month),
                               .under = "Banking days, cut-offs, and what settles when. Times are the office's, " +
                                        page.zone.name() + ".",
                               .acts = around,
                               .content = group(card("", month_grid(page, calendar, month)), cash_card(page, forecast)),
                               .command = "drawbridge calendar --from " + format_date(month / 1) + " --to " +
                                          format_date(BusinessDate(month / std::chrono::last)),
                               .modules = {"calendar"}});
}

std::string calendar_day_page(const PageContext& page, const Json& calendar, const Json& forecast) {
    static const Json nothing = nullptr;
    const auto& days = list_in(calendar, "days");
    const Json& day = days.empty() ? nothing : days.front();
    const BusinessDate date = date_in(day, "date").value_or(page.zone.date_of(page.now));
    const auto around = [&](std::string_view rel, std::string_view key, std::string_view words, int step) {
        return el("a",
                  {{"class", "button"},
                   {"rel", rel},
                   {"data-key", key},
                   {"href", day_link(sys_days(date) + std::chrono::days(step))}},
                  words, key_hint(page, key));
    };
    return to_page(
        page,
        Frame{.title = long_day_words(page, date),
              .place = "/calendar",
              .crumbs = group(link_to(Link("/calendar"), "Calendar"), " / ",
                              link_to(month_link(date.year() / date.month()), month_words(date.year() / date.month()))),
              .under = day_words_under(page, day, date),
              .acts = el("nav", {{"class", "month-nav"}, {"aria-label", "Days"}}, around("prev", "p", "Day before", -1),
                         around("next", "n", "Day after", 1)),
              .content = group(settling_card(day), day_cash_card(forecast, date)),
              .command = "drawbridge calendar --from " + format_date(date) + " --to " + format_date(date),
              .modules = {"table"}});
}

}  // namespace drawbridge::pages
