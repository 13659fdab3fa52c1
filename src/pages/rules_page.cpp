// The rules in force with what they decided; changes that wait; a trial of another rule file.
#include "charts.hpp"
#include "drawbridge/pages/screens.hpp"
#include "explanation.hpp"
#include "frame.hpp"
#include "parts.hpp"

namespace drawbridge::pages {
namespace {

Html action_tag(std::string_view action) {
    if (action == "approve") return tag(Tone::good, "approves");
    if (action == "hold") return tag(Tone::wait, "holds");
    return tag(Tone::plain, action);
}

Html rule_tags(const Json& rule) {
    Html tags;
    if (field(rule, "enabled").is_boolean() && !flag_in(rule, "enabled")) tags += tag(Tone::plain, "turned off");
    if (flag_in(rule, "shadow")) tags += tag(Tone::plain, "shadow mode");
    for (const Json& limit : list_in(rule, "limits"))
        tags += tag(Tone::plain, text_of(limit));
    return tags;
}

bool never_matched(const Json& rules, const std::string& name) {
    for (const Json& one : list_in(rules, "never_matched")) {
        if (text_of(one) == name) return true;
    }
    return false;
}

Html rules_in_force(const PageContext& page, const Json& rules) {
    Money all;
    for (const Json& rule : list_in(rules, "rules"))
        all += money_in(rule, "amount").value_or(Money());
    Html items;
    for (const Json& rule : list_in(rules, "rules")) {
        const std::string name = text_in(rule, "name");
        const auto sum = money_in(rule, "amount");
        const Html share = sum && !all.is_zero() ? el("meter", {{"min", "0"},
                                                                {"max", std::to_string(all.cents() / 100 + 1)},
                                                                {"value", std::to_string(sum->cents() / 100)},
                                                                {"aria-label", "Share of the money"}})
                                                 : Html();
        Html last = never_matched(rules, name) ? group(tag(Tone::plain, "never matched"))
                                               : group("Last matched ", moment_in(page, rule, "last_hit"));
        items +=
            el("li", {{"class", "rule"}},
               el("div", {{"class", "rule-head"}}, el("h3", name), action_tag(text_in(rule, "action")), rule_tags(rule),
                  el("span", {{"class", "rule-sum"}}, counted(count_in(rule, "draws"), "draw"), " · ", amount(sum),
                     share)),
               el("pre", {{"class", "rule-text"}}, Html::with_lines(text_in(rule, "text"))), small(last));
    }
    if (items.empty())
        return card("Rules in force", empty_state("No rules are in force. Nothing is approved automatically."));
    return card("Rules in force", el("ol", {{"class", "rule-list"}}, items), Tone::plain,
                el("span", {{"class", "small"}}, "SHA-256 ", hash(text_in(rules, "sha256"))));
}

Html rule_problems_card(const Json& rules) {
    Html items;
    for (const Json& problem : list_in(rules, "problems"))
        items += el("li", problem.is_object() ? text_in(problem, "message") : text_of(problem));
    return items.empty() ? Html()
                         : card("The rule file on disk is not in force", el("ol", {{"class", "diagnostics"}}, items),
                                Tone::alarm);
}

Html accept_acts(const PageContext& page, const Json& change, bool is_accepted_by_reader) {
    if (text_in(change, "state") != "waiting" || !has_role(page, {"operator", "releaser"})) return {};
    const std::string base = (Link("/changes") / text_in(change, "sha256")).text();
    const Html reject = act(page, {.title = "Reject…",
                                   .path = base + "/reject",
                                   .effect = "The change does not take effect.",
                                   .button = "Sign and reject"});
    if (is_accepted_by_reader)
        return group(el("p", {{"class", "small"}}, "You have accepted it: another person must accept it too."), reject);
    std::string effect = "You accept this change. It takes effect once a second person has accepted it.";
    for (const Json& one : list_in(change, "accepted")) {
        const std::string by = text_in(one, "by");
        if (flag_in(one, "counts"))
            effect = "You accept this change. It takes effect at once: " + person_words(by) + " has accepted it.";
    }
    return group(reject, act(page, {.title = "Accept…",
                                    .path = base + "/accept",
                                    .effect = effect,
                                    .button = "Sign and accept",
                                    .weight = Weight::main}));
}

Html changes_card(const PageContext& page, const Json& changes) {
    Table table("Changes of rules and payees",
                {{"Change", Cells::fixed}, {"State", Cells::fixed}, {"Proposed", Cells::fixed}, {"Accepted by"}});
    for (const Json& change : list_in(changes, "changes")) {
        const std::string sha256 = text_in(change, "sha256"), state = text_in(change, "state");
        const Link target = Link("/changes") / sha256;
        std::string by;
        for (const Json& one : list_in(change, "accepted"))
            by += (by.empty() ? "" : ", ") + person_words(text_in(one, "by"));
        table.row(target, {link_to(target, group(capitalized(text_in(change, "kind")), " ", sha256.substr(0, 12))),
                           group(tag(state == "waiting" ? Tone::wait : Tone::plain, spaced(state)),
                                 flag_in(change, "in_force") ? group(" ", tag(Tone::good, "in force")) : Html()),
                           moment_in(page, change, "proposed_at"), by.empty() ? none() : Html(by)});
    }
    return table.empty() ? Html() : card("Changes of rules and payees", table.html());
}

std::string outcome_words(const Json& side) {
    const std::string rule = text_in(side, "rule");
    return text_in(side, "outcome") + (rule.empty() ? "" : " by " + rule);
}

Html backtest_result(const PageContext& page, const Json& backtest) {
    if (!backtest.is_object()) return {};
    Table table("Decisions that would change",
                {{"Draw", Cells::fixed}, {"Decided", Cells::fixed}, {"Amount", Cells::number}, {"Was"}, {"Would be"}});
    Money changed;
    for (const Json& one : list_in(backtest, "changes")) {
        const std::string draw = text_in(one, "draw_id");
        changed += money_in(one, "amount").value_or(Money());
        table.row(draw_link(draw),
                  {link_to(draw_link(draw), draw), moment_in(page, one, "decided_at"), amount_in(one, "amount"),
                   outcome_words(field(one, "base")), outcome_words(field(one, "candidate"))});
    }
    const auto count = static_cast<std::int64_t>(list_in(backtest, "changes").size());
    table.foot({counted(count, "decision"), "", amount(changed), "", ""});
    const bool is_partial = number_in(backtest, "next_after").has_value();
    const Html partial = is_partial ? why(group("This is not all: it stopped after ", counted(count, "change"),
                                                " and looked at ", counted(count_in(backtest, "draws"), "decision"),
                                                ", the oldest. In a terminal, the command below has no such limit."),
                                          Tone::wait)
                                    : Html();
    const std::string head = count == 0 ? "No decision would change" : counted(count, "decision") + " would change";
    return card(head,
                group(partial,
                      small(group("Of ", counted(count_in(backtest, "draws"), "draw"), " decided before, ",
                                  amount_in(backtest, "amount"), ". Limits are not replayed.")),
                      table.empty() ? Html() : table.html()),
                count == 0 ? Tone::good : Tone::wait);
}

Html trial(const PageContext& page) {
    if (only_reads(page)) return sign_in_first(page, "to test a rule file.");
    return el("form",
              {{"class", "card trial"},
               {"method", "post"},
               {"action", Link("/rules/try")},
               {"enctype", "multipart/form-data"}},
              el("h2", "Test a rule file"),
              small("Shows errors with line and column, and which past decisions would change. Nothing takes effect."),
              el("div", {{"class", "field"}}, el("label", {{"for", "rule-file"}}, "Rule file"),
                 el("input", {{"id", "rule-file"},
                              {"type", "file"},
                              {"name", "rules"},
                              {"accept", ".yaml,.yml"},
                              {"required", true}})),
              el("button", {{"type", "submit"}}, "Check and backtest"));
}

Html text_lines(std::string_view heading, const std::string& text) {
    return el("div", el("h3", heading), el("pre", {{"class", "rule-text"}, {"tabindex", "0"}}, Html::with_lines(text)));
}

}  // namespace

std::string rules_page(const PageContext& page, const Json& rules, const Json& changes, const Json& check,
                       const Json& backtest) {
    const auto count = static_cast<std::int64_t>(list_in(rules, "rules").size());
    return to_page(
        page,
        Frame{.title = "Rules",
              .place = "/rules",
              .heading = count == 0
                             ? Html("Rules")
                             : Html(number_words(count) + (count == 1 ? " rule is" : " rules are") + " in force."),
              .under = "Checked from top to bottom; the first match decides.",
              .content = group(rule_problems_card(rules), rule_file_check(check), backtest_result(page, backtest),
                               rules_in_force(page, rules), changes_card(page, changes), trial(page)),
              .command = check.is_null() ? "drawbridge rules show" : "drawbridge rules backtest --candidate NEW.yaml"});
}

std::string change_page(const PageContext& page, const Json& answer) {
    const auto& change = field(answer, "change");
    const std::string sha256 = text_in(change, "sha256"), state = text_in(change, "state");
    Html content;
    const auto& rules = field(answer, "rules");
    if (rules.is_object()) {
        content += card("", el("div", {{"class", "side-by-side"}}, text_lines("In force", text_in(rules, "in_force")),
                               text_lines("Changed", text_in(rules, "changed"))));
    }
    Table table("Payees that change", {{"Payee", Cells::fixed}, {"What", Cells::fixed}, {"Field"}, {"From"}, {"To"}});
    for (const Json& payee : list_in(answer, "payees")) {
        Html first = mono(text_in(payee, "key")), what = text_in(payee, "what");
        if (list_in(payee, "fields").empty()) table.row({first, what, "", "", ""});
        for (const Json& one : list_in(payee, "fields")) {
            table.row({first, what, text_in(one, "field"), text_in(one, "from"), text_in(one, "to")});
            first = Html();
            what = Html();
        }
    }
    if (!table.empty()) content += card("Payees that change", table.html());
    Facts facts;
    facts.text("Proposed", moment_in(page, change, "proposed_at"));
    for (const Json& one : list_in(change, "accepted"))
        facts.text("Accepted", group(moment_in(page, one, "at"), " by ", person_words(text_in(one, "by")), ": ",
                                     text_in(one, "reason")));
    content += card("Accepted by", facts.html());
    return to_page(page, Frame{.title = "Change " + sha256.substr(0, 12),
                               .place = "/rules",
                               .crumbs = group(link_to(Link("/rules"), "Rules"), " / ", sha256.substr(0, 12)),
                               .heading = capitalized(text_in(change, "kind")) + " change",
                               .under = group(tag(state == "waiting" ? Tone::wait : Tone::plain, spaced(state)),
                                              " SHA-256 ", el("code", {{"class", "wrap"}}, sha256)),
                               .acts = accept_acts(page, change, flag_in(answer, "accepted_by_you")),
                               .content = content,
                               .command = "drawbridge changes show " + sha256});
}

}  // namespace drawbridge::pages
