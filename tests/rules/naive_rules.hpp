// A second rule evaluator, as simple as possible, and random rules for it: its results must equal the program's results
// for the same YAML. It shares only Draw with the program.
#pragma once

#include <memory>
#include <optional>
#include <random>
#include <string>
#include <vector>

#include "drawbridge/domain/draw.hpp"

namespace drawbridge::rules::naive {

// A number (cents, milliseconds or plain), text, or null.
struct Value {
    bool null = true;
    bool text = false;
    std::int64_t number = 0;
    std::string letters;
};

struct Node {
    std::string op;     // "all", "any", "unless", "not", or an operator of the rule file, or "null", "not null"
    std::string field;  // for an operator and for "not"
    std::string other;  // field to compare with
    std::vector<Value> wanted;
    std::vector<Node> parts;
};

struct Rule {
    std::string name;
    bool enabled = true, shadow = false, approve = false;
    int from = 0, to = 0;  // days of March 2026; 0: none
    Node when;
};

struct Verdict {
    bool approve = false;
    std::string rule;
    friend bool operator==(const Verdict&, const Verdict&) = default;
};

using Random = std::mt19937_64;

[[nodiscard]] Draw random_draw(Random& random);
[[nodiscard]] std::vector<Rule> random_rules(Random& random);
[[nodiscard]] std::string to_yaml(const std::vector<Rule>& rules, bool case_sensitive);
// nullopt: unknown.
[[nodiscard]] std::optional<bool> holds(const Node& node, const Draw& draw, bool case_sensitive);
[[nodiscard]] Verdict decide(const Draw& draw, const std::vector<Rule>& rules, bool case_sensitive);

// Every decision is made at noon UTC on this day of March 2026.
inline constexpr int today = 15;

}  // namespace drawbridge::rules::naive
