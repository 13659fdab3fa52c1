#include "drawbridge/rules/history.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <random>

#include "rules/rules_fixture.hpp"

namespace drawbridge::rules {
namespace {

using namespace std::chrono_literals;
using std::chrono::days;

ListedHistory::Entry other(DrawId id, days age, std::int64_t cents, std::optional<std::int64_t> case_id = 9,
                           DrawStatus status = DrawStatus::approved) {
    Draw draw = sample_draw();
    draw.id = id;
    draw.status = status;
    draw.case_id = case_id;
    draw.requested_date = now - age;
    draw.amount_requested = Money::from_cents(cents);
    return {draw, ""};
}

ConditionResult condition(const std::string& when, const std::vector<ListedHistory::Entry>& entries,
                          const Draw& draw = sample_draw()) {
    const ListedHistory history(entries, find_draw_field("fieldA"));
    return decide(draw, history, rules_of(one_rule(when)), now, utc).explanation.at(0).conditions.at(0);
}

TEST(HistoryCondition, totals_the_case_including_the_current_draw) {
    const std::vector<ListedHistory::Entry> entries = {
        other(1, days(3), 100'000),
        other(2, days(29), 200'000),
        other(3, days(31), 900'000),     // too old
        other(4, days(3), 900'000, 10),  // another case
        other(5, days(3), 900'000, 9, DrawStatus::cancelled),
        other(71, days(3), 900'000)};  // the current draw, as in the ledger
    const auto result = condition("{case_total: {over: 30d, lte: 5500.00}}", entries);
    EXPECT_TRUE(result.passed);
    EXPECT_EQ(result.field, "case_total");
    EXPECT_EQ(result.wanted, "5500.00 over 30d");
    EXPECT_EQ(result.found, "5500.00");
    EXPECT_EQ(result.note, "of 3 draws, this draw included");
    EXPECT_FALSE(condition("{case_total: {over: 30d, lt: 5500.00}}", entries).passed);
    EXPECT_TRUE(condition("{case_count: {over: 30d, eq: 3}}", entries).passed);
    EXPECT_TRUE(condition("{case_count: {over: 60d, eq: 4}}", entries).passed);
    EXPECT_TRUE(condition("{requester_count: {over: 30d, eq: 4}}", entries).passed);
    EXPECT_TRUE(condition("{workflow_total: {over: 30d, eq: 14500.00}}", entries).passed);
    EXPECT_TRUE(condition("{payee_count: {over: 30d, eq: 4}}", entries).passed);
}

TEST(HistoryCondition, counts_a_payee_however_blanks_surround_the_key) {
    Draw draw = sample_draw();
    auto same = other(1, days(1), 100);
    same.draw.field_a = "\t" + *draw.field_a + " ";
    EXPECT_TRUE(condition("{payee_count: {over: 30d, eq: 2}}", {same}, draw).passed);
    draw.field_a = *draw.field_a + "  ";
    EXPECT_TRUE(condition("{payee_count: {over: 30d, eq: 2}}", {same}, draw).passed);
}

TEST(HistoryCondition, is_unknown_without_a_case_or_an_amount) {
    Draw draw = sample_draw();
    draw.case_id.reset();
    EXPECT_TRUE(condition("{case_total: {over: 30d, lte: 5500.00}}", {}, draw).unknown);
    EXPECT_TRUE(condition("{duplicate_within: 14d}", {}, draw).unknown);
    draw = sample_draw();
    draw.field_a.reset();
    EXPECT_TRUE(condition("{payee_count: {over: 30d, lte: 5}}", {}, draw).unknown);
    draw.field_a = " \t";
    EXPECT_TRUE(condition("{payee_count: {over: 30d, lte: 5}}", {}, draw).unknown);
    auto entry = other(1, days(1), 0);
    entry.draw.amount_requested.reset();
    const auto result = condition("{case_total: {over: 30d, lte: 5500.00}}", {entry});
    EXPECT_TRUE(result.unknown);
    EXPECT_EQ(result.note, "a draw among 2 draws, this draw included has no amount: the total is unknown");
    EXPECT_TRUE(condition("{case_count: {over: 30d, lte: 2}}", {entry}).passed);
}

TEST(HistoryCondition, finds_duplicates_of_case_and_amount_before_and_after) {
    const Draw draw = sample_draw();
    const auto at = [&](days distance, std::int64_t cents = 250'000, std::int64_t case_id = 9) {
        auto entry = other(5, days(0), cents, case_id);
        entry.draw.requested_date = draw.requested_date + distance;
        return std::vector{entry};
    };
    EXPECT_TRUE(condition("{duplicate_within: 14d}", at(days(-14))).passed);
    EXPECT_TRUE(condition("{duplicate_within: 14d}", at(days(14))).passed);
    EXPECT_FALSE(condition("{duplicate_within: 14d}", at(days(-15))).passed);
    EXPECT_FALSE(condition("{duplicate_within: 14d}", at(days(-1), 250'001)).passed);
    EXPECT_FALSE(condition("{duplicate_within: 14d}", at(days(-1), 250'000, 10)).passed);
    EXPECT_EQ(condition("{duplicate_within: 14d}", at(days(-1))).wanted, "14d");
    EXPECT_EQ(condition("{duplicate_within: 14d}", at(days(-1))).found, "draw 5 of 2026-03-03T05:06:07.000Z");
}

TEST(HistoryNeeds, are_found_in_every_part_of_a_condition) {
    const std::string sum = "case_total: {over: 30d, lte: 5.00}";
    for (const std::string& when :
         {"{" + sum + "}", "{workflowId: 12, " + sum + "}", "{any: [{workflowId: 1}, {" + sum + "}]}",
          "{unless: {" + sum + "}}", "{any: [{" + sum + "}, {case_count: {over: 1d, lte: 5}}]}"}) {
        const HistoryNeeds needs = history_needs(rules_of(one_rule(when)));
        EXPECT_EQ(needs.sums, std::vector{HistoryOf::case_id}) << when;
        EXPECT_FALSE(needs.duplicates) << when;
    }
    const HistoryNeeds needs =
        history_needs(rules_of(one_rule("{unless: {duplicate_within: 14d}, payee_count: {over: 1d, lte: 5}}")));
    EXPECT_TRUE(needs.duplicates);
    EXPECT_EQ(needs.sums, std::vector{HistoryOf::payee});
}

TEST(DecideAgain, is_the_first_moment_when_time_changes_the_outcome) {
    const auto again = [](const std::string& when, const std::vector<ListedHistory::Entry>& entries = {}) {
        const auto decision = decide(sample_draw(), ListedHistory(entries), rules_of(one_rule(when)), now, utc);
        return decision.again_at ? format_instant(*decision.again_at) : "never";
    };
    // The sample was requested on 2026-03-04T05:06:07; it is 2026-03-05T12:00.
    EXPECT_EQ(again("{requestedDate: {older_than: 3d}}"), "2026-03-07T05:06:07.001Z");
    EXPECT_EQ(again("{requestedDate: {older_than: 3d}, workflowId: 13}"), "2026-03-07T05:06:07.001Z");
    EXPECT_EQ(again("{workflowId: 13}"), "never");
    const RuleSet older = rules_of(one_rule("{requestedDate: {older_than: 1d}, workflowId: 13}"));
    const Instant one_day_old = sample_draw().requested_date + days(1);
    for (const auto& [at, wanted] :
         {std::pair(one_day_old, "2026-03-05T05:06:07.001Z"), {one_day_old + std::chrono::milliseconds(1), "never"}}) {
        const auto decision = decide(sample_draw(), ListedHistory(), older, at, utc);
        EXPECT_EQ(decision.again_at ? format_instant(*decision.again_at) : "never", wanted)
            << "what changes now has changed";
    }
    EXPECT_EQ(again("{requestedDate: {older_than: 1d}}"), "never") << "approved";
    EXPECT_EQ(again("{case_total: {over: 30d, lte: 10.00}}", {other(1, days(29), 100)}), "2026-03-06T12:00:00.000Z");
    const auto set = rules_of(
        "version: 1\napprover_id: 7\nrules:\n  - {name: a, effective: {from: 2026-03-09}, when: "
        "always, approve: {}}\n");
    const auto zone = TimeZone::find("America/New_York").value();
    EXPECT_EQ(format_instant(decide(sample_draw(), ListedHistory(), set, now, zone).again_at.value()),
              "2026-03-09T04:00:00.000Z");
}

// Sums, counts and duplicates over random draws equal those of a plain loop.
TEST(RandomHistories, agree_with_a_plain_loop) {
    std::mt19937_64 random(4711);
    const auto upto = [&](int last) { return std::uniform_int_distribution<int>(0, last)(random); };
    int passed = 0;
    for (int round = 0; round < 2000; ++round) {
        std::vector<ListedHistory::Entry> entries;
        for (int i = upto(8); i > 0; --i) {
            auto entry = other(100 + i, days(upto(12)), 100 * (1 + upto(3)), 1 + upto(1));
            if (upto(9) == 0) entry.draw.status = DrawStatus::cancelled;
            if (upto(9) == 0) entry.draw.amount_requested.reset();
            entries.push_back(entry);
        }
        Draw draw = other(1, days(upto(12)), 100 * (1 + upto(3)), 1 + upto(1), DrawStatus::pending_approval).draw;
        const int window = 1 + upto(11), bound = 100 * upto(12);
        std::int64_t count = 1, total = draw.amount_requested->cents();
        bool unknown = false, duplicate = false;
        for (const auto& [o, rule, at, run] : entries) {
            if (o.status == DrawStatus::cancelled || o.case_id != draw.case_id) continue;
            const auto apart = o.requested_date - draw.requested_date;
            duplicate =
                duplicate || (o.amount_requested == draw.amount_requested && std::chrono::abs(apart) <= days(window));
            if (now - o.requested_date >= days(window)) continue;
            ++count;
            if (o.amount_requested) total += o.amount_requested->cents();
            unknown = unknown || !o.amount_requested;
        }
        const std::string over = "over: " + std::to_string(window) + "d, lte: ";
        const auto sum =
            condition("{case_total: {" + over + Money::from_cents(bound).to_string() + "}}", entries, draw);
        ASSERT_EQ(sum.unknown, unknown);
        ASSERT_EQ(sum.passed, !unknown && total <= bound) << sum.found;
        ASSERT_EQ(condition("{case_count: {" + over + "3}}", entries, draw).passed, count <= 3);
        ASSERT_EQ(condition("{duplicate_within: " + std::to_string(window) + "d}", entries, draw).passed, duplicate);
        passed += sum.passed ? 1 : 0;
    }
    EXPECT_GT(passed, 200);
    EXPECT_LT(passed, 1800);
}

}  // namespace
}  // namespace drawbridge::rules
