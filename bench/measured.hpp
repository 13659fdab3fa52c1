// Shared by the benchmarks: the real clock, the sandbox's client options, running a coroutine to completion, and
// resource use of the process. Never part of the product.
#pragma once

#include <boost/asio/awaitable.hpp>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/io_context.hpp>
#include <chrono>
#include <cstdint>
#include <exception>
#include <optional>
#include <string>
#include <utility>

#include "drawbridge/domain/clock.hpp"
#include "drawbridge/service/client.hpp"

namespace drawbridge::bench {

class SystemClock final : public Clock {
  public:
    [[nodiscard]] Instant now() const override {
        return std::chrono::floor<std::chrono::milliseconds>(std::chrono::system_clock::now());
    }
};

// The same client as the daemon's with a configuration that only names the service.
[[nodiscard]] service::ClientOptions sandbox_client(const std::string& base_url);

// Peak resident memory of this process since it started (VmHWM).
[[nodiscard]] std::int64_t peak_rss_kib();

template <class T>
[[nodiscard]] T run_to_end(boost::asio::io_context& io, boost::asio::awaitable<T> task) {
    std::optional<T> outcome;
    boost::asio::co_spawn(io, std::move(task), [&](const std::exception_ptr& thrown, T value) {
        if (thrown) std::rethrow_exception(thrown);
        outcome.emplace(std::move(value));
    });
    io.restart();
    io.run();
    return std::move(outcome.value());
}

class Stopwatch {
  public:
    [[nodiscard]] double seconds() const {
        return std::chrono::duration<double>(std::chrono::steady_clock::now() - began_).count();
    }

  private:
    std::chrono::steady_clock::time_point began_ = std::chrono::steady_clock::now();
};

}  // namespace drawbridge::bench
