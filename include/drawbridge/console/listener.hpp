// The console's side towards browsers: HTTP/1.1 over TLS, or plain on this machine, on sockets of its own or of
// systemd.
//
// Every request passes the head filter before a parser sees it. Heads, bodies, connections and time are limited:
// whoever is slow or asks for too much loses their connection, nobody else notices. What comes behind a request's body
// on the same connection is dropped with the connection.
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
    // `settings` outlives it. Errors: the address is taken, the certificate or key cannot be used, systemd handed over
    // no socket, or one that plain HTTP is not for.
    [[nodiscard]] static Result<std::unique_ptr<Listener>> open(asio::any_io_executor executor,
                                                                const Settings& settings, WebHandler handler);
    Listener() = default;
    Listener(const Listener&) = delete;
    Listener& operator=(const Listener&) = delete;
    virtual ~Listener() = default;

    // Until stop(); then requests in hand are answered and it returns.
    [[nodiscard]] virtual asio::awaitable<void> serve() = 0;
    virtual void stop() = 0;
    [[nodiscard]] virtual std::uint16_t port() const = 0;  // 0: it has none
    [[nodiscard]] virtual std::size_t connections() const = 0;
};

// What `drawbridge-console --check` looks at: the certificate and its key, without listening.
[[nodiscard]] Result<void> check_certificate(const Settings& settings);

}  // namespace drawbridge::console
