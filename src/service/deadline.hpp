// Cancels an operation at a point in time. Lives in the coroutine that waits.
#pragma once

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/steady_timer.hpp>
#include <functional>
#include <memory>
#include <utility>

namespace drawbridge::service {

class Deadline {
  public:
    // Calls `tear_down` at most once, and only while this object lives.
    Deadline(const boost::asio::any_io_executor& executor, boost::asio::steady_timer::time_point moment,
             std::function<void()> tear_down)
        : state_(std::make_shared<State>(executor, std::move(tear_down))) {
        state_->timer.expires_at(moment);
        state_->timer.async_wait([state = state_](const boost::system::error_code& error) {
            if (error || !state->tear_down) return;
            state->expired = true;
            std::exchange(state->tear_down, nullptr)();
        });
    }
    Deadline(const Deadline&) = delete;
    Deadline& operator=(const Deadline&) = delete;
    ~Deadline() {
        state_->tear_down = nullptr;
        state_->timer.cancel();
    }

    [[nodiscard]] bool expired() const { return state_->expired; }

  private:
    struct State {
        State(const boost::asio::any_io_executor& executor, std::function<void()> act)
            : timer(executor), tear_down(std::move(act)) {}
        boost::asio::steady_timer timer;
        std::function<void()> tear_down;
        bool expired = false;
    };
    std::shared_ptr<State> state_;  // shared with the timer's handler, which may run after the destructor
};

}  // namespace drawbridge::service
