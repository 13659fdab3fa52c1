// Sends requests to the service over pooled connections, with a limit on concurrent requests and a deadline per
// attempt. It repeats only a request that failed because the service had closed an idle connection.
#pragma once

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/awaitable.hpp>
#include <memory>
#include <vector>

#include "connection.hpp"
#include "drawbridge/service/semaphore.hpp"
#include "http.hpp"
#include "steady_time.hpp"

namespace drawbridge::service {

struct TransportLimits {
    milliseconds request_deadline;
    milliseconds connect_deadline;
    int max_connections;
};

class Transport {
  public:
    Transport(boost::asio::any_io_executor executor, ConnectionSettings settings, TransportLimits limits);

    [[nodiscard]] boost::asio::awaitable<HttpResult> send(HttpRequest request);
    // Requests from now on use no connection that was opened before.
    void renew_connections();
    [[nodiscard]] const Endpoint& endpoint() const { return settings_.endpoint; }

  private:
    [[nodiscard]] std::unique_ptr<Connection> take_idle();
    void return_idle(std::unique_ptr<Connection> connection, int generation);

    boost::asio::any_io_executor executor_;
    ConnectionSettings settings_;
    TransportLimits limits_;
    Semaphore semaphore_;
    std::vector<std::unique_ptr<Connection>> idle_;  // most recently used at the back
    int generation_ = 0;                             // of connections: how often they were renewed
};

}  // namespace drawbridge::service
