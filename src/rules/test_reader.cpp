#include "test_reader.hpp"

#include <re2/re2.h>

#include <utility>

#include "drawbridge/text/sanitize.hpp"
#include "operators.hpp"
#include "value_reader.hpp"

namespace drawbridge::rules {

using text::YamlNode;

namespace {

bool accepts_reference(Operator op) {
    return op == Operator::equal || compares_order(op);
}

// Names of the fields that `field` can be compared with.
std::string fields_beside(const DrawField& field) {
    std::string names;
    for (const DrawField& other : draw_fields()) {
        if (other.kind != field.kind || other.name == field.name) continue;
        if (!names.empty()) names += ", ";
        names += other.name;
    }
    return names;
}

std::vector<std::string_view> field_names() {
    std::vector<std::string_view> names;
    for (const DrawField& field : draw_fields())
        names.push_back(field.name);
    return names;
}

}  // namespace

std::optional<Test> TestReader::read(const DrawField& field, Operator op, const YamlNode& node) {
    if (op == Operator::is_null) return read_null_test(field, node);
    const std::string what = std::string(field.name) + "." + std::string(to_string(op));
    Test test{&field, op, {}};
    bool good = false;
    if (op == Operator::in) {
        good = read_list(node, what, test);
    } else if (op == Operator::older_than || op == Operator::newer_than) {
        good = read_age(node, what, test);
    } else if (op == Operator::matches) {
        good = read_pattern(node, what, test);
    } else if (accepts_reference(op) && node.kind() == YamlNode::Kind::map) {
        good = read_reference(node, what, test);
    } else {
        good = read_single(node, what, test);
    }
    if (!good) return std::nullopt;
    return test;
}

std::optional<Test> TestReader::read_null_test(const DrawField& field, const YamlNode& node) {
    const bool plain = node.kind() == YamlNode::Kind::scalar && !node.is_quoted();
    const bool negated = plain && node.scalar() == "not null";
    if (!negated && node.kind() != YamlNode::Kind::null) {
        reader_.error(node, std::string(field.name) + ".is must be null or not null",
                      "to compare with a value, write the value without 'is'");
        return std::nullopt;
    }
    if (!field.nullable) {
        reader_.warning(node, std::string(field.name) + " is never null",
                        negated ? "this condition is always true" : "this condition is never true");
    }
    return Test{&field, negated ? Operator::is_not_null : Operator::is_null, {}};
}

bool TestReader::read_list(const YamlNode& node, const std::string& what, Test& test) {
    if (node.kind() != YamlNode::Kind::sequence) {
        reader_.error(node, what + " must be a list", "write it like [one, two], or drop 'in' for a single value");
        return false;
    }
    if (node.items().empty()) {
        reader_.error(node, what + " is an empty list, which matches nothing", "list at least one value");
        return false;
    }
    for (const YamlNode& item : node.items()) {
        if (auto value = read_value(*test.field, Operator::in, item, "each of " + what))
            test.wanted.push_back(std::move(*value));
    }
    return test.wanted.size() == node.items().size();
}

bool TestReader::read_reference(const YamlNode& node, const std::string& what, Test& test) {
    reader_.check_map(node, {"field"}, what);
    const YamlNode* named = reader_.require(node, "field", what);
    if (named == nullptr) return false;
    const auto name = reader_.text(*named, what + ".field");
    if (!name) return false;
    const DrawField& field = *test.field;
    test.other = find_draw_field(*name);
    if (test.other == nullptr) {
        const std::string_view meant = text::closest_match(*name, field_names());
        reader_.error(
            *named, what + ": a draw has no field '" + *name + "'",
            meant.empty() ? "name one of " + fields_beside(field) : "did you mean '" + std::string(meant) + "'?");
        return false;
    }
    if (test.other == test.field) {
        reader_.error(*named, what + " compares " + *name + " with itself", "name one of " + fields_beside(field));
        return false;
    }
    if (test.other->kind != field.kind) {
        reader_.error(*named,
                      std::string(field.name) + " is " + std::string(noun(field.kind)) + " and " + *name + " " +
                          std::string(noun(test.other->kind)) + ": they cannot be compared",
                      "name one of " + fields_beside(field));
        return false;
    }
    return true;
}

bool TestReader::read_age(const YamlNode& node, const std::string& what, Test& test) {
    constexpr std::chrono::days longest{36'500};
    const auto length = reader_.duration_ms(node, what);
    if (!length) return false;
    test.age = std::chrono::milliseconds(*length);
    if (test.age <= std::chrono::milliseconds(0) || test.age > longest) {
        reader_.error(node, what + " is " + node.scalar(), "it must be longer than 0s and at most 36500d");
        return false;
    }
    return true;
}

bool TestReader::read_pattern(const YamlNode& node, const std::string& what, Test& test) {
    const auto pattern = reader_.text(node, what);
    if (!pattern) return false;
    re2::RE2::Options options;
    options.set_log_errors(false);
    options.set_case_sensitive(case_sensitive_);
    auto compiled = std::make_shared<const re2::RE2>(*pattern, options);
    if (!compiled->ok()) {
        reader_.error(node, what + ": '" + *pattern + "' is not a regular expression: " + compiled->error(),
                      "use RE2 syntax, in single quotes; \\ before a character makes it literal");
        return false;
    }
    test.wanted.emplace_back(*pattern);
    test.pattern = std::move(compiled);
    return true;
}

bool TestReader::read_single(const YamlNode& node, const std::string& what, Test& test) {
    auto value = read_value(*test.field, test.op, node, what);
    if (!value) return false;
    test.wanted.push_back(std::move(*value));
    return true;
}

// Those of word processors are part of the text.
void TestReader::warn_of_quotes(const YamlNode& node) {
    if (node.kind() != YamlNode::Kind::scalar) return;
    for (const std::string_view quote : {"“", "”", "„", "‘", "’", "«", "»"}) {
        if (!node.scalar().starts_with(quote) && !node.scalar().ends_with(quote)) continue;
        reader_.warning(node, "the quotes " + node.scalar().substr(0, 40) + " are part of the text",
                        "write straight quotes");
        return;
    }
}

std::optional<FieldValue> TestReader::read_value(const DrawField& field, Operator op, const YamlNode& node,
                                                 const std::string& what) {
    if (node.kind() == YamlNode::Kind::null) {
        reader_.error(node, what + " has no value to compare with",
                      "null never matches a comparison; write {is: null} to test for it");
        return std::nullopt;
    }
    warn_of_quotes(node);
    // Every text contains the empty text.
    if (is_text_operator(op)) {
        auto part = reader_.text(node, what);
        if (!part) return std::nullopt;
        return FieldValue(op == Operator::matches ? std::move(*part) : text::as_seen(std::move(*part)));
    }
    auto value = read_field_value(reader_, field.kind, node, what);
    // As the draw's text is compared.
    if (auto* text = value ? std::get_if<std::string>(&*value) : nullptr; text != nullptr)
        *text = text::as_seen(std::move(*text));
    if (value && field.kind == FieldKind::instant && !compares_order(op) && parse_date(node.scalar())) {
        reader_.warning(node, what + " matches midnight UTC only", "for the whole day write {gte: DAY, lt: NEXT_DAY}");
    }
    return value;
}

}  // namespace drawbridge::rules
