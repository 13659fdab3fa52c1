// What pages are put together from: cards, empty states, forms of acts. Private to this module.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "drawbridge/pages/context.hpp"
#include "drawbridge/pages/html.hpp"
#include "json_read.hpp"
#include "tables.hpp"
#include "wording.hpp"

namespace drawbridge::pages {

[[nodiscard]] Html icon(std::string_view name);  // of web/icons.svg

// A section with a heading. `more` stands beside it.
[[nodiscard]] Html card(std::string_view title, const Html& content, Tone tone = Tone::plain, const Html& more = {});
// What a list or card shows when it is empty.
[[nodiscard]] Html empty_state(std::string_view sentence, const Html& more = {});
// Why something is so, or may not be.
[[nodiscard]] Html why(const Html& text, Tone tone = Tone::plain);
[[nodiscard]] Html small(const Html& text);

// The single key that does the same, where the reader has not turned them off.
[[nodiscard]] Html key_hint(const PageContext& page, std::string_view key);

[[nodiscard]] Link draw_link(std::string_view id);
[[nodiscard]] Link file_link(std::string_view name);
[[nodiscard]] Link exception_link(std::string_view id);
// As the catalog has it; the reason code where a daemon sends none.
[[nodiscard]] std::string exception_title(const Json& exception);
[[nodiscard]] Html link_to(const Link& target, const Html& text);
// A list's next page; empty where this is the last.
[[nodiscard]] Html pager(const PageContext& page, const Json& answer, std::string_view parameter = "after");
// The page itself with other filters.
[[nodiscard]] Link with_query(Link base, const std::vector<std::pair<std::string, std::string>>& query);

struct Choice {
    std::string value, words;
};
struct Field {
    enum class Kind { text, lines, number, money, date, choice, flag, hidden };
    Kind kind = Kind::text;
    std::string name = {}, label = {}, value = {}, hint = {};
    bool is_required = false;
    std::vector<Choice> choices = {};
    std::optional<std::string> max_length = {};  // of a line
};
[[nodiscard]] Html input(const Field& field, std::string_view id_prefix);

enum class Weight { main, plain, quiet, danger };
// An act that the person signs: a button that opens the form.
struct ActForm {
    std::string title;      // "Release…"
    std::string path;       // of the API
    std::string effect;     // what signing does, in a sentence
    std::string button;     // "Sign and release"
    std::string next = {};  // the page afterwards; empty: this one
    std::string key = {};   // the single key that opens it
    Weight weight = Weight::plain;
    std::vector<Field> fields = {};
    bool is_for_selection = false;    // takes the ids of the rows that are ticked
    bool is_one_line_reason = false;  // the service keeps it, and takes one line
};
[[nodiscard]] Html act(const PageContext& page, const ActForm& form);

// Rows that are taken together: a box in each row, one in the head for all, and the bar that says how many rows and how
// much money are selected. The signed act in the bar is offered while every selected row `fits` it.
[[nodiscard]] Html tick(std::string_view what, const std::string& id, const std::optional<Money>& amount,
                        bool fits = true, const std::string& seen = {});
[[nodiscard]] Html tick_all();
[[nodiscard]] Html selection_bar(const Html& acts);

// Has draws read from the service again: the selected ones, or those whose ids this address of the console answers.
[[nodiscard]] Html refresh_button(std::string_view words, const std::optional<Link>& ids = std::nullopt);
[[nodiscard]] bool may_refresh(const PageContext& page);

[[nodiscard]] bool has_role(const PageContext& page, std::initializer_list<std::string_view> roles);
// A person who can only read: nobody signed in, or a session by link.
[[nodiscard]] bool only_reads(const PageContext& page);
// Instead of a form, in a session that only reads. `purpose` begins with "to" and ends with a period.
[[nodiscard]] Html sign_in_first(const PageContext& page, std::string_view purpose);

}  // namespace drawbridge::pages
