#include "condition_reader.hpp"

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

namespace drawbridge::rules {
namespace {

using text::YamlNode;
using text::YamlReader;

// `is` stands for two operators; which one, its value says.
constexpr std::string_view is_key = "is";

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
    {is_key, Operator::is_null},
};

bool compares_order(Operator op) {
    return op == Operator::gt || op == Operator::gte || op == Operator::lt || op == Operator::lte;
}

bool looks_into_text(Operator op) {
    return op == Operator::contains || op == Operator::starts_with || op == Operator::ends_with;
}

bool is_allowed(Operator op, FieldKind kind) {
    return kind == FieldKind::text ? !compares_order(op) : !looks_into_text(op);
}

std::string_view noun(FieldKind kind) {
    switch (kind) {
        case FieldKind::integer: return "a whole number";
        case FieldKind::text: return "a text";
        case FieldKind::money: return "an amount";
        case FieldKind::instant: return "a date";
    }
    return {};
}

std::string allowed_names(FieldKind kind) {
    std::string names;
    for (const auto& [name, op] : operators) {
        if (!is_allowed(op, kind)) continue;
        if (!names.empty()) names += ", ";
        names += name;
    }
    return names;
}

std::vector<std::string_view> field_names() {
    std::vector<std::string_view> names;
    for (const DrawField& field : draw_fields())
        names.push_back(field.name);
    return names;
}

class ConditionReader {
  public:
    explicit ConditionReader(YamlReader& reader) : reader_(reader) {}

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
        good_ = reader_.check_map(when, field_names(), "'when'");
        for (const YamlNode::Entry& entry : when.entries()) {
            // An unknown field is already reported.
            if (const DrawField* field = find_draw_field(entry.key)) {
                read_field(*field, entry.value, all.parts);
            } else {
                good_ = false;
            }
        }
        if (!good_) return std::nullopt;
        return Condition{std::move(all)};
    }

  private:
    void error(const YamlNode& at, std::string message, std::string hint) {
        good_ = false;
        reader_.error(at, std::move(message), std::move(hint));
    }

    void read_field(const DrawField& field, const YamlNode& node, std::vector<Condition>& into) {
        const std::string name(field.name);
        switch (node.kind()) {
            case YamlNode::Kind::null:
                error(node, name + " has no value to compare with", "write {is: null} to ask for null");
                return;
            case YamlNode::Kind::sequence:
                error(node, name + " cannot equal a list", "write {in: [...]} for one of several values");
                return;
            case YamlNode::Kind::scalar: add_test(field, Operator::equal, node, into); return;
            case YamlNode::Kind::map: read_operators(field, node, into); return;
        }
    }

    void read_operators(const DrawField& field, const YamlNode& node, std::vector<Condition>& into) {
        const std::string name(field.name);
        if (node.entries().empty()) error(node, name + " has no operator", "use " + allowed_names(field.kind));
        std::vector<std::string_view> known;
        for (const auto& [key, op] : operators)
            known.push_back(key);
        reader_.check_map(node, known, "the condition on " + name);
        for (const YamlNode::Entry& entry : node.entries()) {
            const auto* found = std::ranges::find(operators, std::string_view(entry.key),
                                                  &std::pair<std::string_view, Operator>::first);
            if (found == std::end(operators)) {
                good_ = false;  // reported by check_map
            } else if (!is_allowed(found->second, field.kind)) {
                good_ = false;
                reader_.error(entry.line, entry.column,
                              name + " is " + std::string(noun(field.kind)) + ": '" + entry.key + "' cannot compare it",
                              "use " + allowed_names(field.kind));
            } else if (entry.key == is_key) {
                add_null_test(field, entry.value, into);
            } else {
                add_test(field, found->second, entry.value, into);
            }
        }
    }

    void add_null_test(const DrawField& field, const YamlNode& node, std::vector<Condition>& into) {
        const bool plain = node.kind() == YamlNode::Kind::scalar && !node.is_quoted();
        const bool negated = plain && node.scalar() == "not null";
        if (!negated && node.kind() != YamlNode::Kind::null) {
            error(node, std::string(field.name) + ".is must be null or not null",
                  "to compare with a value, write the value alone, without 'is'");
            return;
        }
        if (!field.nullable) {
            reader_.warning(node, std::string(field.name) + " is never null",
                            negated ? "this condition always matches" : "this condition never matches");
        }
        into.push_back({Test{&field, negated ? Operator::is_not_null : Operator::is_null, {}}});
    }

    void add_test(const DrawField& field, Operator op, const YamlNode& node, std::vector<Condition>& into) {
        const std::string what = std::string(field.name) + "." + std::string(to_string(op));
        Test test{&field, op, {}};
        if (op == Operator::in) {
            read_list(field, node, what, test.wanted);
        } else if (auto value = read_value(field, op, node, what)) {
            test.wanted.push_back(std::move(*value));
        }
        if (!test.wanted.empty()) into.push_back({std::move(test)});
    }

    void read_list(const DrawField& field, const YamlNode& node, const std::string& what,
                   std::vector<FieldValue>& into) {
        if (node.kind() != YamlNode::Kind::sequence) {
            error(node, what + " must be a list", "write it like [one, two], or drop 'in' for a single value");
            return;
        }
        if (node.items().empty()) {
            error(node, what + " is an empty list, which matches nothing", "list at least one value");
        }
        for (const YamlNode& item : node.items()) {
            if (auto value = read_value(field, Operator::in, item, "each of " + what))
                into.push_back(std::move(*value));
        }
    }

    template <class T>
    std::optional<FieldValue> checked(std::optional<T> value) {
        if (!value) {
            good_ = false;
            return std::nullopt;
        }
        return FieldValue(std::move(*value));
    }

    std::optional<FieldValue> read_value(const DrawField& field, Operator op, const YamlNode& node,
                                         const std::string& what) {
        if (node.kind() == YamlNode::Kind::null) {
            error(node, what + " has no value to compare with",
                  "null never matches a comparison; write {is: null} to ask for it");
            return std::nullopt;
        }
        switch (field.kind) {
            case FieldKind::integer: return checked(reader_.integer(node, what));
            case FieldKind::money: return checked(reader_.money(node, what));
            case FieldKind::instant: return read_instant(op, node, what);
            case FieldKind::text: return read_text(op, node, what);
        }
        return std::nullopt;
    }

    std::optional<FieldValue> read_text(Operator op, const YamlNode& node, const std::string& what) {
        const bool empty_text = node.kind() == YamlNode::Kind::scalar && node.is_quoted() && node.scalar().empty();
        if (empty_text && !looks_into_text(op)) return FieldValue(std::string());
        return checked(reader_.text(node, what));
    }

    std::optional<FieldValue> read_instant(Operator op, const YamlNode& node, const std::string& what) {
        constexpr std::string_view hint = "write it like 2026-03-04 or 2026-03-04T05:06:07, in UTC";
        if (node.kind() != YamlNode::Kind::scalar) {
            error(node, what + " must be a date or a date-time", std::string(hint));
            return std::nullopt;
        }
        const auto instant = parse_instant(node.scalar());
        if (!instant) {
            error(node, what + ": '" + node.scalar().substr(0, 40) + "' is not a date or a date-time that exists",
                  std::string(hint));
            return std::nullopt;
        }
        if (parse_date(node.scalar()) && !compares_order(op)) {
            reader_.warning(node, what + " matches midnight UTC only",
                            "for the whole day write {gte: that day, lt: the next}");
        }
        return FieldValue(*instant);
    }

    YamlReader& reader_;
    bool good_ = true;
};

}  // namespace

std::string_view to_string(Operator op) {
    if (op == Operator::is_not_null) return "is not null";
    if (op == Operator::is_null) return "is null";
    const auto* found = std::ranges::find(operators, op, &std::pair<std::string_view, Operator>::second);
    return found->first;
}

std::optional<Condition> read_condition(YamlReader& reader, const YamlNode& when) {
    return ConditionReader(reader).read(when);
}

}  // namespace drawbridge::rules
