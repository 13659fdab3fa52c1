#include "drawbridge/daemon/systemd.hpp"

#include <systemd/sd-daemon.h>

#include <algorithm>
#include <cstdint>
#include <string>

namespace drawbridge::daemon {

Systemd::Systemd() {
    std::uint64_t interval = 0;
    if (sd_watchdog_enabled(/*unset_environment=*/0, &interval) > 0) watchdog_ = std::chrono::microseconds(interval);
}

void Systemd::ready() {
    sd_notify(/*unset_environment=*/0, "READY=1");
}

void Systemd::stopping() {
    sd_notify(/*unset_environment=*/0, "STOPPING=1");
}

void Systemd::status(std::string_view line) {
    std::string message = "STATUS=" + std::string(line);
    std::ranges::replace(message, '\n', ' ');
    sd_notify(/*unset_environment=*/0, message.c_str());
}

void Systemd::alive() {
    if (!watchdog_) return;
    const auto now = std::chrono::steady_clock::now();
    if (now - last_alive_ < *watchdog_ / 8) return;
    last_alive_ = now;
    sd_notify(/*unset_environment=*/0, "WATCHDOG=1");
}

}  // namespace drawbridge::daemon
