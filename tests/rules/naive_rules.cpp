#include "rules/naive_rules.hpp"

#include <algorithm>
#include <cctype>
#include <regex>

namespace drawbridge::rules::naive {
namespace {

using namespace std::chrono_literals;

const Instant noon = std::chrono::sys_days(std::chrono::year(2026) / 3 / today) + 12h;
constexpr std::int64_t day_ms = 86'400'000;

const std::vector<std::string> number_fields = {"workflowId", "caseId"};
const std::vector<std::string> money_fields = {"amountRequested", "amountApproved"};
const std::vector<std::string> date_fields = {"requestedDate", "approvedDate"};
const std::vector<std::string> text_fields = {"description", "fieldA"};
const std::vector<std::string> texts = {"a", "A", "ab", "Ba", "abc", "bc", "x y"};
const std::vector<std::string> patterns = {"^a", "b$", "a.c", "[bc]+", "^$", "(a|x) ?y?$"};

int upto(Random& random, int last) {
    return std::uniform_int_distribution<int>(0, last)(random);
}

template <class T>
const T& one_of(Random& random, const std::vector<T>& list) {
    return list[static_cast<std::size_t>(upto(random, static_cast<int>(list.size()) - 1))];
}

bool contains(const std::vector<std::string>& list, const std::string& name) {
    return std::ranges::find(list, name) != list.end();
}

Value number(std::int64_t value) {
    return {false, false, value, {}};
}

Value from(const std::optional<std::string>& text) {
    return text ? Value{false, true, 0, *text} : Value();
}

Value value_of(const Draw& draw, const std::string& field) {
    if (field == "workflowId") return number(draw.workflow_id);
    if (field == "caseId") return draw.case_id ? number(*draw.case_id) : Value();
    if (field == "amountRequested") return draw.amount_requested ? number(draw.amount_requested->cents()) : Value();
    if (field == "amountApproved") return draw.amount_approved ? number(draw.amount_approved->cents()) : Value();
    if (field == "requestedDate") return number(draw.requested_date.time_since_epoch().count());
    if (field == "approvedDate") {
        return draw.approved_date ? number(draw.approved_date->time_since_epoch().count()) : Value();
    }
    return from(field == "description" ? draw.description : draw.field_a);
}

std::string folded(std::string text, bool case_sensitive) {
    if (case_sensitive) return text;
    for (char& c : text)
        c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
    return text;
}

bool compare_texts(const std::string& op, const std::string& a, const std::string& b) {
    if (op == "contains") return a.find(b) != std::string::npos;
    if (op == "startsWith") return a.rfind(b, 0) == 0;
    if (op == "endsWith") return a.size() >= b.size() && a.compare(a.size() - b.size(), b.size(), b) == 0;
    return a == b;
}

bool compare_numbers(const std::string& op, std::int64_t a, std::int64_t b) {
    if (op == "gt") return a > b;
    if (op == "gte") return a >= b;
    if (op == "lt") return a < b;
    if (op == "lte") return a <= b;
    if (op == "older_than") return noon.time_since_epoch().count() - a > b;
    if (op == "newer_than") return noon.time_since_epoch().count() - a < b;
    return a == b;
}

std::optional<bool> test_holds(const Node& node, const Draw& draw, bool case_sensitive) {
    const Value found = value_of(draw, node.field);
    if (node.op == "null") return found.null;
    if (node.op == "not null") return !found.null;
    std::vector<Value> wanted = node.wanted;
    if (!node.other.empty()) wanted = {value_of(draw, node.other)};
    if (found.null || wanted.front().null) return std::nullopt;
    bool any = false;
    for (const Value& value : wanted) {
        if (node.op == "matches") {
            auto flags = std::regex::ECMAScript;
            if (!case_sensitive) flags |= std::regex::icase;
            any = any || std::regex_search(found.letters, std::regex(value.letters, flags));
        } else if (found.text) {
            any = any ||
                  compare_texts(node.op, folded(found.letters, case_sensitive), folded(value.letters, case_sensitive));
        } else {
            any = any || compare_numbers(node.op, found.number, value.number);
        }
    }
    return any;
}

Value random_value(Random& random, const std::string& field) {
    if (contains(text_fields, field)) return from(one_of(random, texts));
    if (contains(money_fields, field)) return number(50 * upto(random, 4));
    if (contains(date_fields, field)) {
        return number(std::chrono::floor<std::chrono::days>(noon).time_since_epoch().count() * day_ms -
                      upto(random, 4) * day_ms + 1000);
    }
    return number(upto(random, 3));
}

Node random_test(Random& random, const std::string& field) {
    Node node;
    node.field = field;
    if (upto(random, 9) == 0) {
        node.op = upto(random, 1) == 0 ? "null" : "not null";
        return node;
    }
    const bool text = contains(text_fields, field);
    const bool date = contains(date_fields, field);
    std::vector<std::string> ops = {"eq", "in"};
    for (const char* op : {"gt", "gte", "lt", "lte"}) {
        if (!text) ops.emplace_back(op);
    }
    for (const char* op : {"contains", "startsWith", "endsWith", "matches"}) {
        if (text) ops.emplace_back(op);
    }
    if (date) ops.insert(ops.end(), {"older_than", "newer_than"});
    node.op = one_of(random, ops);
    const bool order = compare_numbers(node.op, 1, 1) || node.op == "gt" || node.op == "lt" || node.op == "eq";
    for (const auto* group : {&number_fields, &money_fields, &date_fields, &text_fields}) {
        const bool can = order && node.op != "in" && !node.op.ends_with("_than") && (!text || node.op == "eq");
        if (can && contains(*group, field) && upto(random, 5) == 0) {
            node.other = group->front() == field ? group->back() : group->front();
            return node;
        }
    }
    if (node.op == "matches") {
        node.wanted = {from(one_of(random, patterns))};
    } else if (node.op.ends_with("_than")) {
        node.wanted = {number((1 + upto(random, 4)) * day_ms)};
    } else {
        const int count = node.op == "in" ? 1 + upto(random, 2) : 1;
        for (int i = 0; i < count; ++i)
            node.wanted.push_back(random_value(random, field));
    }
    return node;
}

Node random_node(Random& random, int depth) {
    const int choice = depth == 0 ? 9 : upto(random, 9);
    Node node;
    if (choice <= 4) {
        node.op = choice <= 1 ? "all" : choice <= 3 ? "any" : "unless";
        const int count = node.op == "unless" ? 1 : 1 + upto(random, 2);
        for (int i = 0; i < count; ++i)
            node.parts.push_back(random_node(random, depth - 1));
        return node;
    }
    const auto& group = *one_of(random, std::vector{&number_fields, &money_fields, &date_fields, &text_fields});
    const Node test = random_test(random, one_of(random, group));
    if (choice > 5) return test;
    node.op = "not";
    node.field = test.field;
    node.parts = {test};
    return node;
}

std::string quoted(const std::string& text) {
    return "'" + text + "'";
}

std::string write(const Value& value, const std::string& field, const std::string& op) {
    if (value.text) return quoted(value.letters);
    if (op.ends_with("_than")) return std::to_string(value.number / day_ms) + "d";
    if (contains(money_fields, field)) return Money::from_cents(value.number).to_string();
    if (contains(date_fields, field)) {
        return format_service_instant(Instant(std::chrono::milliseconds(value.number)));
    }
    return std::to_string(value.number);
}

// The YAML value of the field: "{gt: 5}".
std::string write_test(const Node& node) {
    if (node.op == "not") return "{not: " + write_test(node.parts.front()) + "}";
    if (node.op == "null" || node.op == "not null") return "{is: " + node.op + "}";
    if (!node.other.empty()) return "{" + node.op + ": {field: " + node.other + "}}";
    std::string values;
    for (const Value& value : node.wanted)
        values += (values.empty() ? "" : ", ") + write(value, node.field, node.op);
    return "{" + node.op + ": " + (node.op == "in" ? "[" + values + "]" : values) + "}";
}

std::string write_node(const Node& node) {
    if (!node.field.empty()) return "{" + node.field + ": " + write_test(node) + "}";
    if (node.op == "unless") return "{unless: " + write_node(node.parts.front()) + "}";
    std::string parts;
    for (const Node& part : node.parts)
        parts += (parts.empty() ? "" : ", ") + write_node(part);
    return "{" + node.op + ": [" + parts + "]}";
}

}  // namespace

Draw random_draw(Random& random) {
    const auto maybe = [&](auto value) {
        return upto(random, 3) == 0 ? decltype(std::optional(value))() : std::optional(value);
    };
    Draw draw;
    draw.id = 1;
    draw.status = DrawStatus::pending_approval;
    draw.workflow_id = upto(random, 3);
    draw.case_id = maybe(std::int64_t{upto(random, 3)});
    draw.amount_requested = maybe(Money::from_cents(50 * upto(random, 4)));
    draw.amount_approved = maybe(Money::from_cents(50 * upto(random, 4)));
    draw.requested_date = Instant(std::chrono::milliseconds(random_value(random, "requestedDate").number));
    draw.approved_date = maybe(noon - std::chrono::days(upto(random, 4)));
    draw.description = maybe(one_of(random, texts));
    draw.field_a = maybe(upto(random, 5) == 0 ? std::string() : one_of(random, texts));
    return draw;
}

std::vector<Rule> random_rules(Random& random) {
    std::vector<Rule> rules(static_cast<std::size_t>(1 + upto(random, 4)));
    for (std::size_t i = 0; i < rules.size(); ++i) {
        Rule& rule = rules[i];
        rule.name = "r" + std::to_string(i);
        rule.enabled = upto(random, 9) != 0;
        rule.shadow = upto(random, 7) == 0;
        rule.approve = upto(random, 1) == 0;
        if (upto(random, 7) == 0) rule.from = today - 1 + upto(random, 2);
        if (upto(random, 7) == 0) rule.to = std::max(rule.from, today - 1 + upto(random, 2));
        rule.when = random_node(random, 3);
    }
    return rules;
}

std::string to_yaml(const std::vector<Rule>& rules, bool case_sensitive) {
    std::string text = "version: 1\napprover_id: 7\ncase_sensitive: ";
    text += case_sensitive ? "true\nrules:\n" : "false\nrules:\n";
    for (const Rule& rule : rules) {
        text += "  - {name: " + rule.name;
        if (!rule.enabled) text += ", enabled: false";
        if (rule.shadow) text += ", mode: shadow";
        if (rule.from != 0 || rule.to != 0) {
            text += ", effective: {";
            if (rule.from != 0) text += "from: 2026-03-" + std::to_string(rule.from) + (rule.to != 0 ? ", " : "");
            if (rule.to != 0) text += "to: 2026-03-" + std::to_string(rule.to);
            text += "}";
        }
        text += ", when: " + write_node(rule.when) + (rule.approve ? ", approve: {}}\n" : ", hold: x}\n");
    }
    return text;
}

std::optional<bool> holds(const Node& node, const Draw& draw, bool case_sensitive) {
    if (node.parts.empty()) return test_holds(node, draw, case_sensitive);
    if (node.op == "not" || node.op == "unless") {
        const auto part = holds(node.parts.front(), draw, case_sensitive);
        if (!part) return std::nullopt;
        return !*part;
    }
    const bool decisive = node.op == "any";  // this value in one part decides
    bool unknown = false;
    for (const Node& part : node.parts) {
        const auto value = holds(part, draw, case_sensitive);
        if (value == decisive) return decisive;
        unknown = unknown || !value;
    }
    if (unknown) return std::nullopt;
    return !decisive;
}

Verdict decide(const Draw& draw, const std::vector<Rule>& rules, bool case_sensitive) {
    for (const Rule& rule : rules) {
        const bool in_effect = (rule.from == 0 || rule.from <= today) && (rule.to == 0 || rule.to >= today);
        if (!rule.enabled || rule.shadow || !in_effect) continue;
        if (holds(rule.when, draw, case_sensitive) == true) return {rule.approve, rule.name};
    }
    return {};
}

}  // namespace drawbridge::rules::naive
