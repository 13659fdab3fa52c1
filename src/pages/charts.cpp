#include "charts.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "tables.hpp"
#include "wording.hpp"

namespace drawbridge::pages {
namespace {

constexpr int width = 960;

// The part of `whole` in units of the drawing, to the tenth.
std::int64_t tenths(Money part, Money whole, int length) {
    constexpr std::int64_t exact_below = 100'000'000'000'000;  // cents; above it, nobody sees a dollar more or less
    auto cents = std::max<std::int64_t>(part.cents(), 0), all = whole.cents();
    if (all <= 0) return 0;
    if (all > exact_below) {
        cents /= 1000;
        all /= 1000;
    }
    return cents * length * 10 / all;
}

std::string units(std::int64_t in_tenths) {
    return fmt::format("{}.{}", in_tenths / 10, in_tenths % 10);
}

Html text_at(const std::string& x, int y, std::string_view anchor, std::string_view words) {
    return el("text", {{"x", x}, {"y", std::to_string(y)}, {"text-anchor", anchor}}, words);
}

Html legend(const std::vector<Series>& series) {
    Html items;
    for (const auto& one : series)
        items += el("li", el("span", {{"class", "swatch " + std::string(one.kind)}}), one.name);
    return el("ul", {{"class", "legend"}, {"aria-hidden", "true"}}, items);
}

// The next round figure above it: 1, 2 or 5 and zeros.
Money round_up(Money most) {
    std::int64_t step = 100;
    while (true) {
        for (const int factor : {1, 2, 5}) {
            if (step * factor >= most.cents()) return Money::from_cents(step * factor);
        }
        if (step > INT64_MAX / 100) return most;
        step *= 10;
    }
}

std::string short_amount(Money amount) {
    const auto dollars = amount.cents() / 100;
    if (dollars >= 1'000'000) return fmt::format("${}M", static_cast<double>(dollars / 100'000) / 10.0);
    if (dollars >= 1'000) return fmt::format("${}k", static_cast<double>(dollars / 100) / 10.0);
    return fmt::format("${}", dollars);
}

}  // namespace

Html stacked_columns(const std::string& title, const std::vector<Series>& series,
                     const std::vector<ChartColumn>& columns) {
    Money most;
    for (const auto& column : columns) {
        Money sum;
        for (const Money part : column.parts)
            sum += part;
        most = std::max(most, sum);
    }
    if (most.is_zero()) return {};
    const Money top = round_up(most);
    constexpr int left = 56, base = 200, tall = 180;
    const int step = (width - left) / static_cast<int>(columns.size());
    const int bar = std::clamp(step * 6 / 10, 2, 56);

    Html drawing;
    for (const int line : {0, 1, 2}) {
        const int y = base - tall * line / 2;
        drawing += el("line", {{"class", "grid"},
                               {"x1", std::to_string(left)},
                               {"x2", std::to_string(width)},
                               {"y1", std::to_string(y)},
                               {"y2", std::to_string(y)}});
        drawing +=
            text_at(std::to_string(left - 8), y + 4, "end", short_amount(Money::from_cents(top.cents() * line / 2)));
    }
    const std::size_t label_every = columns.size() > 16 ? columns.size() / 8 : 1;
    for (std::size_t i = 0; i < columns.size(); ++i) {
        const int x = left + static_cast<int>(i) * step + (step - bar) / 2;
        std::int64_t below = 0;
        for (std::size_t k = 0; k < series.size() && k < columns[i].parts.size(); ++k) {
            const auto height = tenths(columns[i].parts[k], top, tall);
            if (height == 0) continue;
            drawing += el("rect",
                          {{"class", series[k].kind},
                           {"x", std::to_string(x)},
                           {"y", units(base * 10 - below - height)},
                           {"width", std::to_string(bar)},
                           {"height", units(height)}},
                          el("title", columns[i].label, ": ", series[k].name, " ", money_words(columns[i].parts[k])));
            below += height;
        }
        if (i % label_every == 0)
            drawing += text_at(std::to_string(x + bar / 2), base + 20, "middle", columns[i].label);
    }

    std::vector<Column> heads = {{"Day", Cells::fixed}};
    for (const auto& one : series)
        heads.push_back({one.name, Cells::number});
    heads.push_back({"Sum", Cells::number});
    Html rows;
    for (const auto& column : columns) {
        Html cells = el("th", {{"scope", "row"}, {"class", "fix"}}, column.label);
        Money sum;
        for (const Money part : column.parts) {
            cells += el("td", {{"class", "num"}}, part.is_zero() ? none() : amount(part));
            sum += part;
        }
        rows += el("tr", cells, el("td", {{"class", "num"}}, amount(sum)));
    }
    Html head_cells;
    for (const auto& one : heads)
        head_cells += el("th", {{"scope", "col"}, {"class", one.cells == Cells::number ? "num" : "fix"}}, one.title);
    return el(
        "figure", {{"class", "chart"}}, el("figcaption", {{"class", "unseen"}}, title), legend(series),
        el("svg", {{"viewBox", fmt::format("0 0 {} {}", width, base + 30)}, {"role", "img"}, {"aria-label", title}},
           drawing),
        el("details", {{"class", "fold"}}, el("summary", "The same in numbers"),
           el("div", {{"class", "scroll"}, {"tabindex", "0"}, {"role", "region"}, {"aria-label", title}},
              el("table", el("thead", el("tr", head_cells)), el("tbody", rows)))));
}

Html bars(const std::string& title, const std::vector<ChartBar>& all) {
    Money most;
    for (const auto& bar : all)
        most = std::max(most, bar.amount);
    if (all.empty()) return {};
    // A table that is drawn: each row's bar is a meter of the row's amount.
    Html rows;
    for (const auto& bar : all) {
        const auto length = tenths(bar.amount, most, 100);
        rows += el("tr", el("th", {{"scope", "row"}}, bar.label),
                   el("td", {{"class", "bar-cell"}},
                      el("svg", {{"viewBox", "0 0 100 10"}, {"preserveAspectRatio", "none"}, {"aria-hidden", "true"}},
                         el("rect", {{"class", bar.kind}, {"width", units(length)}, {"height", "10"}}))),
                   el("td", {{"class", "num"}}, bar.value.empty() ? money_words(bar.amount) : bar.value));
    }
    return el("table", {{"class", "bars"}}, el("caption", {{"class", "unseen"}}, title), el("tbody", rows));
}

}  // namespace drawbridge::pages
