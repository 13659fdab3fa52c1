#include "drawbridge/pipeline/worker.hpp"

#include <algorithm>
#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/as_tuple.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/this_coro.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <condition_variable>
#include <deque>
#include <exception>
#include <mutex>

namespace drawbridge::pipeline {

struct Worker::Shared {
    // Belongs to the caller's thread. The worker only passes the weak pointer back.
    struct Caller {
        explicit Caller(const asio::any_io_executor& executor) : answered(executor) {}
        asio::steady_timer answered;
        bool done = false;
        std::exception_ptr failure;
    };
    struct Call {
        Job work;
        std::weak_ptr<Caller> caller;  // expired: the caller gave up
        asio::any_io_executor executor;
    };

    void run_calls() {
        std::unique_lock lock(mutex);
        while (true) {
            call_available.wait(lock, [&] { return stop.stop_requested() || !calls.empty(); });
            if (stop.stop_requested()) return;
            const Call call = std::move(calls.front());
            calls.pop_front();
            if (call.caller.expired()) continue;
            lock.unlock();
            const auto failure = failure_of(call.work);
            lock.lock();
            if (stop.stop_requested()) return;  // the executor may be gone
            asio::post(call.executor, [caller = call.caller, failure] {
                const auto waiting = caller.lock();
                if (!waiting) return;
                waiting->done = true;
                waiting->failure = failure;
                waiting->answered.cancel();
            });
        }
    }

    std::exception_ptr failure_of(const Job& work) const {
        try {
            work(stop.get_token());
            return nullptr;
        } catch (const std::exception&) {
            return std::current_exception();
        }
    }

    std::mutex mutex;
    std::condition_variable call_available;
    std::deque<Call> calls;
    std::stop_source stop;
};

Worker::Worker(AtEnd at_end) : at_end_(at_end), shared_(std::make_shared<Shared>()) {}

Worker::~Worker() {
    {
        const std::scoped_lock lock(shared_->mutex);
        shared_->stop.request_stop();
    }
    shared_->call_available.notify_all();
    if (!thread_.joinable()) return;
    if (at_end_ == AtEnd::wait) {
        thread_.join();
    } else {
        thread_.detach();
    }
}

asio::awaitable<bool> Worker::run(Job job, Patience patience) {
    using std::chrono::steady_clock;
    constexpr std::chrono::seconds between_ticks{1};
    const asio::any_io_executor executor = co_await asio::this_coro::executor;
    const auto caller = std::make_shared<Shared::Caller>(executor);
    {
        const std::scoped_lock lock(shared_->mutex);
        shared_->calls.push_back({std::move(job), caller, executor});
    }
    if (!thread_.joinable()) thread_ = std::thread([shared = shared_] { shared->run_calls(); });
    shared_->call_available.notify_all();
    const auto until = patience.deadline ? steady_clock::now() + *patience.deadline : steady_clock::time_point::max();
    while (!caller->done && steady_clock::now() < until) {
        caller->answered.expires_at(patience.tick ? std::min(until, steady_clock::now() + between_ticks) : until);
        static_cast<void>(co_await caller->answered.async_wait(asio::as_tuple(asio::use_awaitable)));
        if (patience.tick) patience.tick();
    }
    if (caller->failure) std::rethrow_exception(caller->failure);
    co_return caller->done;
}

}  // namespace drawbridge::pipeline
