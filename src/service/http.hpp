// A request and its answer, as the client's parts pass them on: no Beast, no interpretation.
#pragma once

#include <boost/asio/awaitable.hpp>
#include <cstdint>
#include <expected>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "drawbridge/domain/error.hpp"
#include "drawbridge/domain/secret.hpp"

namespace drawbridge::service {

struct HttpRequest {
    std::string_view method;  // a literal
    std::string target;       // below the base path
    std::string_view content_type;
    std::string body;
    Secret bearer;  // empty: none is sent
    // Repeating it does no harm. A request that is not safe gets a new connection, so that a connection closed by the
    // service long ago cannot make its outcome unknown.
    bool safe_to_repeat = true;
    // Names for crash_point(), or empty.
    std::string_view sent_crash_point;
    std::string_view answered_crash_point;
    std::vector<std::pair<std::string, std::string>> headers = {};  // additional ones
};

struct HttpAnswer {
    int status = 0;
    std::string body;
    std::string content_type;
    std::string location;
    std::string retry_after;
    std::string date;
};

struct HttpFailure {
    Error error;                // exhausted: the answer exceeds the size limit, and would do so again
    bool sent = false;          // part of the request may have reached the service
    bool transient = true;      // a retry may succeed
    bool stale = false;         // an idle connection was closed: not a failure of the service
    bool refused_here = false;  // no request was made: it tells nothing new about the service
};

using HttpResult = std::expected<HttpAnswer, HttpFailure>;

}  // namespace drawbridge::service
