// A kernel timer that ends this process for good when its lease on the ledger runs out. Private to this module.
#pragma once

#include <chrono>
#include <cstdint>
#include <ctime>
#include <string>
#include <string_view>

namespace drawbridge::ledger::postgresql {

// Since the machine was started, with the time in which it was suspended: no clock setting moves it.
using BootTime = std::chrono::nanoseconds;
[[nodiscard]] BootTime boot_time();

// The first process of a container has no end of its lease: the kernel spares it any signal of its own that it does not
// handle, and SIGKILL cannot be handled.
[[nodiscard]] bool lease_can_end();

class Lease {
  public:
    explicit Lease(std::chrono::nanoseconds length);  // throws if the kernel has no timer left
    Lease(const Lease&) = delete;
    Lease& operator=(const Lease&) = delete;
    ~Lease();

    // The server acknowledged a commit that was sent then: the lease runs from there.
    void acknowledged(BootTime sent);
    // While effects are on their way, SIGKILL comes at the end of the lease.
    void begin_effect();
    void end_effect();
    [[nodiscard]] bool is_older_than(std::chrono::nanoseconds age) const { return boot_time() - from_ > age; }
    [[nodiscard]] int effects() const { return effects_; }
    // Acknowledged commits that took more than half of the lease.
    [[nodiscard]] std::int64_t slow_commits() const { return slow_commits_; }

  private:
    void set(BootTime at) const;

    timer_t timer_{};
    std::chrono::nanoseconds length_;
    BootTime from_;
    int effects_ = 0;
    std::int64_t slow_commits_ = 0;
};

// For people, and safe inside quotes.
[[nodiscard]] std::string host_name();
// "boot 5a…, namespace 4026531836, process 812, started 4711": who writes the ledger, so that a successor on the same
// host can tell whether it has ended.
[[nodiscard]] std::string this_process();
// False also where this cannot be known: on another host, in another container.
[[nodiscard]] bool has_ended(std::string_view process);

}  // namespace drawbridge::ledger::postgresql
