// The office's rules as a value: what operators wrote, checked and ready to be decided by. Text in, RuleSet or
// diagnostics out; it never reads a file and never decides (decide.hpp does).
#pragma once

#include <cstdint>
#include <expected>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "drawbridge/domain/draw.hpp"
#include "drawbridge/text/diagnostic.hpp"

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
    is_null,      // is: null
    is_not_null,  // is: not null
};

// "startsWith", as in the rule file.
[[nodiscard]] std::string_view to_string(Operator op);

// One comparison of one field. Null never matches a comparison; only is_null and is_not_null look at null itself.
struct Test {
    const DrawField* field;
    Operator op;
    std::vector<FieldValue> wanted;  // of the field's kind; several for `in`, none for is_null and is_not_null
};

struct Condition;

// Every part must match; without parts it matches every draw.
struct AllOf {
    std::vector<Condition> parts;
};

// A tree, so that other ways to combine conditions take their place beside AllOf.
struct Condition {
    std::variant<AllOf, Test> node;
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

struct Rule {
    std::string name;
    int line = 0, column = 0;  // where it stands in its file
    Condition when;
    std::variant<Approve, Hold> outcome;
};

// First match wins; what no rule matches is held.
struct RuleSet {
    int version = 1;
    std::optional<std::int64_t> approver_id;  // for rules that name none themselves
    bool case_sensitive = false;              // of text comparisons; insensitive concerns A-Z only
    std::vector<Rule> rules;
    std::string text;            // the very bytes that were parsed
    std::string sha256;          // of text; each decision names it
    text::Diagnostics warnings;  // what is valid and probably not meant
};

// Every problem in one run, each with its place and what to do.
[[nodiscard]] std::expected<RuleSet, text::Diagnostics> parse_rules(std::string_view text, std::string_view file_name);

}  // namespace drawbridge::rules
