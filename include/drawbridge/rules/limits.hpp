// Tracks how much of each limit is used up in one run of decisions. It reads the history once per limit, then counts
// what the run approves. It decides nothing itself.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "drawbridge/rules/history.hpp"
#include "drawbridge/rules/rule_set.hpp"

namespace drawbridge::rules {

// The result of one limit, for people.
struct LimitResult {
    std::string limit;  // "10 draws per day per case"
    std::string key;    // "case 17"; empty for a limit on everything
    std::string used;   // "9 draws, $4000.00", before this draw
    bool passed = false;
    std::string note;  // "the draw has no case: the limit cannot be checked"
    LimitPer per = LimitPer::day;
};

class LimitUsage {
  public:
    // All must outlive it.
    LimitUsage(const RuleSet& rules, const History& history, Instant now, const TimeZone& zone);

    // Checks the rule's limits and the whole set's limits.
    [[nodiscard]] std::vector<LimitResult> check(const Rule& rule, const Draw& draw);
    // Counts an approval from now on.
    void record(const Rule& rule, const Draw& draw);
    // When a limit that is used up resets. A limit per run resets at the next run.
    [[nodiscard]] Instant resets_at(LimitPer per) const;

  private:
    using Key = std::pair<std::string, std::size_t>;  // rule (empty: the whole set), index of the limit
    std::map<std::string, Used>& used_by(std::string_view rule, std::size_t index, const Limit& limit);
    [[nodiscard]] LimitResult check_one(std::string_view rule, std::size_t index, const Limit& limit, const Draw& draw);
    [[nodiscard]] Instant window_start(LimitPer per) const;

    const RuleSet& rules_;
    const History& history_;
    Instant now_;
    const TimeZone& zone_;
    std::map<Key, std::map<std::string, Used>> used_;
};

}  // namespace drawbridge::rules
