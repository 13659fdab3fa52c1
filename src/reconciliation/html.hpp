// Pieces of the report's page. Private to this module.
#pragma once

#include <string>
#include <string_view>

#include "drawbridge/reconciliation/document.hpp"

namespace drawbridge::reconciliation {

// Everything that the page looks like; on screens light or dark, on paper A4 or letter.
[[nodiscard]] std::string_view style_sheet();
// Each a complete <figure>; empty where there is nothing to draw.
[[nodiscard]] std::string money_by_class_chart(const Totals& totals);
[[nodiscard]] std::string age_chart(const Totals& totals);
[[nodiscard]] std::string flow_chart(const Totals& totals);

}  // namespace drawbridge::reconciliation
