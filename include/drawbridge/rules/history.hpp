// What the rules may ask about other draws. The shell answers from the ledger, tests from a list. The current draw
// itself is never included, nor are draws that are cancelled or not submitted.
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

// Which draws are totaled: those with the same value as the current draw.
enum class HistoryOf { case_id, requester, workflow, payee };

// "case", "requester", "workflow", "payee"
[[nodiscard]] std::string_view to_string(HistoryOf of);

struct HistorySum {
    std::int64_t count = 0;
    Money total;                      // amountApproved, or amountRequested where it is null
    std::int64_t without_amount = 0;  // how many of `count` have neither amount, which makes the total unknown
    std::optional<Instant> oldest;    // the earliest requestedDate among them
};

struct Duplicate {
    DrawId id = 0;
    Instant requested_date;
};

// What limits have used up: approvals that rules decided, grouped by the limit's key.
struct Used {
    std::int64_t count = 0;
    Money amount;
};

// What a limit is grouped by; `everything` has a single group with an empty key.
enum class LimitBy { everything, case_id, workflow, requester };
[[nodiscard]] std::string_view to_string(LimitBy by);
// The draw's key for that grouping; nullopt when it is null.
[[nodiscard]] std::optional<std::string> limit_key(LimitBy by, const Draw& draw);

class History {
  public:
    virtual ~History() = default;
    // Other draws with the same `of` as `draw`, requested after `since`. nullopt when the draw's own value is null.
    [[nodiscard]] virtual std::optional<HistorySum> sum(HistoryOf of, const Draw& draw, Instant since) const = 0;
    // Another draw with the same case and the same requested amount, requested at most `within` before or after; the
    // one with the lowest id.
    [[nodiscard]] virtual std::optional<Duplicate> duplicate(const Draw& draw,
                                                             std::chrono::milliseconds within) const = 0;
    // Approvals decided by `rule` (empty: by any rule) at `since` or later; with `this_run`, those of the current run.
    // Draws that were decided again, refused or never submitted for approval are not included.
    [[nodiscard]] virtual std::map<std::string, Used> used(std::string_view rule, LimitBy by, Instant since,
                                                           bool this_run) const = 0;
};

// A history given as a list, by a test or a replay.
class ListedHistory : public History {
  public:
    struct Entry {
        Draw draw;
        std::string approved_by_rule;            // empty: not by a rule
        std::optional<Instant> decided_at = {};  // when that approval was decided
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

// What `draw` has in common with the draws that are summed. Null: nobody knows. A payee key is without blanks at its
// ends, as a payment takes it, and one that is empty names nobody.
[[nodiscard]] FieldValue history_value(HistoryOf of, const Draw& draw, const DrawField* payee_key);

// Whether a draw counts in the history of others: it was submitted and not cancelled.
[[nodiscard]] bool counts_in_history(const Draw& draw);
// amountApproved, or amountRequested where it is null.
[[nodiscard]] std::optional<Money> amount_in_history(const Draw& draw);

}  // namespace drawbridge::rules
