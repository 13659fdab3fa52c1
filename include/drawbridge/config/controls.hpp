// The controls against unintended payments, and whether a configuration turns them on. For `check`, `status` and the
// reconciliation report.
#pragma once

#include <string>
#include <vector>

#include "drawbridge/config/config.hpp"

namespace drawbridge::config {

struct ControlStatus {
    std::string key;  // in drawbridge.yaml: "pay.payee_hold"
    bool is_on = false;
    std::string state;  // what the control does; if it is off, what can happen without it
};
// Every control, in the order of docs/auditors.md.
[[nodiscard]] std::vector<ControlStatus> controls(const Config& config);

}  // namespace drawbridge::config
