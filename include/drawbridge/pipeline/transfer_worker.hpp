// Runs blocking work (SFTP, gpg) on its own thread, so that nothing else waits, and keeps the backoff of failed
// servers, files and keys until the program ends. The work must never touch the ledger or the spool.
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
    ~TransferWorker();  // abort(), then joins the thread

    // Runs `work` on the worker's thread; calls `tick` about once a second on the caller's thread meanwhile. `work`
    // owns everything that it uses: if the caller is cancelled, the work continues alone.
    [[nodiscard]] asio::awaitable<void> run(std::function<void()> work, std::function<void()> tick);
    template <class T>
    [[nodiscard]] asio::awaitable<T> call(std::function<T()> work, std::function<void()> tick) {
        const auto answer = std::make_shared<std::optional<T>>();
        std::function<void()> job = [answer, work = std::move(work)] { answer->emplace(work()); };
        co_await run(std::move(job), std::move(tick));
        co_return std::move(**answer);
    }

    // Work in progress may finish; no new work is started.
    void stop() { stopping_ = true; }
    [[nodiscard]] bool stopping() const { return stopping_; }
    // Also interrupts work in progress.
    void abort();
    // The session that abort() interrupts.
    void set_session(const std::shared_ptr<delivery::SftpSession>& session);

    // Backoff by name (server, file or key): doubled from `base` with each consecutive failure. Returns the number of
    // consecutive failures.
    int failed(const std::string& what, Instant now, std::chrono::milliseconds base);
    void succeeded(const std::string& what) { backoffs_.erase(what); }
    [[nodiscard]] bool is_backing_off(const std::string& what, Instant now) const;

    // The file that is being uploaded.
    std::optional<std::int64_t> uploading_file;

  private:
    struct Backoff {
        int failures = 0;
        Instant since;
        std::chrono::milliseconds length{0};
    };
    std::map<std::string, Backoff> backoffs_;
    bool stopping_ = false;
    std::weak_ptr<delivery::SftpSession> session_;
    asio::thread_pool pool_{1};
};

}  // namespace drawbridge::pipeline
