#include "drawbridge/rules/rule_tests.hpp"

#include <algorithm>
#include <set>
#include <utility>

#include "draw_reader.hpp"
#include "drawbridge/text/yaml.hpp"
#include "value_reader.hpp"

namespace drawbridge::rules {
namespace {

using text::Diagnostics;
using text::YamlNode;
using text::YamlReader;

class RuleTestReader {
  public:
    RuleTestReader(std::string_view file_name, Diagnostics& into) : reader_(std::string(file_name), into) {}

    void read(const YamlNode& root, RuleTests& tests) {
        constexpr std::string_view what = "the test file";
        if (!reader_.check_map(root, {"version", "rules", "timezone", "payee_key", "now", "draw", "tests"}, what))
            return;
        if (const YamlNode* version = reader_.require(root, "version", what)) {
            static_cast<void>(reader_.integer_in(*version, "version", 1, 1));
        }
        if (const YamlNode* rules = YamlReader::find(root, "rules")) {
            tests.rules_file = reader_.text(*rules, "rules").value_or("");
        }
        if (const YamlNode* zone = YamlReader::find(root, "timezone")) read_zone(*zone, tests);
        if (const YamlNode* key = YamlReader::find(root, "payee_key")) read_payee_key(*key, tests);
        if (const YamlNode* now = YamlReader::find(root, "now")) {
            now_ = read_instant(reader_, *now, "now");
            now_given_ = true;
        }
        common_ = YamlReader::find(root, "draw");
        if (const YamlNode* list = reader_.require(root, "tests", what)) read_tests(*list, tests);
    }

  private:
    void read_zone(const YamlNode& node, RuleTests& tests) {
        const auto name = reader_.text(node, "timezone");
        if (!name) return;
        if (const auto zone = TimeZone::find(*name); !zone) {
            reader_.error(node, "timezone: " + zone.error().message, "");
        }
        tests.zone = *name;
    }

    void read_payee_key(const YamlNode& node, RuleTests& tests) {
        const auto name = reader_.text(node, "payee_key");
        if (!name) return;
        tests.payee_key = find_draw_field(*name);
        if (tests.payee_key == nullptr || tests.payee_key->kind != FieldKind::text) {
            reader_.error(node, "payee_key: '" + *name + "' is not a text field of a draw",
                          "use the field that payees.key has in drawbridge.yaml");
        }
    }

    void read_tests(const YamlNode& list, RuleTests& tests) {
        if (list.kind() != YamlNode::Kind::sequence || list.items().empty()) {
            reader_.error(list, "there are no tests",
                          "write at least one under 'tests:', each beginning with '- name:'");
            return;
        }
        for (const YamlNode& item : list.items())
            read_test(item, tests);
    }

    void read_test(const YamlNode& node, RuleTests& tests) {
        if (!reader_.check_map(node, {"name", "now", "draw", "draws", "history", "expect"}, "a test")) return;
        RuleTest test;
        test.line = node.line();
        test.column = node.column();
        if (const YamlNode* name = reader_.require(node, "name", "a test")) read_name(*name, test);
        test.now = read_now(node);
        read_draws(node, test);
        if (const YamlNode* history = YamlReader::find(node, "history")) read_history_of(*history, test);
        if (const YamlNode* expect = reader_.require(node, "expect", "a test")) read_expectation(*expect, test.expect);
        tests.tests.push_back(std::move(test));
    }

    void read_name(const YamlNode& node, RuleTest& test) {
        test.name = reader_.text(node, "the test's name").value_or("");
        if (!test.name.empty() && !names_.insert(test.name).second) {
            reader_.error(node, "duplicate test name '" + test.name + "'", "give each test its own name");
        }
    }

    Instant read_now(const YamlNode& test) {
        if (const YamlNode* own = YamlReader::find(test, "now")) {
            return read_instant(reader_, *own, "now").value_or(Instant());
        }
        if (!now_given_) {
            reader_.error(test, "the test has no decision time",
                          "add 'now:' at the top of the file or to the test, like 2026-03-04T15:00:00, in UTC");
        }
        return now_.value_or(Instant());
    }

    void read_draws(const YamlNode& node, RuleTest& test) {
        const YamlNode* single = YamlReader::find(node, "draw");
        const YamlNode* several = YamlReader::find(node, "draws");
        if (single != nullptr && several != nullptr) {
            reader_.error(*several, "a test has both 'draw' and 'draws'", "keep one of them");
        } else if (single != nullptr) {
            read_draw_into(*single, test);
        } else if (several == nullptr) {
            reader_.error(node, "a test has no draw",
                          "add 'draw:' with the fields that matter, or 'draws:' with several");
        } else if (several->kind() != YamlNode::Kind::sequence || several->items().empty()) {
            reader_.error(*several, "'draws' must be a list of at least one draw", "write it like [{id: 1}, {id: 2}]");
        } else {
            for (const YamlNode& item : several->items())
                read_draw_into(item, test);
        }
    }

    // Other draws in the ledger. If `approved_by_rule` names a rule, that rule approved the draw at approvedDate, or at
    // `now` when there is none.
    void read_history_of(const YamlNode& node, RuleTest& test) {
        if (node.kind() != YamlNode::Kind::sequence) {
            reader_.error(node, "'history' must be a list of draws",
                          "write it like [{caseId: 17, amountRequested: 50}]");
            return;
        }
        std::set<DrawId> ids;
        for (const Draw& draw : test.draws)
            ids.insert(draw.id);
        for (const YamlNode& item : node.items()) {
            Draw draw = plain_draw(test, 1'000'000 + static_cast<DrawId>(test.history.size()));
            draw.status = DrawStatus::approved;
            if (common_ != nullptr && common_good_) common_good_ = read_draw(reader_, *common_, draw);
            std::string rule;
            read_draw_beside(item, "approved_by_rule", draw, rule);
            if (!ids.insert(draw.id).second) {
                reader_.error(item, "the test has draw " + std::to_string(draw.id) + " twice",
                              "give each draw of the history its own id, or none; the test's first draw has 1");
            }
            ListedHistory::Entry entry{std::move(draw), std::move(rule)};
            if (!entry.approved_by_rule.empty()) entry.decided_at = entry.draw.approved_date.value_or(test.now);
            test.history.push_back(std::move(entry));
        }
    }

    void read_draw_beside(const YamlNode& item, std::string_view key, Draw& draw, std::string& value) {
        if (item.kind() == YamlNode::Kind::map) {
            if (const YamlNode* node = YamlReader::find(item, key)) value = reader_.text(*node, key).value_or("");
        }
        static_cast<void>(read_draw(reader_, item, draw, {key}));
    }

    static Draw plain_draw(const RuleTest& test, DrawId id) {
        Draw draw;
        draw.id = id;
        draw.status = DrawStatus::pending_approval;
        draw.requested_by = "somebody@example.gov";
        draw.requested_date = test.now;
        draw.modified_by = draw.requested_by;
        draw.modified_date = test.now;
        return draw;
    }

    // Defaults for what neither the test nor the file's `draw` sets: a pending draw, requested and modified now.
    void read_draw_into(const YamlNode& node, RuleTest& test) {
        Draw draw = plain_draw(test, static_cast<DrawId>(test.draws.size()) + 1);
        if (common_ != nullptr && common_good_) common_good_ = read_draw(reader_, *common_, draw);
        static_cast<void>(read_draw(reader_, node, draw));
        test.draws.push_back(std::move(draw));
    }

    void read_expectation(const YamlNode& node, Expectation& expect) {
        if (!reader_.check_map(node, {"outcome", "rule", "reason", "notes", "approver_id"}, "'expect'")) return;
        if (const YamlNode* outcome = reader_.require(node, "outcome", "'expect'")) {
            const std::string word = reader_.text(*outcome, "outcome").value_or("");
            if (word == to_string(Outcome::approve)) expect.outcome = Outcome::approve;
            if (!word.empty() && word != to_string(expect.outcome)) {
                reader_.error(*outcome, "outcome is '" + word + "'", "it must be approve or hold");
            }
        }
        if (const YamlNode* rule = YamlReader::find(node, "rule")) {
            const bool none = rule->kind() == YamlNode::Kind::null;
            expect.rule = none ? std::string() : reader_.text(*rule, "rule").value_or("");
            if (none && expect.outcome == Outcome::approve) {
                reader_.error(*rule, "only a rule can approve", "name the rule");
            }
        }
        if (const YamlNode* reason = YamlReader::find(node, "reason")) expect.reason = reader_.text(*reason, "reason");
        if (const YamlNode* notes = YamlReader::find(node, "notes")) expect.notes = reader_.text(*notes, "notes");
        if (const YamlNode* approver = YamlReader::find(node, "approver_id")) {
            expect.approver_id = reader_.integer(*approver, "approver_id");
        }
    }

    YamlReader reader_;
    std::optional<Instant> now_;
    bool now_given_ = false;
    const YamlNode* common_ = nullptr;
    bool common_good_ = true;  // report its errors once
    std::set<std::string> names_;
};

std::string describe(Outcome outcome, std::string_view rule) {
    return std::string(to_string(outcome)) +
           (rule.empty() ? std::string(" by no rule") : " by rule '" + std::string(rule) + "'");
}

void compare(const Decision& decision, const Expectation& expect, const std::string& draw,
             std::vector<std::string>& failures) {
    const std::string wanted_rule = expect.rule.value_or(decision.rule);
    if (decision.outcome != expect.outcome || decision.rule != wanted_rule) {
        const std::string wanted =
            expect.rule ? describe(expect.outcome, *expect.rule) : std::string(to_string(expect.outcome));
        failures.push_back(draw + ": expected " + wanted + ", decided " + describe(decision.outcome, decision.rule) +
                           ": " + decision.reason);
        return;
    }
    const auto differs = [&](std::string_view what, const std::string& wanted, const std::string& found) {
        if (wanted != found) {
            failures.push_back(draw + ": expected " + std::string(what) + " '" + wanted + "', found '" + found + "'");
        }
    };
    if (expect.reason) differs("reason", *expect.reason, decision.reason);
    if (expect.notes) differs("notes", *expect.notes, decision.notes);
    if (expect.approver_id) {
        differs("approver_id", std::to_string(*expect.approver_id), std::to_string(decision.approver_id));
    }
}

void check_rule_names(const RuleTest& test, const RuleSet& rules, std::vector<std::string>& failures) {
    std::vector<std::string_view> names;
    for (const Rule& rule : rules.rules)
        names.push_back(rule.name);
    const auto check = [&](const std::string& name, std::string_view what) {
        if (name.empty() || std::ranges::find(names, name) != names.end()) return;
        const std::string_view meant = text::closest_match(name, names);
        failures.push_back(std::string(what) + " names rule '" + name + "', which the rule file does not have" +
                           (meant.empty() ? "" : ": did you mean '" + std::string(meant) + "'?"));
    };
    for (const auto& entry : test.history)
        check(entry.approved_by_rule, "approved_by_rule");
    if (test.expect.rule) check(*test.expect.rule, "expect");
}

}  // namespace

std::expected<RuleTests, Diagnostics> parse_rule_tests(std::string_view text, std::string_view file_name) {
    const auto root = text::parse_yaml(text, file_name);
    if (!root) return std::unexpected(root.error());
    RuleTests tests;
    Diagnostics diagnostics;
    RuleTestReader(file_name, diagnostics).read(*root, tests);
    if (!diagnostics.empty()) return std::unexpected(std::move(diagnostics));
    return tests;
}

std::size_t RuleTestReport::failed() const {
    return static_cast<std::size_t>(
        std::ranges::count_if(results, [](const auto& result) { return !result.failures.empty(); }));
}

OfficeOfTests usual_office() {
    return {TimeZone::find("America/New_York").value(), find_draw_field("fieldA")};
}

RuleTestReport run_rule_tests(const RuleTests& tests, const RuleSet& rules, const OfficeOfTests& office) {
    const TimeZone zone = tests.zone ? TimeZone::find(*tests.zone).value() : office.zone;
    const DrawField* payee_key = tests.payee_key != nullptr ? tests.payee_key : office.payee_key;
    RuleTestReport report;
    std::set<std::string> exercised;
    for (const RuleTest& test : tests.tests) {
        RuleTestResult result{test.name, test.line, test.column, {}};
        check_rule_names(test, rules, result.failures);
        const ListedHistory history(test.history, payee_key);
        for (const Draw& draw : test.draws) {
            const Decision decision = decide(draw, history, rules, test.now, zone);
            compare(decision, test.expect, "draw " + std::to_string(draw.id), result.failures);
            for (const RuleResult& looked : decision.explanation) {
                if (looked.matched) exercised.insert(looked.rule);
            }
        }
        report.results.push_back(std::move(result));
    }
    for (const Rule& rule : rules.rules) {
        if (rule.enabled && !exercised.contains(rule.name)) report.unexercised.push_back(rule.name);
    }
    return report;
}

}  // namespace drawbridge::rules
