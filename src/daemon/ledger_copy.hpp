// Copies of the ledger in the making, taken in slices between which the steps go on. Private to this module.
#pragma once

#include <boost/asio/awaitable.hpp>
#include <filesystem>

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

}  // namespace drawbridge::daemon
