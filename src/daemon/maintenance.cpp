#include "maintenance.hpp"

#include <boost/asio/as_tuple.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <chrono>
#include <exception>
#include <optional>
#include <string>
#include <utility>

#include "drawbridge/daemon/archiving.hpp"
#include "drawbridge/daemon/backup.hpp"
#include "drawbridge/daemon/verifying.hpp"
#include "drawbridge/ledger/facts/runs.hpp"
#include "drawbridge/ledger/store/disk_space.hpp"

namespace drawbridge::daemon {
namespace {

constexpr std::chrono::seconds between_rounds{1};
constexpr std::chrono::minutes after_failure{10};
constexpr std::chrono::minutes between_archive_runs{1};
constexpr std::chrono::hours between_prunings{1};
// Rows per transaction. The rest waits for the next round.
constexpr int max_pruned_at_once = 1000;

}  // namespace

asio::awaitable<void> Maintenance::run() {
    remove_unfinished_copy(app_);
    while (!stopping_) {
        co_await round();
        if (stopping_) break;
        wake_.expires_after(between_rounds);
        static_cast<void>(co_await wake_.async_wait(asio::as_tuple(asio::use_awaitable)));
    }
}

// A full disk is only logged here. The work loop raises the exception for it.
asio::awaitable<void> Maintenance::round() {
    std::optional<std::string> full;
    try {
        co_await back_up();
        if (!stopping_) co_await verify();
        if (!stopping_) co_await archive();
        if (!stopping_) prune_idle_runs();
    } catch (const std::exception& failure) {
        full = ledger::no_space(app_.ledger, failure);
        if (!full) throw;
    }
    if (!full) co_return;
    log_->error("maintenance: {}", *full);
    next_backup_ = next_verify_ = next_archive_ = next_pruning_ = std::chrono::steady_clock::now() + after_failure;
}

asio::awaitable<void> Maintenance::back_up() {
    if (std::chrono::steady_clock::now() < next_backup_) co_return;
    const auto made = co_await make_due_backup(app_);
    if (made && *made) {
        log_->info("backup: {}, {} bytes", (*made)->file, (*made)->size_bytes);
    } else if (made) {
        log_->error("backup: {}", made->error().message);
        next_backup_ = std::chrono::steady_clock::now() + after_failure;
    }
}

asio::awaitable<void> Maintenance::verify() {
    if (std::chrono::steady_clock::now() < next_verify_) co_return;
    const auto found = co_await verify_if_due(app_);
    if (!found) co_return;
    if (!*found) {
        if ((*found).error().code == ErrorCode::cancelled) co_return;
        log_->error("verify: {}", found->error().message);
        next_verify_ = std::chrono::steady_clock::now() + after_failure;
        co_return;
    }
    bool clean = true;
    for (const auto& result : **found) {
        for (const auto& violation : result.violations)
            log_->error("verify: invariant {} ({}): {}", result.number, result.title, violation);
        clean = clean && result.violations.empty();
    }
    if (clean) log_->info("verify: every invariant holds");
}

asio::awaitable<void> Maintenance::archive() {
    if (std::chrono::steady_clock::now() < next_archive_) co_return;
    const auto done = co_await keep_archive(app_);
    if (!done) {
        log_->error("archive: {}", done.error().message);
        next_archive_ = std::chrono::steady_clock::now() + after_failure;
        co_return;
    }
    for (const auto& problem : done->problems)
        log_->error("archive: {}", problem);
    if (!done->did_nothing()) log_->info("archive: {}", done->summary());
    if (!done->is_more) next_archive_ = std::chrono::steady_clock::now() + between_archive_runs;
}

void Maintenance::prune_idle_runs() {
    if (std::chrono::steady_clock::now() < next_pruning_) return;
    const int pruned = app_.ledger.transaction([&] {
        return ledger::delete_idle_runs(app_.ledger, app_.clock.now() - ledger::idle_run_retention, max_pruned_at_once);
    });
    if (pruned < max_pruned_at_once) next_pruning_ = std::chrono::steady_clock::now() + between_prunings;
}

void Maintenance::stop() {
    stopping_ = true;
    wake_.cancel();
}

}  // namespace drawbridge::daemon
