// Copies of the ledger in the making, taken in slices between which the stages go on. Private to this room.
#pragma once

#include <boost/asio/awaitable.hpp>
#include <chrono>
#include <filesystem>
#include <functional>

#include "application.hpp"
#include "drawbridge/ledger/backups.hpp"

namespace drawbridge::daemon {

// A name in the making: gone unless it got its real one.
class PartialFile {
  public:
    explicit PartialFile(std::filesystem::path file) : file_(std::move(file)) { remove(); }
    PartialFile(const PartialFile&) = delete;
    PartialFile& operator=(const PartialFile&) = delete;
    ~PartialFile() { remove(); }
    [[nodiscard]] const std::filesystem::path& path() const { return file_; }

  private:
    void remove() const;
    std::filesystem::path file_;
};

// The file must not be there. Where the audit trail ended when the copy was whole.
[[nodiscard]] asio::awaitable<ledger::AuditEnd> copy_ledger(Application& app, std::filesystem::path file);

// The one by which the ledger is open: a copy of it opens with no other.
[[nodiscard]] Result<SealingKey> sealing_key(const config::Config& config);

// Runs `work`, which looks at a copy alone, in a thread of its own. When the wait is cancelled it is asked to stop and
// waited for. What it throws is an error.
template <class T>
using CopyWork = std::function<Result<T>(const std::stop_token&)>;
[[nodiscard]] asio::awaitable<Result<ledger::CopyFacts>> in_a_thread(CopyWork<ledger::CopyFacts> work);
[[nodiscard]] asio::awaitable<Result<std::vector<ledger::InvariantResult>>> in_a_thread(
    CopyWork<std::vector<ledger::InvariantResult>> work);

}  // namespace drawbridge::daemon
