// Metrics in the Prometheus text format: counters of the running program, and values from the ledger at the time of the
// request. They never contain names, references or account numbers.
#pragma once

#include <chrono>
#include <memory>
#include <string>
#include <string_view>

#include "drawbridge/domain/steps.hpp"

namespace drawbridge::admin {

struct AdminContext;

// Counters since the program started. Endpoints and outcomes are a small fixed set.
class Meter {
  public:
    Meter();
    ~Meter();
    Meter(const Meter&) = delete;
    Meter& operator=(const Meter&) = delete;

    void request(std::string_view endpoint, std::string_view outcome, std::chrono::milliseconds took);
    void step(Step step, bool ok, std::chrono::milliseconds took);
    // A report query, where a standby of the ledger's server may answer.
    void report(bool answered_by_standby);

  private:
    friend std::string metrics_text(AdminContext& context);
    struct Counts;
    std::unique_ptr<Counts> counts_;
};

[[nodiscard]] std::string metrics_text(AdminContext& context);

}  // namespace drawbridge::admin
