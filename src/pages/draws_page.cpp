#include <algorithm>

#include "drawbridge/pages/screens.hpp"
#include "filters.hpp"
#include "frame.hpp"
#include "parts.hpp"

namespace drawbridge::pages {
namespace {

const std::vector<Choice> draw_states = {
    {"", "Any state"},          {"pending", "Pending"},   {"held", "Held"},         {"approving", "Approving"},
    {"approved", "Approved"},   {"blocked", "Blocked"},   {"paying", "Paying"},     {"paid", "Paid"},
    {"disbursed", "Disbursed"}, {"reported", "Reported"}, {"returned", "Returned"}, {"cancelled", "Cancelled"},
    {"external", "External"}};
const std::vector<Choice> draw_orders = {{"", "By number"},
                                         {"-id", "Newest number first"},
                                         {"-amount", "Largest first"},
                                         {"amount", "Smallest first"},
                                         {"since", "Longest in its state first"},
                                         {"-since", "Latest change first"}};

std::vector<Field> draw_filters(const Query& query) {
    using Kind = Field::Kind;
    std::vector<Field> fields = {
        {.name = "text",
         .label = "Search",
         .value = query_value(query, "text"),
         .hint = "A case or a description, or words like state:held amount:>5000 payee:Maple case:\"Oak Street\""},
        {.kind = Kind::choice,
         .name = "state",
         .label = "State",
         .value = query_value(query, "state"),
         .is_required = true,
         .choices = draw_states},
        {.name = "payee", .label = "Payee", .value = query_value(query, "payee")},
        {.kind = Kind::money, .name = "min_amount", .label = "From $", .value = query_value(query, "min_amount")},
        {.kind = Kind::money, .name = "max_amount", .label = "To $", .value = query_value(query, "max_amount")},
        {.kind = Kind::choice,
         .name = "sort",
         .label = "Order",
         .value = query_value(query, "sort"),
         .is_required = true,
         .choices = draw_orders}};
    // A filter that comes from a link or from typed words is shown, so that it does not apply unseen.
    if (const std::string workflow = query_value(query, "workflow"); !workflow.empty())
        fields.push_back({.kind = Kind::number, .name = "workflow", .label = "Workflow", .value = workflow});
    return fields;
}

bool is_approvable(const Json& draw) {
    const std::string state = text_in(draw, "state");
    return state == "held" || state == "pending";
}

bool is_filtered(const Query& query) {
    for (const auto& [key, value] : query) {
        if (!value.empty() && key != "after" && key != "limit" && key != "sort") return true;
    }
    return false;
}

Html draw_selection(const PageContext& page, bool can_approve) {
    Html acts = may_refresh(page) ? refresh_button("Refresh selected") : Html();
    if (can_approve) {
        acts += group(el("p", {{"class", "small"}, {"data-misfit", ""}, {"hidden", true}},
                         "Only pending and held draws can be approved."),
                      act(page, {.title = "Approve selected…",
                                 .path = "/draws/approve",
                                 .effect = "You approve these draws yourself, in place of a rule: all of them or none.",
                                 .button = "Sign and approve",
                                 .key = "a",
                                 .weight = Weight::main,
                                 .is_for_selection = true,
                                 .is_one_line_reason = true}));
    }
    return selection_bar(acts);
}

}  // namespace

std::string draws_page(const PageContext& page, const Json& draws, const Query& query) {
    const auto& rows = list_in(draws, "draws");
    const bool can_approve = has_role(page, {"operator"}) && std::ranges::any_of(rows, is_approvable);
    const auto can_tick = [&](const Json& draw) { return may_refresh(page) || (can_approve && is_approvable(draw)); };
    const bool has_ticks = std::ranges::any_of(rows, can_tick);
    Table table("Draws", {{"", Cells::fixed, has_ticks ? tick_all() : Html()},
                          {"Draw", Cells::fixed},
                          {"State", Cells::fixed},
                          {"Amount", Cells::number},
                          {"Payee"},
                          {"Case"},
                          {"In this state", Cells::fixed},
                          {"Why"}});
    Money shown_sum;
    std::int64_t shown = 0;
    for (const Json& draw : rows) {
        const std::string id = text_in(draw, "id");
        ++shown;
        shown_sum += money_in(draw, "amount").value_or(Money());
        const std::string description = text_in(draw, "description");
        table.row(
            draw_link(id),
            {can_tick(draw) ? tick("draw", id, money_in(draw, "amount"), is_approvable(draw), text_in(draw, "seen"))
                            : Html(),
             link_to(draw_link(id), id), state_tag(text_in(draw, "state")), amount_in(draw, "amount"),
             text_in(draw, "payee"),
             group(text_in(draw, "case_name"), description.empty() ? Html() : small(description)),
             age(page, instant_in(draw, "since")), el("span", {{"class", "small"}}, sentence(text_in(draw, "why")))});
    }
    table.foot({"", grouped(shown) + " shown", "", amount(shown_sum), "", "", "", ""});
    const auto total = number_in(draws, "total");
    const auto sum = money_in(draws, "sum");
    const std::string state = query_value(query, "state");
    Html under = is_filtered(query) ? Html("Matching your filters") : Html("Every draw that Drawbridge has seen");
    if (count_in(draws, "without_amount") > 0)
        under += Html(", " + std::to_string(count_in(draws, "without_amount")) + " of them without an amount");
    const Html heading = total ? group(counted(*total, "draw"),
                                       sum ? group(" ", el("span", {{"class", "beside-title"}}, amount(sum))) : Html())
                               : Html("Draws");
    const Html content =
        table.empty() ? card("", empty_state(is_filtered(query) ? "No draws match these filters."
                                                                : "Drawbridge has not seen a draw yet.",
                                             is_filtered(query) ? link_to(Link("/draws"), "Show all draws")
                                                                : small("It looks for new ones every few minutes.")))
                      : card("", table.html());
    return to_page(
        page,
        Frame{.title = state.empty() ? "Draws" : "Draws, " + spaced(state),
              .place = "/draws",
              .heading = heading,
              .under = under,
              .acts = table.empty() ? Html() : download_button("/draws.csv", query),
              .content = group(filter_form("/draws", draw_filters(query)),
                               has_ticks ? draw_selection(page, can_approve) : Html(), content, pager(page, draws)),
              .command = command_with("drawbridge draws", query,
                                      {"state", "workflow", "payee", "min_amount", "max_amount", "text", "sort"}),
              .modules = {"table", "refresh"}});
}

}  // namespace drawbridge::pages
