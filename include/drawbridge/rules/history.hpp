// What the rules may ask about other draws. The shell answers from the ledger, tests from a list. It never speaks of
// the draw at hand itself, and never of draws that came to nothing (cancelled) or were never submitted.
#pragma once

#include <chrono>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "drawbridge/domain/draw.hpp"

namespace drawbridge::rules {

// Whose draws are summed up: those that agree with the draw at hand in this.
enum class HistoryOf { case_id, requester, workflow, payee };

// "case", "requester", "workflow", "payee"
[[nodiscard]] std::string_view to_string(HistoryOf of);

struct HistorySum {
    std::int64_t count = 0;
    Money total;                      // amountApproved, where there is none amountRequested
    std::int64_t without_amount = 0;  // of `count`: both are null, so that the total is not known
    std::optional<Instant> oldest;    // the earliest requestedDate among them
};

struct Duplicate {
    DrawId id = 0;
    Instant requested_date;
};

// What limits have used up: approvals decided by rules, by the value that a limit goes by.
struct Used {
    std::int64_t count = 0;
    Money amount;
};

// What a limit goes by; `everything` has one value, the empty text.
enum class LimitBy { everything, case_id, workflow, requester };
[[nodiscard]] std::string_view to_string(LimitBy by);
// The draw's value of it; nullopt: null.
[[nodiscard]] std::optional<std::string> limit_key(LimitBy by, const Draw& draw);

class History {
  public:
    virtual ~History() = default;
    // Other draws that agree with `draw` in `of` and were requested after `since`. nullopt: the draw's own value is
    // null.
    [[nodiscard]] virtual std::optional<HistorySum> sum(HistoryOf of, const Draw& draw, Instant since) const = 0;
    // Another draw of the same case and the same amount requested, requested at most `within` before or after. The one
    // with the lowest id.
    [[nodiscard]] virtual std::optional<Duplicate> duplicate(const Draw& draw,
                                                             std::chrono::milliseconds within) const = 0;
    // Approvals decided by `rule` (empty: by any rule) at `since` or later; with `this_run`, by the run that is going
    // on. What was decided anew, refused or never carried out is not among them.
    [[nodiscard]] virtual std::map<std::string, Used> used(std::string_view rule, LimitBy by, Instant since,
                                                           bool this_run) const = 0;
};

// Given as a list, by a test or a replay.
class ListedHistory : public History {
  public:
    struct Entry {
        Draw draw;
        std::string approved_by_rule;            // empty: by no rule
        std::optional<Instant> decided_at = {};  // of that approval
        bool this_run = false;
    };
    explicit ListedHistory(std::vector<Entry> entries = {}, const DrawField* payee_key = nullptr)
        : entries_(std::move(entries)), payee_key_(payee_key) {}

    [[nodiscard]] std::optional<HistorySum> sum(HistoryOf of, const Draw& draw, Instant since) const override;
    [[nodiscard]] std::optional<Duplicate> duplicate(const Draw& draw, std::chrono::milliseconds within) const override;
    [[nodiscard]] std::map<std::string, Used> used(std::string_view rule, LimitBy by, Instant since,
                                                   bool this_run) const override;

  private:
    std::vector<Entry> entries_;
    const DrawField* payee_key_;
};

// A draw counts in the history of others: it was submitted and not cancelled.
[[nodiscard]] bool counts_in_history(const Draw& draw);
// amountApproved, where there is none amountRequested.
[[nodiscard]] std::optional<Money> amount_in_history(const Draw& draw);

}  // namespace drawbridge::rules
