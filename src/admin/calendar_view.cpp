#include "reads.hpp"

#include <algorithm>
#include <map>

#include "checks_view.hpp"
#include "drawbridge/ledger/reports/cash.hpp"
#include "drawbridge/ledger/reports/check_register.hpp"
#include "drawbridge/ledger/reports/draw_states.hpp"
#include "drawbridge/pipeline/forecast.hpp"

namespace drawbridge::admin {
namespace {

using std::chrono::days;
using std::chrono::sys_days;

constexpr days max_calendar_days{400};

BusinessDate office_day(const AdminContext& context) {
    return context.zone.date_of(context.clock.now());
}

Result<BusinessDate> date_in(const Call& call, const std::string& key, BusinessDate fallback) {
    const auto given = call.query.find(key);
    if (given == call.query.end()) return fallback;
    return parse_date(given->second);
}

Result<void> only_known(const Call& call, std::initializer_list<std::string_view> known) {
    for (const auto& [key, value] : call.query) {
        if (std::ranges::find(known, key) == known.end())
            return fail(ErrorCode::invalid_input, "unknown parameter '" + key + "'");
    }
    return {};
}

records::CalendarDay calendar_day(const pipeline::CalendarDay& day, const std::vector<ledger::SettlingFile>& settling) {
    records::CalendarDay record{.date = day.date,
                                .banking_day = day.is_banking_day,
                                .closed_for = if_any(day.closed_for),
                                .cutoffs = day.cutoffs};
    for (const auto& file : settling) {
        if (file.date != day.date) continue;
        record.settles += {file.payments, file.amount};
        record.files.push_back(
            {.name = file.file, .went_out = file.went_out, .count = file.payments, .amount = file.amount});
    }
    return record;
}

void add_cash_of_draws(AdminContext& context, BusinessDate settles_on, std::map<BusinessDate, records::CashDay>& cash) {
    auto& day = cash[settles_on];
    for (const auto& total : ledger::state_totals(context.ledger)) {
        if (total.state == "approving" || total.state == "approved") day.approved += {total.count, total.amount};
        if (total.state == "pending" || total.state == "held" || total.state == "blocked")
            day.possible += {total.count, total.amount};
    }
}

// Files that wait for a release and are too late for their settlement date: the next run pays their draws once they are
// void.
struct Overdue {
    Sum sum;
    std::vector<std::string> files;
};
Overdue overdue_files(AdminContext& context) {
    Overdue overdue;
    for (const auto& file : ledger::payment_files(context.ledger, /*unreleased_only=*/true)) {
        if (file.order || !missed_settlement(context, file)) continue;
        overdue.sum += {file.payment_count, file.total};
        overdue.files.push_back(file.name);
    }
    return overdue;
}

}  // namespace

bool missed_settlement(const AdminContext& context, const ledger::FileRow& file) {
    return pipeline::missed_settlement(context.ledger, context.shared.settings.plan, file, context.clock.now())
        .has_value();
}

Answer get_calendar(AdminContext& context, const Call& call) {
    if (auto known = only_known(call, {"from", "to"}); !known) return std::unexpected(known.error());
    const auto from = date_in(call, "from", office_day(context));
    if (!from) return std::unexpected(from.error());
    const auto to = date_in(call, "to", sys_days(*from) + days(30));
    if (!to) return std::unexpected(to.error());
    if (to->year() > std::chrono::year(9999))
        return fail(ErrorCode::invalid_input, "the calendar ends with 9999: give an earlier 'from', or 'to'");
    if (*to < *from || sys_days(*to) - sys_days(*from) > max_calendar_days)
        return fail(ErrorCode::invalid_input, "'to' must be 0 to 400 days after 'from'");
    const auto settling = ledger::settling_between(context.ledger, *from, *to);
    json list = json::array();
    for (const auto& day : pipeline::calendar_days(context.shared, *from, *to))
        list.push_back(to_json(calendar_day(day, settling)));
    return json{{"today", format_date(office_day(context))}, {"days", std::move(list)}};
}

Answer get_forecast(AdminContext& context, const Call& call) {
    if (auto known = only_known(call, {"days"}); !known) return std::unexpected(known.error());
    const auto given = call.query.find("days");
    const auto count =
        whole_number(given == call.query.end() ? "14" : given->second, "days", 1, max_calendar_days.count());
    if (!count) return std::unexpected(count.error());
    const BusinessDate from = office_day(context);
    const BusinessDate to = sys_days(from) + days(*count - 1);
    std::map<BusinessDate, records::CashDay> cash;
    const auto overdue = overdue_files(context);
    for (const auto& file : ledger::settling_between(context.ledger, from, to)) {
        if (std::ranges::find(overdue.files, file.file) != overdue.files.end()) continue;
        auto& day = cash[file.date];
        (file.went_out ? day.released : day.waiting) += {file.payments, file.amount};
    }
    const auto next = pipeline::next_settlement(context.shared);
    if (next.settles_on && *next.settles_on <= to) add_cash_of_draws(context, *next.settles_on, cash);
    json list = json::array();
    for (BusinessDate date = from; date <= to; date = sys_days(date) + days(1)) {
        auto& day = cash[date];
        day.date = date;
        list.push_back(to_json(day));
    }
    const auto checks = ledger::outstanding_checks(context.ledger, stale_until(context));
    json answer = {{"days", std::move(list)},
                   {"next_run_at", to_json(next.run_at)},
                   {"because", next.because},
                   {"checks_outstanding", to_json(Sum{checks.outstanding, checks.amount})},
                   {"overdue", to_json(overdue.sum)}};
    return answer;
}

}  // namespace drawbridge::admin
