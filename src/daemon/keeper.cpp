#include "keeper.hpp"

#include <boost/asio/as_tuple.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <chrono>

#include "backup.hpp"

namespace drawbridge::daemon {
namespace {

constexpr std::chrono::seconds between_looks{1};
constexpr std::chrono::minutes after_failure{10};

}  // namespace

asio::awaitable<void> Keeper::run() {
    while (!stopping_) {
        const auto made = co_await make_due_backup(app_);
        auto rest = std::chrono::duration_cast<std::chrono::seconds>(between_looks);
        if (made && *made) {
            log_->info("backup: {}, {} bytes", (*made)->file, (*made)->size_bytes);
        } else if (made) {
            log_->error("backup: {}", made->error().message);
            rest = after_failure;
        }
        if (stopping_) break;
        wake_.expires_after(rest);
        static_cast<void>(co_await wake_.async_wait(asio::as_tuple(asio::use_awaitable)));
    }
}

void Keeper::stop() {
    stopping_ = true;
    wake_.cancel();
}

}  // namespace drawbridge::daemon
