// Charts as SVG made here, each with the table of its numbers beneath. Private to this module.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "drawbridge/domain/money.hpp"
#include "drawbridge/pages/html.hpp"

namespace drawbridge::pages {

struct Series {
    std::string name;
    std::string_view kind;  // of the style sheet: its color
};
struct ChartColumn {
    std::string label;         // beneath the column
    std::vector<Money> parts;  // one for each series, from below
};
// Columns of amounts, one on top of the other. Empty where there is nothing to draw.
[[nodiscard]] Html stacked_columns(const std::string& title, const std::vector<Series>& series,
                                   const std::vector<ChartColumn>& columns);

struct ChartBar {
    std::string label;
    Money amount;
    std::string_view kind;
    std::string value;  // at its end; empty: the amount
};
[[nodiscard]] Html bars(const std::string& title, const std::vector<ChartBar>& all);

}  // namespace drawbridge::pages
