#include <algorithm>
#include <vector>

#include "drawbridge/domain/steps.hpp"
#include "drawbridge/pages/screens.hpp"
#include "filters.hpp"
#include "frame.hpp"
#include "parts.hpp"

namespace drawbridge::pages {
namespace {

constexpr FilterChoice exception_filters[] = {{"", "Open"}, {"closed", "Closed"}};
Html step_tabs(std::string_view state, std::string_view chosen) {
    std::vector<FilterChoice> choices = {{"", "all steps"}};
    for (const Step step : all_steps)
        choices.push_back({to_string(step), to_string(step)});
    return filter_tabs(Link("/exceptions").with("state", state), "step", choices, chosen, "Step");
}

Html subject_of(const Json& exception) {
    const std::string draw = text_in(exception, "draw_id"), subject = text_in(exception, "subject");
    if (!draw.empty()) return link_to(draw_link(draw), "draw " + draw);
    return subject.empty() ? none() : with_short_hashes(subject);
}

Html proposal_words(const Json& exception) {
    const auto& proposal = field(exception, "proposal");
    if (!proposal.is_object()) return {};
    return small(group("Likely ", mono(text_in(proposal, "payment_id")), ": ", text_in(proposal, "because")));
}

// By one signature for all: what closes without a further word.
bool is_resolvable(const PageContext& page, const Json& exception) {
    const auto& acts = list_in(exception, "acts");
    const bool may =
        has_role(page, {"operator"}) || (text_in(exception, "step") == "confirm" && has_role(page, {"finance"}));
    return may && !only_reads(page) &&
           std::ranges::any_of(acts, [](const Json& one) { return text_of(one) == "resolve"; });
}

Html exception_selection(const PageContext& page) {
    return selection_bar(act(page, {.title = "Resolve selected…",
                                    .path = "/exceptions/resolve",
                                    .effect = "Closes these exceptions with one reason: all of them or none.",
                                    .button = "Sign and resolve",
                                    .key = "m",
                                    .weight = Weight::main,
                                    .is_for_selection = true}));
}

// The exceptions closed today: by whom, and how.
Html closed_today_card(const PageContext& page, const Json& closed) {
    Table table("Closed today",
                {{"No.", Cells::fixed}, {"What"}, {"How"}, {"By", Cells::fixed}, {"Closed", Cells::fixed}});
    for (const Json& one : list_in(closed, "exceptions")) {
        const std::string id = text_in(one, "id");
        const auto at = instant_in(one, "closed_at");
        table.row(exception_link(id),
                  {link_to(exception_link(id), id), group(exception_title(one), " ", subject_of(one)),
                   sentence(text_in(one, "closed_reason")), person_words(text_in(one, "closed_by")),
                   at ? Html(time_words(page, *at)) : none()});
    }
    if (table.empty()) return {};
    const std::int64_t shown = static_cast<std::int64_t>(list_in(closed, "exceptions").size());
    const std::int64_t all = number_in(closed, "total").value_or(shown);
    const Link list = Link("/exceptions").with("closed_on", format_date(page.zone.date_of(page.now)));
    return card("Closed today: " + grouped(all), table.html(), Tone::plain,
                all > shown ? link_to(list, "Show all") : Html());
}

}  // namespace

std::string exceptions_page(const PageContext& page, const Json& exceptions, const Json& closed_today,
                            const Query& query) {
    const std::string state = query_value(query, "state"), step = query_value(query, "step"),
                      reason = query_value(query, "reason"), day = query_value(query, "closed_on");
    const bool is_closed = state == "closed" || !day.empty();
    const auto& rows = list_in(exceptions, "exceptions");
    const bool has_ticks =
        !is_closed && std::ranges::any_of(rows, [&](const Json& one) { return is_resolvable(page, one); });
    Table table(is_closed ? "Closed exceptions" : "Open exceptions, oldest first",
                {{"", Cells::fixed, has_ticks ? tick_all() : Html()},
                 {"No.", Cells::fixed},
                 {"What"},
                 {"About", Cells::fixed},
                 {"Amount", Cells::number},
                 {"Step", Cells::fixed},
                 {is_closed ? "Closed" : "Open for", Cells::fixed}});
    std::int64_t shown = 0;
    Money sum;
    for (const Json& one : rows) {
        const std::string id = text_in(one, "id");
        const Link target = exception_link(id);
        ++shown;
        sum += money_in(one, "amount").value_or(Money());
        const bool can_tick = has_ticks && is_resolvable(page, one);
        table.row(target, {can_tick ? tick("exception", id, money_in(one, "amount")) : Html(), link_to(target, id),
                           group(link_to(target, exception_title(one)),
                                 small(with_code(sentence(text_in(one, "detail")))), proposal_words(one)),
                           subject_of(one), amount_in(one, "amount"), spaced(text_in(one, "step")),
                           is_closed ? moment_in(page, one, "closed_at") : age(page, instant_in(one, "opened_at"))});
    }
    table.foot({"", "", grouped(shown) + " shown", "", amount(sum), "", ""});
    const std::string all = grouped(number_in(exceptions, "total").value_or(shown));
    const bool is_filtered = !step.empty() || !reason.empty() || !day.empty();
    Html content;
    if (!table.empty()) {
        content = card("", table.html());
    } else if (is_closed || is_filtered) {
        content = card("", empty_state("No exceptions match these filters.",
                                       link_to(Link("/exceptions"), "Show all open exceptions")));
    } else {
        content = card("", empty_state("Nothing needs a person.",
                                       small("An exception opens when a person must decide. Alerts tell you.")));
    }
    const auto open = count_in(page.pulse, "open_exceptions");
    const Html heading = open == 1  ? Html("One exception is open.")
                         : open > 0 ? Html(number_words(open) + " exceptions are open.")
                                    : Html("No exception is open.");
    Html narrowed;
    if (!reason.empty())
        narrowed = group(
            "Reason: ", el("b", rows.empty() ? capitalized(spaced(reason)) : exception_title(rows.front())), ". ");
    if (const auto date = parse_date(day)) narrowed += group("Closed on ", el("b", long_day_words(page, *date)), ". ");
    if (!narrowed.empty())
        narrowed = el("p", {{"class", "narrowed"}}, narrowed,
                      link_to(Link("/exceptions").with("state", is_closed ? "closed" : ""), "Show all"));
    return to_page(
        page,
        Frame{.title = "Exceptions",
              .place = "/exceptions",
              .heading = heading,
              .under = Html(all + (is_closed ? " closed" : " listed") + ", " +
                            (is_closed ? "newest first" : "oldest first")),
              .content = group(
                  el("div", {{"class", "tab-row"}},
                     filter_tabs(Link("/exceptions"), "state", exception_filters, is_closed ? "closed" : "", "State"),
                     step_tabs(is_closed ? "closed" : "", step)),
                  narrowed, has_ticks ? exception_selection(page) : Html(), content, pager(page, exceptions),
                  closed_today_card(page, closed_today)),
              .command = command_with(state == "closed" ? "drawbridge exceptions --closed" : "drawbridge exceptions",
                                      query, {"closed_on", "reason", "step"}),
              .modules = {"table"}});
}

}  // namespace drawbridge::pages
