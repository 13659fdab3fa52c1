// Runs file work on its own thread, with a deadline. Such work may block as long as another machine's file system does
// (a hung NFS mount). The work must never touch the ledger or the spool.
//
// Work runs in the order of the calls. Work whose deadline passes before it starts is never started; work in progress
// continues unobserved, and nothing waits for it, not even the end of the program.
#pragma once

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/awaitable.hpp>
#include <chrono>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "drawbridge/domain/error.hpp"

namespace drawbridge::pipeline {

namespace asio = boost::asio;

class DiskWorker {
  public:
    explicit DiskWorker(asio::any_io_executor executor);
    DiskWorker(const DiskWorker&) = delete;
    DiskWorker& operator=(const DiskWorker&) = delete;
    ~DiskWorker();  // does not wait

    // Error: timeout. `work` owns everything that it uses.
    template <class T>
    [[nodiscard]] asio::awaitable<Result<T>> call(std::function<T()> work, std::chrono::milliseconds deadline) {
        const auto answer = std::make_shared<std::optional<T>>();
        std::function<void()> job = [answer, work = std::move(work)] { answer->emplace(work()); };
        const bool done = co_await run(std::move(job), deadline);
        if (!done) {
            co_return fail(ErrorCode::timeout, "it did not answer within " + std::to_string(deadline.count()) + " ms");
        }
        co_return Result<T>(std::in_place, std::move(**answer));
    }

  private:
    struct Shared;

    // False: not done by the deadline.
    [[nodiscard]] asio::awaitable<bool> run(std::function<void()> job, std::chrono::milliseconds deadline);

    std::shared_ptr<Shared> shared_;
};

}  // namespace drawbridge::pipeline
