#pragma once
// Owns the sockets: accepts connections, reads requests, passes them on, writes the replies, shuts down cleanly.
// Must never interpret a request. One thread, one io_context.

#include <boost/asio/io_context.hpp>
#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>

#include "message.hpp"

namespace draws_sandbox {

struct ListenAddress {
    std::string host;
    std::uint16_t port;
};

// An admitted request: how long it waits, and then how it is answered.
struct Admitted {
    std::chrono::milliseconds wait{0};
    std::function<Reply()> answer;  // called once, while the request exists; must not block
};
using Handler = std::function<Admitted(const Request&)>;

class HttpServer {
  public:
    // Throws boost::system::system_error if the address cannot be bound.
    HttpServer(boost::asio::io_context& io, const ListenAddress& address, Handler handler);
    HttpServer(const HttpServer&) = delete;
    HttpServer& operator=(const HttpServer&) = delete;
    ~HttpServer();

    // The bound port, also if port 0 was requested.
    [[nodiscard]] std::uint16_t port() const;
    // Serves until SIGTERM or SIGINT; then run() on the io_context returns.
    void start();

  private:
    class Impl;
    std::unique_ptr<Impl> impl_;
};

}  // namespace draws_sandbox
