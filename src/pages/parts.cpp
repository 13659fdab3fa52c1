#include "parts.hpp"

#include <algorithm>

#include "drawbridge/domain/ascii.hpp"
#include "drawbridge/pages/assets.hpp"

namespace drawbridge::pages {
namespace {

constexpr std::string_view max_reason_length = "500";

std::string_view class_of(Weight weight) {
    switch (weight) {
        case Weight::main: return "button main";
        case Weight::plain: return "button";
        case Weight::quiet: return "button quiet";
        case Weight::danger: return "button danger";
    }
    return "button";
}

std::string id_of(std::string_view prefix, std::string_view name) {
    std::string id;
    for (const std::string_view part : {prefix, name}) {
        if (!id.empty()) id += '-';
        for (const char c : part) {
            if (is_letter_or_digit(c)) id += c;
            if (!is_letter_or_digit(c) && !id.ends_with('-')) id += '-';
        }
    }
    return id;
}

// Two acts of a page may share their path; not their title and what they are about, too.
std::string id_prefix_of(const ActForm& form) {
    return "act" + form.path + "-" + form.title + (form.fields.empty() ? "" : form.fields.front().value);
}

Html label(const std::string& id, const Field& field) {
    return el("label", {{"for", id}}, field.label,
              field.is_required ? Html() : el("span", {{"class", "optional"}}, " optional"));
}

Html choice_input(const std::string& id, const Field& field) {
    Html options;
    for (const auto& choice : field.choices)
        options += el("option", {{"value", choice.value}, {"selected", choice.value == field.value}}, choice.words);
    return el("select", {{"id", id}, {"name", field.name}}, options);
}

Html plain_input(const std::string& id, const Field& field) {
    using Kind = Field::Kind;
    const std::optional<std::string> hint = field.hint.empty() ? std::nullopt : std::optional(id + "-hint");
    const bool is_required = field.is_required;
    switch (field.kind) {
        case Kind::hidden: return el("input", {{"type", "hidden"}, {"name", field.name}, {"value", field.value}});
        case Kind::choice: return choice_input(id, field);
        case Kind::lines:
            return el("textarea",
                      {{"id", id},
                       {"name", field.name},
                       {"rows", "3"},
                       {"maxlength", max_reason_length},
                       {"required", is_required},
                       {"aria-describedby", hint}},
                      Html::with_lines(field.value));
        case Kind::flag:
            return el("input", {{"id", id},
                                {"type", "checkbox"},
                                {"name", field.name},
                                {"value", "true"},
                                {"required", is_required},
                                {"aria-describedby", hint}});
        case Kind::date:
            return el("input", {{"id", id},
                                {"type", "date"},
                                {"name", field.name},
                                {"value", field.value},
                                {"required", is_required}});
        case Kind::number:
        case Kind::money:
        case Kind::text: break;
    }
    const bool is_number = field.kind == Kind::number;
    const std::optional<std::string> mode = is_number                   ? std::optional<std::string>("numeric")
                                            : field.kind == Kind::money ? std::optional<std::string>("decimal")
                                                                        : std::nullopt;
    return el("input", {{"id", id},
                        {"type", "text"},
                        {"name", field.name},
                        {"value", field.value},
                        {"inputmode", mode},
                        {"required", is_required},
                        {"maxlength", field.max_length},
                        {"autocomplete", "off"},
                        {"aria-describedby", hint}});
}

}  // namespace

Html icon(std::string_view name) {
    return el("svg", {{"class", "icon"}, {"aria-hidden", "true"}, {"focusable", "false"}},
              el("use", {{"href", asset_link("icons.svg").at(name)}}));
}

Html card(std::string_view title, const Html& content, Tone tone, const Html& more) {
    const Html head = title.empty() ? more : el("div", {{"class", "card-head"}}, el("h2", title), more);
    return el("section", {{"class", std::string("card ") + std::string(class_of(tone))}}, head, content);
}

Html empty_state(std::string_view sentence, const Html& more) {
    return el("div", {{"class", "empty"}}, el("p", sentence), more);
}

Html why(const Html& text, Tone tone) {
    return el("p", {{"class", std::string("why ") + std::string(class_of(tone))}}, text);
}

Html small(const Html& text) {
    return el("p", {{"class", "small"}}, text);
}

Html key_hint(const PageContext& page, std::string_view key) {
    return page.has_single_keys ? el("kbd", {{"aria-hidden", "true"}}, key) : Html();
}

Link draw_link(std::string_view id) {
    return Link("/draws") / id;
}
Link file_link(std::string_view name) {
    return Link("/files") / name;
}
Link exception_link(std::string_view id) {
    return Link("/exceptions") / id;
}

std::string exception_title(const Json& exception) {
    const std::string title = text_in(exception, "title");
    return title.empty() ? capitalized(spaced(text_in(exception, "reason_code"))) : title;
}

Html link_to(const Link& target, const Html& text) {
    return el("a", {{"href", target}}, text);
}

Html pager(const PageContext& page, const Json& answer, std::string_view parameter) {
    std::string key = "next_";
    key += parameter;
    const std::string next = text_in(answer, key);
    if (next.empty()) return {};
    // Keeps the filters of the page's own query.
    const std::string_view path = page.path;
    const auto mark = path.find('?');
    std::string base(path.substr(0, mark));
    std::string_view query = mark == std::string_view::npos ? std::string_view() : path.substr(mark + 1);
    bool is_first = true;
    while (!query.empty()) {
        const auto end = query.find('&');
        const auto pair = query.substr(0, end);
        query.remove_prefix(end == std::string_view::npos ? query.size() : end + 1);
        const auto name = pair.substr(0, pair.find('='));
        // A verification is for the page that asked for it.
        if (pair.empty() || name == parameter || name == "verify") continue;
        base += (is_first ? "?" : "&") + std::string(pair);
        is_first = false;
    }
    const auto target = Link::local(base).value_or(Link("/")).with(parameter, next);
    return el("nav", {{"class", "pager"}, {"aria-label", "More of this list"}},
              el("a", {{"class", "button"}, {"rel", "next"}, {"href", target}}, "Show more"));
}

Link with_query(Link base, const std::vector<std::pair<std::string, std::string>>& query) {
    for (const auto& [key, value] : query)
        base = base.with(key, value);
    return base;
}

Html input(const Field& field, std::string_view id_prefix) {
    const std::string id = id_of(id_prefix, field.name);
    if (field.kind == Field::Kind::hidden) return plain_input(id, field);
    const Html hint = field.hint.empty() ? Html() : el("p", {{"class", "hint"}, {"id", id + "-hint"}}, field.hint);
    if (field.kind == Field::Kind::flag) {
        return el("div", {{"class", "field flag"}}, plain_input(id, field), el("label", {{"for", id}}, field.label),
                  hint);
    }
    return el("div", {{"class", "field"}}, label(id, field), hint, plain_input(id, field));
}

Html act(const PageContext& page, const ActForm& form) {
    const std::string next = form.next.empty() ? page.path : form.next;
    const Html key = form.key.empty() ? Html() : el("kbd", {{"aria-hidden", "true"}}, form.key);
    const Html opener =
        el("summary",
           {{"class", class_of(form.weight)}, {"data-key", form.key.empty() ? std::nullopt : std::optional(form.key)}},
           form.title, key);
    if (only_reads(page)) {
        const Html sentence = el("p", page.me.is_null() ? "You are not signed in. " : "This session only reads. ",
                                 "Every act is signed with a passkey.");
        return el("details", {{"class", "act"}, {"name", "act"}}, opener,
                  el("div", {{"class", "act-form"}}, sentence,
                     el("a", {{"class", "button main"}, {"href", Link("/sign-in").with("next", page.path)}},
                        "Sign in with a passkey")));
    }
    const std::string prefix = id_prefix_of(form);
    Html fields;
    for (const auto& one : form.fields)
        fields += input(one, prefix);
    fields += input({.kind = form.is_one_line_reason ? Field::Kind::text : Field::Kind::lines,
                     .name = "reason",
                     .label = "Reason",
                     .hint = "It stays in the audit trail, with your name.",
                     .is_required = true},
                    prefix);
    return el(
        "details", {{"class", "act"}, {"name", "act"}}, opener,
        el("form",
           {{"class", "act-form"},
            {"method", "post"},
            {"action", Link("/sign")},
            {"data-act", ""},
            {"data-selection", form.is_for_selection},
            {"aria-label", form.button}},
           el("p", form.effect), fields, el("input", {{"type", "hidden"}, {"name", "act.path"}, {"value", form.path}}),
           el("input", {{"type", "hidden"}, {"name", "act.next"}, {"value", next}}),
           el("p", {{"class", "error-text"}, {"role", "alert"}, {"hidden", true}}),
           el("div", {{"class", "row"}},
              el("button", {{"type", "submit"}, {"class", form.weight == Weight::danger ? "danger" : "main"}},
                 icon("key"), form.button))));
}

Html tick(std::string_view what, const std::string& id, const std::optional<Money>& amount, bool fits,
          const std::string& seen) {
    return el("input", {{"type", "checkbox"},
                        {"class", "tick"},
                        {"data-tick", id},
                        {"data-seen", seen},
                        {"data-fits", fits},
                        {"data-cents", std::to_string(amount.value_or(Money()).cents())},
                        {"aria-label", "Select " + std::string(what) + " " + id}});
}

Html tick_all() {
    return el("input", {{"type", "checkbox"}, {"class", "tick"}, {"data-tick-all", ""}, {"aria-label", "Select all"}});
}

Html selection_bar(const Html& acts) {
    return el("div", {{"class", "selection"}, {"data-selected", ""}, {"hidden", true}},
              el("p", {{"role", "status"}}, el("b", {{"data-selected-count", ""}}, "0"), " selected, ",
                 el("b", {{"data-selected-sum", ""}}, "$0.00")),
              el("div", {{"class", "row"}}, acts));
}

Html refresh_button(std::string_view words, const std::optional<Link>& ids) {
    return el("div", {{"class", "refresh"}, {"data-refresh", ids ? ids->text() : std::string()}, {"hidden", true}},
              el("p", {{"class", "small"}, {"role", "status"}, {"hidden", true}}),
              el("p", {{"class", "error-text"}, {"role", "alert"}, {"hidden", true}}),
              el("button", {{"type", "button"}}, words));
}

bool may_refresh(const PageContext& page) {
    return !only_reads(page) && has_role(page, {"auditor", "finance", "operator", "releaser"});
}

bool has_role(const PageContext& page, std::initializer_list<std::string_view> roles) {
    return std::ranges::any_of(list_in(page.me, "roles"), [&](const Json& role) {
        return role.is_string() && std::ranges::find(roles, role.get_ref<const std::string&>()) != roles.end();
    });
}

bool only_reads(const PageContext& page) {
    return page.me.is_null() || flag_in(page.me, "read_only");
}

Html sign_in_first(const PageContext& page, std::string_view purpose) {
    return why(group("This session only reads. ",
                     link_to(Link("/sign-in").with("next", page.path), "Sign in with a passkey"), " ", purpose));
}

}  // namespace drawbridge::pages
