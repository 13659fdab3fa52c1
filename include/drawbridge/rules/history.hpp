// What decisions know beyond the draw itself: other draws of the same case, requester, workflow or payee, and what the
// limits have already let through. A value that the shell fills from the ledger, or a test from a list; it reads no
// ledger itself and is asked only for what the rules name.
#pragma once

#include <chrono>
#include <compare>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "drawbridge/domain/draw.hpp"
#include "drawbridge/rules/rule_set.hpp"

namespace drawbridge::rules {

// A draw's weight in sums and limits: amountApproved, or amountRequested where that is null.
[[nodiscard]] std::optional<Money> weight(const Draw& draw);

// Another draw, as sums and counts see it.
struct PastDraw {
    DrawId id = 0;
    Instant requested_date;
    std::optional<Money> amount;  // its weight
};

// An approval by a rule that uses up limits.
struct Use {
    DrawId draw_id = 0;
    Instant decided_at;
    bool this_run = false;
    std::string rule;
    std::optional<std::int64_t> case_id;
    std::string requested_by;
    std::int64_t workflow_id = 0;
    std::optional<Money> amount;  // its weight
};

struct CountAndTotal {
    std::int64_t count = 0;
    Money total;
};

class History {
  public:
    // Every known draw, but for cancelled ones, whose `field` has this value and that was requested at `since` or
    // later; in any order.
    using Load = std::function<std::vector<PastDraw>(const DrawField& field, const FieldValue& value, Instant since)>;

    // `payee_key`: the field that names the payee; null where there is none: then a payee is always unknown.
    History(const DrawField* payee_key, Load load) : payee_key_(payee_key), load_(std::move(load)) {}
    // Of these draws and no others; cancelled ones are left out.
    [[nodiscard]] static History of(std::vector<Draw> draws, const DrawField* payee_key);
    [[nodiscard]] static History none() { return of({}, nullptr); }

    // What the approvals so far have used, of a draw the newest one only.
    void add_use(Use use);
    // A draw that is decided anew uses nothing until it is approved again.
    void withdraw_use(DrawId id);

    // Other draws with this one's value of `subject`, requested at most `over` before it or at any time after it.
    // nullopt: the value is null.
    [[nodiscard]] std::optional<CountAndTotal> others(Subject subject, const Draw& draw,
                                                      std::chrono::milliseconds over) const;
    // Other draws of the same case and amount, requested at most `within` before or after this one. nullopt: its case
    // or its amount is null.
    [[nodiscard]] std::optional<std::int64_t> duplicates(const Draw& draw, std::chrono::milliseconds within) const;
    // What other draws have used of `limit` in the run, day or week of `now`. `rule`: whose limit it is; empty: of the
    // whole set. nullopt: the limit goes by case and the draw has none.
    [[nodiscard]] std::optional<CountAndTotal> used(const Limit& limit, const std::string& rule, const Draw& draw,
                                                    Instant now, const TimeZone& zone) const;

  private:
    struct Loaded {
        Instant since;
        std::vector<PastDraw> draws;  // by requested_date
        std::vector<Money> totals;    // of all draws before the one with this index; one more than draws
        std::unordered_map<DrawId, std::size_t> places;
    };
    using Key = std::pair<const DrawField*, FieldValue>;

    // What one kind of limit has let through since `begin`, so that a look at it does not go through all uses.
    struct Tally {
        Instant begin;
        std::unordered_map<std::string, CountAndTotal> by_group;
    };
    struct TallyKey {
        std::string rule;  // empty: all
        Period per;
        std::optional<Subject> by;
        friend auto operator<=>(const TallyKey&, const TallyKey&) = default;
    };
    static void count(Tally& tally, const TallyKey& key, const Use& use, int times);
    [[nodiscard]] const Tally& tally(const TallyKey& key, Instant begin) const;

    [[nodiscard]] const DrawField* field_of(Subject subject) const;
    const Loaded& load(const DrawField& field, const FieldValue& value, Instant since) const;

    const DrawField* payee_key_;
    Load load_;
    mutable std::map<Key, Loaded> loaded_;
    std::unordered_map<DrawId, Use> uses_;
    mutable std::map<TallyKey, Tally> tallies_;
};

// The local day on which the period of a limit begins that `now` is in, as an instant. Of a run: `now`.
[[nodiscard]] Instant period_begin(Period period, Instant now, const TimeZone& zone);
// When the next period begins: the next local midnight, or the next Monday's.
[[nodiscard]] Instant period_end(Period period, Instant now, const TimeZone& zone);

}  // namespace drawbridge::rules
