// Long work lets the other tasks of the event loop run between its parts.
#pragma once

#include <boost/asio/awaitable.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/use_awaitable.hpp>

namespace drawbridge::pipeline {

// An answer to a person takes several turns of the event loop: accept, read, answer. With one turn at a time, it would
// wait for a part of the work before each.
inline boost::asio::awaitable<void> let_others_run() {
    constexpr int turns = 4;
    for (int turn = 0; turn < turns; ++turn)
        co_await boost::asio::post(boost::asio::use_awaitable);
}

}  // namespace drawbridge::pipeline
