#include "reads.hpp"

#include <algorithm>
#include <array>
#include <unordered_map>

#include "approve.hpp"
#include "drawbridge/ledger/facts/draws.hpp"
#include "drawbridge/ledger/reports/draw_states.hpp"
#include "drawbridge/text/diagnostic.hpp"
#include "page.hpp"

namespace drawbridge::admin {
namespace {

using ledger::DrawOrder;

struct DrawsWanted {
    ledger::DrawFilter filter;
    Page page;
    bool with_fields = false;
};

std::string joined_names(const std::vector<std::string_view>& names) {
    std::string list;
    for (const auto name : names)
        list += (list.empty() ? "" : ", ") + std::string(name);
    return list;
}

std::unexpected<Error> no_such_state(const std::string& state) {
    const std::vector<std::string_view> names(std::begin(ledger::state_names), std::end(ledger::state_names));
    const auto meant = text::closest_match(state, names);
    return fail(ErrorCode::invalid_input, "unknown state '" + state + "': " +
                                              (meant.empty() ? "" : "did you mean '" + std::string(meant) + "'? ") +
                                              "use one of " + joined_names(names));
}

struct NamedOrder {
    std::string_view name;
    DrawOrder order;
};
constexpr std::array draw_orders{
    NamedOrder{"id", DrawOrder::id},         NamedOrder{"-id", DrawOrder::newest_id},
    NamedOrder{"amount", DrawOrder::amount}, NamedOrder{"-amount", DrawOrder::largest_amount},
    NamedOrder{"since", DrawOrder::since},   NamedOrder{"-since", DrawOrder::newest_since}};

Result<DrawOrder> parse_draw_order(const std::string& text) {
    const auto found = std::ranges::find(draw_orders, text, &NamedOrder::name);
    if (found != draw_orders.end()) return found->order;
    std::vector<std::string_view> names;
    for (const auto& one : draw_orders)
        names.push_back(one.name);
    return fail(ErrorCode::invalid_input, "parameter 'sort' must be one of " + joined_names(names));
}

Result<void> read_amount_bound(std::optional<Money>& into, const std::string& key, const std::string& value) {
    const auto amount = plain_amount(value);
    if (!amount) return fail(ErrorCode::invalid_input, "parameter '" + key + "': " + amount.error().message);
    into = *amount;
    return {};
}

Result<void> read_draw_parameter(DrawsWanted& wanted, const std::string& key, const std::string& value) {
    auto& filter = wanted.filter;
    if (key == "state") {
        if (!ledger::is_state(value)) return no_such_state(value);
        filter.state = value;
    } else if (key == "fields") {
        if (value != "true") return fail(ErrorCode::invalid_input, "parameter 'fields' can only be true");
        wanted.with_fields = true;
    } else if (key == "workflow") {
        const auto id = whole_number(value, "the workflow", 0, INT64_MAX);
        if (!id) return std::unexpected(id.error());
        filter.workflow_id = *id;
    } else if (key == "payee") {
        filter.payee = value;
    } else if (key == "text") {
        filter.text = value;
    } else if (key == "min_amount") {
        return read_amount_bound(filter.min_amount, key, value);
    } else if (key == "max_amount") {
        return read_amount_bound(filter.max_amount, key, value);
    } else if (key == "sort") {
        const auto order = parse_draw_order(value);
        if (!order) return std::unexpected(order.error());
        filter.order = *order;
    } else {
        const auto taken = read_page_parameter(wanted.page, key, value);
        if (!taken) return std::unexpected(taken.error());
        if (!*taken) return fail(ErrorCode::invalid_input, "unknown parameter '" + key + "'");
    }
    return {};
}

std::unordered_map<DrawId, ledger::KnownDraw> readings_of(AdminContext& context,
                                                          const std::vector<ledger::DrawRow>& rows) {
    std::vector<DrawId> ids;
    for (const auto& row : rows)
        ids.push_back(row.draw_id);
    return ledger::newest_readings(context.ledger, ids);
}

}  // namespace

Answer get_draws(AdminContext& context, const Call& call) {
    DrawsWanted wanted;
    for (const auto& [key, value] : call.query) {
        if (auto read = read_draw_parameter(wanted, key, value); !read) return std::unexpected(read.error());
    }
    auto& filter = wanted.filter;
    const auto& page = wanted.page;
    filter.payee_field = context.shared.settings.payee_key;
    filter.after_id = page.after;
    filter.limit = page.wanted();
    auto list = ledger::list_draws(context.ledger, filter);
    const auto readings = readings_of(context, list.draws);
    const auto view_of = [&](const ledger::DrawRow& row) {
        const auto known = readings.find(row.draw_id);
        const Draw* draw = known == readings.end() ? nullptr : &known->second.draw;
        auto record = record_of(context, row, draw);
        if (wanted.with_fields && draw != nullptr) record.fields = fields_view(*draw);
        return to_json(record);
    };
    json answer = page_view<ledger::DrawRow>("draws", std::move(list.draws), page, view_of,
                                             [](const auto& row) { return row.draw_id; });
    if (page.with_total) {
        answer["total"] = list.all.count;
        answer["sum"] = list.all.amount.to_string();
        answer["without_amount"] = list.all.without_amount;
    }
    return answer;
}

}  // namespace drawbridge::admin
