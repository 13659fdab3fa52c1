#include "semaphore.hpp"

#include <boost/asio/as_tuple.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/use_awaitable.hpp>

namespace drawbridge::service {

namespace asio = boost::asio;

// Lives in the waiting coroutine; out of the queue before it goes.
struct Semaphore::Waiter {
    explicit Waiter(Semaphore* queue) : slots(queue), wake(queue->executor_, asio::steady_timer::time_point::max()) {
        slots->waiters_.push_back(this);
    }
    Waiter(const Waiter&) = delete;
    Waiter& operator=(const Waiter&) = delete;
    ~Waiter() { std::erase(slots->waiters_, this); }

    Semaphore* slots;
    asio::steady_timer wake;
    Hold hold;
};

asio::awaitable<Semaphore::Hold> Semaphore::take() {
    if (free_ > 0) {
        --free_;
        co_return Hold(this);
    }
    Waiter waiter(this);
    co_await waiter.wake.async_wait(asio::as_tuple(asio::use_awaitable));
    co_return std::move(waiter.hold);
}

void Semaphore::release() {
    if (waiters_.empty()) {
        ++free_;
        return;
    }
    Waiter* first = waiters_.front();
    waiters_.pop_front();
    first->hold = Hold(this);
    first->wake.cancel();
}

}  // namespace drawbridge::service
