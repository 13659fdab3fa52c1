// Answers to what rules ask about other draws and earlier approvals, from the ledger, for one run of decisions.
#pragma once

#include <map>
#include <string>
#include <tuple>

#include "drawbridge/ledger/facts/runs.hpp"
#include "drawbridge/ledger/store/ledger.hpp"
#include "drawbridge/rules/history.hpp"
#include "drawbridge/rules/rule_set.hpp"

namespace drawbridge::ledger {

class LedgerHistory : public rules::History {
  public:
    // Creates the indexes that the rule set's questions need, if they do not exist. `payee_key`: the field that names
    // the payee, with static storage. `run` 0: no run is open. `except`: a draw that is evaluated again for display;
    // its own approval does not count against the limits.
    LedgerHistory(Ledger& ledger, const rules::RuleSet& rules, const DrawField* payee_key, DecideRunId run,
                  std::optional<DrawId> except = std::nullopt);

    // For a replay: draws requested after `at` are ignored.
    void set_as_of(Instant at) { until_ = at; }

    [[nodiscard]] std::optional<rules::HistorySum> sum(rules::HistoryOf of, const Draw& draw,
                                                       Instant since) const override;
    [[nodiscard]] std::optional<rules::Duplicate> duplicate(const Draw& draw,
                                                            std::chrono::milliseconds within) const override;
    [[nodiscard]] std::map<std::string, rules::Used> used(std::string_view rule, rules::LimitBy by, Instant since,
                                                          bool this_run) const override;

  private:
    using Key = std::tuple<rules::HistoryOf, std::string, Instant, Instant>;
    [[nodiscard]] rules::HistorySum sum_of_all(rules::HistoryOf of, const FieldValue& value, Instant since) const;

    Ledger& ledger_;
    std::string rule_set_sha256_;
    const DrawField* payee_key_;
    DecideRunId run_;
    std::optional<DrawId> except_;
    Instant until_ = Instant::max();
    // Over every draw, including the current one: readings do not change while a run decides.
    mutable std::map<Key, rules::HistorySum> sums_;
};

}  // namespace drawbridge::ledger
