// Runs blocking work on its own thread, in the order of the calls, while the event loop continues. The only way in
// which this program does so.
//
// The work owns everything that it uses. It must never touch the open ledger or the spool.
#pragma once

#include <boost/asio/awaitable.hpp>
#include <chrono>
#include <functional>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <thread>
#include <utility>

#include "drawbridge/domain/error.hpp"

namespace drawbridge::pipeline {

namespace asio = boost::asio;

class Worker {
  public:
    // What the end of this object does with the work in progress. Work that has not begun never begins.
    enum class AtEnd {
        wait,   // asks it to stop and waits for it
        leave,  // leaves it alone: a call to another machine's file system may never return
    };
    explicit Worker(AtEnd at_end);
    Worker(const Worker&) = delete;
    Worker& operator=(const Worker&) = delete;
    ~Worker();

    using Job = std::function<void(const std::stop_token&)>;
    struct Patience {
        std::optional<std::chrono::milliseconds> deadline{};
        std::function<void()> tick{};  // called about once a second meanwhile, on the caller's thread
    };
    // False: not done by the deadline. What the work throws is thrown here. If the caller gives up or is canceled,
    // work that has not begun never begins; work in progress continues unobserved.
    [[nodiscard]] asio::awaitable<bool> run(Job job, Patience patience);

    // Error: timeout.
    template <class T>
    [[nodiscard]] asio::awaitable<Result<T>> call(std::function<T()> work, std::chrono::milliseconds deadline) {
        const auto answer = std::make_shared<std::optional<T>>();
        Job job = [answer, work = std::move(work)](const std::stop_token&) { answer->emplace(work()); };
        Patience patience{.deadline = deadline};
        const bool done = co_await run(std::move(job), std::move(patience));
        if (!done) {
            co_return fail(ErrorCode::timeout, "it did not answer within " + std::to_string(deadline.count()) + " ms");
        }
        co_return Result<T>(std::in_place, std::move(**answer));
    }

  private:
    struct Shared;

    AtEnd at_end_;
    std::shared_ptr<Shared> shared_;
    std::thread thread_;  // started by the first call
};

}  // namespace drawbridge::pipeline
