// A request and its answer, as the client's parts hand them to each other: no Beast, no meaning.
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
    // Repeating it does no harm. What is not safe gets a connection of its own, so that a connection which the service
    // closed long ago cannot leave its outcome unknown.
    bool safe_to_repeat = true;
    // Names for crash_point(), or empty.
    std::string_view sent_crash_point;
    std::string_view answered_crash_point;
    std::vector<std::pair<std::string, std::string>> headers = {};  // further ones
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
    Error error;                // exhausted: the answer is longer than allowed, and would be so again
    bool sent = false;          // some of the request may have reached the service
    bool transient = true;      // another try may fare better
    bool stale = false;         // a kept connection turned out to be closed: not a failure of the service
    bool refused_here = false;  // no request was made: it says nothing new about the service
};

using HttpResult = std::expected<HttpAnswer, HttpFailure>;

}  // namespace drawbridge::service
