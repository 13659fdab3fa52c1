// Sends a small message to a monitor at intervals while /readyz answers 200. If the daemon, the machine or the network
// is down, or the pipeline is stuck, no message arrives and the monitor raises the alarm.
#pragma once

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/awaitable.hpp>
#include <boost/asio/steady_timer.hpp>
#include <chrono>
#include <functional>
#include <memory>

#include "drawbridge/daemon/log.hpp"
#include "drawbridge/service/webhook.hpp"

namespace drawbridge::daemon {

class Heartbeat {
  public:
    // Calls `is_well` before each message.
    Heartbeat(const boost::asio::any_io_executor& executor, std::unique_ptr<service::Webhook> to,
              std::chrono::milliseconds every, std::function<bool()> is_well, Log log);
    Heartbeat(const Heartbeat&) = delete;
    Heartbeat& operator=(const Heartbeat&) = delete;

    // Runs until stop(). Logs the first failure, and the next success.
    [[nodiscard]] boost::asio::awaitable<void> beat();
    void stop();

  private:
    [[nodiscard]] boost::asio::awaitable<void> send();

    std::unique_ptr<service::Webhook> to_;
    std::chrono::milliseconds every_;
    std::function<bool()> is_well_;
    Log log_;
    boost::asio::steady_timer timer_;
    std::uint64_t sent_ = 0;
    bool failing_ = false;
    bool stopping_ = false;
};

}  // namespace drawbridge::daemon
