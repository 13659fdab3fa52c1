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
#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <utility>

#include "drawbridge/domain/error.hpp"
#include "drawbridge/pipeline/worker.hpp"

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

// Each call has its own worker. If the wait is canceled, the work is asked to stop, and its end is awaited. Its
// exceptions become errors about `what`.
template <class T>
[[nodiscard]] asio::awaitable<Result<T>> in_a_thread(AsideWork<T> work, std::string what) {
    auto result = std::make_shared<std::optional<Result<T>>>();
    pipeline::Worker::Job job = [result, work = std::move(work), what = std::move(what)](const std::stop_token& stop) {
        try {
            result->emplace(work(stop));
        } catch (const std::exception& failure) {
            result->emplace(fail(ErrorCode::unavailable, fmt::format("{}: {}", what, failure.what())));
        }
    };
    pipeline::Worker worker(pipeline::Worker::AtEnd::wait);
    pipeline::Worker::Patience patience;
    static_cast<void>(co_await worker.run(std::move(job), std::move(patience)));
    co_return std::move(**result);
}

}  // namespace drawbridge::daemon
