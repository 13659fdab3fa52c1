// Charts as inline SVG. The page's tables contain the same numbers.
#include <algorithm>
#include <array>
#include <vector>

#include "drawbridge/text/sanitize.hpp"
#include "drawbridge/text/show.hpp"
#include "html.hpp"
#include "words.hpp"

namespace drawbridge::reconciliation {
namespace {

constexpr int chart_width = 720;

// The share of `whole` in drawing units, to one decimal.
std::string scaled(Money part, Money whole, int length) {
    constexpr std::int64_t exact_below = 100'000'000'000'000;  // cents; above this, an error of a dollar is invisible
    auto cents = std::max<std::int64_t>(part.cents(), 0), all = whole.cents();
    if (all <= 0) return "0";
    if (all > exact_below) cents /= 1000, all /= 1000;
    const auto tenths = cents * length * 10 / all;
    return std::to_string(tenths / 10) + "." + std::to_string(tenths % 10);
}

std::string text_at(int x, int y, std::string_view anchor, std::string_view text) {
    return "<text x=\"" + std::to_string(x) + "\" y=\"" + std::to_string(y) + "\" text-anchor=\"" +
           std::string(anchor) + "\">" + text::for_html(text) + "</text>";
}

std::string figure(std::string_view title, int height, const std::string& drawing) {
    return "<figure><figcaption>" + text::for_html(title) + "</figcaption><svg role=\"img\" aria-label=\"" +
           text::for_html(title) + "\" viewBox=\"0 0 " + std::to_string(chart_width) + " " + std::to_string(height) +
           "\">" + drawing + "</svg></figure>\n";
}

struct Bar {
    std::string label, value;
    Money amount;
    std::string_view kind;  // style sheet class
};

std::string bars(std::string_view title, const std::vector<Bar>& all) {
    if (all.empty()) return {};
    constexpr int row = 22, label_end = 300, bar_length = 250;
    Money most;
    for (const auto& bar : all)
        most = std::max(most, bar.amount);
    std::string drawing;
    int y = 0;
    for (const auto& bar : all) {
        drawing += text_at(label_end - 8, y + 15, "end", bar.label);
        drawing += "<rect class=\"" + std::string(bar.kind) + "\" x=\"" + std::to_string(label_end) + "\" y=\"" +
                   std::to_string(y + 3) + "\" width=\"" + scaled(bar.amount, most, bar_length) + "\" height=\"16\"/>";
        drawing += text_at(chart_width, y + 15, "end", bar.value);
        y += row;
    }
    return figure(title, y, drawing);
}

// "2026-03-04", or "2026-03" if there are many days.
std::vector<std::pair<std::string, DayFlow>> columns_of(const Totals& totals) {
    constexpr std::size_t max_days = 45;
    const bool by_month = totals.days.size() > max_days;
    std::vector<std::pair<std::string, DayFlow>> columns;
    for (const auto& [day, flow] : totals.days) {
        auto name = format_date(day);
        if (by_month) name.resize(7);
        if (columns.empty() || columns.back().first != name) columns.emplace_back(std::move(name), DayFlow{});
        auto& into = columns.back().second;
        into.made += flow.made;
        into.confirmed += flow.confirmed;
        into.reported += flow.reported;
        into.ended += flow.ended;
    }
    return columns;
}

struct Series {
    std::string_view title, kind;
    Sum DayFlow::* sum;
};
constexpr std::array<Series, 4> series = {{{"made", "made", &DayFlow::made},
                                           {"paid by the bank", "agrees", &DayFlow::confirmed},
                                           {"reported", "reported", &DayFlow::reported},
                                           {"voided or returned", "differs", &DayFlow::ended}}};

}  // namespace

std::string money_by_class_chart(const Totals& totals) {
    std::vector<Bar> all;
    for (const auto group : groups_in_order) {
        for (const auto line_class : classes_of(totals, group)) {
            const auto& total = totals.of(line_class);
            all.push_back(
                {std::string(to_string(line_class)), total.amount.to_display(), total.amount, to_string(group)});
        }
    }
    std::ranges::for_each(all, [](Bar& bar) { std::ranges::replace(bar.label, '_', ' '); });
    return bars("Amounts by class", all);
}

std::string age_chart(const Totals& totals) {
    std::vector<Bar> all;
    const auto ages = totals.ages_in_flight();
    for (std::size_t age = 0; age < ages.size(); ++age) {
        const Sum& sum = ages[age];
        all.push_back({age_words(age), text::counted(sum.count, "line") + ", " + sum.amount.to_display(), sum.amount,
                       to_string(LineGroup::in_flight)});
    }
    return bars("Age of lines in flight", all);
}

std::string flow_chart(const Totals& totals) {
    const auto columns = columns_of(totals);
    if (columns.empty()) return {};
    constexpr int left = 8, height = 170, base = 190, legend = 214;
    Money most;
    for (const auto& [name, flow] : columns) {
        for (const auto& one : series)
            most = std::max(most, (flow.*one.sum).amount);
    }
    const int step = std::max(8, std::min(90, (chart_width - left) / static_cast<int>(columns.size())));
    const int bar = std::max(1, (step - 4) / static_cast<int>(series.size()));
    std::string drawing = text_at(left, 12, "start", "max: " + most.to_display());
    for (std::size_t i = 0; i < columns.size(); ++i) {
        const auto& [name, flow] = columns[i];
        const int x = left + static_cast<int>(i) * step;
        for (std::size_t k = 0; k < series.size(); ++k) {
            const auto& sum = flow.*series[k].sum;
            const auto tall = scaled(sum.amount, most, height);
            drawing += "<rect class=\"" + std::string(series[k].kind) + "\" transform=\"translate(" +
                       std::to_string(x + static_cast<int>(k) * bar) + " " + std::to_string(base) +
                       ") scale(1 -1)\" width=\"" + std::to_string(bar) + "\" height=\"" + tall + "\"><title>" +
                       text::for_html(name + ": " + std::string(series[k].title) + " " + sum.amount.to_display()) +
                       "</title></rect>";
        }
    }
    drawing += "<line x1=\"0\" x2=\"720\" y1=\"190\" y2=\"190\"/>";
    drawing += text_at(left, base + 14, "start", columns.front().first);
    if (columns.size() > 1) drawing += text_at(chart_width, base + 14, "end", columns.back().first);
    int x = left;
    for (const auto& one : series) {
        drawing += "<rect class=\"" + std::string(one.kind) + "\" x=\"" + std::to_string(x) + "\" y=\"" +
                   std::to_string(legend) + "\" width=\"12\" height=\"12\"/>" +
                   text_at(x + 18, legend + 11, "start", one.title);
        x += 170;
    }
    return figure("Flow of payments by day", legend + 16, drawing);
}

}  // namespace drawbridge::reconciliation
