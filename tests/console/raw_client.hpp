// Bytes to a port of this machine, and what comes back: nothing between the test and the wire.
#pragma once

#include <arpa/inet.h>
#include <netinet/in.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <chrono>
#include <cstdint>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>

namespace drawbridge::console {

class RawClient {
  public:
    // `from`: an address of this machine, 127.0.0.0/8.
    explicit RawClient(std::uint16_t port, std::uint32_t from = INADDR_LOOPBACK)
        : fd_(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0)) {
        sockaddr_in address{};
        address.sin_family = AF_INET;
        address.sin_addr.s_addr = htonl(from);
        if (::bind(fd_, reinterpret_cast<const sockaddr*>(&address), sizeof address) != 0)
            throw std::runtime_error("cannot bind");
        address.sin_port = htons(port);
        address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
        if (::connect(fd_, reinterpret_cast<const sockaddr*>(&address), sizeof address) != 0)
            throw std::runtime_error("cannot connect");
    }
    RawClient(RawClient&& other) noexcept : fd_(std::exchange(other.fd_, -1)) {}
    RawClient& operator=(RawClient&&) = delete;
    ~RawClient() {
        if (fd_ >= 0) ::close(fd_);
    }

    void send(std::string_view bytes) const {
        while (!bytes.empty()) {
            const auto sent = ::send(fd_, bytes.data(), bytes.size(), MSG_NOSIGNAL);
            if (sent <= 0) return;  // the other side closed: the test sees it in what it reads
            bytes.remove_prefix(static_cast<std::size_t>(sent));
        }
    }
    void finish() const { ::shutdown(fd_, SHUT_WR); }

    // Until the other side closes, or nothing comes for so long.
    [[nodiscard]] std::string read_all(std::chrono::milliseconds quiet = std::chrono::seconds(10)) const {
        std::string all;
        while (wait(quiet)) {
            char piece[4096];
            const auto size = ::recv(fd_, piece, sizeof piece, 0);
            if (size <= 0) break;
            all.append(piece, static_cast<std::size_t>(size));
        }
        return all;
    }
    // Until that text has come.
    [[nodiscard]] std::string read_until(std::string_view text) const {
        std::string all;
        while (all.find(text) == std::string::npos && wait(std::chrono::seconds(10))) {
            char piece[4096];
            const auto size = ::recv(fd_, piece, sizeof piece, 0);
            if (size <= 0) break;
            all.append(piece, static_cast<std::size_t>(size));
        }
        return all;
    }
    // Whether the other side closed.
    [[nodiscard]] bool is_closed() const {
        char byte = 0;
        return wait(std::chrono::seconds(10)) && ::recv(fd_, &byte, 1, 0) <= 0;
    }

  private:
    [[nodiscard]] bool wait(std::chrono::milliseconds quiet) const {
        pollfd waiting{fd_, POLLIN, 0};
        return ::poll(&waiting, 1, static_cast<int>(quiet.count())) > 0;
    }
    int fd_;
};

inline int status_in(std::string_view answer) {
    return answer.size() > 12 && answer.starts_with("HTTP/1.1 ") ? std::stoi(std::string(answer.substr(9, 3))) : 0;
}

// The value of the first header of that name, as it is written.
inline std::string header_in(std::string_view answer, std::string_view name) {
    const auto at = answer.find("\r\n" + std::string(name) + ": ");
    if (at == std::string_view::npos || at > answer.find("\r\n\r\n")) return {};
    const auto begin = at + 4 + name.size();
    return std::string(answer.substr(begin, answer.find("\r\n", begin) - begin));
}

inline std::string body_in(std::string_view answer) {
    const auto at = answer.find("\r\n\r\n");
    return at == std::string_view::npos ? std::string() : std::string(answer.substr(at + 4));
}

}  // namespace drawbridge::console
