// Runs one coroutine for each of several workers and waits for all of them. Private to this module.
#pragma once

#include <boost/asio/awaitable.hpp>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/deferred.hpp>
#include <boost/asio/experimental/parallel_group.hpp>
#include <boost/asio/this_coro.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <exception>
#include <utility>
#include <vector>

namespace drawbridge::pipeline {

// The workers share one thread. Cancelling the caller cancels them; after all have ended, the first exception is
// thrown.
inline boost::asio::awaitable<void> run_all(std::vector<boost::asio::awaitable<void>> workers) {
    namespace asio = boost::asio;
    auto executor = co_await asio::this_coro::executor;
    using Operation = decltype(asio::co_spawn(executor, std::declval<asio::awaitable<void>>(), asio::deferred));
    std::vector<Operation> operations;
    operations.reserve(workers.size());
    for (auto& worker : workers)
        operations.push_back(asio::co_spawn(executor, std::move(worker), asio::deferred));
    if (operations.empty()) co_return;
    auto group = asio::experimental::make_parallel_group(std::move(operations));
    auto [order, errors] =
        co_await std::move(group).async_wait(asio::experimental::wait_for_all(), asio::use_awaitable);
    for (const auto& error : errors) {
        if (error) std::rethrow_exception(error);
    }
}

}  // namespace drawbridge::pipeline
