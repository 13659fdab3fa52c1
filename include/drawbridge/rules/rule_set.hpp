// The office's rules as a value: what operators wrote, checked and ready to be decided by. Text in, RuleSet or
// diagnostics out; it never reads a file and never decides (decide.hpp does).
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

// Under the names that the rule file (and the Draws Service) gives them.
enum class Operator {
    equal,  // eq, or the bare value
    in,     // equal to one of several
    gt,     // these four: numbers, amounts and dates
    gte,
    lt,
    lte,
    contains,     // these three: texts
    starts_with,  // startsWith
    ends_with,    // endsWith
    matches,      // texts: a regular expression of RE2 that is found anywhere in the text
    older_than,   // these two: dates, against the time of the decision
    newer_than,
    is_null,      // is: null
    is_not_null,  // is: not null
};

// "startsWith", as in the rule file.
[[nodiscard]] std::string_view to_string(Operator op);

// One comparison of one field. With a null on either side it is neither true nor false but unknown; only is_null and
// is_not_null look at null itself.
struct Test {
    const DrawField* field;
    Operator op;
    // Of the field's kind: several for `in`, the pattern's text for `matches`; none where the members below say what
    // to compare with, and for is_null and is_not_null.
    std::vector<FieldValue> wanted;
    const DrawField* other = nullptr;              // a field of the same kind of the same draw
    std::chrono::milliseconds age{0};              // of older_than and newer_than
    std::shared_ptr<const re2::RE2> pattern = {};  // of matches; shared by the copies of a rule set
};

// One comparison of what other draws and this one come to: `case_total: {over: 30d, lte: 7500.00}`. The draw at hand
// counts in. Unknown where the draw's own value (its case, its payee) is null, or an amount that counts.
struct HistoryTest {
    HistoryOf of = HistoryOf::case_id;
    bool total = false;                      // amounts; otherwise the number of draws
    std::chrono::milliseconds over{0};       // draws requested so recently
    Operator op = Operator::lte;             // equal, gt, gte, lt, lte
    FieldValue wanted;                       // Money for a total, an integer for a count
    [[nodiscard]] std::string name() const;  // "case_total"
};

// Another draw of the same case and amount was requested at most so long before or after: `duplicate_within: 14d`.
struct DuplicateTest {
    std::chrono::milliseconds within{0};
};

struct Condition;

// Every part must match; without parts it matches every draw.
struct AllOf {
    std::vector<Condition> parts;
};

// At least one part must match.
struct AnyOf {
    std::vector<Condition> parts;
};

// Its one part must be false; an unknown part leaves it unknown.
struct Not {
    std::vector<Condition> part;
    bool unless = false;  // written as `unless: {...}`, not as `not` of one field
};

// Three-valued, as Kleene's logic has it: a rule matches only where the whole tree is true.
struct Condition {
    std::variant<AllOf, AnyOf, Not, Test, HistoryTest, DuplicateTest> node;
};

// A piece of the notes: literal text, or the value of a field of the draw.
struct NotesPiece {
    std::string text;
    const DrawField* field = nullptr;  // null: the text
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

// How much may be approved without a person: by a rule, or by the whole set. What would pass it is held.
struct Limit {
    std::optional<std::int64_t> count;
    std::optional<Money> amount;   // at least one of both
    LimitPer per = LimitPer::day;  // days and weeks (from Monday) of the office's time zone
    LimitBy by = LimitBy::everything;
    // "10 draws and $5000.00 a day for each case"
    [[nodiscard]] std::string words() const;
    friend bool operator==(const Limit&, const Limit&) = default;
};

struct Rule {
    std::string name;
    int line = 0, column = 0;  // where it stands in its file
    Condition when;
    std::variant<Approve, Hold> outcome;
    bool enabled = true;
    // Looked at and recorded, never decisive: the rules after it go on as if it were not there.
    bool shadow = false;
    std::vector<Limit> limits;  // of an approving rule
    // Days of the office's time zone, both included.
    std::optional<BusinessDate> effective_from, effective_to;
};

// First match wins; what no rule matches is held.
struct RuleSet {
    int version = 1;
    std::optional<std::int64_t> approver_id;  // for rules that name none themselves
    bool case_sensitive = false;              // of text comparisons; insensitive concerns A-Z only
    std::vector<Limit> limits;                // of all rules together
    std::vector<Rule> rules;
    std::string text;            // the very bytes that were parsed
    std::string sha256;          // of text; each decision names it
    text::Diagnostics warnings;  // what is valid and probably not meant
};

// What a rule set asks of the history, so that the ledger can be ready for it.
struct HistoryNeeds {
    bool duplicates = false;
    std::vector<HistoryOf> sums;  // each once
};
[[nodiscard]] HistoryNeeds history_needs(const RuleSet& rules);

// Every problem in one run, each with its place and what to do.
[[nodiscard]] std::expected<RuleSet, text::Diagnostics> parse_rules(std::string_view text, std::string_view file_name);

}  // namespace drawbridge::rules
