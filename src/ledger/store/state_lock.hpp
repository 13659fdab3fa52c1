// The lock of a state folder: one process owns its ledger. Private to this module.
#pragma once

#include <chrono>
#include <filesystem>
#include <utility>

#include "drawbridge/domain/error.hpp"

namespace drawbridge::ledger {

// Locks a file of its own, because SQLite's locks end with each transaction. The open descriptor holds the lock.
class StateLock {
  public:
    StateLock() = default;
    // Error: another process still owns the ledger then; the message names it.
    [[nodiscard]] static Result<StateLock> take(const std::filesystem::path& state_dir,
                                                std::chrono::milliseconds max_wait = std::chrono::milliseconds(100));
    StateLock(StateLock&& other) noexcept : fd_(std::exchange(other.fd_, -1)) {}
    StateLock& operator=(StateLock&& other) noexcept {
        std::swap(fd_, other.fd_);
        return *this;
    }
    StateLock(const StateLock&) = delete;
    StateLock& operator=(const StateLock&) = delete;
    ~StateLock();

  private:
    explicit StateLock(int fd) : fd_(fd) {}
    int fd_ = -1;
};

}  // namespace drawbridge::ledger
