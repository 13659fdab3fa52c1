// The smallest HTTP client that can play the people at the service's portal: one request a connection, JSON both ways.
#pragma once

#include <cstdint>
#include <nlohmann/json.hpp>
#include <stdexcept>
#include <string>
#include <string_view>

namespace drawbridge::e2e {

struct HttpAnswer {
    int status = 0;
    std::string body;
};

// Throws std::runtime_error when there is no complete answer within ten seconds.
[[nodiscard]] HttpAnswer http_request(std::uint16_t port, std::string_view method, std::string_view target,
                                      std::string_view json_body);

}  // namespace drawbridge::e2e
