#include "drawbridge/ledger/facts/explanations.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "drawbridge/ledger/facts/decisions.hpp"
#include "drawbridge/rules/decide.hpp"
#include "ledger/ledger_fixture.hpp"

namespace drawbridge::ledger {
namespace {

const char* const rules_of_every_kind =
    "version: 1\n"
    "approver_id: 7\n"
    "rules:\n"
    "  - {name: 'no \"?\" here', when: {description: {contains: '?'}}, hold: 'why? because'}\n"
    "  - {name: later, effective: {from: 2099-01-01}, when: always, approve: {}}\n"
    "  - {name: watched, mode: shadow, when: {amountRequested: {gt: 0}}, hold: only looking}\n"
    "  - name: nested\n"
    "    when: {any: [{amountApproved: {gt: 5}}, {fieldB: {not: ok}}], unless: {caseName: {startsWith: B}}}\n"
    "    hold: odd\n"
    "  - name: limited\n"
    "    when: {amountRequested: {lte: 2500}}\n"
    "    approve: {}\n"
    "    limits: [{amount: 5.00, per: day, by: case}]\n";

Draw draw_with(std::int64_t cents, std::optional<std::string> description) {
    Draw draw;
    draw.id = 1;
    draw.status = DrawStatus::pending_approval;
    draw.requested_by = draw.modified_by = "a@b.org";
    draw.amount_requested = Money::from_cents(cents);
    draw.description = std::move(description);
    draw.case_name = "Bakery";
    draw.workflow_id = 12;
    return draw;
}

TEST(Explanations, are_put_together_again_exactly) {
    for (
        const std::string json : {
            R"({})",
            R"({"outcome":"hold","rule":"","reason":"no rule matches","rules":[]})",
            R"({"reason":"","rules":[{"rule":"?","matched":true,"conditions":[]}]})",
            R"({"reason":"a \"?\" and \\","rules":[{"matched":false,"found":"[1,2]","found":"x\\","passed":true}]})",
            R"({"reason":"1","matched":false,"found":null,"used":12,"for":"0","note":"\u001f?,]"})",
            R"({"parts":[{"operator":"not","passed":false,"unknown":true,"note":"n","parts":[{"found":"ü"}]}]})",
            R"({"reason":"why \"so\"","rules":[{"found":"why \"so\"","for":"x","used":"x"},{"found":"y","note":"x"}]})",
        }) {
        for (const char* reason : {"", "why \"so\"", "n"}) {
            const auto split = split_explanation(json, reason);
            EXPECT_EQ(join_explanation(split.shape, split.values, reason), json) << split.shape << ' ' << split.values;
            EXPECT_TRUE(nlohmann::json::accept(split.values)) << split.values;
        }
    }
}

TEST(Explanations, share_a_shape_where_only_the_draw_differs) {
    const auto one = split_explanation(R"({"reason":"no","rules":[{"matched":true,"wanted":"9","found":"8"}]})", "no");
    const auto other =
        split_explanation(R"({"reason":"so","rules":[{"matched":false,"wanted":"9","found":"7"}]})", "x");
    EXPECT_EQ(one.shape, other.shape);
    EXPECT_EQ(one.values, R"([2,1,"8"])");
    EXPECT_EQ(other.values, R"(["so",0,"7"])");
    EXPECT_NE(split_explanation(R"({"reason":"no","rules":[{"matched":true,"wanted":"8","found":"8"}]})", "").shape,
              one.shape);
}

TEST(Explanations, have_each_text_once) {
    const auto split = split_explanation(R"({"rules":[{"found":"8","note":"n"},{"found":"8"},{"note":"n"}]})", "no");
    EXPECT_EQ(split.values, R"(["8","n",3,4])");
}

TEST(Explanations, are_refused_with_the_values_of_another_shape) {
    const auto split = split_explanation(R"({"reason":"no","rules":[{"matched":true,"found":"8"}]})", "");
    for (const char* values : {"", "[]", R"(["no",1])", R"(["no",1,"8","9"])", R"(["no",1,"8")", R"(["no",1,8])",
                               R"(["no",1,4])", R"(["no",1,-1])", R"([2,1,99999999999999999999])"})
        EXPECT_EQ(join_explanation(split.shape, values, ""), std::nullopt) << values;
    EXPECT_EQ(join_explanation("{}", R"(["no"])", ""), std::nullopt);
}

class StoredExplanations : public LedgerFixture {};

TEST_F(StoredExplanations, are_those_that_the_rules_gave) {
    const auto parsed = rules::parse_rules(rules_of_every_kind, "rules.yaml");
    ASSERT_TRUE(parsed.has_value()) << text::to_string(parsed.error());
    const auto& rules = *parsed;
    const auto zone = TimeZone::find("America/New_York").value();
    std::vector<std::pair<std::int64_t, std::string>> wanted;
    ledger->transaction([&] {
        remember_rule_set(*ledger, rules.sha256, rules.text, now);
        for (const auto& draw : {draw_with(100, "rent?"), draw_with(200, "tools"), draw_with(300, std::nullopt),
                                 draw_with(250'001, "bytes \xFF \"quoted\""), draw_with(400, "tools")}) {
            const auto reading = record_reading(*ledger, draw, ReadingSource::poll, now);
            DecisionRecord record;
            record.draw_id = draw.id;
            record.reading_id = reading.reading_id;
            record.rule_set_sha256 = rules.sha256;
            const auto decision = rules::decide(draw, rules::ListedHistory(), rules, now, zone);
            record.reason = decision.reason;
            record.explanation_json = rules::explanation_json(decision);
            wanted.emplace_back(record_decision(*ledger, record, stamp()), record.explanation_json);
        }
    });
    for (const auto& [decision_id, json] : wanted)
        EXPECT_EQ(explanation_json(*ledger, decision_id), json);
    EXPECT_EQ(explanation_json(*ledger, 999), std::nullopt);
}

}  // namespace
}  // namespace drawbridge::ledger
