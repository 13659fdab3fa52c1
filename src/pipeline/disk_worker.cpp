#include "drawbridge/pipeline/disk_worker.hpp"

#include <boost/asio/as_tuple.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <condition_variable>
#include <deque>
#include <mutex>
#include <thread>

namespace drawbridge::pipeline {

struct DiskWorker::Shared {
    // Belongs to the caller's thread. The worker only passes the weak pointer back.
    struct Caller {
        explicit Caller(const asio::any_io_executor& executor) : answered(executor) {}
        asio::steady_timer answered;
        bool done = false;
    };
    struct Job {
        std::function<void()> work;
        std::weak_ptr<Caller> caller;  // expired: the caller gave up
    };

    explicit Shared(asio::any_io_executor of) : executor(std::move(of)) {}

    void run_jobs() {
        std::unique_lock lock(mutex);
        while (true) {
            job_available.wait(lock, [&] { return ended || !jobs.empty(); });
            if (ended) return;
            const Job job = std::move(jobs.front());
            jobs.pop_front();
            if (job.caller.expired()) continue;
            lock.unlock();
            job.work();
            lock.lock();
            if (ended) return;  // the executor may be gone
            asio::post(executor, [caller = job.caller] {
                const auto waiting = caller.lock();
                if (!waiting) return;
                waiting->done = true;
                waiting->answered.cancel();
            });
        }
    }

    std::mutex mutex;
    std::condition_variable job_available;
    std::deque<Job> jobs;
    bool ended = false;
    bool started = false;  // the thread
    asio::any_io_executor executor;
};

DiskWorker::DiskWorker(asio::any_io_executor executor) : shared_(std::make_shared<Shared>(std::move(executor))) {}

DiskWorker::~DiskWorker() {
    const std::scoped_lock lock(shared_->mutex);
    shared_->ended = true;
    shared_->job_available.notify_all();
}

asio::awaitable<bool> DiskWorker::run(std::function<void()> work, std::chrono::milliseconds deadline) {
    const auto caller = std::make_shared<Shared::Caller>(shared_->executor);
    {
        const std::scoped_lock lock(shared_->mutex);
        shared_->jobs.push_back({std::move(work), caller});
        // Detached: a system call that hangs may outlive the program's end.
        if (!std::exchange(shared_->started, true)) {
            std::thread([shared = shared_] { shared->run_jobs(); }).detach();
        }
        shared_->job_available.notify_all();
    }
    const auto until = std::chrono::steady_clock::now() + deadline;
    while (!caller->done && std::chrono::steady_clock::now() < until) {
        caller->answered.expires_at(until);
        static_cast<void>(co_await caller->answered.async_wait(asio::as_tuple(asio::use_awaitable)));
    }
    co_return caller->done;
}

}  // namespace drawbridge::pipeline
