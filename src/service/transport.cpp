#include "transport.hpp"

#include <algorithm>
#include <iterator>
#include <utility>

namespace drawbridge::service {

namespace asio = boost::asio;

Transport::Transport(asio::any_io_executor executor, ConnectionSettings settings, TransportLimits limits)
    : executor_(std::move(executor)),
      settings_(std::move(settings)),
      limits_(limits),
      semaphore_(executor_, limits.max_connections) {}

std::unique_ptr<Connection> Transport::take_idle() {
    while (!idle_.empty()) {
        std::unique_ptr<Connection> connection = std::move(idle_.back());
        idle_.pop_back();
        if (connection->is_reusable()) return connection;
    }
    return nullptr;
}

void Transport::return_idle(std::unique_ptr<Connection> connection, int generation) {
    if (generation != generation_) return;
    // take_idle() checks whether the connection is still usable.
    if (std::ssize(idle_) >= limits_.max_connections) idle_.erase(idle_.begin());
    idle_.push_back(std::move(connection));
}

void Transport::renew_connections() {
    ++generation_;
    idle_.clear();
}

asio::awaitable<HttpResult> Transport::send(HttpRequest request) {
    const Semaphore::Permit permit = co_await semaphore_.take();
    if (!permit) {
        HttpFailure stopped{.error = {ErrorCode::cancelled, "stopped before a request was sent"}, .transient = false};
        co_return std::unexpected(std::move(stopped));
    }
    const SteadyTime deadline = SteadyClock::now() + limits_.request_deadline;
    const int generation = generation_;
    if (request.safe_to_repeat) {
        if (auto idle = take_idle()) {
            HttpResult result = co_await idle->exchange(request, deadline);
            const bool stale = !result && result.error().stale;
            if (result) return_idle(std::move(idle), generation);
            if (!stale) co_return result;
        }
    }
    auto opened = co_await settings_.open(executor_, &settings_,
                                          std::min(deadline, SteadyClock::now() + limits_.connect_deadline));
    if (!opened) co_return std::unexpected(std::move(opened.error()));
    std::unique_ptr<Connection> connection = std::move(*opened);
    HttpResult result = co_await connection->exchange(std::move(request), deadline);
    if (result) return_idle(std::move(connection), generation);
    co_return result;
}

}  // namespace drawbridge::service
