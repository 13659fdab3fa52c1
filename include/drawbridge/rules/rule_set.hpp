// The office's rules as a value: what operators wrote, validated and ready for deciding. Text in, RuleSet or
// diagnostics out. It never reads a file and never decides (decide.hpp does).
#pragma once

#include <chrono>
#include <cstdint>
#include <expected>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "drawbridge/domain/draw.hpp"
#include "drawbridge/rules/history.hpp"
#include "drawbridge/text/diagnostic.hpp"

namespace re2 {
class RE2;
}

namespace drawbridge::rules {

// Named as in the rule file and the Draws Service.
enum class Operator {
    equal,  // eq, or the bare value
    in,     // equal to one of several
    gt,     // these four compare numbers, amounts and dates
    gte,
    lt,
    lte,
    contains,     // these three compare text
    starts_with,  // startsWith
    ends_with,    // endsWith
    matches,      // text: an RE2 regular expression found anywhere in the text
    older_than,   // these two compare dates with the time of the decision
    newer_than,
    is_null,      // is: null
    is_not_null,  // is: not null
};

// "startsWith", as in the rule file.
[[nodiscard]] std::string_view to_string(Operator op);

// One comparison of one field. With a null on either side it is neither true nor false but unknown; only is_null and
// is_not_null test for null itself.
struct Test {
    const DrawField* field;
    Operator op;
    // Values of the field's kind: several for `in`, the pattern's text for `matches`. Empty when the members below say
    // what to compare with, and for is_null and is_not_null.
    std::vector<FieldValue> wanted;
    const DrawField* other = nullptr;              // another field of the same kind of the same draw
    std::chrono::milliseconds age{0};              // for older_than and newer_than
    std::shared_ptr<const re2::RE2> pattern = {};  // for matches; shared by copies of a rule set
};

// One comparison of a sum over other draws and the current one: `case_total: {over: 30d, lte: 7500.00}`. Unknown when
// the draw's own value (its case, its payee) is null, or when any counted draw has no amount.
struct HistoryTest {
    HistoryOf of = HistoryOf::case_id;
    bool total = false;                      // total of amounts; otherwise the number of draws
    std::chrono::milliseconds over{0};       // how far back draws are counted, by requested date
    Operator op = Operator::lte;             // equal, gt, gte, lt, lte
    FieldValue wanted;                       // Money for a total, an integer for a count
    [[nodiscard]] std::string name() const;  // "case_total"
};

// Another draw with the same case and amount was requested within this time before or after: `duplicate_within: 14d`.
struct DuplicateTest {
    std::chrono::milliseconds within{0};
};

struct Condition;

// Every part must match; with no parts it matches every draw.
struct AllOf {
    std::vector<Condition> parts;
};

// At least one part must match.
struct AnyOf {
    std::vector<Condition> parts;
};

// True when its single part is false; unknown when the part is unknown.
struct Not {
    std::vector<Condition> part;
    bool unless = false;  // written as `unless: {...}`, not as `not` of one field
};

// Three-valued (Kleene) logic: a rule matches only when the whole tree is true.
struct Condition {
    std::variant<AllOf, AnyOf, Not, Test, HistoryTest, DuplicateTest> node;
};

// A piece of the notes: literal text, or the value of a draw's field.
struct NotesPiece {
    std::string text;
    const DrawField* field = nullptr;  // null: literal text
};

struct Approve {
    std::int64_t approver_id = 0;
    std::vector<NotesPiece> notes;  // {rule} is already filled in
    std::vector<std::string> notify;
};

struct Hold {
    std::string reason;
};

enum class LimitPer { run, day, week };
[[nodiscard]] std::string_view to_string(LimitPer per);

// How much a rule, or the whole set, may approve without a person. A draw that would exceed it is held.
struct Limit {
    std::optional<std::int64_t> count;
    std::optional<Money> amount;   // at least one of count and amount
    LimitPer per = LimitPer::day;  // days and weeks (from Monday) in the office's time zone
    LimitBy by = LimitBy::everything;
    // "10 draws and $5000.00 per day per case"
    [[nodiscard]] std::string words() const;
    friend bool operator==(const Limit&, const Limit&) = default;
};

struct Rule {
    std::string name;
    int line = 0, column = 0;  // position in its file
    Condition when;
    std::variant<Approve, Hold> outcome;
    bool enabled = true;
    // In shadow mode a rule is evaluated and recorded but never decides: the next rules continue as if it did not
    // exist.
    bool shadow = false;
    std::vector<Limit> limits;  // limits of an approving rule
    // Days in the office's time zone, both included.
    std::optional<BusinessDate> effective_from, effective_to;
};

// The first match wins; a draw that no rule matches is held.
struct RuleSet {
    int version = 1;
    std::optional<std::int64_t> approver_id;  // for rules without their own
    bool case_sensitive = false;              // for text comparisons; case-insensitive comparison folds A-Z only
    std::vector<Limit> limits;                // apply to all rules together
    std::vector<Rule> rules;
    std::string text;            // the exact bytes that were parsed
    std::string sha256;          // hash of `text`; each decision records it
    text::Diagnostics warnings;  // valid, but probably not what the writer meant
};

// What a rule set reads from the history, so that the ledger can prepare its indexes.
struct HistoryNeeds {
    bool duplicates = false;
    std::vector<HistoryOf> sums;  // each once
};
[[nodiscard]] HistoryNeeds history_needs(const RuleSet& rules);

// Everything else waits while the daemon reads a rule file, and the ledger keeps every one.
inline constexpr std::size_t max_rule_file_bytes = std::size_t{256} * 1024;

// Reports every problem in one run, each with its position and what to do.
[[nodiscard]] std::expected<RuleSet, text::Diagnostics> parse_rules(std::string_view text, std::string_view file_name);

}  // namespace drawbridge::rules
