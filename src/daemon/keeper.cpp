#include "keeper.hpp"

#include <boost/asio/as_tuple.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <chrono>
#include <exception>
#include <optional>
#include <utility>

#include "backup.hpp"
#include "drawbridge/ledger/disk_space.hpp"

namespace drawbridge::daemon {
namespace {

constexpr std::chrono::seconds between_looks{1};
constexpr std::chrono::minutes after_failure{10};

}  // namespace

asio::awaitable<void> Keeper::run() {
    while (!stopping_) {
        std::optional<Result<ledger::Backup>> made;
        try {
            made = co_await make_due_backup(app_);
        } catch (const std::exception& failure) {
            // The ledger has no room even for the exception: the work loop says so.
            auto full = ledger::no_space(app_.ledger, failure);
            if (!full) throw;
            made = fail(ErrorCode::unavailable, std::move(*full));
        }
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
