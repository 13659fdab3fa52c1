// TCP_USER_TIMEOUT of every connection that this process has to a port, in milliseconds.
#pragma once

#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/socket.h>

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

namespace drawbridge::test {

inline std::vector<int> user_timeouts_to(int port) {
    std::vector<int> found;
    for (const auto& entry : std::filesystem::directory_iterator("/proc/self/fd")) {
        const int fd = std::stoi(entry.path().filename());
        sockaddr_in peer{};
        socklen_t size = sizeof peer;
        if (::getpeername(fd, reinterpret_cast<sockaddr*>(&peer), &size) != 0 || peer.sin_family != AF_INET) continue;
        if (peer.sin_port != htons(static_cast<std::uint16_t>(port))) continue;
        int timeout_ms = 0;
        size = sizeof timeout_ms;
        if (::getsockopt(fd, IPPROTO_TCP, TCP_USER_TIMEOUT, &timeout_ms, &size) == 0) found.push_back(timeout_ms);
    }
    return found;
}

}  // namespace drawbridge::test
