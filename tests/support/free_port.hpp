// Ports that nobody else on this machine uses.
#pragma once

#include <netinet/in.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <random>
#include <stdexcept>
#include <string>

namespace drawbridge {

// Of 127.0.0.1, for a server whose own address is part of its configuration. It is below the ports that the kernel
// hands to connections (32768 and up), and until this process ends no other caller of this function gets it: the name
// of an abstract socket is the claim.
inline std::uint16_t free_port() {
    constexpr std::uint16_t first = 20000, last = 32767;
    std::random_device entropy;
    std::uniform_int_distribution<std::uint16_t> any(first, last);
    for (int attempt = 0; attempt < 1000; ++attempt) {
        const std::uint16_t port = any(entropy);
        const std::string name = "drawbridge-test-port-" + std::to_string(port);
        sockaddr_un claimed{};
        claimed.sun_family = AF_UNIX;
        std::memcpy(claimed.sun_path + 1, name.data(), name.size());
        const int claim = ::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
        if (::bind(claim, reinterpret_cast<const sockaddr*>(&claimed),
                   static_cast<socklen_t>(offsetof(sockaddr_un, sun_path) + 1 + name.size())) != 0) {
            ::close(claim);
            continue;
        }
        const int probe = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
        sockaddr_in address{};
        address.sin_family = AF_INET;
        address.sin_port = htons(port);
        address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
        const bool free = ::bind(probe, reinterpret_cast<const sockaddr*>(&address), sizeof address) == 0;
        ::close(probe);
        if (free) return port;
    }
    throw std::runtime_error("no port is free");
}

}  // namespace drawbridge
