// Numbers for a monitoring system, in the text format of Prometheus: what the program counts while it runs, and what
// the ledger says at the time of asking. No name, no reference and no account number is in any of them.
#pragma once

#include <chrono>
#include <memory>
#include <string>
#include <string_view>

#include "drawbridge/domain/steps.hpp"

namespace drawbridge::admin {

struct AdminContext;

// Counts since the program was started. Its endpoints and outcomes are few and fixed.
class Meter {
  public:
    Meter();
    ~Meter();
    Meter(const Meter&) = delete;
    Meter& operator=(const Meter&) = delete;

    void request(std::string_view endpoint, std::string_view outcome, std::chrono::milliseconds took);
    void step(Step step, bool ok, std::chrono::milliseconds took);

  private:
    friend std::string metrics_text(AdminContext& context);
    struct Counts;
    std::unique_ptr<Counts> counts_;
};

[[nodiscard]] std::string metrics_text(AdminContext& context);

}  // namespace drawbridge::admin
