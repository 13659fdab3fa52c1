// A slice of the reconciliation report as the operators' API returns it. The caller adds the slices up.
#pragma once

#include <nlohmann/json.hpp>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "drawbridge/api/record_json.hpp"
#include "drawbridge/domain/error.hpp"
#include "drawbridge/reconciliation/document.hpp"

namespace drawbridge::api {

struct ReportSlice {
    reconciliation::ReportHead head;
    reconciliation::Totals totals;  // of this slice alone
    std::vector<reconciliation::Line> lines;
    std::vector<reconciliation::PaymentFileFacts> files;
    std::optional<std::string> next;                 // nullopt: it is the last
    std::optional<reconciliation::Counted> counted;  // with the last
};
BOOST_DESCRIBE_STRUCT(ReportSlice, (), (head, totals, lines, files, next, counted))

// For a fresh report: the draws that differ or are in flight, which are then read from the service again. Error
// (exhausted): more than 20,000.
[[nodiscard]] Result<void> add_draws_in_question(const ReportSlice& slice, std::set<DrawId>& ids);

// protocol: it is no slice of this program.
[[nodiscard]] Result<ReportSlice> slice_from_json(const nlohmann::json& json);

}  // namespace drawbridge::api
