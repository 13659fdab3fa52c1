// One exception: what it is in a sentence, what to do, what the bank wrote beside the payments that it may mean.
#include <algorithm>

#include "drawbridge/pages/screens.hpp"
#include "frame.hpp"
#include "parts.hpp"

namespace drawbridge::pages {
namespace {

bool allows(const Json& exception, std::string_view act_name) {
    const auto& acts = list_in(exception, "acts");
    return std::ranges::any_of(acts, [&](const Json& one) { return text_of(one) == act_name; });
}

Html what_card(const PageContext& page, const Json& exception) {
    const std::string what = text_in(exception, "what_to_do");
    Html content = el("p", {{"class", "lead"}}, with_code(sentence(text_in(exception, "detail"))));
    if (!what.empty()) content += group(el("h2", "What to do"), el("p", with_code(what)));
    if (const auto closed = instant_in(exception, "closed_at")) {
        content += why(group(el("b", "Closed "), moment(page, closed), " by ",
                             person_words(text_in(exception, "closed_by")), ": ", text_in(exception, "closed_reason")),
                       Tone::good);
    }
    return card("", content, text_in(exception, "closed_at").empty() ? Tone::alarm : Tone::plain);
}

Html line_card(const PageContext& page, const Json& line) {
    if (!line.is_object()) return {};
    Facts facts;
    facts.text("Says", capitalized(spaced(text_in(line, "says"))));
    facts.text("Amount", group(amount_in(line, "amount"), " ",
                               text_in(line, "currency") == "USD" ? std::string() : text_in(line, "currency")));
    facts.text("Date", day_in(page, line, "date"));
    for (const Json& reference : list_in(line, "references"))
        facts.text(capitalized(spaced(text_in(reference, "kind"))), mono(text_in(reference, "text")));
    if (!text_in(line, "payee_name").empty()) facts.text("Name", text_in(line, "payee_name"));
    if (!text_in(line, "bank_code").empty()) facts.text("Bank's code", mono(text_in(line, "bank_code")));
    if (!text_in(line, "note").empty()) facts.text("Note", text_in(line, "note"));
    facts.text("File", group(text_in(line, "file"), ", line ", text_in(line, "line")));
    return card("What the bank sent", facts.html());
}

Html score_bar(std::int64_t score) {
    return el("meter",
              {{"min", "0"}, {"max", "100"}, {"value", std::to_string(std::clamp<std::int64_t>(score, 0, 100))}},
              std::to_string(score));
}

Html proposal(const PageContext& page, const Json& exception, const Json& one, int number) {
    const std::string payment = text_in(one, "payment_id"), obstacle = text_in(one, "obstacle");
    const bool is_open = text_in(exception, "closed_at").empty();
    const bool may_match = is_open && obstacle.empty() && has_role(page, {"operator", "finance"});
    Html match;
    if (may_match) {
        match = act(page, {.title = "Match…",
                           .path = exception_link(text_in(exception, "id")).text() + "/resolve",
                           .effect = "The bank's line is applied to payment " + payment + ".",
                           .button = "Sign and match",
                           .key = number <= 9 ? std::to_string(number) : "",
                           .weight = number == 1 ? Weight::main : Weight::plain,
                           .fields = {{.kind = Field::Kind::hidden, .name = "match", .value = payment}}});
    }
    return el("li", {{"class", "proposal"}},
              el("div",
                 el("p", el("b", mono(payment)), " ", score_bar(count_in(one, "score")), " ",
                    el("span", {{"class", "small"}}, std::to_string(count_in(one, "score")), " of 100")),
                 el("p", sentence(text_in(one, "because"))),
                 obstacle.empty() ? Html() : why(group(el("b", "Cannot be matched: "), obstacle), Tone::wait)),
              match);
}

Html proposals_card(const PageContext& page, const Json& answer) {
    const auto& line = field(answer, "line");
    if (!line.is_object()) return {};
    constexpr int max_numbered = 9;
    Html items;
    int number = 0;
    for (const Json& one : list_in(answer, "proposals")) {
        if (++number > max_numbered) break;
        items += proposal(page, field(answer, "exception"), one, number);
    }
    if (items.empty()) return card("Possible matches", empty_state("No payment is similar."));
    return card("Possible matches", el("ol", {{"class", "proposals"}}, items), Tone::plain,
                el("span", {{"class", "small"}}, "best first"));
}

Html draw_card(const PageContext& page, const Json& draw) {
    const auto& row = field(draw, "draw");
    if (!row.is_object()) return {};
    const std::string id = text_in(row, "id");
    Facts facts;
    facts.text("Draw", group(link_to(draw_link(id), id), " ", state_tag(text_in(row, "state"))));
    facts.text("Amount", amount_in(row, "amount"));
    facts.text("Case", text_in(row, "case_name"));
    facts.text("Since", moment_in(page, row, "since"));
    return card("The draw", facts.html());
}

// Uploading a file again is a release: the one is for releasers, the other for operators.
Html delivery_acts(const PageContext& page, const Json& exception, const std::string& base) {
    Html acts;
    if (allows(exception, "deliver_again") && has_role(page, {"releaser"})) {
        acts += act(page, {.title = "Upload again…",
                           .path = base + "/deliver",
                           .effect = "You confirm that the bank does not have the file. It is uploaded again.",
                           .button = "Sign and upload again",
                           .weight = Weight::danger,
                           .fields = {{.kind = Field::Kind::hidden, .name = "how", .value = "again"}}});
    }
    if (allows(exception, "deliver_by_hand") && has_role(page, {"operator"})) {
        acts += act(page, {.title = "The bank has it…",
                           .path = base + "/deliver",
                           .effect = "You confirm that the bank has the file. It is not uploaded again.",
                           .button = "Sign",
                           .fields = {{.kind = Field::Kind::hidden, .name = "how", .value = "by_hand"}}});
    }
    return acts;
}

Html exception_acts(const PageContext& page, const Json& exception) {
    const std::string id = text_in(exception, "id"), base = exception_link(id).text();
    const bool is_confirm = text_in(exception, "step") == "confirm";
    const bool may = has_role(page, {"operator"}) || (is_confirm && has_role(page, {"finance"}));
    const bool knows = field(exception, "acts").is_array();
    const bool is_open = text_in(exception, "closed_at").empty();
    Html all = is_open ? delivery_acts(page, exception, base) : Html();
    if (!may) return all;
    if (!is_open) {
        if (knows && !allows(exception, "undo")) return {};
        return act(page, {.title = "Undo…",
                          .path = base + "/undo",
                          .effect = "Undoes the resolution and what it changed. The exception opens again.",
                          .button = "Sign and undo",
                          .key = "z"});
    }
    if (allows(exception, "reissue") && has_role(page, {"operator"})) {
        all += act(page, {.title = "Pay again…",
                          .path = base + "/reissue",
                          .effect = "The draw is paid once more at the next cut-off, to the payee as the directory "
                                    "has it then.",
                          .button = "Sign and pay again"});
    }
    if (!knows || allows(exception, "resolve")) {
        const bool lifts = flag_in(exception, "resolve_lifts");
        all += act(page, {.title = "Resolve…",
                          .path = base + "/resolve",
                          .effect = lifts ? "Closes the exception, and what it stopped continues."
                                          : "Closes the exception. Say in the reason what was done about it.",
                          .button = "Sign and resolve",
                          .key = "m",
                          .weight = Weight::main});
    }
    return all;
}

}  // namespace

std::string exception_page(const PageContext& page, const Json& answer, const Json& draw) {
    const auto& exception = field(answer, "exception");
    const std::string id = text_in(exception, "id");
    const Html under =
        group(text_in(exception, "closed_at").empty() ? tag(Tone::alarm, "open") : tag(Tone::good, "closed"), " ",
              "Opened ", moment_in(page, exception, "opened_at"), " in step ", text_in(exception, "step"), " ",
              el("code", {{"class", "mono"}}, text_in(exception, "reason_code")));
    return to_page(page,
                   Frame{.title = "Exception " + id,
                         .place = "/exceptions",
                         .crumbs = group(link_to(Link("/exceptions"), "Exceptions"), " / ", id),
                         .heading = exception_title(exception),
                         .under = under,
                         .acts = exception_acts(page, exception),
                         .content = group(what_card(page, exception),
                                          el("div", {{"class", "cols"}},
                                             el("div", line_card(page, field(answer, "line")), draw_card(page, draw)),
                                             el("div", proposals_card(page, answer)))),
                         .command = "drawbridge exception " + id,
                         .modules = {"table"}});
}

}  // namespace drawbridge::pages
