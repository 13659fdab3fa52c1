#include "drawbridge/rules/limits.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>
#include <random>

#include "rules/rules_fixture.hpp"

namespace drawbridge::rules {
namespace {

using testing::ElementsAre;

std::string limited(const std::string& limits) {
    return "version: 1\napprover_id: 7\nrules:\n  - {name: a, when: always, approve: {}, limits: " + limits + "}\n";
}

Draw draw_of(DrawId id, std::int64_t cents, std::optional<std::int64_t> case_id = 9) {
    Draw draw = sample_draw();
    draw.id = id;
    draw.case_id = case_id;
    draw.amount_requested = Money::from_cents(cents);
    return draw;
}

// The draws that one run approves.
std::vector<DrawId> approved(const RuleSet& rules, const std::vector<Draw>& draws,
                             const History& history = ListedHistory(), Instant at = now, const TimeZone& zone = utc) {
    LimitUsage limits(rules, history, at, zone);
    std::vector<DrawId> ids;
    for (const Draw& draw : draws) {
        if (decide(draw, history, rules, limits, at, zone).outcome == Outcome::approve) ids.push_back(draw.id);
    }
    return ids;
}

ListedHistory::Entry earlier(const std::string& rule, std::string_view at, std::int64_t cents,
                             std::int64_t case_id = 9) {
    return {draw_of(1000, cents, case_id), rule, parse_instant(at).value()};
}

TEST(Limits, hold_a_draw_that_exceeds_them_and_approve_later_ones_that_fit) {
    const std::vector<Draw> draws = {draw_of(1, 400'00), draw_of(2, 500'00), draw_of(3, 200'00),
                                     draw_of(4, 100'00, 10)};
    EXPECT_THAT(approved(rules_of(limited("[{count: 2, per: day}]")), draws), ElementsAre(1, 2));
    EXPECT_THAT(approved(rules_of(limited("[{amount: 700.00, per: day}]")), draws), ElementsAre(1, 3, 4));
    EXPECT_THAT(approved(rules_of(limited("[{amount: 600.00, per: run, by: case}]")), draws), ElementsAre(1, 3, 4));
    EXPECT_THAT(approved(rules_of(limited("[{count: 1, per: week, by: case}]")), draws), ElementsAre(1, 4));
    EXPECT_THAT(approved(rules_of(limited("[{count: 3, per: day}, {amount: 450.00, per: week}]")), draws),
                ElementsAre(1));
}

TEST(Limits, report_which_one_was_reached_and_when_it_resets) {
    const auto rules = rules_of(limited("[{amount: 700.00, per: day, by: case}]"));
    const ListedHistory history({earlier("a", "2026-03-05T01:00:00", 500'00)});
    const auto decision = decide(draw_of(1, 300'00), history, rules, now, utc);
    EXPECT_EQ(decision.outcome, Outcome::hold);
    EXPECT_EQ(decision.rule, "a");
    EXPECT_EQ(decision.reason,
              "rule 'a' matches, but the limit is reached: $700.00 per day per case (case 9): 1 draw, $500.00 used, "
              "$300.00 wanted");
    EXPECT_EQ(format_instant(decision.again_at.value()), "2026-03-06T00:00:00.000Z");
    const auto& limit = decision.explanation.at(0).limits.at(0);
    EXPECT_EQ(limit.used, "1 draw, $500.00");
    EXPECT_NE(explanation_json(decision).find("\"limits\":[{\"limit\":\"$700.00 per day per case\",\"for\":\"case 9\""),
              std::string::npos);
}

TEST(Limits, are_told_in_words) {
    const auto words = [](const std::string& limit) {
        return rules_of(limited("[" + limit + "]")).rules.at(0).limits.at(0).words();
    };
    EXPECT_EQ(words("{count: 1, per: run}"), "1 draw per run");
    EXPECT_EQ(words("{amount: 5.00, per: day, by: case}"), "$5.00 per day per case");
    EXPECT_EQ(words("{count: 2, amount: 5.00, per: week, by: workflow}"), "2 draws and $5.00 per week per workflow");
    EXPECT_EQ(words("{count: 2, per: week, by: requester}"), "2 draws per week per requester");
}

TEST(Limits, count_each_workflow_and_each_requester_by_itself) {
    Draw other_workflow = draw_of(3, 1), other_requester = draw_of(4, 1);
    other_workflow.workflow_id = 13;
    other_requester.requested_by = "bob@example.gov";
    const std::vector<Draw> draws = {draw_of(1, 1), draw_of(2, 1), other_workflow, other_requester};
    EXPECT_THAT(approved(rules_of(limited("[{count: 1, per: day, by: workflow}]")), draws), ElementsAre(1, 3));
    EXPECT_THAT(approved(rules_of(limited("[{count: 1, per: day, by: requester}]")), draws), ElementsAre(1, 4));
}

TEST(Limits, of_a_rule_count_what_this_rule_approved) {
    const auto rules = rules_of(limited("[{count: 1, per: day}]"));
    const auto with = [&](ListedHistory::Entry entry) {
        return approved(rules, {draw_of(1, 1)}, ListedHistory({std::move(entry)}));
    };
    EXPECT_THAT(with(earlier("a", "2026-03-05T01:00:00", 5)), ElementsAre());
    EXPECT_THAT(with(earlier("b", "2026-03-05T01:00:00", 5)), ElementsAre(1));
    EXPECT_THAT(with(earlier("", "2026-03-05T01:00:00", 5)), ElementsAre(1)) << "approved by a person";
}

TEST(Limits, of_the_rule_set_count_every_rule) {
    const auto rules = rules_of(
        "version: 1\napprover_id: 7\nlimits: [{count: 2, per: day}]\nrules:\n  - {name: a, when: {id: 1}, approve: "
        "{}}\n"
        "  - {name: s, mode: shadow, when: always, approve: {}}\n  - {name: b, when: always, approve: {}}\n");
    EXPECT_THAT(approved(rules, {draw_of(1, 1), draw_of(2, 1), draw_of(3, 1)}), ElementsAre(1, 2));
    EXPECT_THAT(
        approved(rules, {draw_of(1, 1), draw_of(2, 1)}, ListedHistory({earlier("gone", "2026-03-05T00:00:00", 5)})),
        ElementsAre(1));
}

TEST(Limits, hold_a_draw_that_they_cannot_check) {
    Draw draw = draw_of(1, 100);
    draw.case_id.reset();
    EXPECT_THAT(approved(rules_of(limited("[{count: 5, per: day, by: case}]")), {draw}), ElementsAre());
    draw = draw_of(1, 100);
    draw.amount_requested.reset();
    const auto decision = decide(draw, ListedHistory(), rules_of(limited("[{amount: 5, per: day}]")), now, utc);
    EXPECT_EQ(decision.reason,
              "rule 'a' matches, but the limit is reached: $5.00 per day: amountRequested is null: the limit cannot be "
              "checked");
    EXPECT_FALSE(decision.again_at.has_value());
}

// Days and weeks follow the office's time zone, across midnight and both daylight saving changes.
TEST(Limits, follow_the_days_of_the_time_zone) {
    const auto zone = TimeZone::find("America/New_York").value();
    const auto rules = rules_of(limited("[{count: 1, per: day}]"));
    struct Case {
        std::string_view approved_at, now;
        bool free;
        std::string_view again;
    };
    for (const auto& c : {
             // 23:59 and 00:00 in New York
             Case{"2026-01-15T04:58:00", "2026-01-15T04:59:59.999", false, "2026-01-15T05:00:00.000Z"},
             Case{"2026-01-15T04:59:59.999", "2026-01-15T05:00:00", true, ""},
             // the 23-hour day, 2026-03-08: from 05:00Z to 04:00Z
             Case{"2026-03-08T05:00:00", "2026-03-09T03:59:59", false, "2026-03-09T04:00:00.000Z"},
             Case{"2026-03-08T05:00:00", "2026-03-09T04:00:00", true, ""},
             Case{"2026-03-08T04:59:59", "2026-03-08T05:00:00", true, ""},
             // the 25-hour day, 2026-11-01: from 04:00Z to 05:00Z
             Case{"2026-11-01T04:00:00", "2026-11-02T04:59:59", false, "2026-11-02T05:00:00.000Z"},
             Case{"2026-11-01T04:00:00", "2026-11-02T05:00:00", true, ""},
             Case{"2026-11-01T03:59:59", "2026-11-01T04:00:00", true, ""},
         }) {
        const ListedHistory history({earlier("a", c.approved_at, 5)});
        const auto decision = decide(draw_of(1, 5), history, rules, parse_instant(c.now).value(), zone);
        EXPECT_EQ(decision.outcome == Outcome::approve, c.free) << c.now;
        EXPECT_EQ(decision.again_at ? format_instant(*decision.again_at) : "", c.again) << c.now;
    }
}

TEST(Limits, per_week_begin_on_monday) {
    const auto rules = rules_of(limited("[{count: 1, per: week}]"));
    const ListedHistory history({earlier("a", "2026-03-02T00:00:00", 5)});  // a Monday
    const auto decision = decide(draw_of(1, 5), history, rules, parse_instant("2026-03-08T23:59:59").value(), utc);
    EXPECT_EQ(decision.outcome, Outcome::hold);
    EXPECT_EQ(format_instant(decision.again_at.value()), "2026-03-09T00:00:00.000Z");
    EXPECT_EQ(decide(draw_of(1, 5), history, rules, parse_instant("2026-03-09T00:00:00").value(), utc).outcome,
              Outcome::approve);
}

// Random limits over random draws, compared with separate counters.
TEST(RandomLimits, agree_with_separate_counters) {
    std::mt19937_64 random(12);
    const auto upto = [&](int last) { return std::uniform_int_distribution<int>(0, last)(random); };
    int held = 0;
    for (int round = 0; round < 500; ++round) {
        const int count = 1 + upto(4), cents = 100 * (1 + upto(9));
        const bool by_case = upto(1) == 0;
        const auto rules =
            rules_of(limited("[{count: " + std::to_string(count) + ", amount: " + Money::from_cents(cents).to_string() +
                             ", per: day" + (by_case ? ", by: case}]" : "}]")));
        std::vector<Draw> draws;
        std::vector<DrawId> wanted;
        std::map<std::int64_t, std::pair<int, std::int64_t>> used;
        for (DrawId id = 1; id <= 12; ++id) {
            draws.push_back(draw_of(id, 50 * (1 + upto(5)), 1 + upto(2)));
            auto& [n, sum] = used[by_case ? *draws.back().case_id : 0];
            const auto own = draws.back().amount_requested->cents();
            if (n >= count || sum + own > cents) {
                ++held;
                continue;
            }
            ++n;
            sum += own;
            wanted.push_back(id);
        }
        ASSERT_EQ(approved(rules, draws), wanted);
    }
    EXPECT_GT(held, 1000);
}

}  // namespace
}  // namespace drawbridge::rules
