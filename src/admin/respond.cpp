#include "respond.hpp"

namespace drawbridge::admin {
namespace {

int http_status(ErrorCode code) {
    switch (code) {
        case ErrorCode::invalid_input: return 400;
        case ErrorCode::not_found: return 404;
        case ErrorCode::in_use:
        case ErrorCode::conflict: return 409;
        case ErrorCode::unauthorized: return 401;
        case ErrorCode::forbidden: return 403;
        case ErrorCode::timeout: return 504;
        case ErrorCode::unavailable:
        case ErrorCode::limited:
        case ErrorCode::cancelled: return 503;
        case ErrorCode::protocol:
        case ErrorCode::outcome_unknown: return 502;
        case ErrorCode::exhausted: return 409;
    }
    return 500;
}

// A file's name may be no UTF-8; what cannot be shown is replaced.
std::string dump(const json& value) {
    return value.dump(-1, ' ', false, json::error_handler_t::replace);
}

}  // namespace

Response error_answer(int status, std::string_view code, std::string_view message, const json& more) {
    json error{{"code", code}, {"message", message}};
    error.update(more);
    return {status, dump({{"error", std::move(error)}})};
}

Response refuse_method(const std::string& what, const std::string& allowed) {
    constexpr int method_not_allowed = 405;
    auto response = error_answer(method_not_allowed, "method_not_allowed", what + ": use " + allowed);
    response.allow = allowed;
    return response;
}

Response respond(const Answer& answer) {
    if (answer) return {200, dump(*answer)};
    const auto& error = answer.error();
    return error_answer(http_status(error.code), to_string(error.code), error.message);
}

}  // namespace drawbridge::admin
