// How much of each limit is used up, in one run of decisions. It asks the history once for each limit, then keeps count
// of what the run approves; it decides nothing itself.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "drawbridge/rules/history.hpp"
#include "drawbridge/rules/rule_set.hpp"

namespace drawbridge::rules {

// How one limit fared, for people.
struct LimitResult {
    std::string limit;  // "10 draws a day for each case"
    std::string key;    // "case 17"; empty: of everything
    std::string used;   // "9 draws, $4000.00", before this draw
    bool passed = false;
    std::string note;  // "the draw has no case: the limit cannot be held"
    LimitPer per = LimitPer::day;
};

class LimitUsage {
  public:
    // All must outlive it.
    LimitUsage(const RuleSet& rules, const History& history, Instant now, const TimeZone& zone);

    // The rule's limits and the whole set's, each.
    [[nodiscard]] std::vector<LimitResult> check(const Rule& rule, const Draw& draw);
    // An approval: counts from now on.
    void enter(const Rule& rule, const Draw& draw);
    // When a limit that is used up opens again. Of a run: at the next one.
    [[nodiscard]] Instant opens_again(LimitPer per) const;

  private:
    using Key = std::pair<std::string, std::size_t>;  // rule (empty: the whole set), place among its limits
    std::map<std::string, Used>& used_by(std::string_view rule, std::size_t place, const Limit& limit);
    [[nodiscard]] LimitResult check_one(std::string_view rule, std::size_t place, const Limit& limit, const Draw& draw);
    [[nodiscard]] Instant window_start(LimitPer per) const;

    const RuleSet& rules_;
    const History& history_;
    Instant now_;
    const TimeZone& zone_;
    std::map<Key, std::map<std::string, Used>> used_;
};

}  // namespace drawbridge::rules
