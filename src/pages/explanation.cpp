#include "explanation.hpp"

namespace drawbridge::pages {
namespace {

Html note_of(const Json& one) {
    const std::string note = text_in(one, "note");
    return note.empty() ? Html() : el("span", {{"class", "small"}}, " (", note, ")");
}

Html condition(const Json& one) {
    const bool passed = flag_in(one, "passed");
    const Html mark = flag_in(one, "unknown") ? tag(Tone::wait, "unknown")
                                              : tag(passed ? Tone::good : Tone::plain, passed ? "yes" : "no");
    if (text_in(one, "field").empty()) {
        Html parts;
        for (const Json& part : list_in(one, "parts"))
            parts += condition(part);
        return el("li", mark, " ", spaced(text_in(one, "operator")), " of", note_of(one), el("ul", parts));
    }
    return el("li", mark, " ", el("b", text_in(one, "field")), " ", spaced(text_in(one, "operator")), " ",
              text_in(one, "wanted"), el("span", {{"class", "small"}}, ", found ", text_in(one, "found")),
              note_of(one));
}

Html limit(const Json& one) {
    const bool is_open = flag_in(one, "passed");
    const std::string key = text_in(one, "for");
    return el("li", tag(is_open ? Tone::good : Tone::wait, is_open ? "open" : "reached"), " limit of ",
              text_in(one, "limit"), key.empty() ? "" : " for " + key,
              el("span", {{"class", "small"}}, ", used ", text_in(one, "used")), note_of(one));
}

Html rule_card(const Json& rule) {
    Html conditions;
    for (const Json& one : list_in(rule, "conditions"))
        conditions += condition(one);
    for (const Json& one : list_in(rule, "limits"))
        conditions += limit(one);
    const std::string skipped = text_in(rule, "skipped"), shadow = text_in(rule, "shadow");
    const bool matched = flag_in(rule, "matched");
    return el("details", {{"open", matched}},
              el("summary", tag(matched ? Tone::good : Tone::plain, matched ? "matches" : "does not match"), " ",
                 text_in(rule, "rule"), skipped.empty() ? "" : ", skipped: " + skipped,
                 shadow.empty() ? "" : ", in shadow mode, would decide " + shadow),
              conditions.empty() ? Html() : el("ul", {{"class", "conditions"}}, conditions));
}

}  // namespace

Html explanation_card(std::string_view title, const Json& explained) {
    const auto& decision = field(explained, "decision");
    if (!decision.is_object()) return {};
    Html rules;
    for (const Json& rule : list_in(decision, "rules"))
        rules += rule_card(rule);
    const bool approves = text_in(decision, "outcome") == "approve";
    const Html as_if =
        flag_in(explained, "as_if_pending") ? small("This is the decision if the draw were still pending.") : Html();
    const std::string held_because = text_in(explained, "held_because");
    const Html held =
        held_because.empty() ? Html() : el("p", tag(Tone::wait, "hold"), " Held all the same: ", held_because);
    return card(title, group(el("p", {{"class", "lead"}},
                                tag(approves ? Tone::good : Tone::wait, approves ? "approve" : "hold"), " ",
                                text_in(decision, "reason")),
                             held, as_if, el("div", {{"class", "rules"}}, rules)));
}

Html rule_file_check(const Json& check) {
    if (!check.is_object()) return {};
    Html items;
    for (const Json& one : list_in(check, "diagnostics")) {
        items += el("li", mono(text_in(one, "file") + ":" + text_in(one, "line") + ":" + text_in(one, "column")), " ",
                    text_in(one, "message"));
    }
    if (flag_in(check, "ok"))
        return card("The rule file is valid",
                    items.empty() ? small("No errors, no warnings.") : el("ol", {{"class", "diagnostics"}}, items),
                    Tone::good);
    return card("The rule file has errors", el("ol", {{"class", "diagnostics"}}, items), Tone::alarm);
}

}  // namespace drawbridge::pages
