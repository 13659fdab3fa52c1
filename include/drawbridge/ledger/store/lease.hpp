// The right to act outside of this process, where the ledger is in PostgreSQL: at the service, at the bank, in the
// folder of released files.
//
// The lock of a ledger's schema lets one process write it, on any host. A process that lost the lock without
// noticing, because its network is cut or it was stopped, could still act. So, while something outside is on its way,
// the kernel kills this process `lease_length` after it sent the last commit that the server acknowledged; it does so
// also while the process waits or is stopped. A successor on another host waits longer than that before it acts, until
// bytes that were sent have arrived or are given up; should it end while it waits, the next one waits anew.
//
// A ledger that is closed while nothing is on its way gives the lease up: the successor need not wait.
//
// A ledger in a file has one process on one host, and needs none of this: every function here then does nothing.
#pragma once

#include <chrono>
#include <cstdint>
#include <memory>
#include <string>

#include "drawbridge/domain/late_bytes.hpp"
#include "drawbridge/ledger/store/ledger.hpp"

namespace drawbridge::ledger {

namespace postgresql {
class Lease;
}

inline constexpr std::chrono::seconds lease_length{10};
inline constexpr std::chrono::seconds takeover_wait = lease_length + late_bytes;
// The lease is renewed at this interval while something is on its way.
inline constexpr std::chrono::seconds lease_renewal{1};

// Something outside is on its way while this lives. It begins outside a transaction, and when time_until_acting() is
// over. Throws if another process has become the writer.
class Effect {
  public:
    explicit Effect(Ledger& ledger);
    Effect(const Effect&) = delete;
    Effect& operator=(const Effect&) = delete;
    ~Effect();

    // Renews the lease if that is due. Outside a transaction, every `lease_renewal`.
    void keep();

  private:
    Ledger& ledger_;
    std::shared_ptr<postgresql::Lease> lease_;  // it may be given back when the ledger is closed already
};

// How long this process must wait before it acts, because the writer before it may still live on another host. Zero: it
// has ended, or gave its lease up.
[[nodiscard]] std::chrono::milliseconds time_until_acting(const Ledger& ledger);
// After that time: the next writer need not wait for the writer before this one. Outside a transaction.
void begin_acting(Ledger& ledger);
// Commits of this process that the server acknowledged only after more than half of `lease_length`.
[[nodiscard]] std::int64_t slow_commits(Ledger& ledger);
// That writer, for people: "hall-1 812".
[[nodiscard]] const std::string& predecessor(const Ledger& ledger);

}  // namespace drawbridge::ledger
