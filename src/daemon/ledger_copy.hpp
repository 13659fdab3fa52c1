// Copies the ledger in slices; the steps continue in between. Private to this module.
#pragma once

#include <boost/asio/awaitable.hpp>
#include <filesystem>

#include "drawbridge/daemon/application.hpp"
#include "drawbridge/ledger/store/backups.hpp"

namespace drawbridge::daemon {

// `file` must not exist. Returns the end of the audit trail in the completed copy.
[[nodiscard]] asio::awaitable<ledger::AuditEnd> copy_ledger(Application& app, std::filesystem::path file);

// The key that opened the ledger. A copy opens only with the same key.
[[nodiscard]] Result<SealingKey> sealing_key(const config::Config& config);

}  // namespace drawbridge::daemon
