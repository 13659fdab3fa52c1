#include "ledger_copy.hpp"

#include <chrono>
#include <system_error>

#include "aside.hpp"
#include "drawbridge/ledger/store/sealing.hpp"

namespace drawbridge::daemon {
namespace {

namespace fs = std::filesystem;

// Copies 2 MiB at a time; the steps continue in between.
constexpr int pages_at_a_time = 256;
constexpr std::chrono::milliseconds breath{1};

}  // namespace

void PartialFile::remove() const {
    std::error_code ignored;
    for (const std::string_view ending : {"", "-wal", "-journal"})
        fs::remove(fs::path(file_.string() + std::string(ending)), ignored);
}

Result<SealingKey> sealing_key(const config::Config& config) {
    if (config.ledger.sealing_key) return *config.ledger.sealing_key;
    return ledger::read_sealing_key(config.state_dir / ledger::default_sealing_key_name);
}

asio::awaitable<ledger::AuditEnd> copy_ledger(Application& app, fs::path file) {
    ledger::BackupCopy copy(app.ledger, file);
    while (!copy.copy(pages_at_a_time))
        co_await pause_for(breath);
    // Nothing was written since the last slice, because the event loop has one thread.
    co_return ledger::audit_end(app.ledger);
}

}  // namespace drawbridge::daemon
