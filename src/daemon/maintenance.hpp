// Maintains the ledger and the archive while the daemon runs: scheduled backups, scheduled checks, sealing of old
// files, and pruning of idle runs. Private to this module.
#pragma once

#include <boost/asio/steady_timer.hpp>
#include <chrono>

#include "drawbridge/daemon/application.hpp"
#include "drawbridge/daemon/log.hpp"

namespace drawbridge::daemon {

class Maintenance {
  public:
    Maintenance(Application& app, Log log) : app_(app), log_(std::move(log)), wake_(app.io) {}
    Maintenance(const Maintenance&) = delete;
    Maintenance& operator=(const Maintenance&) = delete;

    // Runs until stop(), which cancels a running backup or check.
    [[nodiscard]] asio::awaitable<void> run();
    void stop();

  private:
    [[nodiscard]] asio::awaitable<void> round();
    [[nodiscard]] asio::awaitable<void> back_up();
    [[nodiscard]] asio::awaitable<void> verify();
    [[nodiscard]] asio::awaitable<void> archive();
    void prune_idle_runs();

    Application& app_;
    Log log_;
    asio::steady_timer wake_;
    std::chrono::steady_clock::time_point next_backup_{}, next_verify_{}, next_archive_{}, next_pruning_{};
    bool stopping_ = false;
};

}  // namespace drawbridge::daemon
