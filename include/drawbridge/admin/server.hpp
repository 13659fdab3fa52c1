// Serves the handlers over HTTP/1.1: all of them on a unix socket, those for monitoring on a loopback port too. On the
// socket the caller's uid and groups are what the kernel says of the peer (SO_PEERCRED, SO_PEERGROUPS), never what the
// request says. Any local user may connect (mode 0666); the handlers decide what they may do. A request that two
// programs could read differently is refused before its body is read: 400, 414, 431, 501 or 505 (api/request_head.hpp).
#pragma once

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/awaitable.hpp>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>

#include "drawbridge/admin/handlers.hpp"

namespace drawbridge::admin {

// The header of an answer that was read on another server: Response::read_from.
inline constexpr const char* read_from_field = "Drawbridge-Read-From";

struct ServerOptions {
    std::filesystem::path socket;
    std::chrono::milliseconds read_deadline{10'000};    // for one whole request, and for any part of its answer
    std::size_t max_body_bytes = std::size_t{1} << 20;  // a rule file of thousands of rules
    std::size_t max_connections = 64;                   // half of them for one uid
    // Set for the console's socket: only this uid may connect, and requests are those of sessions (console.hpp).
    std::optional<std::int64_t> console_uid = {};
};

class Server {
  public:
    // Binds and listens. Replaces an existing socket: the caller has the ledger's lock, so no other daemon serves it.
    // The destructor removes the socket. `context` must outlive the server.
    [[nodiscard]] static Result<std::unique_ptr<Server>> listen(asio::any_io_executor executor, AdminContext& context,
                                                                ServerOptions options);
    // Serves handle_monitoring() on a loopback port. Ignores `socket`. Port 0 chooses a free port.
    [[nodiscard]] static Result<std::unique_ptr<Server>> listen_for_monitoring(asio::any_io_executor executor,
                                                                               AdminContext& context,
                                                                               const std::string& address,
                                                                               std::uint16_t port,
                                                                               ServerOptions options);
    Server() = default;
    Server(const Server&) = delete;
    Server& operator=(const Server&) = delete;
    virtual ~Server() = default;

    // Runs until stop(), then answers the requests in progress and returns.
    [[nodiscard]] virtual asio::awaitable<void> serve() = 0;
    virtual void stop() = 0;
    // Cuts short the requests in progress. Each still gets its answer.
    virtual void cut_short() = 0;
    [[nodiscard]] virtual std::uint16_t port() const = 0;  // 0: a unix socket
};

}  // namespace drawbridge::admin
