// The controls against payments that nobody meant, and whether a configuration has them on: for `check`, `status` and
// the reconciliation report.
#pragma once

#include <string>
#include <vector>

#include "drawbridge/config/config.hpp"

namespace drawbridge::config {

struct ControlStatus {
    std::string key;  // of drawbridge.yaml: "pay.payee_hold"
    bool is_on = false;
    std::string state;  // what it does as configured, or what its absence lets pass
};
// Every control there is, in the order of docs/auditors.md.
[[nodiscard]] std::vector<ControlStatus> controls(const Config& config);

}  // namespace drawbridge::config
