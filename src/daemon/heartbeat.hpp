// Tells a monitor, again and again, that all is well: while /readyz answers 200 a small message goes out. When the
// daemon, the machine or the network is gone, or draws do not go their way, none does, and the monitor raises the
// alarm.
#pragma once

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/awaitable.hpp>
#include <boost/asio/steady_timer.hpp>
#include <chrono>
#include <functional>
#include <memory>

#include "drawbridge/service/webhook.hpp"
#include "log.hpp"

namespace drawbridge::daemon {

class Heartbeat {
  public:
    // `is_well` is asked before each message.
    Heartbeat(const boost::asio::any_io_executor& executor, std::unique_ptr<service::Webhook> to,
              std::chrono::milliseconds every, std::function<bool()> is_well, Log log);
    Heartbeat(const Heartbeat&) = delete;
    Heartbeat& operator=(const Heartbeat&) = delete;

    // Until stop(). A message that does not get through is logged once, until one does.
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
