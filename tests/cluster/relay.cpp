#include "cluster/relay.hpp"

#include <arpa/inet.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <sched.h>
#include <sys/socket.h>
#include <unistd.h>

#include <array>
#include <stdexcept>
#include <utility>
#include <vector>

namespace drawbridge::cluster {
namespace {

sockaddr_in address_of(const Endpoint& endpoint) {
    sockaddr_in address{};
    address.sin_family = AF_INET;
    ::inet_pton(AF_INET, endpoint.address.c_str(), &address.sin_addr);
    address.sin_port = htons(static_cast<std::uint16_t>(endpoint.port));
    return address;
}

int listen_at(const Endpoint& at) {
    const int fd = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    const int on = 1;
    ::setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &on, sizeof on);
    const auto address = address_of(at);
    if (::bind(fd, reinterpret_cast<const sockaddr*>(&address), sizeof address) != 0 || ::listen(fd, 64) != 0) {
        ::close(fd);
        return -1;
    }
    return fd;
}

int connect_to(const Endpoint& to) {
    const int fd = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    const auto address = address_of(to);
    if (::connect(fd, reinterpret_cast<const sockaddr*>(&address), sizeof address) == 0) return fd;
    ::close(fd);
    return -1;
}

// False: the connection has ended.
bool pass_once(int from, int to) {
    std::array<char, 16384> buffer;  // NOLINT(cppcoreguidelines-pro-type-member-init): a read buffer
    const auto size = ::recv(from, buffer.data(), buffer.size(), 0);
    return size > 0 && ::send(to, buffer.data(), static_cast<std::size_t>(size), MSG_NOSIGNAL) == size;
}

}  // namespace

Relay::Relay(const std::filesystem::path& network, const Endpoint& at, Endpoint to) : to_(std::move(to)) {
    // A socket stays in the network in which it was made; the thread that enters the other one ends.
    std::jthread([&] {
        if (!network.empty()) {
            const int fd = ::open(network.c_str(), O_RDONLY | O_CLOEXEC);
            if (fd < 0 || ::setns(fd, CLONE_NEWNET) != 0) return;
            ::close(fd);
        }
        listener_ = listen_at(at);
    }).join();
    if (listener_ < 0) throw std::runtime_error("no relay at " + at.address + ":" + std::to_string(at.port));
    thread_ = std::jthread([this](const std::stop_token& stop) { accept_connections(stop); });
}

Relay::~Relay() {
    thread_.request_stop();
    thread_.join();
    ::close(listener_);
}

void Relay::accept_connections(const std::stop_token& stop) const {
    std::vector<std::jthread> connections;
    while (!stop.stop_requested()) {
        pollfd waiting{.fd = listener_, .events = POLLIN, .revents = 0};
        if (::poll(&waiting, 1, 20) <= 0) continue;
        const int client = ::accept4(listener_, nullptr, nullptr, SOCK_CLOEXEC);
        if (client >= 0) connections.emplace_back([this, client, stop] { pass_on(stop, client); });
    }
}

void Relay::pass_on(const std::stop_token& stop, int client) const {
    const int server = connect_to(to_);
    const int on = 1;
    for (const int fd : {client, server})
        ::setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
    bool is_open = server >= 0;
    while (is_open && !stop.stop_requested()) {
        if (stalled_) {
            std::this_thread::sleep_for(std::chrono::milliseconds(10));
            continue;
        }
        std::array<pollfd, 2> waiting{
            {{.fd = client, .events = POLLIN, .revents = 0}, {.fd = server, .events = POLLIN, .revents = 0}}};
        if (::poll(waiting.data(), waiting.size(), 20) <= 0 || stalled_) continue;
        if (waiting[0].revents != 0) is_open = pass_once(client, server);
        if (is_open && waiting[1].revents != 0) is_open = pass_once(server, client);
    }
    ::close(client);
    if (server >= 0) ::close(server);
}

}  // namespace drawbridge::cluster
