#include "evaluate.hpp"

#include <re2/re2.h>

#include <algorithm>
#include <compare>
#include <string>
#include <utility>

#include "drawbridge/domain/assert.hpp"
#include "drawbridge/text/sanitize.hpp"
#include "drawbridge/text/show.hpp"
#include "notes.hpp"
#include "text_comparison.hpp"

namespace drawbridge::rules {
namespace {

constexpr std::size_t max_shown_bytes = 200;

// Kleene's three truth values. Only `yes` matches.
enum class Truth { no, unknown, yes };

Truth truth(bool value) {
    return value ? Truth::yes : Truth::no;
}

Truth truth(const ConditionResult& result) {
    return result.unknown ? Truth::unknown : truth(result.passed);
}

void set_truth(ConditionResult& result, Truth value) {
    result.passed = value == Truth::yes;
    result.unknown = value == Truth::unknown;
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
        case Operator::matches:
        case Operator::older_than:
        case Operator::newer_than:
        case Operator::is_null:
        case Operator::is_not_null: break;
    }
    DRAWBRIDGE_ASSERT(false, "the parser allows no other operator on a number, an amount or a date");
}

bool compare(Operator op, const FieldValue& found, const FieldValue& wanted, bool case_sensitive) {
    DRAWBRIDGE_ASSERT(found.index() == wanted.index(), "a condition's value has its field's kind");
    if (const auto* text = std::get_if<std::string>(&found)) {
        return TextComparison(case_sensitive).compare(op, *text, std::get<std::string>(wanted));
    }
    return compare_order(op, found <=> wanted);
}

// Whoever writes the draw must not avoid a rule with characters that nobody sees.
FieldValue as_seen(FieldValue value) {
    auto* const text = std::get_if<std::string>(&value);
    if (text != nullptr) *text = text::as_seen(std::move(*text));
    return value;
}

bool is_null(const FieldValue& value) {
    return std::holds_alternative<std::monostate>(value);
}

// The value must not be null.
bool satisfies_age(const Test& test, Instant found, const EvaluationContext& context) {
    const Instant now = context.now;
    // One millisecond later it is certainly older than its age.
    context.changes_at(found + test.age + std::chrono::milliseconds(1));
    return test.op == Operator::older_than ? found < now - test.age : found > now - test.age;
}

// `other` is the value of the field to compare with, if the test has one.
Truth evaluate_value(const Test& test, const FieldValue& found, const FieldValue& other,
                     const EvaluationContext& context) {
    if (test.op == Operator::is_null) return truth(is_null(found));
    if (test.op == Operator::is_not_null) return truth(!is_null(found));
    if (is_null(found) || (test.other != nullptr && is_null(other))) return Truth::unknown;
    if (test.other != nullptr) return truth(compare(test.op, found, other, context.case_sensitive));
    if (test.pattern) return truth(re2::RE2::PartialMatch(std::get<std::string>(found), *test.pattern));
    if (const auto* date = std::get_if<Instant>(&found); date != nullptr && test.wanted.empty()) {
        return truth(satisfies_age(test, *date, context));
    }
    return truth(std::ranges::any_of(test.wanted, [&](const FieldValue& wanted) {
        return compare(test.op, found, wanted, context.case_sensitive);
    }));
}

std::string show(const FieldValue& value) {
    return shorten(one_line(display(value)), max_shown_bytes);
}

std::string show_wanted(const Test& test, const FieldValue& other) {
    if (test.other != nullptr) return std::string(test.other->name) + " (" + show(other) + ")";
    if (test.age > std::chrono::milliseconds(0)) return text::short_duration(test.age);
    std::string list;
    for (const FieldValue& wanted : test.wanted) {
        if (!list.empty()) list += ", ";
        list += show(wanted);
    }
    return list;
}

ConditionResult evaluate_test(const Test& test, const EvaluationContext& context) {
    const FieldValue found = as_seen(test.field->get(context.draw));
    const FieldValue other = test.other == nullptr ? FieldValue() : as_seen(test.other->get(context.draw));
    ConditionResult result;
    result.field = test.field->name;
    result.op = to_string(test.op);
    result.wanted = show_wanted(test, other);
    result.found = show(found);
    set_truth(result, evaluate_value(test, found, other, context));
    if (result.unknown) result.note = "null never matches a comparison";
    return result;
}

ConditionResult evaluate_parts(std::string_view op, const std::vector<Condition>& parts,
                               const EvaluationContext& context) {
    ConditionResult result;
    result.op = op;
    for (const Condition& part : parts)
        result.parts.push_back(evaluate(part, context));
    return result;
}

ConditionResult evaluate_node(const AllOf& all, const EvaluationContext& context) {
    ConditionResult result = evaluate_parts("all", all.parts, context);
    Truth value = Truth::yes;
    for (const ConditionResult& part : result.parts)
        value = std::min(value, truth(part));
    set_truth(result, value);
    return result;
}

ConditionResult evaluate_node(const AnyOf& any, const EvaluationContext& context) {
    ConditionResult result = evaluate_parts("any", any.parts, context);
    Truth value = Truth::no;
    for (const ConditionResult& part : result.parts)
        value = std::max(value, truth(part));
    set_truth(result, value);
    return result;
}

ConditionResult evaluate_node(const Not& negation, const EvaluationContext& context) {
    ConditionResult result = evaluate_parts(negation.unless ? "unless" : "not", negation.part, context);
    const Truth part = truth(result.parts.front());
    set_truth(result, part == Truth::unknown ? part : truth(part == Truth::no));
    if (result.unknown) result.note = "a comparison with null is neither true nor false; its negation is unknown too";
    return result;
}

ConditionResult evaluate_node(const Test& test, const EvaluationContext& context) {
    return evaluate_test(test, context);
}

ConditionResult evaluate_node(const HistoryTest& test, const EvaluationContext& context) {
    ConditionResult result;
    result.field = test.name();
    result.op = to_string(test.op);
    result.wanted = show(test.wanted) + " over " + text::short_duration(test.over);
    const auto others = context.history.sum(test.of, context.draw, context.now - test.over);
    if (!others) {
        result.found = "null";
        result.note = "the draw has no " + std::string(to_string(test.of)) + ": there is nothing to total";
        set_truth(result, Truth::unknown);
        return result;
    }
    if (others->oldest) context.changes_at(*others->oldest + test.over);
    const auto own = amount_in_history(context.draw);
    const std::int64_t count = others->count + 1;
    const Money total = others->total + own.value_or(Money());
    const std::string with = ", this draw included";
    if (test.total && (others->without_amount > 0 || !own)) {
        result.found = "null";
        result.note = "a draw among " + text::counted(count, "draw") + with + " has no amount: the total is unknown";
        set_truth(result, Truth::unknown);
        return result;
    }
    const FieldValue found = test.total ? FieldValue(total) : FieldValue(count);
    result.found = test.total ? show(found) : std::to_string(count);
    result.note = (test.total ? "of " + text::counted(count, "draw") : text::counted(count, "draw")) + with;
    set_truth(result, truth(compare(test.op, found, test.wanted, context.case_sensitive)));
    return result;
}

ConditionResult evaluate_node(const DuplicateTest& test, const EvaluationContext& context) {
    ConditionResult result;
    result.field = "duplicate_within";
    result.op = "within";
    result.wanted = text::short_duration(test.within);
    if (!context.draw.case_id || !context.draw.amount_requested) {
        result.found = "null";
        result.note = "the draw has no case or no amount: there is nothing to compare with";
        set_truth(result, Truth::unknown);
        return result;
    }
    const auto duplicate = context.history.duplicate(context.draw, test.within);
    result.found = duplicate
                       ? "draw " + std::to_string(duplicate->id) + " of " + format_instant(duplicate->requested_date)
                       : "none";
    set_truth(result, truth(duplicate.has_value()));
    return result;
}

}  // namespace

std::string HistoryTest::name() const {
    return std::string(to_string(of)) + (total ? "_total" : "_count");
}

ConditionResult evaluate(const Condition& condition, const EvaluationContext& context) {
    return std::visit([&](const auto& node) { return evaluate_node(node, context); }, condition.node);
}

}  // namespace drawbridge::rules
