#include "drawbridge/pipeline/transfer_worker.hpp"

#include <boost/asio/as_tuple.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/this_coro.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <exception>

#include "drawbridge/disbursement/delivery.hpp"
#include "drawbridge/domain/elapsed.hpp"

namespace drawbridge::pipeline {
namespace {

constexpr auto no_throw = asio::as_tuple(asio::use_awaitable);

struct Work {
    bool done = false;
    std::exception_ptr failure;  // rethrown in the caller, for example a failing disk
};

}  // namespace

TransferWorker::~TransferWorker() {
    abort();
    pool_.join();
}

asio::awaitable<void> TransferWorker::run(std::function<void()> work, std::function<void()> tick) {
    constexpr std::chrono::seconds between_ticks{1};
    const asio::any_io_executor executor = co_await asio::this_coro::executor;
    const auto state = std::make_shared<Work>();
    const auto timer = std::make_shared<asio::steady_timer>(executor);
    asio::post(pool_, [executor, state, timer, work = std::move(work)] {
        std::exception_ptr failure;
        try {
            work();
        } catch (const std::exception&) {
            failure = std::current_exception();
        }
        asio::post(executor, [state, timer, failure] {
            state->done = true;
            state->failure = failure;
            timer->cancel();
        });
    });
    while (!state->done) {
        timer->expires_after(between_ticks);
        static_cast<void>(co_await timer->async_wait(no_throw));
        tick();
    }
    if (state->failure) std::rethrow_exception(state->failure);
}

void TransferWorker::abort() {
    stop();
    if (const auto session = session_.lock()) session->abort();
}

void TransferWorker::set_session(const std::shared_ptr<delivery::SftpSession>& session) {
    session_ = session;
    if (stopping_) session->abort();
}

int TransferWorker::failed(const std::string& what, Instant now, std::chrono::milliseconds base) {
    auto& backoff = backoffs_[what];
    ++backoff.failures;
    backoff.since = now;
    backoff.length = disbursement::delivery_wait(backoff.failures, base);
    return backoff.failures;
}

bool TransferWorker::is_backing_off(const std::string& what, Instant now) const {
    const auto found = backoffs_.find(what);
    return found != backoffs_.end() && !has_elapsed(found->second.since, found->second.length, now);
}

}  // namespace drawbridge::pipeline
