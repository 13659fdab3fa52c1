// A table as every page has it: heads, cells by column, a sum at its foot. Private to this module.
#pragma once

#include <initializer_list>
#include <string>
#include <vector>

#include "drawbridge/pages/html.hpp"

namespace drawbridge::pages {

enum class Cells {
    text,
    number,  // on the right, tabular, one line
    fixed,   // one line: an id, a date, a state
};

struct Column {
    std::string title;
    Cells cells = Cells::text;
    Html control = {};  // in place of the title
};

class Table {
  public:
    // The name says to a screen reader what the table is; it is not shown.
    Table(std::string name, std::vector<Column> columns) : name_(std::move(name)), columns_(std::move(columns)) {}

    void row(std::initializer_list<Html> cells);
    // The keys of a list (j, k, space, enter) open `target`.
    void row(const Link& target, std::initializer_list<Html> cells);
    void foot(std::initializer_list<Html> cells) { foot_ = to_row("td", {}, cells); }
    [[nodiscard]] bool empty() const { return rows_.empty(); }
    // Scrolls sideways by itself where it is too wide.
    [[nodiscard]] Html html() const;

  private:
    [[nodiscard]] Html to_row(Tag cell, std::optional<std::string> target, std::initializer_list<Html> cells) const;
    std::string name_;
    std::vector<Column> columns_;
    Html rows_, foot_;
};

// Pairs of a name and a value. A value that is a number stands on the right.
class Facts {
  public:
    Facts& text(std::string_view name, const Html& value) { return add(name, value, ""); }
    Facts& number(std::string_view name, const Html& value) { return add(name, value, "num"); }
    [[nodiscard]] bool empty() const { return rows_.empty(); }
    [[nodiscard]] Html html() const { return el("dl", {{"class", "facts"}}, rows_); }

  private:
    Facts& add(std::string_view name, const Html& value, std::string_view kind) {
        rows_ += el("div", el("dt", name), el("dd", {{"class", kind}}, value));
        return *this;
    }
    Html rows_;
};

}  // namespace drawbridge::pages
