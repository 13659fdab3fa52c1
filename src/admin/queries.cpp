#include "reads.hpp"

#include <utility>

#include "alerts_view.hpp"
#include "approve.hpp"
#include "drawbridge/admin/reconcile.hpp"
#include "drawbridge/domain/exception_catalog.hpp"
#include "drawbridge/ledger/facts/draws.hpp"
#include "drawbridge/ledger/facts/guards.hpp"
#include "drawbridge/ledger/reports/draw_states.hpp"
#include "drawbridge/pipeline/forecast.hpp"
#include "drawbridge/text/diagnostic.hpp"
#include "page.hpp"
#include "resolutions.hpp"
#include "upkeep.hpp"

namespace drawbridge::admin {
namespace {

template <class T>
Result<void> take(std::optional<T>& into, Result<T> value) {
    if (!value) return std::unexpected(value.error());
    into = *value;
    return {};
}

std::unexpected<Error> no_such_reason_code(const std::string& code) {
    std::vector<std::string_view> codes;
    for (const auto& kind : exception_kinds())
        codes.push_back(kind.reason_code);
    const auto meant = text::closest_match(code, codes);
    return fail(ErrorCode::invalid_input, "unknown reason code '" + code + "': " +
                                              (meant.empty() ? "`drawbridge exception-reference` lists them"
                                                             : "did you mean '" + std::string(meant) + "'?"));
}

}  // namespace

// The last run of each step, and for each pay run the outcome of every approved draw, newest first.
Answer get_runs(AdminContext& context, const Call& call) {
    const auto page = read_page(call);
    if (!page) return std::unexpected(page.error());
    json answer = page_view<ledger::ListedPayRun>(
        "pay_runs", ledger::pay_runs_before(context.ledger, page->after, page->wanted()), *page,
        [](const auto& row) { return to_json(record_of(row.run)); }, [](const auto& row) { return row.pay_run_id; });
    if (page->with_total) answer["total"] = ledger::count_pay_runs(context.ledger);
    answer["runs"] = json::array();
    for (const auto& runs : ledger::last_runs(context.ledger))
        answer["runs"].push_back(to_json(record_of(runs)));
    return answer;
}

Answer get_draw(AdminContext& context, const Call& call) {
    const auto id = whole_number(call.path[1], "the draw's id", 1, INT64_MAX);
    if (!id) return std::unexpected(id.error());
    const auto row = ledger::find_draw(context.ledger, *id);
    if (!row) {
        return fail(ErrorCode::not_found, "draw " + call.path[1] + " is not in the ledger: no poll has read it");
    }
    const auto known = ledger::newest_reading(context.ledger, *id);
    json answer = {{"draw", to_json(record_of(context, *row, known ? &known->draw : nullptr))}};
    if (known) answer["fields"] = fields_view(known->draw);
    const auto& key = answer["draw"]["payee"];
    const auto* payee = key.is_string() ? context.shared.payees.find(key.get<std::string>()) : nullptr;
    if (payee != nullptr) answer["payee_name"] = payee->name;
    answer["forecast"] = to_json(pipeline::forecast(context.shared, *id));
    answer["exceptions"] = json::array();
    for (const auto& exception : ledger::exceptions_of_draw(context.ledger, *id))
        answer["exceptions"].push_back(to_json(record_of(context.ledger, exception)));
    answer["timeline"] = to_json(ledger::timeline(context.ledger, *id));
    return answer;
}

Answer get_exception(AdminContext& context, const Call& call) {
    const auto id = whole_number(call.path[1], "the exception's id", 1, INT64_MAX);
    if (!id) return std::unexpected(id.error());
    return exception_view(context, *id);
}

Answer get_exceptions(AdminContext& context, const Call& call) {
    Page page;
    ExceptionsWanted wanted;
    std::optional<bool> open;
    for (const auto& [key, value] : call.query) {
        if (key == "state") {
            if (value != "open" && value != "closed")
                return fail(ErrorCode::invalid_input, "parameter 'state' is neither open nor closed");
            open = value == "open";
        } else if (key == "closed_on") {
            const auto date = parse_date(value);
            if (!date) return std::unexpected(date.error());
            wanted.closed_on = *date;
        } else if (key == "reason") {
            if (find_exception_kind(value) == nullptr) return no_such_reason_code(value);
            wanted.reason_code = value;
        } else if (key == "step") {
            if (!parse_step(value)) return fail(ErrorCode::invalid_input, "there is no step '" + value + "'");
            wanted.step = value;
        } else {
            const auto taken = read_page_parameter(page, key, value);
            if (!taken) return std::unexpected(taken.error());
            if (!*taken) return fail(ErrorCode::invalid_input, "unknown parameter '" + key + "'");
        }
    }
    if (open == true && wanted.closed_on)
        return fail(ErrorCode::invalid_input, "parameter 'closed_on' is about closed exceptions, and 'state' is open");
    wanted.open = open.value_or(!wanted.closed_on);
    return exceptions_view(context, page, wanted);
}

Answer get_alerts(AdminContext& context, const Call& call) {
    const auto page = read_page(call);
    if (!page) return std::unexpected(page.error());
    return alerts_view(context, *page);
}

Answer get_backups(AdminContext& context, const Call& call) {
    const auto page = read_page(call);
    if (!page) return std::unexpected(page.error());
    return backups_view(context, *page);
}

// A slice of the reconciliation report.
Answer get_reconcile(AdminContext& context, const Call& call) {
    constexpr std::int64_t max_days = 36'500;
    ReconcileQuery query;
    for (const auto& [key, value] : call.query) {
        Result<void> taken;
        std::optional<std::int64_t> days;
        if (key == "from") {
            taken = take(query.from, parse_date(value));
        } else if (key == "to") {
            taken = take(query.to, parse_date(value));
        } else if (key == "as_of") {
            taken = take(query.as_of, parse_instant(value));
        } else if (key == "overdue_after") {
            taken = take(days, whole_number(value, "overdue_after", 0, max_days));
            query.overdue_after_days = days.value_or(0);
        } else if (key == "after") {
            query.after = value;
        } else {
            taken = fail(ErrorCode::invalid_input, "unknown parameter '" + key + "'");
        }
        if (!taken) return std::unexpected(taken.error());
    }
    const auto slice = reconcile_slice(context, query);
    if (!slice) return std::unexpected(slice.error());
    return to_json(*slice);
}

}  // namespace drawbridge::admin
