// A look at a web site of the office as its browsers have it: over TLS where its address says so, with the host's name
// and the chain verified against the system's authorities. It changes nothing there.
#pragma once

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/awaitable.hpp>
#include <chrono>
#include <optional>
#include <string>

#include "drawbridge/domain/error.hpp"
#include "drawbridge/domain/time.hpp"

namespace drawbridge::service {

struct SiteSeen {
    int status = 0;
    std::string body;
    std::optional<Instant> certificate_ends;  // nullopt: plain HTTP
};

// `origin`: "https://console.example.gov". Errors: not an address, no answer in time, a refused certificate.
[[nodiscard]] boost::asio::awaitable<Result<SiteSeen>> look_at_site(boost::asio::any_io_executor executor,
                                                                    std::string origin, std::string path,
                                                                    std::chrono::milliseconds deadline);

}  // namespace drawbridge::service
