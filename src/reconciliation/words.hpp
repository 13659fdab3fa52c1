// Wording shared by the report's formats. Private to this module.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "drawbridge/reconciliation/document.hpp"

namespace drawbridge::reconciliation {

// In reading order.
inline constexpr LineGroup groups_in_order[] = {LineGroup::differs, LineGroup::in_flight, LineGroup::agrees,
                                                LineGroup::not_ours};
[[nodiscard]] std::string_view title_of(LineGroup group);

// The group's classes that have lines, in order.
[[nodiscard]] std::vector<LineClass> classes_of(const Totals& totals, LineGroup group);
// The report's lines of that class, oldest first.
[[nodiscard]] std::vector<const Line*> lines_of(const Report& report, LineClass line_class);

// "draw 17", "draw 17, P0000000012", "bank.csv line 3"
[[nodiscard]] std::string subject_of(const Line& line);
[[nodiscard]] std::string releaser_of(const PaymentFileFacts& file);  // or why there is none
[[nodiscard]] std::string moment(Instant at);                         // "2026-11-20 23:00:03Z"

struct FlowRow {
    std::string_view title;
    Sum sum;
    char sign = ' ';  // '+', '-', '=' for the closing position
};
struct Flow {
    std::string_view title;
    std::vector<FlowRow> rows;
    Money revalued;  // amounts that changed in the period; zero: none
};
// The roll-forward: opening, added, removed, closing.
[[nodiscard]] std::vector<Flow> flows_of(const Totals& totals);

struct BankRow {
    std::string_view title;
    Sum sum;
};
[[nodiscard]] std::vector<BankRow> bank_rows_of(const BankTotals& bank);

}  // namespace drawbridge::reconciliation
