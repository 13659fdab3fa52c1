#include "drawbridge/api/report_slice.hpp"

#include <stdexcept>

namespace drawbridge::api {

Result<ReportSlice> slice_from_json(const nlohmann::json& json) {
    try {
        return from_json<ReportSlice>(json);
    } catch (const std::exception& error) {  // as read_json() documents
        return fail(ErrorCode::protocol, std::string("the daemon's answer is not a slice of a report (") +
                                             error.what() + "): check that both have the same version");
    }
}

}  // namespace drawbridge::api
