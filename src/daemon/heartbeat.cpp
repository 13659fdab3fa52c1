#include "heartbeat.hpp"

#include <boost/asio/as_tuple.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <string>
#include <utility>

namespace drawbridge::daemon {

namespace asio = boost::asio;

Heartbeat::Heartbeat(const asio::any_io_executor& executor, std::unique_ptr<service::Webhook> to,
                     std::chrono::milliseconds every, std::function<bool()> is_well, Log log)
    : to_(std::move(to)), every_(every), is_well_(std::move(is_well)), log_(std::move(log)), timer_(executor) {}

asio::awaitable<void> Heartbeat::beat() {
    while (!stopping_) {
        if (is_well_()) co_await send();
        if (stopping_) break;
        timer_.expires_after(every_);
        static_cast<void>(co_await timer_.async_wait(asio::as_tuple(asio::use_awaitable)));
    }
}

asio::awaitable<void> Heartbeat::send() {
    std::string body = R"({"status":"ready"})";
    std::string id = "heartbeat-" + std::to_string(++sent_);
    const auto taken = co_await to_->post(std::move(body), std::move(id));
    const bool failed = !taken && !stopping_;
    if (failed && !failing_) log_->warn("alerts.heartbeat: not delivered: {}", taken.error().message);
    if (!failed && failing_) log_->info("alerts.heartbeat: delivered again");
    failing_ = failed;
}

void Heartbeat::stop() {
    stopping_ = true;
    timer_.cancel();
}

}  // namespace drawbridge::daemon
