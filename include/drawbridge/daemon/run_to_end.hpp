// Runs one coroutine on the program's io_context until it ends.
#pragma once

#include <boost/asio/awaitable.hpp>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/io_context.hpp>
#include <exception>
#include <optional>
#include <utility>

namespace drawbridge::daemon {

template <class T>
T run_to_end(boost::asio::io_context& io, boost::asio::awaitable<T> task) {
    std::optional<T> result;
    std::exception_ptr failure;
    boost::asio::co_spawn(io, std::move(task), [&](const std::exception_ptr& thrown, T value) {
        failure = thrown;
        result = std::move(value);
    });
    io.run();
    if (failure) std::rethrow_exception(failure);
    return std::move(*result);
}

}  // namespace drawbridge::daemon
