// People's requests to the work loop. Each request waits for its turn between two steps and gets one answer.
#include <boost/asio/as_tuple.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <utility>

#include "requests.hpp"
#include "work_loop.hpp"

namespace drawbridge::daemon {
namespace {

using std::chrono::steady_clock;

constexpr std::string_view taken_later = "the daemon is stopping: the file is claimed and is read after the next start";

constexpr std::string_view not_released = "the daemon is stopping: the release was not ordered";

pipeline::Refreshed unread(const std::vector<DrawId>& ids) {
    const auto count = static_cast<std::int64_t>(ids.size());
    return {count, 0, count, "the daemon is stopping"};
}

}  // namespace

asio::awaitable<Result<admin::PayOutcome>> WorkLoop::pay_now(ledger::Stamp by, std::string reason) {
    if (stopping_) co_return fail(ErrorCode::cancelled, "the daemon is stopping: nothing was paid");
    const auto request = std::make_shared<PayRequest>(app_.io.get_executor(), std::move(by), std::move(reason));
    pay_requests_.push_back(request);
    wake_.cancel();
    request->answered.expires_at(steady_clock::time_point::max());
    while (!request->outcome)
        static_cast<void>(co_await request->answered.async_wait(no_throw));
    co_return std::move(*request->outcome);
}

asio::awaitable<Result<ledger::FileRow>> WorkLoop::release_now(std::string name, std::string reason,
                                                               ledger::Stamp stamp) {
    if (stopping_) co_return fail(ErrorCode::cancelled, std::string(not_released));
    const auto request =
        std::make_shared<ReleaseRequest>(app_.io.get_executor(), std::move(name), std::move(reason), std::move(stamp));
    release_requests_.push_back(request);
    wake_.cancel();
    request->answered.expires_at(steady_clock::time_point::max());
    while (!request->outcome)
        static_cast<void>(co_await request->answered.async_wait(no_throw));
    co_return std::move(*request->outcome);
}

asio::awaitable<pipeline::Refreshed> WorkLoop::refresh_now(std::vector<DrawId> ids) {
    if (stopping_) co_return unread(ids);
    const auto request = std::make_shared<RefreshRequest>(app_.io.get_executor(), std::move(ids));
    refresh_requests_.push_back(request);
    wake_.cancel();
    request->answered.expires_at(steady_clock::time_point::max());
    while (!request->outcome)
        static_cast<void>(co_await request->answered.async_wait(no_throw));
    co_return std::move(*request->outcome);
}

asio::awaitable<Result<pipeline::FileOutcome>> WorkLoop::take_file(spool::ClaimedFile file, std::size_t lines_wanted,
                                                                   ledger::Stamp by) {
    if (stopping_) co_return fail(ErrorCode::cancelled, std::string(taken_later));
    const auto request =
        std::make_shared<FileRequest>(app_.io.get_executor(), std::move(file), lines_wanted, std::move(by));
    file_requests_.push_back(request);
    wake_.cancel();
    request->answered.expires_at(steady_clock::time_point::max());
    while (!request->outcome)
        static_cast<void>(co_await request->answered.async_wait(no_throw));
    co_return std::move(*request->outcome);
}

asio::awaitable<void> WorkLoop::refresh_draws() {
    while (!refresh_requests_.empty() && !stopping_) {
        const auto request = refresh_requests_.front();
        doing_ = "refresh";
        request->outcome = co_await pipeline::refresh(*app_.context, request->ids);
        progress_.clear();
        doing_ = "waiting";
        refresh_requests_.pop_front();
        request->answered.cancel();
    }
}

asio::awaitable<void> WorkLoop::release_files() {
    while (!release_requests_.empty() && !stopping_) {
        const auto request = release_requests_.front();  // stays in the queue until it is answered
        doing_ = "release";
        request->outcome = co_await release_for(app_, request->name, request->reason, request->stamp);
        progress_.clear();
        doing_ = "waiting";
        release_requests_.pop_front();
        request->answered.cancel();
    }
}

asio::awaitable<void> WorkLoop::take_files() {
    while (!file_requests_.empty() && !stopping_) {
        const auto request = file_requests_.front();  // stays in the queue until it is answered
        doing_ = to_string(Step::confirm);
        progress_logged_at_ = steady_clock::now();
        request->outcome = co_await take_for(app_, request->file, request->lines_wanted, request->by);
        progress_.clear();
        doing_ = "waiting";
        file_requests_.pop_front();
        request->answered.cancel();
        const auto& outcome = *request->outcome;
        if (outcome) {
            log_->info("ingest: {} by {}: {}", outcome->name, request->by.actor, pipeline::to_string(outcome->outcome));
        } else {
            log_->warn("ingest: {}", outcome.error().message);
        }
    }
}

void WorkLoop::give_up_request() {
    const auto give_up = [this](auto& queue, auto outcome) {
        if (queue.empty() || queue.front()->outcome) return;
        const auto request = queue.front();
        queue.pop_front();
        request->outcome = std::move(outcome);
        request->answered.cancel();
    };
    const auto full = fail(ErrorCode::unavailable, space_.problem());
    if (doing_ == to_string(Step::pay)) give_up(pay_requests_, full);
    if (doing_ == "release") give_up(release_requests_, full);
    if (doing_ == "refresh" && !refresh_requests_.empty()) {
        const auto count = static_cast<std::int64_t>(refresh_requests_.front()->ids.size());
        give_up(refresh_requests_, pipeline::Refreshed{count, 0, count, space_.problem()});
    }
    // The file is claimed: the confirm step reads it when there is space.
    if (doing_ == to_string(Step::confirm)) give_up(file_requests_, full);
}

void WorkLoop::refuse_requests() {
    for (const auto& request : std::exchange(pay_requests_, {})) {
        request->outcome = fail(ErrorCode::cancelled, "the daemon is stopping: nothing was paid");
        request->answered.cancel();
    }
    for (const auto& request : std::exchange(release_requests_, {})) {
        request->outcome = fail(ErrorCode::cancelled, std::string(not_released));
        request->answered.cancel();
    }
    for (const auto& request : std::exchange(refresh_requests_, {})) {
        request->outcome = unread(request->ids);
        request->answered.cancel();
    }
    for (const auto& request : std::exchange(file_requests_, {})) {
        request->outcome = fail(ErrorCode::cancelled, std::string(taken_later));
        request->answered.cancel();
    }
}

}  // namespace drawbridge::daemon
