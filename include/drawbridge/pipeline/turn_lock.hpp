// Whose turn it is: a step, or an act that must not run during a step, such as a release. One at a time, in the order
// in which they asked. Acts that neither wait nor read what a step is working on need no turn.
#pragma once

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/awaitable.hpp>
#include <functional>
#include <string>
#include <utility>

#include "drawbridge/service/semaphore.hpp"

namespace drawbridge::pipeline {

namespace asio = boost::asio;

class TurnLock {
  public:
    // The turn ends when this object is destroyed. False: the program is stopping, and nothing may begin.
    class Turn {
      public:
        Turn() = default;
        Turn(TurnLock* lock, service::Semaphore::Permit permit) : lock_(lock), permit_(std::move(permit)) {}
        Turn(Turn&& other) noexcept : lock_(std::exchange(other.lock_, nullptr)), permit_(std::move(other.permit_)) {}
        Turn& operator=(Turn&&) = delete;
        ~Turn() {
            if (lock_ != nullptr) lock_->end();
        }
        explicit operator bool() const { return lock_ != nullptr; }

      private:
        TurnLock* lock_ = nullptr;
        service::Semaphore::Permit permit_;  // returned last
    };

    explicit TurnLock(asio::any_io_executor executor) : semaphore_(std::move(executor), /*count=*/1) {}
    TurnLock(const TurnLock&) = delete;
    TurnLock& operator=(const TurnLock&) = delete;

    // Waits for the turn. `doing`: what is shown to people meanwhile, such as "pay".
    [[nodiscard]] asio::awaitable<Turn> take(std::string doing);
    // From now on no turn begins. The one that was taken may end.
    void close() { semaphore_.close(); }
    [[nodiscard]] bool is_closed() const { return semaphore_.is_closed(); }

    [[nodiscard]] bool is_taken() const { return !doing_.empty(); }
    // "waiting": nobody has the turn.
    [[nodiscard]] std::string doing() const { return is_taken() ? doing_ : "waiting"; }

    // Called at the beginning and at the end of each turn.
    std::function<void()> on_begin = [] {}, on_end = [] {};

  private:
    void end();

    service::Semaphore semaphore_;
    std::string doing_;  // empty: nobody has the turn
};

}  // namespace drawbridge::pipeline
