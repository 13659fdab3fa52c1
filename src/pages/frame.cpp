#include "frame.hpp"

#include <algorithm>

#include "drawbridge/pages/assets.hpp"
#include "parts.hpp"

namespace drawbridge::pages {
namespace {

struct Place {
    LocalPath path;
    std::string_view name, icon, key;
    std::string_view count = "";  // of the pulse
    Tone tone = Tone::plain;
    bool begins_group = false;
};

constexpr Place places[] = {
    {"/", "Today", "today", "t"},
    {"/files", "Files", "file", "r", "files_waiting", Tone::wait},
    {"/exceptions", "Exceptions", "exception", "e", "open_exceptions", Tone::alarm},
    {"/draws", "Draws", "draw", "d"},
    {"/bank-files", "Bank files", "bank", "b"},
    {"/checks", "Checks", "check", "k"},
    {"/calendar", "Calendar", "calendar", "c", "", Tone::plain, true},
    {"/reconciliation", "Reconciliation", "balance", "o"},
    {"/rules", "Rules", "rules", "u"},
    {"/audit", "Audit", "audit", "a"},
    {"/people", "People", "people", "p"},
};

std::optional<std::string> theme_words(Theme theme) {
    switch (theme) {
        case Theme::system: return std::nullopt;
        case Theme::light: return "light";
        case Theme::dark: return "dark";
    }
    return std::nullopt;
}

Html head(const PageContext& page, const std::string& title, const std::vector<std::string_view>& modules) {
    Html scripts;
    for (const auto name : modules)
        scripts += module_script(asset_link("modules/" + std::string(name) + ".js"));
    return group(
        el("meta", {{"charset", "utf-8"}}),
        el("meta", {{"name", "viewport"}, {"content", "width=device-width, initial-scale=1"}}),
        el("meta", {{"name", "color-scheme"}, {"content", theme_words(page.theme).value_or("light dark")}}),
        el("title", title, " · Drawbridge"), el("link", {{"rel", "stylesheet"}, {"href", asset_link("app.css")}}),
        el("link", {{"rel", "stylesheet"}, {"href", asset_link("print.css")}, {"media", "print"}}),
        el("link", {{"rel", "icon"}, {"type", "image/svg+xml"}, {"href", asset_link("favicon.svg")}}), scripts);
}

Html brand() {
    return el("a", {{"class", "brand"}, {"href", Link("/")}}, icon("drawbridge"), el("span", "Drawbridge"));
}

Html count_badge(const PageContext& page, const Place& place) {
    if (place.count.empty()) return {};
    const auto count = count_in(page.pulse, place.count);
    const std::string kind = "n " + std::string(class_of(place.tone));
    return el("span", {{"class", kind}, {"data-pulse", place.count}, {"hidden", count == 0}}, std::to_string(count));
}

Html place_links(const PageContext& page, std::string_view here) {
    Html items;
    for (const auto& place : places) {
        const bool is_here = place.path.text() == here;
        const std::optional<std::string> current = is_here ? std::optional<std::string>("page") : std::nullopt;
        items += el("li", {{"class", place.begins_group ? "apart" : ""}},
                    el("a", {{"href", Link(place.path)}, {"aria-current", current}, {"data-go", place.key}},
                       icon(place.icon), el("span", place.name), count_badge(page, place)));
    }
    return el("nav", {{"class", "places"}, {"id", "places"}, {"popover", ""}, {"aria-label", "Main"}}, el("ul", items));
}

Html find_form() {
    return el("form", {{"class", "find"}, {"role", "search"}, {"method", "get"}, {"action", Link("/find")}},
              el("label", {{"class", "unseen"}, {"for", "find"}}, "Find"),
              el("input", {{"id", "find"},
                           {"type", "search"},
                           {"name", "q"},
                           {"autocomplete", "off"},
                           {"placeholder", "Find a draw, file, trace, check, name or amount"}}),
              el("kbd", {{"aria-hidden", "true"}}, "/"));
}

std::string roles_words(const PageContext& page) {
    std::string words;
    for (const Json& role : list_in(page.me, "roles"))
        words += (words.empty() ? "" : ", ") + text_of(role);
    return words.empty() ? "no role" : words;
}

Html who(const PageContext& page) {
    if (page.me.is_null()) {
        return el("div", {{"class", "who"}},
                  el("a", {{"class", "button"}, {"href", Link("/sign-in").with("next", page.path)}}, "Sign in"));
    }
    const std::string name = text_in(field(page.me, "person"), "name");
    Html second = flag_in(page.me, "read_only") ? Html("read-only session") : Html(roles_words(page));
    if (const auto expires = instant_in(page.me, "expires"))
        second += group(" · until ", el("time", {{"datetime", format_instant(*expires)}, {"data-session", ""}},
                                        time_words(page, *expires)));
    return el("a", {{"class", "who"}, {"href", Link("/me")}}, el("b", name), el("span", second));
}

bool is_paused(const PageContext& page) {
    return flag_in(page.pulse, "paused") || field(page.pulse, "paused").is_object();
}

// Pausing is the one act that needs no signature, so that a person who sees something wrong can stop the money at once.
Html pause_form(const PageContext& page) {
    if (is_paused(page)) return tag(Tone::alarm, "paused");
    if (page.me.is_null() || only_reads(page) || !has_role(page, {"finance", "operator", "releaser"})) return {};
    return el("details", {{"class", "act"}, {"name", "act"}},
              el("summary", {{"class", "button quiet"}}, icon("pause"), "Pause"),
              el("form", {{"class", "act-form"}, {"method", "post"}, {"action", Link("/pause")}},
                 el("p", "Nothing is approved, paid, released or sent until an operator resumes."),
                 input({.kind = Field::Kind::lines,
                        .name = "reason",
                        .label = "Reason",
                        .hint = "Everyone sees it.",
                        .is_required = true},
                       "pause"),
                 el("input", {{"type", "hidden"}, {"name", "next"}, {"value", page.path}}),
                 el("div", {{"class", "row"}},
                    el("button", {{"type", "submit"}, {"class", "danger"}}, icon("pause"), "Pause all payments"))));
}

Html resume_act(const PageContext& page) {
    if (!has_role(page, {"operator"})) return {};
    ActForm form{.title = "Resume…",
                 .path = "/resume",
                 .effect = "Lets money move again: approvals, payment files, releases and reports.",
                 .button = "Sign and resume"};
    form.fields.push_back({.kind = Field::Kind::flag,
                           .name = "nothing_else_sent:flag",
                           .label = "After a restore: the bank confirms that nothing else was sent"});
    form.fields.push_back({.kind = Field::Kind::flag,
                           .name = "despite_exceptions:flag",
                           .label = "Resume although the exception that paused everything is open"});
    return act(page, form);
}

Html paused_banner(const PageContext& page) {
    if (!is_paused(page)) return {};
    const Json& paused = field(page.pulse, "paused");
    Html details;
    if (const auto since = instant_in(paused, "since"))
        details += group("Since ", moment(page, since), " by ", person_words(text_in(paused, "by")), ": ",
                         text_in(paused, "reason"), ". ");
    return el("div", {{"class", "banner alarm"}, {"role", "region"}, {"aria-label", "All payments are paused"}},
              icon("pause"),
              el("div", el("p", {{"class", "strong"}}, "All payments are paused."),
                 el("p", details, "Nothing is approved, paid, released or sent.")),
              resume_act(page));
}

bool has_breach(const PageContext& page) {
    return field(page.pulse, "breach").is_object();
}

// No number of a ledger that does not verify is good, whatever page it is on.
Html breach_banner(const PageContext& page) {
    if (!has_breach(page)) return {};
    const Json& breach = field(page.pulse, "breach");
    const Html where =
        has_role(page, {"auditor", "operator", "releaser"})
            ? group(link_to(Link("/audit").with("verify", "true"), "Verify on the Audit page"), " shows what is wrong.")
            : group("An auditor, operator or releaser finds what is wrong on the Audit page, with Verify.");
    return el("div", {{"class", "banner alarm"}, {"role", "region"}, {"aria-label", "The ledger does not verify"}},
              icon("exception"),
              el("div", el("p", {{"class", "strong"}}, "The ledger does not verify. Release nothing."),
                 el("p", "The check of ", moment_in(page, breach, "found_at"), " found that invariant ",
                    text_in(breach, "invariant"),
                    " does not hold: the ledger file was changed, or Drawbridge has a defect. Pause, and rely on no "
                    "number until it is explained. ",
                    where)));
}

Html away_banner(const PageContext& page) {
    if (!page.known_at) return {};
    return el(
        "div",
        {{"class", "banner wait"}, {"role", "region"}, {"aria-label", "The daemon does not answer"}, {"data-away", ""}},
        icon("exception"),
        el("div", el("p", {{"class", "strong"}}, "The daemon does not answer."),
           el("p", "What you see is as of ", moment(page, page.known_at), ", ", ago(page, page.known_at),
              ". Drawbridge tries again every few seconds.")));
}

Html theme_buttons(const PageContext& page) {
    Html buttons;
    const auto add = [&](Theme theme, std::string_view value, std::string_view words) {
        buttons += el("button",
                      {{"type", "submit"},
                       {"name", "theme"},
                       {"value", value},
                       {"class", "quiet"},
                       {"aria-pressed", page.theme == theme ? "true" : "false"}},
                      words);
    };
    add(Theme::system, "system", "Auto");
    add(Theme::light, "light", "Light");
    add(Theme::dark, "dark", "Dark");
    return el("form", {{"class", "theme"}, {"method", "post"}, {"action", Link("/preferences")}},
              el("input", {{"type", "hidden"}, {"name", "next"}, {"value", page.path}}),
              el("fieldset", el("legend", {{"class", "unseen"}}, "Colors"), buttons));
}

Html foot(const PageContext& page, const std::string& command) {
    Html same;
    if (!command.empty()) {
        same = el("p", {{"class", "command"}}, "The same in a terminal: ", el("code", command), " ",
                  el("button", {{"type", "button"}, {"class", "quiet copy"}, {"data-copy", command}, {"hidden", true}},
                     "Copy"));
    }
    const Html keys = page.has_single_keys ? el("p", {{"class", "keys-hint"}}, "Keys: ", el("kbd", "?")) : Html();
    return el("footer", {{"class", "foot"}}, same, keys, theme_buttons(page));
}

Html status_line(const PageContext& page) {
    return el("p", {{"class", "notice"}, {"id", "notice"}, {"role", "status"}, {"hidden", page.notice.empty()}},
              page.notice);
}

// The entries before and after this one in the list that the reader came from; modules/table.js knows it.
Html neighbors(const PageContext& page) {
    return el("nav", {{"class", "neighbors"}, {"data-neighbors", ""}, {"aria-label", "In the list"}, {"hidden", true}},
              el("a", {{"rel", "prev"}, {"data-key", "p"}, {"hidden", true}}, "Previous ", key_hint(page, "p")),
              el("span", {{"data-position", ""}}),
              el("a", {{"rel", "next"}, {"data-key", "n"}, {"hidden", true}}, "Next ", key_hint(page, "n")));
}

}  // namespace

std::string to_page(const PageContext& page, const Frame& frame) {
    std::vector<std::string_view> modules = {"live", "clock", "act", "find"};
    if (page.has_single_keys) modules.push_back("keys");
    modules.insert(modules.end(), frame.modules.begin(), frame.modules.end());

    const Html bar = el("header", {{"class", "bar"}},
                        el("button", {{"type", "button"}, {"class", "quiet menu"}, {"popovertarget", "places"}},
                           icon("menu"), el("span", {{"class", "unseen"}}, "Menu")),
                        brand(), find_form(), who(page), el("div", {{"data-region", "pause"}}, pause_form(page)));
    const Html heading = frame.heading.empty() ? Html(frame.title) : frame.heading;
    const Html title =
        el("div", {{"class", "head"}},
           el("div", {{"class", "head-text"}},
              frame.crumbs.empty() ? Html() : el("div", {{"class", "crumbs"}}, el("p", frame.crumbs), neighbors(page)),
              el("h1", heading), frame.under.empty() ? Html() : el("div", {{"class", "under"}}, frame.under)),
           frame.acts.empty() ? Html() : el("div", {{"class", "acts"}}, frame.acts));
    const Html main = el(
        "main", {{"id", "main"}, {"tabindex", "-1"}},
        el("div", {{"data-region", "banners"}, {"data-paused", is_paused(page)}, {"data-breach", has_breach(page)}},
           away_banner(page), breach_banner(page), paused_banner(page)),
        status_line(page), el("div", {{"data-region", "page"}, {"data-follow", frame.is_live}}, title, frame.content),
        foot(page, frame.command));
    const auto seq = number_in(page.pulse, "audit_seq");
    return document(el("html", {{"lang", "en"}, {"data-theme", theme_words(page.theme)}},
                       el("head", head(page, frame.title, modules)),
                       el("body", {{"data-seq", seq ? std::optional(std::to_string(*seq)) : std::nullopt}},
                          el("a", {{"class", "skip"}, {"href", Link::here("main")}}, "Skip to content"), bar,
                          el("div", {{"class", "shell"}}, place_links(page, frame.place), main))));
}

std::string to_page(const PageContext& page, const Plain& plain) {
    return document(el("html", {{"lang", "en"}, {"data-theme", theme_words(page.theme)}},
                       el("head", head(page, plain.title, plain.modules)),
                       el("body", {{"class", "plain"}}, el("header", {{"class", "bar"}}, brand()),
                          el("main", {{"id", "main"}}, status_line(page), plain.content))));
}

}  // namespace drawbridge::pages
