// Serves browsers: HTTP/1.1 over TLS, or plain HTTP on this machine, on its own sockets or on those of systemd.
//
// Every request passes the head filter before a parser reads it. Heads, bodies, connections and time are limited: a
// client that is slow or asks for too much loses its connection, and nobody else notices. Bytes after a request's body
// are dropped, and the connection is closed.
#pragma once

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/awaitable.hpp>
#include <cstdint>
#include <functional>
#include <memory>

#include "drawbridge/console/settings.hpp"
#include "drawbridge/console/web.hpp"

namespace drawbridge::console {

using WebHandler = std::function<asio::awaitable<Reply>(WebRequest)>;

class Listener {
  public:
    // `settings` must outlive the listener. Errors: the address is in use; the certificate or key cannot be used;
    // systemd passed no socket, or one that other machines can reach although there is no certificate.
    [[nodiscard]] static Result<std::unique_ptr<Listener>> open(asio::any_io_executor executor,
                                                                const Settings& settings, WebHandler handler);
    Listener() = default;
    Listener(const Listener&) = delete;
    Listener& operator=(const Listener&) = delete;
    virtual ~Listener() = default;

    // Runs until stop(). Then it answers the requests that it has begun, and returns.
    [[nodiscard]] virtual asio::awaitable<void> serve() = 0;
    virtual void stop() = 0;
    [[nodiscard]] virtual std::uint16_t port() const = 0;       // 0: not a TCP socket
    [[nodiscard]] virtual std::size_t connections() const = 0;  // for tests
};

// Checks the certificate and its key without listening, for `drawbridge-console --check`.
[[nodiscard]] Result<void> check_certificate(const Settings& settings);

}  // namespace drawbridge::console
