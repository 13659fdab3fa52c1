#include "drawbridge/pipeline/turn_lock.hpp"

namespace drawbridge::pipeline {

asio::awaitable<TurnLock::Turn> TurnLock::take(std::string doing) {
    auto permit = co_await semaphore_.take();
    if (!permit || is_closed()) co_return Turn();
    doing_ = std::move(doing);
    Turn turn(this, std::move(permit));
    on_begin();
    co_return turn;
}

void TurnLock::end() {
    doing_.clear();
    on_end();
}

}  // namespace drawbridge::pipeline
