// So many at a time, first come first served, for coroutines on one thread.
#pragma once

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/awaitable.hpp>
#include <deque>
#include <memory>
#include <utility>

namespace drawbridge::service {

class Slots {
  public:
    // A place taken; given back when this goes. False: the task was cancelled while it waited.
    class Hold {
      public:
        Hold() = default;
        explicit Hold(Slots* slots) : slots_(slots) {}
        Hold(Hold&& other) noexcept : slots_(std::exchange(other.slots_, nullptr)) {}
        Hold& operator=(Hold&& other) noexcept {
            std::swap(slots_, other.slots_);
            return *this;
        }
        ~Hold() {
            if (slots_ != nullptr) slots_->release();
        }
        explicit operator bool() const { return slots_ != nullptr; }

      private:
        Slots* slots_ = nullptr;
    };

    Slots(boost::asio::any_io_executor executor, int count) : executor_(std::move(executor)), free_(count) {}
    Slots(const Slots&) = delete;
    Slots& operator=(const Slots&) = delete;

    [[nodiscard]] boost::asio::awaitable<Hold> take();

  private:
    struct Waiter;
    void release();

    boost::asio::any_io_executor executor_;
    int free_;
    std::deque<Waiter*> waiters_;
};

}  // namespace drawbridge::service
