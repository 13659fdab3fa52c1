// One connection to the service: name resolution, TCP, proxy, TLS, and one request at a time. It never repeats anything
// and never follows a redirect; it says whether a request that failed may have been seen.
#pragma once

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/awaitable.hpp>
#include <boost/asio/ssl/context.hpp>
#include <cstddef>
#include <expected>
#include <memory>
#include <optional>
#include <string>

#include "endpoint.hpp"
#include "http.hpp"
#include "steady_time.hpp"

namespace drawbridge::service {

// What every connection of a client needs; it outlives them all.
struct ConnectionSettings {
    Endpoint endpoint;
    std::optional<Proxy> proxy;
    std::optional<boost::asio::ssl::context> tls;  // set when the endpoint is https
    std::size_t max_body_bytes = 0;
    std::string user_agent;
    // The block of the configuration that it comes from, for hints: "NAME.ca_file".
    std::string section = "service";
};

class Connection {
  public:
    Connection() = default;
    Connection(const Connection&) = delete;
    Connection& operator=(const Connection&) = delete;
    virtual ~Connection() = default;

    // A whole answer, or a failure and a connection of no more use.
    [[nodiscard]] virtual boost::asio::awaitable<HttpResult> exchange(HttpRequest request, SteadyTime deadline) = 0;
    // The peer has neither closed it nor sent anything unasked.
    [[nodiscard]] virtual bool is_reusable() = 0;
};

using OpenedConnection = std::expected<std::unique_ptr<Connection>, HttpFailure>;

[[nodiscard]] boost::asio::awaitable<OpenedConnection> open_connection(boost::asio::any_io_executor executor,
                                                                       ConnectionSettings* settings,
                                                                       SteadyTime deadline);

}  // namespace drawbridge::service
