// Notifies systemd (Type=notify). Does nothing without systemd.
#pragma once

#include <chrono>
#include <optional>
#include <string_view>

namespace drawbridge::daemon {

class Systemd {
  public:
    Systemd();
    void ready();
    void stopping();
    void status(std::string_view line);
    // The watchdog ping of the work loop. Cheap to call often.
    void alive();
    // The maximum time between two pings. nullopt: no watchdog.
    [[nodiscard]] std::optional<std::chrono::microseconds> watchdog() const { return watchdog_; }

  private:
    std::optional<std::chrono::microseconds> watchdog_;
    std::chrono::steady_clock::time_point last_alive_;
};

}  // namespace drawbridge::daemon
