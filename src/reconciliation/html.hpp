// Parts of the HTML report. Private to this module.
#pragma once

#include <string>
#include <string_view>

#include "drawbridge/reconciliation/document.hpp"

namespace drawbridge::reconciliation {

// The style of the page: light or dark on screens, A4 or letter on paper.
[[nodiscard]] std::string_view style_sheet();
// Each returns a complete <figure>, or an empty string if there is nothing to draw.
[[nodiscard]] std::string money_by_class_chart(const Totals& totals);
[[nodiscard]] std::string age_chart(const Totals& totals);
[[nodiscard]] std::string flow_chart(const Totals& totals);

}  // namespace drawbridge::reconciliation
