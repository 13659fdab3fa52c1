// The sockets on which the console listens, its own or those of systemd, and who is at the other end of a connection.
// Private to this module.
#pragma once

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/as_tuple.hpp>
#include <boost/asio/basic_socket_acceptor.hpp>
#include <boost/asio/generic/stream_protocol.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <cstdint>
#include <list>
#include <string>

#include "drawbridge/console/settings.hpp"
#include "drawbridge/console/web.hpp"

namespace drawbridge::console {

using Protocol = asio::generic::stream_protocol;
using Socket = Protocol::socket;
using Acceptor = asio::basic_socket_acceptor<Protocol>;

// An operation answers with its error, and throws nothing.
inline constexpr auto with_error = asio::as_tuple(asio::use_awaitable);

// Errors: the address is in use; systemd passed no socket, or one that other machines can reach although there is no
// certificate.
[[nodiscard]] Result<std::list<Acceptor>> listening_sockets(const asio::any_io_executor& executor,
                                                            const Settings& settings);
// 0: not a TCP socket.
[[nodiscard]] std::uint16_t port_of(Acceptor& acceptor);

// The bytes that stand for the peer: whoever connects over the same address or prefix counts as one. Empty: a unix
// socket.
[[nodiscard]] std::string address_of(Socket& socket);
// "192.0.2.7", "2001:db8::7"; empty: a unix socket.
[[nodiscard]] std::string shown_address_of(Socket& socket);

}  // namespace drawbridge::console
