// A minimal HTTP client for the service's portal: one request per connection, JSON in both directions.
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

// Throws std::runtime_error without a complete response within ten seconds.
[[nodiscard]] HttpAnswer http_request(std::uint16_t port, std::string_view method, std::string_view target,
                                      std::string_view json_body);

}  // namespace drawbridge::e2e
