#include "tables.hpp"

namespace drawbridge::pages {
namespace {

std::string_view class_of(Cells cells) {
    switch (cells) {
        case Cells::text: return "";
        case Cells::number: return "num";
        case Cells::fixed: return "fix";
    }
    return "";
}

}  // namespace

Html Table::to_row(Tag cell, std::optional<std::string> target, std::initializer_list<Html> cells) const {
    Html row;
    std::size_t at = 0;
    for (const Html& one : cells) {
        const auto kind = at < columns_.size() ? class_of(columns_[at].cells) : std::string_view();
        row += kind.empty() ? el(cell, one) : el(cell, {{"class", kind}}, one);
        ++at;
    }
    return el("tr", {{"data-open", target}}, row);
}

void Table::row(std::initializer_list<Html> cells) {
    rows_ += to_row("td", {}, cells);
}

void Table::row(const Link& target, std::initializer_list<Html> cells) {
    rows_ += to_row("td", target.text(), cells);
}

Html Table::html() const {
    Html heads;
    for (const auto& column : columns_) {
        const auto kind = class_of(column.cells);
        if (column.title.empty()) {
            heads += el("td", {{"class", kind}}, column.control);  // an empty head would be read aloud as one
        } else {
            heads += kind.empty() ? el("th", {{"scope", "col"}}, column.title)
                                  : el("th", {{"scope", "col"}, {"class", kind}}, column.title);
        }
    }
    Html table = group(el("caption", {{"class", "unseen"}}, name_), el("thead", el("tr", heads)), el("tbody", rows_));
    if (!foot_.empty()) table += el("tfoot", foot_);
    return el("div", {{"class", "scroll"}, {"tabindex", "0"}, {"role", "region"}, {"aria-label", name_}},
              el("table", table));
}

}  // namespace drawbridge::pages
