// Runs file work that may block for as long as another machine's file system does (a hung NFS mount), on a thread of
// its own and with a deadline. What it runs must never touch the ledger or the spool.
//
// Work is done in the order in which it is asked for. What misses its deadline before it began is never begun; what is
// under way then goes on alone, and nobody waits for it, the end of the program included.
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
    ~DiskWorker();  // waits for nothing

    // Error: timeout. `work` owns all that it needs.
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
