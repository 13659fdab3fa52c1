#include "ledger_copy.hpp"

#include <chrono>
#include <memory>
#include <stdexcept>
#include <system_error>

#include "aside.hpp"
#include "drawbridge/ledger/store/backups.hpp"
#include "drawbridge/ledger/store/copy.hpp"
#include "drawbridge/ledger/store/sealing.hpp"

namespace drawbridge::daemon {
namespace {

namespace fs = std::filesystem;

// Copies 2 MiB at a time; the steps continue in between.
constexpr int pages_at_a_time = 256;
constexpr std::chrono::milliseconds breath{1};

}  // namespace

Result<SealingKey> sealing_key(const config::Config& config) {
    if (config.ledger.sealing_key) return *config.ledger.sealing_key;
    return ledger::read_sealing_key(config.state_dir / ledger::default_sealing_key_name);
}

namespace {

// From PostgreSQL: a file again, of what the ledger holds now.
asio::awaitable<ledger::AuditEnd> write_snapshot(Application& app, fs::path file) {
    ledger::create_empty(file);  // here, because of a thread's errors only the texts arrive
    const auto snapshot = std::make_shared<ledger::Snapshot>(app.ledger);
    AsideWork<bool> work = [snapshot, file = std::move(file)](const std::stop_token&) -> Result<bool> {
        snapshot->write(file);
        return true;
    };
    const auto written = co_await in_a_thread(std::move(work), "the copy of the ledger");
    if (!written) throw std::runtime_error(written.error().message);
    co_return snapshot->end();
}

}  // namespace

asio::awaitable<ledger::AuditEnd> copy_ledger(Application& app, fs::path file) {
    if (ledger::is_in_postgresql(app.ledger)) co_return co_await write_snapshot(app, std::move(file));
    ledger::BackupCopy copy(app.ledger, file);
    while (!copy.copy(pages_at_a_time))
        co_await pause_for(breath);
    // Nothing was written since the last slice, because the event loop has one thread.
    co_return ledger::audit_end(app.ledger);
}

}  // namespace drawbridge::daemon
