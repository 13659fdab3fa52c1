// What systemd is told (Type=notify). Without systemd every call does nothing.
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
    // Says that the work loop lives; cheap to call often.
    void alive();
    // How often alive() must be called; nullopt: nobody watches.
    [[nodiscard]] std::optional<std::chrono::microseconds> watchdog() const { return watchdog_; }

  private:
    std::optional<std::chrono::microseconds> watchdog_;
    std::chrono::steady_clock::time_point last_alive_;
};

}  // namespace drawbridge::daemon
