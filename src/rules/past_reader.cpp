#include "past_reader.hpp"

#include <algorithm>
#include <optional>
#include <string>

#include "operators.hpp"

namespace drawbridge::rules {
namespace {

using text::YamlNode;
using text::YamlReader;
using Measure = PastTest::Measure;

constexpr Subject subjects[] = {Subject::case_id, Subject::requester, Subject::workflow, Subject::payee};
constexpr std::string_view duplicate_key = "duplicate_within";

struct NamedTest {
    std::string name;
    PastTest test;
};

const std::vector<NamedTest>& named_tests() {
    static const std::vector<NamedTest> all = [] {
        std::vector<NamedTest> made = {{std::string(duplicate_key), PastTest()}};
        for (const Subject subject : subjects) {
            for (const Measure measure : {Measure::total, Measure::count}) {
                PastTest test;
                test.measure = measure;
                test.subject = subject;
                made.push_back({test.name(), test});
            }
        }
        return made;
    }();
    return all;
}

std::optional<std::chrono::milliseconds> read_window(YamlReader& reader, const YamlNode& node,
                                                     const std::string& what) {
    constexpr std::chrono::days longest{36'500};
    const auto length = reader.duration_ms(node, what);
    if (!length) return std::nullopt;
    const std::chrono::milliseconds window(*length);
    if (window <= std::chrono::milliseconds(0) || window > longest) {
        reader.error(node, what + " is " + node.scalar(), "it must be longer than 0s and at most 36500d");
        return std::nullopt;
    }
    return window;
}

std::optional<std::int64_t> read_wanted(YamlReader& reader, const PastTest& test, const YamlNode& node,
                                        const std::string& what) {
    if (test.measure == Measure::count) return reader.integer(node, what);
    const auto money = reader.money(node, what);
    if (!money) return std::nullopt;
    return money->cents();
}

}  // namespace

const std::vector<std::string_view>& past_keys() {
    static const std::vector<std::string_view> keys = [] {
        std::vector<std::string_view> names;
        for (const NamedTest& named : named_tests())
            names.emplace_back(named.name);
        return names;
    }();
    return keys;
}

std::optional<Subject> find_subject(std::string_view name, bool payee_too) {
    for (const Subject subject : subjects) {
        if (to_string(subject) == name && (payee_too || subject != Subject::payee)) return subject;
    }
    return std::nullopt;
}

bool read_past_tests(YamlReader& reader, std::string_view key, const YamlNode& node, std::vector<Condition>& into) {
    const std::string what(key);
    PastTest test = std::ranges::find(named_tests(), what, &NamedTest::name)->test;
    if (key == duplicate_key) {
        const auto within = read_window(reader, node, what);
        if (within) test.over = *within;
        test.op = Operator::gt;
        if (within) into.push_back({test});
        return within.has_value();
    }
    if (!reader.check_map(node, {"over", "eq", "gt", "gte", "lt", "lte"}, "'" + what + "'")) return false;
    bool good = true;
    if (const YamlNode* over = reader.require(node, "over", "'" + what + "'")) {
        const auto window = read_window(reader, *over, what + ".over");
        if (window) test.over = *window;
        good = window.has_value();
    } else {
        good = false;
    }
    int comparisons = 0;
    for (const YamlNode::Entry& entry : node.entries()) {
        const auto op = find_operator(entry.key);
        if (!op || (*op != Operator::equal && !compares_order(*op))) {
            good = good && entry.key == "over";  // reported by check_map
            continue;
        }
        ++comparisons;
        const auto wanted = read_wanted(reader, test, entry.value, what + "." + entry.key);
        good = good && wanted;
        test.op = *op;
        test.wanted = wanted.value_or(0);
        if (good) into.push_back({test});
    }
    if (comparisons == 0) {
        reader.error(
            node, what + " compares with nothing",
            "write it like {over: 30d, lte: " + std::string(test.measure == Measure::count ? "3" : "7500.00") + "}");
        good = false;
    }
    return good;
}

}  // namespace drawbridge::rules
