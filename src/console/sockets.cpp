#include "sockets.hpp"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <systemd/sd-daemon.h>

#include <boost/asio/ip/tcp.hpp>

namespace drawbridge::console {
namespace {

using boost::system::error_code;

bool is_for_this_machine(int fd) {
    sockaddr_storage address{};
    socklen_t size = sizeof address;
    if (::getsockname(fd, reinterpret_cast<sockaddr*>(&address), &size) != 0) return false;
    if (address.ss_family == AF_UNIX) return true;
    if (address.ss_family == AF_INET) {
        const auto& v4 = reinterpret_cast<const sockaddr_in&>(address);
        return (ntohl(v4.sin_addr.s_addr) >> 24U) == 127;
    }
    const auto& v6 = reinterpret_cast<const sockaddr_in6&>(address);
    return address.ss_family == AF_INET6 && IN6_IS_ADDR_LOOPBACK(&v6.sin6_addr);
}

Result<void> bind_address(const asio::any_io_executor& executor, const std::string& listen, std::list<Acceptor>& into) {
    const auto wanted = parse_listen(listen);
    if (!wanted) return fail(ErrorCode::invalid_input, "listen: '" + listen + "' is not an address and port");
    error_code error;
    const auto address = asio::ip::make_address(wanted->address, error);
    const asio::ip::tcp::endpoint endpoint(address, static_cast<std::uint16_t>(std::stoi(wanted->port)));
    into.emplace_back(executor);
    auto& acceptor = into.back();
    const Protocol protocol(endpoint.protocol());
    if (!error) acceptor.open(protocol, error);
    if (!error) acceptor.set_option(asio::socket_base::reuse_address(true), error);
    if (!error) acceptor.bind(Protocol::endpoint(endpoint), error);
    if (!error) acceptor.listen(asio::socket_base::max_listen_connections, error);
    if (!error) return {};
    return fail(ErrorCode::unavailable, "listen: cannot listen on " + listen + ": " + error.message());
}

Result<void> take_sockets(const asio::any_io_executor& executor, bool has_tls, std::list<Acceptor>& into) {
    const int count = sd_listen_fds(/*unset_environment=*/1);
    if (count <= 0) {
        return fail(ErrorCode::unavailable,
                    "listen: systemd handed over no socket: start drawbridge-console.socket, or name an address");
    }
    for (int fd = SD_LISTEN_FDS_START; fd < SD_LISTEN_FDS_START + count; ++fd) {
        if (!has_tls && !is_for_this_machine(fd)) {
            return fail(ErrorCode::invalid_input,
                        "listen: plain HTTP is for this machine only: name a certificate and a key, or listen on "
                        "127.0.0.1 or a unix socket");
        }
        sockaddr_storage address{};
        socklen_t size = sizeof address;
        if (::getsockname(fd, reinterpret_cast<sockaddr*>(&address), &size) != 0)
            return fail(ErrorCode::unavailable, "listen: what systemd handed over is not a socket");
        error_code error;
        into.emplace_back(executor);
        into.back().assign(Protocol(address.ss_family, 0), fd, error);
        if (error) return fail(ErrorCode::unavailable, "listen: systemd's socket: " + error.message());
    }
    return {};
}

}  // namespace

Result<std::list<Acceptor>> listening_sockets(const asio::any_io_executor& executor, const Settings& settings) {
    std::list<Acceptor> acceptors;
    const auto opened = settings.by_systemd() ? take_sockets(executor, settings.has_tls(), acceptors)
                                              : bind_address(executor, settings.listen, acceptors);
    if (!opened) return std::unexpected(opened.error());
    return acceptors;
}

std::uint16_t port_of(Acceptor& acceptor) {
    sockaddr_in6 address{};
    socklen_t size = sizeof address;
    if (::getsockname(acceptor.native_handle(), reinterpret_cast<sockaddr*>(&address), &size) != 0) return 0;
    // The port stands at the same place for both families.
    return address.sin6_family == AF_UNIX ? std::uint16_t{0} : ntohs(address.sin6_port);
}

std::string address_of(Socket& socket) {
    sockaddr_storage address{};
    socklen_t size = sizeof address;
    if (::getpeername(socket.native_handle(), reinterpret_cast<sockaddr*>(&address), &size) != 0) return "?";
    if (address.ss_family == AF_INET) {
        const auto& v4 = reinterpret_cast<const sockaddr_in&>(address);
        return {reinterpret_cast<const char*>(&v4.sin_addr), sizeof v4.sin_addr};
    }
    if (address.ss_family == AF_INET6) {
        constexpr std::size_t prefix_bytes = 8;
        const auto& v6 = reinterpret_cast<const sockaddr_in6&>(address);
        return {reinterpret_cast<const char*>(&v6.sin6_addr), prefix_bytes};
    }
    return {};  // a unix socket: an office's proxy, which limits by itself
}

std::string shown_address_of(Socket& socket) {
    error_code unknown;
    const auto end = socket.remote_endpoint(unknown);
    const auto* address = reinterpret_cast<const sockaddr*>(end.data());
    char text[INET6_ADDRSTRLEN] = {};
    if (unknown) return {};
    if (address->sa_family == AF_INET) {
        ::inet_ntop(AF_INET, &reinterpret_cast<const sockaddr_in*>(address)->sin_addr, text, sizeof text);
    } else if (address->sa_family == AF_INET6) {
        ::inet_ntop(AF_INET6, &reinterpret_cast<const sockaddr_in6*>(address)->sin6_addr, text, sizeof text);
    }
    return text;
}

}  // namespace drawbridge::console
