#include "operators.hpp"

#include <algorithm>
#include <utility>

namespace drawbridge::rules {
namespace {

constexpr std::pair<std::string_view, Operator> operators[] = {
    {"eq", Operator::equal},
    {"in", Operator::in},
    {"gt", Operator::gt},
    {"gte", Operator::gte},
    {"lt", Operator::lt},
    {"lte", Operator::lte},
    {"contains", Operator::contains},
    {"startsWith", Operator::starts_with},
    {"endsWith", Operator::ends_with},
    {"matches", Operator::matches},
    {"older_than", Operator::older_than},
    {"newer_than", Operator::newer_than},
};

}  // namespace

std::vector<std::string_view> operator_keys() {
    std::vector<std::string_view> keys;
    for (const auto& [name, op] : operators)
        keys.push_back(name);
    keys.push_back(not_key);
    keys.push_back(is_key);
    return keys;
}

std::optional<Operator> find_operator(std::string_view key) {
    if (key == is_key) return Operator::is_null;
    const auto* found = std::ranges::find(operators, key, &std::pair<std::string_view, Operator>::first);
    if (found == std::end(operators)) return std::nullopt;
    return found->second;
}

bool compares_order(Operator op) {
    return op == Operator::gt || op == Operator::gte || op == Operator::lt || op == Operator::lte;
}

bool is_text_operator(Operator op) {
    return op == Operator::contains || op == Operator::starts_with || op == Operator::ends_with ||
           op == Operator::matches;
}

bool is_allowed(Operator op, FieldKind kind) {
    if (op == Operator::older_than || op == Operator::newer_than) return kind == FieldKind::instant;
    return kind == FieldKind::text ? !compares_order(op) : !is_text_operator(op);
}

std::string allowed_keys(FieldKind kind) {
    std::string keys;
    for (const auto& [name, op] : operators) {
        if (is_allowed(op, kind)) keys += std::string(name) + ", ";
    }
    return keys + std::string(not_key) + ", " + std::string(is_key);
}

std::string_view noun(FieldKind kind) {
    switch (kind) {
        case FieldKind::integer: return "a whole number";
        case FieldKind::text: return "text";
        case FieldKind::money: return "an amount";
        case FieldKind::instant: return "a date";
    }
    return {};
}

std::string_view to_string(Operator op) {
    if (op == Operator::is_not_null) return "is not null";
    if (op == Operator::is_null) return "is null";
    const auto* found = std::ranges::find(operators, op, &std::pair<std::string_view, Operator>::second);
    return found->first;
}

}  // namespace drawbridge::rules
