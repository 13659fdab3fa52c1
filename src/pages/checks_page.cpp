#include <algorithm>
#include <iterator>

#include "drawbridge/pages/screens.hpp"
#include "filters.hpp"
#include "frame.hpp"
#include "parts.hpp"

namespace drawbridge::pages {
namespace {

constexpr FilterChoice check_filters[] = {{"", "All"},      {"issued", "Outstanding"}, {"stale", "Stale"},
                                          {"paid", "Paid"}, {"stopped", "Stopped"},    {"never_used", "Never used"}};

Html order_words(const PageContext& page, const Json& check) {
    const auto& order = field(check, "order");
    if (!order.is_object()) return {};
    const std::string action = spaced(text_in(order, "action"));
    const Html sent = text_in(order, "transmitted_at").empty()
                          ? Html(", waits for the next file")
                          : group(", sent ", moment_in(page, order, "transmitted_at"));
    return small(group(capitalized(action), " ordered by ", person_words(text_in(order, "ordered_by")), ": ",
                       text_in(order, "reason"), sent));
}

Html check_acts(const PageContext& page, const Json& check) {
    if (!has_role(page, {"operator"})) return {};
    const std::string number = text_in(check, "number"), state = text_in(check, "state");
    const std::string base = (Link("/checks") / number).text();
    const auto order = [&](std::string title, std::string verb, std::string effect) {
        return act(page, {.title = std::move(title),
                          .path = base + "/" + verb,
                          .effect = std::move(effect),
                          .button = "Sign",
                          .weight = Weight::plain});
    };
    if (state == "issued" || state == "stale") {
        return group(order("Stop…", "stop", "The bank must not pay check " + number + ". The next pay run tells it."),
                     order("Void…", "void",
                           "Check " + number + " is void and in the office's hands. The next pay run tells the bank."));
    }
    if (state == "void_requested" || state == "stop_requested")
        return order("Withdraw…", "withdraw",
                     "Withdraws the order for check " + number + ". The bank has not been told yet.");
    return {};
}

}  // namespace

std::string checks_page(const PageContext& page, const Json& checks, const Json& outstanding, const Query& query) {
    Table table("Check register", {{"Number", Cells::fixed},
                                   {"State", Cells::fixed},
                                   {"Payee"},
                                   {"Amount", Cells::number},
                                   {"Dated", Cells::fixed},
                                   {"Paid", Cells::fixed},
                                   {"Draw", Cells::fixed}});
    // What is out or was paid; the others move no money.
    constexpr std::string_view counted_states[] = {"issued", "stale", "paid", "void_requested", "stop_requested"};
    Money sum;
    std::int64_t shown = 0, left_out = 0;
    for (const Json& check : list_in(checks, "checks")) {
        const std::string number = text_in(check, "number"), last = text_in(check, "last_number"),
                          draw = text_in(check, "draw_id");
        const bool is_range = !last.empty() && last != number;
        ++shown;
        if (std::ranges::find(counted_states, text_in(check, "state")) != std::end(counted_states)) {
            sum += money_in(check, "amount").value_or(Money());
        } else {
            ++left_out;
        }
        const Link target = Link("/checks") / number;
        table.row(target, {is_range ? mono(number + "–" + last) : link_to(target, mono(number)),
                           check_state_tag(text_in(check, "state")),
                           group(text_in(check, "payee_name"), order_words(page, check)), amount_in(check, "amount"),
                           day_in(page, check, "check_date"), day_in(page, check, "settled_on"),
                           draw.empty() ? none() : link_to(draw_link(draw), draw)});
    }
    table.foot(
        {grouped(shown) + " shown", "", left_out > 0 ? "outstanding and paid checks" : "", amount(sum), "", "", ""});
    const auto count = count_in(outstanding, "outstanding"), stale = count_in(outstanding, "stale");
    Html heading = Html("Checks");
    if (outstanding.is_object())
        heading = count == 0 ? Html("No check is outstanding.")
                             : group(counted(count, "check"), count == 1 ? " is" : " are", " outstanding ",
                                     el("span", {{"class", "beside-title"}}, amount_in(outstanding, "amount")));
    Html under = "Every check number in the register, including gaps.";
    if (stale > 0)
        under +=
            group(" ", tag(Tone::wait, counted(stale, "stale check")), " ", amount_in(outstanding, "stale_amount"));
    return to_page(page,
                   Frame{.title = "Checks",
                         .place = "/checks",
                         .heading = heading,
                         .under = under,
                         .acts = table.empty() ? Html() : download_button("/checks.csv", query),
                         .content = group(
                             filter_tabs(Link("/checks"), "state", check_filters, query_value(query, "state"), "State"),
                             card("", table.empty() ? empty_state("No checks match this filter.") : table.html()),
                             pager(page, checks)),
                         .command = command_with("drawbridge checks", query, {"state"}),
                         .modules = {"table"}});
}

std::string check_page(const PageContext& page, const Json& check) {
    const std::string number = text_in(check, "number"), draw = text_in(check, "draw_id"),
                      file = text_in(check, "file"), replaces = text_in(check, "replaces"),
                      replaced_by = text_in(check, "replaced_by");
    Facts facts;
    facts.text("Payee", text_in(check, "payee_name"));
    facts.text("Amount", amount_in(check, "amount"));
    facts.text("Dated", day_in(page, check, "check_date"));
    facts.text("Paid", day_in(page, check, "settled_on"));
    if (!draw.empty()) facts.text("Draw", link_to(draw_link(draw), draw));
    facts.text("Payment", mono(text_in(check, "payment_id")));
    if (!file.empty()) facts.text("File", link_to(file_link(file), file));
    if (!replaces.empty()) facts.text("Replaces", replaces);
    if (!replaced_by.empty()) facts.text("Replaced by", replaced_by);
    const Html order = order_words(page, check);
    return to_page(page, Frame{.title = "Check " + number,
                               .place = "/checks",
                               .crumbs = group(link_to(Link("/checks"), "Checks"), " / ", number),
                               .heading = group("Check " + number, " ",
                                                el("span", {{"class", "beside-title"}}, amount_in(check, "amount"))),
                               .under = check_state_tag(text_in(check, "state")),
                               .acts = check_acts(page, check),
                               .content = card("", group(facts.html(), order)),
                               .command = "drawbridge checks"});
}

}  // namespace drawbridge::pages
