#include "e2e/http.hpp"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <unistd.h>

#include <cerrno>
#include <charconv>
#include <cstring>

namespace drawbridge::e2e {
namespace {

class Socket {
  public:
    explicit Socket(std::uint16_t port) : handle_(socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0)) {
        if (handle_ < 0) throw std::runtime_error("cannot create a socket");
        const timeval deadline{60, 0};  // a busy machine
        setsockopt(handle_, SOL_SOCKET, SO_RCVTIMEO, &deadline, sizeof deadline);
        setsockopt(handle_, SOL_SOCKET, SO_SNDTIMEO, &deadline, sizeof deadline);
        sockaddr_in address{};
        address.sin_family = AF_INET;
        address.sin_port = htons(port);
        address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
        sockaddr generic{};
        std::memcpy(&generic, &address, sizeof address);
        if (connect(handle_, &generic, sizeof generic) != 0) {
            const std::string why = std::strerror(errno);
            close(handle_);
            throw std::runtime_error("cannot connect to port " + std::to_string(port) + ": " + why);
        }
    }
    Socket(const Socket&) = delete;
    Socket& operator=(const Socket&) = delete;
    ~Socket() { close(handle_); }

    void send_all(std::string_view bytes) const {
        while (!bytes.empty()) {
            const auto sent = send(handle_, bytes.data(), bytes.size(), MSG_NOSIGNAL);
            if (sent <= 0) throw std::runtime_error("the connection broke while sending");
            bytes.remove_prefix(static_cast<std::size_t>(sent));
        }
    }

    [[nodiscard]] std::string receive_all() const {
        std::string bytes;
        char buffer[16384];
        for (;;) {
            const auto received = recv(handle_, buffer, sizeof buffer, 0);
            if (received < 0) throw std::runtime_error("the connection broke or timed out while receiving");
            if (received == 0) return bytes;
            bytes.append(buffer, static_cast<std::size_t>(received));
        }
    }

  private:
    int handle_;
};

}  // namespace

HttpAnswer http_request(std::uint16_t port, std::string_view method, std::string_view target,
                        std::string_view json_body) {
    const Socket socket(port);
    std::string request;
    request.append(method).append(" ").append(target).append(" HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n");
    if (!json_body.empty()) request += "Content-Type: application/json\r\n";
    request += "Content-Length: " + std::to_string(json_body.size()) + "\r\n\r\n";
    request += json_body;
    socket.send_all(request);
    const std::string answer = socket.receive_all();
    const auto head_end = answer.find("\r\n\r\n");
    if (!answer.starts_with("HTTP/1.1 ") || head_end == std::string::npos) {
        throw std::runtime_error("incomplete response to " + std::string(method) + " " + std::string(target));
    }
    HttpAnswer out;
    std::from_chars(answer.data() + 9, answer.data() + 12, out.status);
    out.body = answer.substr(head_end + 4);
    return out;
}

}  // namespace drawbridge::e2e
