// `drawbridge calendar` and `drawbridge forecast`: which day money moves.
#include <fmt/chrono.h>
#include <fmt/format.h>

#include "call_api.hpp"
#include "drawbridge/domain/money.hpp"
#include "drawbridge/domain/time.hpp"
#include "drawbridge/text/show.hpp"
#include "parser.hpp"
#include "show.hpp"
#include "table.hpp"

namespace drawbridge::cli {
namespace {

// "Mon 2026-11-23"
std::string day_name(BusinessDate date) {
    return fmt::format("{:%a %Y-%m-%d}",
                       fmt::gmtime(std::chrono::system_clock::time_point(std::chrono::sys_days(date))));
}

// "12 / $1,234.50"; "-" for nothing.
std::string sum_of(const Sum& sum) {
    return sum.count == 0 ? "-" : text::grouped(sum.count) + " / " + money(sum.amount);
}

// "20:30Z"; with the date if that is another one in UTC.
std::string cutoffs_of(const records::CalendarDay& day) {
    std::string text;
    for (const auto& cutoff : day.cutoffs) {
        const std::string at = moment(cutoff);
        const bool same_day = at.starts_with(plain(day.date));
        text += (text.empty() ? "" : ", ") + (same_day ? at.substr(11, 5) : at.substr(5, 11)) + "Z";
    }
    return text.empty() ? "-" : text;
}

void show_calendar(const json& answer) {
    Table table({{"DAY"}, {"CUT-OFFS"}, {"SETTLES", Align::right}, {"FILES"}});
    for (const auto& day : records_in<records::CalendarDay>(answer["days"])) {
        std::string files = api::to_json(day.date) == answer["today"] ? "today" : "";
        const auto add = [&](const std::string& what) { files += (files.empty() ? "" : ", ") + what; };
        if (!day.banking_day) add("closed: " + plain(day.closed_for));
        for (const auto& file : day.files)
            add(plain(file.name) + (file.went_out ? "" : " (waits)"));
        table.add({day_name(day.date), cutoffs_of(day), sum_of(day.settles), files});
    }
    table.print();
}

void show_forecast(const json& answer) {
    Table table({{"SETTLES"},
                 {"RELEASED", Align::right},
                 {"WAITING", Align::right},
                 {"APPROVED", Align::right},
                 {"POSSIBLE", Align::right}});
    const auto cell = [](const Sum& sum) { return sum.count == 0 ? "-" : money(sum.amount); };
    for (const auto& day : records_in<records::CashDay>(answer["days"])) {
        const auto count = day.released.count + day.waiting.count + day.approved.count + day.possible.count;
        if (count == 0) continue;
        table.add({day_name(day.date), cell(day.released), cell(day.waiting), cell(day.approved), cell(day.possible)});
    }
    if (table.empty()) {
        print_line("nothing settles in " + text::counted(static_cast<std::int64_t>(answer["days"].size()), "day"));
    } else {
        table.print();
        print_line("released: at the bank; waiting: in files that wait for release");
        print_line("approved: in the next pay run; possible: pending, held or blocked");
    }
    const auto overdue = api::from_json<std::optional<Sum>>(answer["overdue"]);
    if (overdue && overdue->count != 0) {
        print_line("overdue: " + counted(overdue->count, "payment") + ", " + money(overdue->amount) +
                   ", in files that are too late for their settlement date: void them");
    }
    if (!answer["next_run_at"].is_null()) {
        const std::string because = plain(answer["because"]);
        print_line("next pay run: " + moment(answer["next_run_at"]) + (because.empty() ? "" : ", settles " + because));
    }
    const auto checks = api::from_json<std::optional<Sum>>(answer["checks_outstanding"]);
    if (checks && checks->count != 0)
        print_line(counted(checks->count, "check") + " outstanding: " + money(checks->amount));
}

}  // namespace

void add_calendar(Parser& parser) {
    auto& calendar = parser.add(parser.app, "calendar", "show banking days, cut-offs, and what settles on each day",
                                "calendar --from 2026-11-01 --to 2026-11-30", calendar_command);
    parser.parameter(calendar, "--from", "from", "the first day, as YYYY-MM-DD; default: today");
    parser.parameter(calendar, "--to", "to", "the last day, at most 400 days later; default: 30 days later");
    parser.json(calendar);
    auto& forecast = parser.add(parser.app, "forecast", "show how much money settles on which day",
                                "forecast --days 30", forecast_command);
    parser.parameter(forecast, "--days", "days", "this many days, 1 to 400; default: 14");
    parser.json(forecast);
}

int calendar_command(const Options& options) {
    return show_answer(options, with_parameters("/calendar", options.parameters), show_calendar);
}

int forecast_command(const Options& options) {
    return show_answer(options, with_parameters("/forecast", options.parameters), show_forecast);
}

}  // namespace drawbridge::cli
