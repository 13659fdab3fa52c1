#include "checks_view.hpp"

#include "drawbridge/ledger/facts/check_orders.hpp"
#include "drawbridge/ledger/reports/check_register.hpp"
#include "drawbridge/pipeline/check_orders.hpp"

namespace drawbridge::admin {
namespace {

using ledger::CheckState;

json check_view(const ledger::CheckRow& row) {
    records::Check check{.number = row.first_number,
                         .last_number = row.last_number,
                         .state = row.state,
                         .payee_name = if_any(row.payee_name),
                         .check_date = row.check_date,
                         .file = if_any(row.file_name),
                         .settled_on = row.settled_on,
                         .replaces = if_any(row.replaces),
                         .replaced_by = if_any(row.replaced_by)};
    if (row.payment_id != 0) check.payment_id = payment_name(row.payment_id);
    if (row.draw_id != 0) {
        check.draw_id = row.draw_id;
        check.amount = row.amount;
    }
    if (const auto& order = row.order) {
        check.order = {.action = std::string(checks::to_string(order->action)),
                       .ordered_at = order->ordered_at,
                       .ordered_by = order->ordered_by,
                       .reason = order->reason,
                       .file = if_any(order->file_name),
                       .transmitted_at = order->transmitted_at};
    }
    return to_json(check);
}

std::optional<CheckState> parse_check_state(const std::string& text) {
    for (const auto state : ledger::all_check_states) {
        if (text == ledger::to_string(state)) return state;
    }
    return std::nullopt;
}

std::unexpected<Error> no_such_check_state(const std::string& text) {
    std::string names;
    for (const auto state : ledger::all_check_states)
        names += (names.empty() ? "" : ", ") + std::string(ledger::to_string(state));
    return fail(ErrorCode::invalid_input, "unknown state '" + text + "': use one of " + names);
}

// One answer looks at this many numbers at most, so a page may be short, or empty, and still have a next one.
json checks_in_state(AdminContext& context, CheckState state, const Page& page) {
    constexpr std::size_t max_scanned = 20'000;
    constexpr int rows_at_once = 1000;
    json found = json::array();
    std::int64_t after = page.after;
    bool is_more = true;
    for (std::size_t scanned = 0; is_more && scanned < max_scanned; scanned += rows_at_once) {
        const auto rows = ledger::check_register(context.ledger, stale_until(context), after, rows_at_once);
        is_more = rows.size() == rows_at_once;
        for (const auto& row : rows) {
            after = row.last_number;
            if (row.state != state) continue;
            found.push_back(check_view(row));
            if (found.size() == static_cast<std::size_t>(page.limit))
                return {{"checks", std::move(found)}, {"next_after", after}};
        }
    }
    return {{"checks", std::move(found)}, {"next_after", is_more ? json(after) : json(nullptr)}};
}

}  // namespace

BusinessDate stale_until(const AdminContext& context) {
    return pipeline::stale_until(context.shared.config, context.clock.now());
}

Answer get_checks(AdminContext& context, const Call& call) {
    Page page;
    std::optional<CheckState> state;
    for (const auto& [key, value] : call.query) {
        if (key == "state") {
            state = parse_check_state(value);
            if (!state) return no_such_check_state(value);
        } else {
            const auto taken = read_page_parameter(page, key, value);
            if (!taken) return std::unexpected(taken.error());
            if (!*taken) return fail(ErrorCode::invalid_input, "unknown parameter '" + key + "'");
        }
    }
    if (state && page.with_total)
        return fail(ErrorCode::invalid_input,
                    "parameter 'total' counts the whole register: leave it out, or the parameter 'state'");
    if (state) return checks_in_state(context, *state, page);
    json answer = page_view<ledger::CheckRow>(
        "checks", ledger::check_register(context.ledger, stale_until(context), page.after, page.wanted()), page,
        check_view, [](const auto& row) { return row.last_number; });
    if (page.with_total) answer["total"] = ledger::count_checks(context.ledger);
    return answer;
}

Result<json> act_on_check(AdminContext& context, std::int64_t check_number, const std::string& act,
                          const std::string& reason, const ledger::Stamp& stamp) {
    Result<void> done;
    if (act == "withdraw") {
        done = context.ledger.transaction(
            [&] { return ledger::withdraw_check_order(context.ledger, check_number, reason, stamp); });
    } else {
        const auto action = act == "stop" ? checks::CheckAction::stop : checks::CheckAction::void_check;
        pipeline::Context of_person(context.shared, stamp);
        done = pipeline::order_check(of_person, check_number, action, reason, stamp);
    }
    if (!done) return std::unexpected(done.error());
    const auto row = ledger::check_register(context.ledger, stale_until(context), check_number - 1, /*limit=*/1);
    return json{{"check", check_view(row.front())}};
}

}  // namespace drawbridge::admin
