// So many at a time, first come first served, for coroutines on one thread.
#pragma once

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/awaitable.hpp>
#include <deque>
#include <memory>
#include <utility>

namespace drawbridge::service {

class Semaphore {
  public:
    // A place taken; given back when this goes. False: the task was cancelled while it waited.
    class Hold {
      public:
        Hold() = default;
        explicit Hold(Semaphore* slots) : semaphore_(slots) {}
        Hold(Hold&& other) noexcept : semaphore_(std::exchange(other.semaphore_, nullptr)) {}
        Hold& operator=(Hold&& other) noexcept {
            std::swap(semaphore_, other.semaphore_);
            return *this;
        }
        ~Hold() {
            if (semaphore_ != nullptr) semaphore_->release();
        }
        explicit operator bool() const { return semaphore_ != nullptr; }

      private:
        Semaphore* semaphore_ = nullptr;
    };

    Semaphore(boost::asio::any_io_executor executor, int count) : executor_(std::move(executor)), free_(count) {}
    Semaphore(const Semaphore&) = delete;
    Semaphore& operator=(const Semaphore&) = delete;

    [[nodiscard]] boost::asio::awaitable<Hold> take();

  private:
    struct Waiter;
    void release();

    boost::asio::any_io_executor executor_;
    int free_;
    std::deque<Waiter*> waiters_;
};

}  // namespace drawbridge::service
