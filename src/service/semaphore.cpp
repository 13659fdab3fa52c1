#include "drawbridge/service/semaphore.hpp"

#include <boost/asio/as_tuple.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/use_awaitable.hpp>

namespace drawbridge::service {

namespace asio = boost::asio;

// Lives in the waiting coroutine and leaves the queue on destruction.
struct Semaphore::Waiter {
    explicit Waiter(Semaphore* queue)
        : semaphore(queue), wake(queue->executor_, asio::steady_timer::time_point::max()) {
        semaphore->waiters_.push_back(this);
    }
    Waiter(const Waiter&) = delete;
    Waiter& operator=(const Waiter&) = delete;
    ~Waiter() { std::erase(semaphore->waiters_, this); }

    Semaphore* semaphore;
    asio::steady_timer wake;
    Permit permit;
};

asio::awaitable<Semaphore::Permit> Semaphore::take() {
    if (closed_) co_return Permit();
    if (free_ > 0) {
        --free_;
        co_return Permit(this);
    }
    Waiter waiter(this);
    co_await waiter.wake.async_wait(asio::as_tuple(asio::use_awaitable));
    co_return std::move(waiter.permit);
}

void Semaphore::close() {
    closed_ = true;
    for (Waiter* waiter : waiters_)
        waiter->wake.cancel();
}

void Semaphore::release() {
    if (waiters_.empty() || closed_) {
        ++free_;
        return;
    }
    Waiter* first = waiters_.front();
    waiters_.pop_front();
    first->permit = Permit(this);
    first->wake.cancel();
}

}  // namespace drawbridge::service
