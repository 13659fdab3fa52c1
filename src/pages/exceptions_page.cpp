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
    return subject.empty() ? none() : Html(subject);
}

Html proposal_words(const Json& exception) {
    const auto& proposal = field(exception, "proposal");
    if (!proposal.is_object()) return {};
    return small(group("Likely ", mono(text_in(proposal, "payment_id")), ": ", text_in(proposal, "because")));
}

}  // namespace

std::string exceptions_page(const PageContext& page, const Json& exceptions, const Query& query) {
    const std::string state = query_value(query, "state"), step = query_value(query, "step"),
                      reason = query_value(query, "reason");
    const bool is_closed = state == "closed";
    Table table(is_closed ? "Closed exceptions" : "Open exceptions, oldest first",
                {{"No.", Cells::fixed},
                 {"What"},
                 {"About", Cells::fixed},
                 {"Amount", Cells::number},
                 {"Step", Cells::fixed},
                 {is_closed ? "Closed" : "Open for", Cells::fixed}});
    std::int64_t shown = 0;
    for (const Json& one : list_in(exceptions, "exceptions")) {
        const std::string id = text_in(one, "id");
        const Link target = exception_link(id);
        ++shown;
        table.row(target, {link_to(target, id),
                           group(link_to(target, exception_title(one)), small(sentence(text_in(one, "detail"))),
                                 proposal_words(one)),
                           subject_of(one), amount_in(one, "amount"), spaced(text_in(one, "step")),
                           is_closed ? moment_in(page, one, "closed_at") : age(page, instant_in(one, "opened_at"))});
    }
    const auto total = number_in(exceptions, "total");
    const std::string all = total ? std::to_string(*total) : std::to_string(shown);
    const bool is_filtered = !step.empty() || !reason.empty();
    Html content;
    if (!table.empty()) {
        content = card("", table.html());
    } else if (is_closed || is_filtered) {
        content = card("", empty_state("No exception fits.", link_to(Link("/exceptions"), "Show all open ones")));
    } else {
        content = card("", empty_state("Nothing is waiting.", small("An exception opens when Drawbridge must not go on "
                                                                    "by itself. Alerts tell you.")));
    }
    const auto open = count_in(page.pulse, "open_exceptions");
    const Html heading = open == 1  ? Html("One exception is open.")
                         : open > 0 ? Html(number_words(open) + " exceptions are open.")
                                    : Html("No exception is open.");
    const Html narrowed = reason.empty()
                              ? Html()
                              : el("p", {{"class", "narrowed"}}, "Only ", el("b", capitalized(spaced(reason))), ". ",
                                   link_to(Link("/exceptions"), "Show all"));
    return to_page(
        page, Frame{.title = "Exceptions",
                    .place = "/exceptions",
                    .heading = heading,
                    .under = Html(all + (is_closed ? " closed" : " listed") + ", " +
                                  (is_closed ? "newest first" : "oldest first")),
                    .content = group(el("div", {{"class", "tab-row"}},
                                        filter_tabs(Link("/exceptions"), "state", exception_filters, state, "State"),
                                        step_tabs(state, step)),
                                     narrowed, content, pager(page, exceptions)),
                    .command = "drawbridge exceptions",
                    .modules = {"table"}});
}

}  // namespace drawbridge::pages
