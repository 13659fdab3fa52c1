// Runs blocking work in its own thread while the steps continue. Private to this module.
#pragma once

#include <fmt/format.h>

#include <boost/asio/awaitable.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/this_coro.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <chrono>
#include <exception>
#include <functional>
#include <future>
#include <stop_token>
#include <string>
#include <utility>

#include "drawbridge/domain/error.hpp"

namespace drawbridge::daemon {

namespace asio = boost::asio;

[[nodiscard]] inline asio::awaitable<void> pause_for(std::chrono::milliseconds time) {
    asio::steady_timer timer(co_await asio::this_coro::executor, time);
    co_await timer.async_wait(asio::use_awaitable);
}

// Sets a flag for its lifetime.
class Busy {
  public:
    explicit Busy(bool& flag) : flag_(flag) { flag_ = true; }
    Busy(const Busy&) = delete;
    Busy& operator=(const Busy&) = delete;
    ~Busy() { flag_ = false; }

  private:
    bool& flag_;
};

// Work that owns everything it needs. It must not use the open ledger or the spool's open folders.
template <class T>
using AsideWork = std::function<Result<T>(const std::stop_token&)>;

// A thread that is asked to stop when this object is destroyed. The destructor waits for its end.
template <class T>
class AsideThread {
  public:
    AsideThread(AsideWork<T> work, std::string what)
        : result_(std::async(std::launch::async,
                             [work = std::move(work), what = std::move(what), stop = stop_.get_token()]() -> Result<T> {
                                 try {
                                     return work(stop);
                                 } catch (const std::exception& failure) {
                                     return fail(ErrorCode::unavailable, fmt::format("{}: {}", what, failure.what()));
                                 }
                             })) {}
    AsideThread(const AsideThread&) = delete;
    AsideThread& operator=(const AsideThread&) = delete;
    ~AsideThread() { stop_.request_stop(); }
    [[nodiscard]] bool is_done() const {
        return result_.wait_for(std::chrono::seconds(0)) == std::future_status::ready;
    }
    [[nodiscard]] Result<T> take() { return result_.get(); }

  private:
    std::stop_source stop_;
    std::future<Result<T>> result_;
};

// If the wait is canceled, the work is asked to stop, and its end is awaited. Its exceptions become errors about
// `what`.
template <class T>
[[nodiscard]] asio::awaitable<Result<T>> in_a_thread(AsideWork<T> work, std::string what) {
    constexpr std::chrono::milliseconds poll_interval{20};
    AsideThread<T> thread(std::move(work), std::move(what));
    while (!thread.is_done())
        co_await pause_for(poll_interval);
    co_return thread.take();
}

}  // namespace drawbridge::daemon
