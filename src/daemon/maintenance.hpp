// Keeps the ledger and the archive while the daemon runs: scheduled copies, scheduled checks, sealing old files, and
// forgetting runs that changed nothing.
// Private to this module.
#pragma once

#include <boost/asio/steady_timer.hpp>
#include <chrono>

#include "application.hpp"
#include "log.hpp"

namespace drawbridge::daemon {

class Maintenance {
  public:
    Maintenance(Application& app, Log log) : app_(app), log_(std::move(log)), wake_(app.io) {}
    Maintenance(const Maintenance&) = delete;
    Maintenance& operator=(const Maintenance&) = delete;

    // Until stop(); a copy in the making, or a check, is given up then.
    [[nodiscard]] asio::awaitable<void> run();
    void stop();

  private:
    [[nodiscard]] asio::awaitable<void> look();
    [[nodiscard]] asio::awaitable<void> back_up();
    [[nodiscard]] asio::awaitable<void> verify();
    [[nodiscard]] asio::awaitable<void> archive();
    void forget();

    Application& app_;
    Log log_;
    asio::steady_timer wake_;
    std::chrono::steady_clock::time_point next_backup_{}, next_verify_{}, next_archive_{}, next_forgetting_{};
    bool stopping_ = false;
};

}  // namespace drawbridge::daemon
