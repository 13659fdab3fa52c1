#include "condition_reader.hpp"

#include <string>
#include <utility>
#include <vector>

#include "history_reader.hpp"
#include "operators.hpp"
#include "test_reader.hpp"

namespace drawbridge::rules {
namespace {

using text::YamlNode;
using text::YamlReader;

constexpr std::string_view all_key = "all";
constexpr std::string_view any_key = "any";
constexpr std::string_view unless_key = "unless";

// Deeper than any office writes; the limit keeps a hostile file from exhausting the stack.
constexpr int max_depth = 20;

// The fields of a draw and the words that combine conditions.
std::vector<std::string_view> condition_keys() {
    std::vector<std::string_view> keys;
    for (const DrawField& field : draw_fields())
        keys.push_back(field.name);
    for (const std::string_view key : {any_key, all_key, unless_key})
        keys.push_back(key);
    for (const std::string_view key : history_keys())
        keys.push_back(key);
    return keys;
}

Condition as_one(std::vector<Condition> parts) {
    if (parts.size() == 1) return std::move(parts.front());
    return Condition{AllOf{std::move(parts)}};
}

class ConditionReader {
  public:
    ConditionReader(YamlReader& reader, bool case_sensitive) : reader_(reader), tests_(reader, case_sensitive) {}

    std::optional<Condition> read(const YamlNode& when) {
        AllOf all;
        if (when.kind() == YamlNode::Kind::scalar && !when.is_quoted() && when.scalar() == "always") {
            return Condition{std::move(all)};
        }
        if (when.kind() != YamlNode::Kind::map) {
            error(when, "'when' must be a map of draw fields",
                  "write it like {amountRequested: {lte: 2500.00}}, or 'always' to match every draw");
            return std::nullopt;
        }
        if (when.entries().empty()) {
            error(when, "'when' has no condition", "write 'always' if every draw is meant");
            return std::nullopt;
        }
        read_map(when, "'when'", all.parts);
        if (!good_) return std::nullopt;
        return Condition{std::move(all)};
    }

  private:
    void error(const YamlNode& at, std::string message, std::string hint) {
        good_ = false;
        reader_.error(at, std::move(message), std::move(hint));
    }

    void read_map(const YamlNode& map, const std::string& what, std::vector<Condition>& into) {
        static const std::vector<std::string_view> keys = condition_keys();
        if (!reader_.check_map(map, keys, what)) good_ = false;
        for (const YamlNode::Entry& entry : map.entries()) {
            if (const DrawField* field = find_draw_field(entry.key)) {
                read_field(*field, entry.value, into);
            } else if (entry.key == any_key || entry.key == all_key) {
                read_alternatives(entry, into);
            } else if (entry.key == unless_key) {
                std::vector<Condition> parts;
                if (read_nested(entry.value, "'unless'", parts)) {
                    warn_of_several(entry.value);
                    into.push_back({Not{{as_one(std::move(parts))}, /*unless=*/true}});
                }
            } else if (is_history_key(entry.key)) {
                good_ = read_history(reader_, entry, into) && good_;
            } else {
                good_ = false;  // reported by check_map
            }
        }
    }

    void warn_of_several(const YamlNode& unless) {
        if (unless.entries().size() == 1) return;
        reader_.warning(unless, "'unless' excludes only the draws for which all its conditions are true",
                        "write {any: [{...}, {...}]} to exclude each, or {all: [{...}, {...}]} if it is meant");
    }

    // Reads a map of conditions inside a condition; it must have at least one. False when there is nothing to combine.
    bool read_nested(const YamlNode& node, const std::string& what, std::vector<Condition>& into) {
        if (depth_ == max_depth) {
            error(node, "conditions are nested deeper than " + std::to_string(max_depth) + " times",
                  "split them into more rules");
            return false;
        }
        if (node.kind() != YamlNode::Kind::map || node.entries().empty()) {
            error(node, what + " must be a map of at least one condition", "write it like {workflowId: 12}");
            return false;
        }
        ++depth_;
        read_map(node, what, into);
        --depth_;
        return !into.empty();
    }

    void read_alternatives(const YamlNode::Entry& entry, std::vector<Condition>& into) {
        const std::string what = "'" + entry.key + "'";
        if (entry.value.kind() != YamlNode::Kind::sequence || entry.value.items().empty()) {
            error(entry.value, what + " must be a list of at least one map of conditions",
                  "write it like [{workflowId: 12}, {amountRequested: {lte: 50}}]");
            return;
        }
        if (entry.key == any_key && entry.value.items().size() == 1) {
            reader_.warning(entry.value, "'any' has a single alternative",
                            "begin each alternative with a dash of its own, or drop 'any'");
        }
        std::vector<Condition> parts;
        for (const YamlNode& item : entry.value.items()) {
            std::vector<Condition> conditions;
            if (read_nested(item, "each of " + what, conditions)) parts.push_back(as_one(std::move(conditions)));
        }
        if (entry.key == any_key) {
            into.push_back({AnyOf{std::move(parts)}});
        } else {
            into.push_back({AllOf{std::move(parts)}});
        }
    }

    void read_field(const DrawField& field, const YamlNode& node, std::vector<Condition>& into) {
        const std::string name(field.name);
        switch (node.kind()) {
            case YamlNode::Kind::null:
                error(node, name + " has no value to compare with", "write {is: null} to test for null");
                return;
            case YamlNode::Kind::sequence:
                error(node, name + " cannot equal a list", "write {in: [...]} for one of several values");
                return;
            case YamlNode::Kind::scalar: read_test(field, Operator::equal, node, into); return;
            case YamlNode::Kind::map: read_operators(field, node, into); return;
        }
    }

    void read_test(const DrawField& field, Operator op, const YamlNode& node, std::vector<Condition>& into) {
        if (auto test = tests_.read(field, op, node)) {
            into.push_back({std::move(*test)});
        } else {
            good_ = false;
        }
    }

    void read_operators(const DrawField& field, const YamlNode& node, std::vector<Condition>& into) {
        const std::string name(field.name);
        if (node.entries().empty()) error(node, name + " has no operator", "use " + allowed_keys(field.kind));
        reader_.check_map(node, operator_keys(), "the condition on " + name);
        for (const YamlNode::Entry& entry : node.entries()) {
            const auto op = find_operator(entry.key);
            if (entry.key == not_key) {
                read_not(field, entry.value, into);
            } else if (!op) {
                good_ = false;  // reported by check_map
            } else if (!is_allowed(*op, field.kind)) {
                good_ = false;
                reader_.error(
                    entry.line, entry.column,
                    name + " is " + std::string(noun(field.kind)) + ": '" + entry.key + "' does not apply to it",
                    "use " + allowed_keys(field.kind));
            } else {
                read_test(field, *op, entry.value, into);
            }
        }
    }

    void read_not(const DrawField& field, const YamlNode& node, std::vector<Condition>& into) {
        const std::string what = std::string(field.name) + ".not";
        if (node.kind() == YamlNode::Kind::null) {
            return error(node, what + " has no value to compare with", "write {is: not null} to exclude null");
        }
        if (node.kind() == YamlNode::Kind::sequence) {
            return error(node, what + " cannot equal a list", "write {not: {in: [...]}} to exclude several values");
        }
        if (depth_ == max_depth) return error(node, what + " is nested too deeply", "remove pairs of 'not'");
        std::vector<Condition> parts;
        ++depth_;
        read_field(field, node, parts);
        --depth_;
        if (!parts.empty()) into.push_back({Not{{as_one(std::move(parts))}}});
    }

    YamlReader& reader_;
    TestReader tests_;
    int depth_ = 0;
    bool good_ = true;
};

}  // namespace

std::optional<Condition> read_condition(YamlReader& reader, const YamlNode& when, bool case_sensitive) {
    return ConditionReader(reader, case_sensitive).read(when);
}

}  // namespace drawbridge::rules
