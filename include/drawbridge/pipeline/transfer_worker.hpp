// Does what blocks (SFTP, gpg) on a thread of its own, so that nothing else waits; and remembers, until the program
// ends, what is not to be tried again at once. What it runs must never touch the ledger or the spool.
#pragma once

#include <boost/asio/awaitable.hpp>
#include <boost/asio/thread_pool.hpp>
#include <chrono>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "drawbridge/delivery/sftp.hpp"
#include "drawbridge/domain/time.hpp"

namespace drawbridge::pipeline {

namespace asio = boost::asio;

class TransferWorker {
  public:
    TransferWorker() = default;
    TransferWorker(const TransferWorker&) = delete;
    TransferWorker& operator=(const TransferWorker&) = delete;
    ~TransferWorker();  // abort(), and waits for the thread

    // Runs `work` on the transfer_worker's thread; `tick` is called about once a second meanwhile, on the caller's. `work` owns
    // all that it needs: where the caller is cancelled it goes on alone.
    [[nodiscard]] asio::awaitable<void> run(std::function<void()> work, std::function<void()> tick);
    template <class T>
    [[nodiscard]] asio::awaitable<T> call(std::function<T()> work, std::function<void()> tick) {
        const auto answer = std::make_shared<std::optional<T>>();
        std::function<void()> job = [answer, work = std::move(work)] { answer->emplace(work()); };
        co_await run(std::move(job), std::move(tick));
        co_return std::move(**answer);
    }

    // What is under way may end; nothing more is begun.
    void stop() { stopping_ = true; }
    [[nodiscard]] bool stopping() const { return stopping_; }
    // Ends what is under way, too.
    void abort();
    // The session that abort() ends.
    void uses(const std::shared_ptr<delivery::SftpSession>& session);

    // Waits of servers, files and keys, by name: doubled from `base` with each failure in a row, whose number it gives.
    int failed(const std::string& what, Instant now, std::chrono::milliseconds base);
    void succeeded(const std::string& what) { waits_.erase(what); }
    [[nodiscard]] bool waits(const std::string& what, Instant now) const;

    // The file whose upload is under way.
    std::optional<std::int64_t> file_in_hand;

  private:
    struct Wait {
        int failures = 0;
        Instant since;
        std::chrono::milliseconds length{0};
    };
    std::map<std::string, Wait> waits_;
    bool stopping_ = false;
    std::weak_ptr<delivery::SftpSession> session_;
    asio::thread_pool pool_{1};
};

}  // namespace drawbridge::pipeline
