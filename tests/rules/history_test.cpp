#include "drawbridge/rules/history.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <random>
#include <string>
#include <vector>

#include "rules/rules_fixture.hpp"

namespace drawbridge::rules {
namespace {

// A draw like the sample, but for what is said here.
Draw other(DrawId id, const std::string& requested, std::int64_t cents) {
    Draw draw = sample_draw();
    draw.id = id;
    draw.requested_date = parse_instant(requested).value();
    draw.amount_requested = Money::from_cents(cents);
    return draw;
}

Decision judge(const std::string& when, const std::vector<Draw>& past, const Draw& draw = sample_draw()) {
    return decide(draw, History::of(past, find_draw_field("fieldA")), rules_of(one_rule(when)), now, utc);
}

std::string truth(const Decision& decision) {
    if (decision.outcome == Outcome::approve) return "true";
    return decision.explanation[0].conditions[0].unknown ? "unknown" : "false";
}

// The sample is of 2,500.00, case 9, requested on 2026-03-04 at 05:06:07.
TEST(Duplicates, AreDrawsOfTheSameCaseAndAmountOnEitherSideOfThisOne) {
    const struct {
        const char* name;
        Draw past;
        const char* wanted;
    } cases[] = {
        {"14 days before", other(1, "2026-02-18T05:06:07", 250000), "true"},
        {"a moment more", other(1, "2026-02-18T05:06:06.999", 250000), "false"},
        {"14 days after", other(1, "2026-03-18T05:06:07", 250000), "true"},
        {"a moment later", other(1, "2026-03-18T05:06:07.001", 250000), "false"},
        {"another amount", other(1, "2026-03-04", 250001), "false"},
        {"the draw itself", other(71, "2026-03-04", 250000), "false"},
    };
    for (const auto& c : cases)
        EXPECT_EQ(truth(judge("{duplicate_within: 14d}", {c.past})), c.wanted) << c.name;
    Draw past = other(1, "2026-03-04", 250000);
    past.case_id = 10;
    EXPECT_EQ(truth(judge("{duplicate_within: 14d}", {past})), "false") << "another case";
    past = other(1, "2026-03-04", 250000);
    past.status = DrawStatus::cancelled;
    EXPECT_EQ(truth(judge("{duplicate_within: 14d}", {past})), "false") << "cancelled";
    past = other(1, "2026-03-04", 1);
    past.amount_approved = Money::from_cents(250000);
    EXPECT_EQ(truth(judge("{duplicate_within: 14d}", {past})), "true") << "approved of that amount";
}

TEST(Totals, AreWithThisDrawAndWithWhatWasRequestedAfterIt) {
    const std::vector<Draw> past = {other(1, "2026-02-02T05:06:07", 100000), other(2, "2026-02-02T05:06:06", 7),
                                    other(3, "2026-05-01", 400000), other(71, "2026-03-04T05:06:07", 250000)};
    EXPECT_EQ(truth(judge("{case_total: {over: 30d, eq: 7500}}", past)), "true");
    EXPECT_EQ(truth(judge("{case_total: {over: 30d, lte: 7499.99}}", past)), "false");
    EXPECT_EQ(truth(judge("{case_count: {over: 30d, eq: 3}}", past)), "true");
    EXPECT_EQ(truth(judge("{case_count: {over: 30d, gt: 1, lt: 3}}", {})), "false") << "alone it is one";
    const auto decision = judge("{case_total: {over: 30d, lte: 7500.00}}", past);
    const auto& shown = decision.explanation[0].conditions[0];
    EXPECT_EQ(shown.field + " " + shown.op + " " + shown.wanted + ": " + shown.found,
              "case_total over 30d lte 7500.00: 7500.00 with this draw and 2 others");
}

TEST(Totals, GoByCaseRequesterWorkflowOrPayee) {
    Draw past = other(1, "2026-03-01", 100);
    past.case_id = 1;
    past.requested_by = "bob@example.gov";
    past.workflow_id = 1;
    past.field_a = "other";
    const struct {
        const char* subject;
        void (*match)(Draw&);
    } cases[] = {{"case", [](Draw& draw) { draw.case_id = 9; }},
                 {"requester", [](Draw& draw) { draw.requested_by = "ann@example.gov"; }},
                 {"workflow", [](Draw& draw) { draw.workflow_id = 12; }},
                 {"payee", [](Draw& draw) { draw.field_a = "0012"; }}};
    for (const auto& c : cases) {
        const std::string two = std::string("{") + c.subject + "_count: {over: 9d, eq: 2}}";
        EXPECT_EQ(truth(judge(two, {past})), "false") << c.subject;
        Draw same = past;
        c.match(same);
        EXPECT_EQ(truth(judge(two, {same})), "true") << c.subject;
    }
}

TEST(Totals, AreUnknownWhereThisDrawsValueIsNull) {
    Draw draw = sample_draw();
    draw.case_id.reset();
    draw.amount_requested.reset();
    draw.field_a.reset();
    for (const char* when : {"{duplicate_within: 1d}", "{case_total: {over: 1d, gte: 0}}",
                             "{case_count: {over: 1d, gte: 0}}", "{payee_count: {over: 1d, gte: 0}}",
                             "{workflow_total: {over: 1d, gte: 0}}", "{unless: {duplicate_within: 1d}}"})
        EXPECT_EQ(truth(judge(when, {}, draw)), "unknown") << when;
    EXPECT_EQ(truth(judge("{workflow_count: {over: 1d, eq: 1}}", {}, draw)), "true");
    Draw past = other(1, "2026-03-04", 0);
    past.amount_requested.reset();
    EXPECT_EQ(truth(judge("{case_total: {over: 9d, eq: 2500}, case_count: {over: 9d, eq: 2}}", {past})), "true")
        << "a draw without an amount adds nothing to a sum";
}

// A second, plain count of the same, over random draws.
TEST(History, AgreesWithAPlainLookAtEveryDraw) {
    std::mt19937_64 random(7);
    const auto upto = [&](int last) { return std::uniform_int_distribution<int>(0, last)(random); };
    const auto any_draw = [&](DrawId id) {
        Draw draw = other(id, "2026-03-01", 100 * upto(3));
        draw.requested_date += std::chrono::hours(12 * upto(20));
        if (upto(4) == 0) draw.case_id.reset();
        if (draw.case_id) draw.case_id = upto(2);
        if (upto(5) == 0) draw.amount_requested.reset();
        if (upto(5) == 0) draw.amount_approved = Money::from_cents(100 * upto(3));
        if (upto(5) == 0) draw.status = DrawStatus::cancelled;
        draw.field_a = std::to_string(upto(2));
        draw.workflow_id = upto(2);
        return draw;
    };
    int counted = 0;
    for (int round = 0; round < 200; ++round) {
        std::vector<Draw> draws;
        for (DrawId id = 1; id <= 30; ++id)
            draws.push_back(any_draw(id));
        const History history = History::of(draws, find_draw_field("fieldA"));
        for (const Draw& draw : draws) {
            const std::chrono::hours over(12 * (1 + upto(9)));
            std::int64_t count = 0, cents = 0, duplicates = 0;
            for (const Draw& past : draws) {
                if (past.id == draw.id || past.status == DrawStatus::cancelled) continue;
                const auto amount = past.amount_approved ? past.amount_approved : past.amount_requested;
                const auto own = draw.amount_approved ? draw.amount_approved : draw.amount_requested;
                const bool near = past.requested_date >= draw.requested_date - over;
                if (near && past.field_a == draw.field_a) {
                    ++count;
                    cents += amount ? amount->cents() : 0;
                }
                const bool twin = draw.case_id && own && past.case_id == draw.case_id && amount == own;
                if (near && twin && past.requested_date <= draw.requested_date + over) ++duplicates;
            }
            const auto found = history.others(Subject::payee, draw, over);
            ASSERT_TRUE(found);
            ASSERT_EQ(found->count, count);
            ASSERT_EQ(found->total.cents(), cents);
            ASSERT_EQ(history.duplicates(draw, over).value_or(0), duplicates);
            counted += static_cast<int>(count + duplicates);
        }
    }
    EXPECT_GT(counted, 10'000);
}

}  // namespace
}  // namespace drawbridge::rules
