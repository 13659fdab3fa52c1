// How often each rule of a rule set decided, and about how much money.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "drawbridge/domain/money.hpp"
#include "drawbridge/ledger/store/ledger.hpp"

namespace drawbridge::ledger {

struct RuleHits {
    std::string rule;  // empty: no rule matched
    std::int64_t draws = 0;
    Money amount;
    Instant last_at;
};
// Among the newest 50,000 decisions, by this rule set; a draw counts with each of its decisions.
[[nodiscard]] std::vector<RuleHits> rule_hits(Ledger& ledger, std::string_view rule_set_sha256);

}  // namespace drawbridge::ledger
