// Makes the scheduled copies of the ledger while the daemon runs. Private to this room.
#pragma once

#include <boost/asio/steady_timer.hpp>

#include "application.hpp"
#include "log.hpp"

namespace drawbridge::daemon {

class Keeper {
  public:
    Keeper(Application& app, Log log) : app_(app), log_(std::move(log)), wake_(app.io) {}
    Keeper(const Keeper&) = delete;
    Keeper& operator=(const Keeper&) = delete;

    // Until stop(); a copy in the making is given up then.
    [[nodiscard]] asio::awaitable<void> run();
    void stop();

  private:
    Application& app_;
    Log log_;
    asio::steady_timer wake_;
    bool stopping_ = false;
};

}  // namespace drawbridge::daemon
