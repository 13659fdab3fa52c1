#include "evaluate.hpp"

#include <algorithm>
#include <compare>
#include <string>
#include <utility>

#include "drawbridge/domain/assert.hpp"
#include "notes.hpp"

namespace drawbridge::rules {
namespace {

constexpr std::size_t max_shown_bytes = 200;

char lower(char c) {
    return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
}

// Compares texts as the rule set says. Only A-Z are folded: what other letters' cases are depends on the language.
class TextComparison {
  public:
    explicit TextComparison(bool case_sensitive) : same_{case_sensitive} {}

    [[nodiscard]] bool equal(std::string_view a, std::string_view b) const { return std::ranges::equal(a, b, same_); }
    [[nodiscard]] bool contains(std::string_view text, std::string_view part) const {
        return part.empty() || !std::ranges::search(text, part, same_).empty();
    }
    [[nodiscard]] bool starts_with(std::string_view text, std::string_view part) const {
        return text.size() >= part.size() && equal(text.substr(0, part.size()), part);
    }
    [[nodiscard]] bool ends_with(std::string_view text, std::string_view part) const {
        return text.size() >= part.size() && equal(text.substr(text.size() - part.size()), part);
    }

  private:
    struct SameCharacter {
        bool case_sensitive;
        bool operator()(char a, char b) const { return case_sensitive ? a == b : lower(a) == lower(b); }
    };
    SameCharacter same_;
};

bool compare_text(Operator op, std::string_view found, std::string_view wanted, const TextComparison& texts) {
    switch (op) {
        case Operator::equal:
        case Operator::in: return texts.equal(found, wanted);
        case Operator::contains: return texts.contains(found, wanted);
        case Operator::starts_with: return texts.starts_with(found, wanted);
        case Operator::ends_with: return texts.ends_with(found, wanted);
        case Operator::gt:
        case Operator::gte:
        case Operator::lt:
        case Operator::lte:
        case Operator::is_null:
        case Operator::is_not_null: break;
    }
    DRAWBRIDGE_ASSERT(false, "the parser lets no other operator near a text");
}

bool compare_order(Operator op, std::strong_ordering order) {
    switch (op) {
        case Operator::equal:
        case Operator::in: return order == 0;
        case Operator::gt: return order > 0;
        case Operator::gte: return order >= 0;
        case Operator::lt: return order < 0;
        case Operator::lte: return order <= 0;
        case Operator::contains:
        case Operator::starts_with:
        case Operator::ends_with:
        case Operator::is_null:
        case Operator::is_not_null: break;
    }
    DRAWBRIDGE_ASSERT(false, "the parser lets no other operator near a number, an amount or a date");
}

bool compare(Operator op, const FieldValue& found, const FieldValue& wanted, const TextComparison& texts) {
    DRAWBRIDGE_ASSERT(found.index() == wanted.index(), "a condition's value is of its field's kind");
    if (const auto* text = std::get_if<std::string>(&found)) {
        return compare_text(op, *text, std::get<std::string>(wanted), texts);
    }
    return compare_order(op, found <=> wanted);
}

bool passes(const Test& test, const FieldValue& found, bool case_sensitive) {
    const bool null = std::holds_alternative<std::monostate>(found);
    if (test.op == Operator::is_null) return null;
    if (test.op == Operator::is_not_null) return !null;
    if (null) return false;
    const TextComparison texts(case_sensitive);
    return std::ranges::any_of(test.wanted,
                               [&](const FieldValue& wanted) { return compare(test.op, found, wanted, texts); });
}

std::string show(const FieldValue& value) {
    return shorten(one_line(display(value)), max_shown_bytes);
}

ConditionResult evaluate_test(const Test& test, const Draw& draw, bool case_sensitive) {
    const FieldValue found = test.field->get(draw);
    ConditionResult result;
    result.field = test.field->name;
    result.op = to_string(test.op);
    for (const FieldValue& wanted : test.wanted) {
        if (!result.wanted.empty()) result.wanted += ", ";
        result.wanted += show(wanted);
    }
    result.found = show(found);
    result.passed = passes(test, found, case_sensitive);
    const bool compares = test.op != Operator::is_null && test.op != Operator::is_not_null;
    if (compares && std::holds_alternative<std::monostate>(found)) result.note = "null never matches a comparison";
    return result;
}

ConditionResult evaluate_all(const AllOf& all, const Draw& draw, bool case_sensitive) {
    ConditionResult result;
    result.op = "all";
    result.passed = true;
    for (const Condition& part : all.parts) {
        result.parts.push_back(evaluate(part, draw, case_sensitive));
        result.passed = result.passed && result.parts.back().passed;
    }
    return result;
}

}  // namespace

ConditionResult evaluate(const Condition& condition, const Draw& draw, bool case_sensitive) {
    if (const auto* all = std::get_if<AllOf>(&condition.node)) return evaluate_all(*all, draw, case_sensitive);
    return evaluate_test(std::get<Test>(condition.node), draw, case_sensitive);
}

}  // namespace drawbridge::rules
