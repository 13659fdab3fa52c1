// One connection to the service: name resolution, TCP, proxy, TLS, and one request at a time. It never retries and
// never follows a redirect. It reports whether the service may have seen a failed request.
#pragma once

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/awaitable.hpp>
#include <boost/asio/ssl/context.hpp>
#include <cstddef>
#include <expected>
#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "endpoint.hpp"
#include "http.hpp"
#include "steady_time.hpp"

namespace drawbridge::service {

struct ConnectionSettings;
class Connection;
using OpenedConnection = std::expected<std::unique_ptr<Connection>, HttpFailure>;

[[nodiscard]] boost::asio::awaitable<OpenedConnection> open_connection(boost::asio::any_io_executor executor,
                                                                       ConnectionSettings* settings,
                                                                       SteadyTime deadline);

// Settings shared by all connections of a client; they outlive the connections.
struct ConnectionSettings {
    Endpoint endpoint;
    std::optional<Proxy> proxy;
    std::optional<boost::asio::ssl::context> tls;  // set for an https endpoint
    std::size_t max_body_bytes = 0;
    std::string user_agent;
    // The configuration section, for hints: "NAME.ca_file".
    std::string section = "service";
    // A simulation opens connections to a service in its own process.
    std::function<decltype(open_connection)> open = open_connection;
};

class Connection {
  public:
    Connection() = default;
    Connection(const Connection&) = delete;
    Connection& operator=(const Connection&) = delete;
    virtual ~Connection() = default;

    // A complete answer; or a failure, after which the connection is unusable.
    [[nodiscard]] virtual boost::asio::awaitable<HttpResult> exchange(HttpRequest request, SteadyTime deadline) = 0;
    // The peer has neither closed the connection nor sent unrequested bytes.
    [[nodiscard]] virtual bool is_reusable() = 0;
};

}  // namespace drawbridge::service
