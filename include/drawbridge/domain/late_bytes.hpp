// How long the kernel may still deliver what a process sent, after the network was cut or the process has ended.
#pragma once

#include <chrono>

namespace drawbridge {

// TCP_USER_TIMEOUT of each connection to the service and to the bank: bytes that nobody has acknowledged for so long
// are given up. A host that takes over waits for them, too: drawbridge/ledger/store/lease.hpp.
inline constexpr std::chrono::seconds late_bytes{5};

}  // namespace drawbridge
