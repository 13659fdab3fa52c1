// Runs one coroutine of the client to its end on the test's io_context.
#pragma once

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/io_context.hpp>
#include <exception>
#include <optional>
#include <utility>

#include "drawbridge/service/draws_service.hpp"

namespace drawbridge::service::testing {

template <class T>
[[nodiscard]] Result<T> run_task(boost::asio::io_context& io, Task<T> task) {
    std::optional<Result<T>> outcome;
    std::exception_ptr thrown;
    boost::asio::co_spawn(io, std::move(task), [&](std::exception_ptr exception, Result<T> result) {
        thrown = exception;
        outcome = std::move(result);
    });
    io.restart();
    io.run();
    if (thrown) std::rethrow_exception(thrown);
    return std::move(outcome.value());
}

}  // namespace drawbridge::service::testing
