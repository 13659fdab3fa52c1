// The worker for SFTP and gpg, whose session can be interrupted. It keeps the backoff of failed servers, files and keys
// until the program ends.
#pragma once

#include <boost/asio/awaitable.hpp>
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
#include "drawbridge/pipeline/worker.hpp"

namespace drawbridge::pipeline {

class TransferWorker {
  public:
    TransferWorker() = default;
    TransferWorker(const TransferWorker&) = delete;
    TransferWorker& operator=(const TransferWorker&) = delete;
    ~TransferWorker() { abort(); }  // then waits for the work in progress

    // Calls `tick` about once a second meanwhile.
    template <class T>
    [[nodiscard]] asio::awaitable<T> call(std::function<T()> work, std::function<void()> tick) {
        const auto answer = std::make_shared<std::optional<T>>();
        Worker::Job job = [answer, work = std::move(work)](const std::stop_token&) { answer->emplace(work()); };
        Worker::Patience patience{.tick = std::move(tick)};
        static_cast<void>(co_await worker_.run(std::move(job), std::move(patience)));
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
    Worker worker_{Worker::AtEnd::wait};  // last: it ends before the others are destroyed
};

}  // namespace drawbridge::pipeline
