// A fair counting semaphore for coroutines on one thread: permits are granted in the order in which they were asked
// for.
#pragma once

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/awaitable.hpp>
#include <deque>
#include <memory>
#include <utility>

namespace drawbridge::service {

class Semaphore {
  public:
    // Releases its slot on destruction. False: the task was canceled while it waited, or the semaphore is closed.
    class Permit {
      public:
        Permit() = default;
        explicit Permit(Semaphore* semaphore) : semaphore_(semaphore) {}
        Permit(Permit&& other) noexcept : semaphore_(std::exchange(other.semaphore_, nullptr)) {}
        Permit& operator=(Permit&& other) noexcept {
            std::swap(semaphore_, other.semaphore_);
            return *this;
        }
        ~Permit() {
            if (semaphore_ != nullptr) semaphore_->release();
        }
        explicit operator bool() const { return semaphore_ != nullptr; }

      private:
        Semaphore* semaphore_ = nullptr;
    };

    Semaphore(boost::asio::any_io_executor executor, int count) : executor_(std::move(executor)), free_(count) {}
    Semaphore(const Semaphore&) = delete;
    Semaphore& operator=(const Semaphore&) = delete;

    [[nodiscard]] boost::asio::awaitable<Permit> take();
    // From now on, take() gives no permit, and pending calls return without one.
    void close();
    [[nodiscard]] bool is_closed() const { return closed_; }

  private:
    struct Waiter;
    void release();

    boost::asio::any_io_executor executor_;
    int free_;
    bool closed_ = false;
    std::deque<Waiter*> waiters_;
};

}  // namespace drawbridge::service
