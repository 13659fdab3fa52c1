// What the rules may ask of other draws and of earlier approvals, answered from the ledger for one run of decisions.
#pragma once

#include <map>
#include <string>
#include <tuple>

#include "drawbridge/ledger/ledger.hpp"
#include "drawbridge/rules/history.hpp"
#include "drawbridge/rules/rule_set.hpp"

namespace drawbridge::ledger {

using DecideRunId = std::int64_t;

// The run that is going on: one that a crash broke off, or a new one. In a transaction.
[[nodiscard]] DecideRunId begin_decide_run(Ledger& ledger, Instant at);
void end_decide_run(Ledger& ledger, DecideRunId run, Instant at);

class LedgerHistory : public rules::History {
  public:
    // Makes the indexes that the rule set's questions need, once for ever; `payee_key`: the field that names the payee,
    // of static storage. `run` 0: none is going on. `except`: a draw that is decided once more, for show; what its
    // approval has used of the limits does not count against it.
    LedgerHistory(Ledger& ledger, const rules::RuleSet& rules, const DrawField* payee_key, DecideRunId run,
                  std::optional<DrawId> except = std::nullopt);

    // For a replay: draws requested after `at` are not seen.
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
    // Of every draw, the one at hand included: the mirror does not change while a run decides.
    mutable std::map<Key, rules::HistorySum> sums_;
};

}  // namespace drawbridge::ledger
