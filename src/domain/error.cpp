#include "drawbridge/domain/error.hpp"

namespace drawbridge {

std::string_view to_string(ErrorCode code) {
    switch (code) {
        case ErrorCode::invalid_input: return "invalid_input";
        case ErrorCode::not_found: return "not_found";
        case ErrorCode::conflict: return "conflict";
        case ErrorCode::in_use: return "in_use";
        case ErrorCode::unauthorized: return "unauthorized";
        case ErrorCode::forbidden: return "forbidden";
        case ErrorCode::timeout: return "timeout";
        case ErrorCode::unavailable: return "unavailable";
        case ErrorCode::limited: return "limited";
        case ErrorCode::protocol: return "protocol";
        case ErrorCode::outcome_unknown: return "outcome_unknown";
        case ErrorCode::exhausted: return "exhausted";
        case ErrorCode::cancelled: return "cancelled";
    }
    return "unknown";
}

}  // namespace drawbridge
