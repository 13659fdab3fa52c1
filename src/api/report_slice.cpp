#include "drawbridge/api/report_slice.hpp"

#include <stdexcept>

#include "drawbridge/text/show.hpp"

namespace drawbridge::api {

Result<void> add_draws_in_question(const ReportSlice& slice, std::set<DrawId>& ids) {
    // For more draws, a full sweep is the better way.
    constexpr std::size_t max_draws = 20'000;
    using reconciliation::LineGroup;
    for (const auto& line : slice.lines) {
        const auto group = reconciliation::words(line.line_class).group;
        if (line.counts_draw && (group == LineGroup::differs || group == LineGroup::in_flight))
            ids.insert(*line.draw_id);
    }
    if (ids.size() <= max_draws) return {};
    return fail(ErrorCode::exhausted, "more than " + text::grouped(max_draws) +
                                          " draws differ or are in flight, and they are read one by one: choose a "
                                          "shorter period, or wait for the next full sweep");
}

Result<ReportSlice> slice_from_json(const nlohmann::json& json) {
    try {
        return from_json<ReportSlice>(json);
    } catch (const std::exception& error) {  // as read_json() documents
        return fail(ErrorCode::protocol, std::string("the daemon's answer is not a slice of a report (") +
                                             error.what() + "): check that both have the same version");
    }
}

}  // namespace drawbridge::api
