#pragma once
// Owns the counts of requests per endpoint, the latest requests, how often approval of each draw was requested in bulk,
// and every disbursedDate that an update set. Tests use it to see that nothing was submitted twice.

#include <array>
#include <cstdint>
#include <deque>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <unordered_map>

#include "endpoint.hpp"

namespace draws_sandbox {

class RequestLog {
  public:
    struct Entry {
        std::string method;
        std::string target;
        unsigned status;  // 0: no answer was sent
    };

    void received(Endpoint endpoint) { ++counts_[static_cast<std::size_t>(endpoint)]; }
    void approval_received(std::int64_t draw) { ++approvals_[draw]; }
    void date_set(std::int64_t draw, const std::string& date) { dates_[draw].insert(date); }
    void answered(Entry entry);

    // `draw` limits approval counts and dates to that draw; `last` is the number of requests shown.
    [[nodiscard]] std::string json(std::optional<std::int64_t> draw, std::size_t last) const;
    void clear();

  private:
    static constexpr std::size_t kept_ = 1000;
    std::array<std::int64_t, endpoint_count> counts_{};
    std::unordered_map<std::int64_t, std::int64_t> approvals_;
    std::map<std::int64_t, std::set<std::string>> dates_;
    std::deque<Entry> entries_;
};

}  // namespace draws_sandbox
