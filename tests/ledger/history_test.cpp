#include "drawbridge/ledger/reports/history.hpp"

#include <gmock/gmock.h>

#include <random>

#include "ledger/ledger_fixture.hpp"
#include "store/connection.hpp"

namespace drawbridge::ledger {
namespace {

using rules::HistoryOf;
using rules::LimitBy;
using std::chrono::days;

constexpr std::string_view every_question = R"(version: 1
approver_id: 1
rules:
  - name: a
    when: {duplicate_within: 3d, case_total: {over: 3d, lte: 1}, requester_count: {over: 3d, lte: 1},
           workflow_total: {over: 3d, lte: 1}, payee_count: {over: 3d, lte: 1}}
    approve: {}
)";

class HistoryTest : public LedgerFixture {
  protected:
    rules::RuleSet rules_ = rules::parse_rules(every_question, "r").value();
    const DrawField* payee_ = find_draw_field("fieldA");
};

TEST_F(HistoryTest, gives_the_same_answers_as_a_list_of_the_draws) {
    std::mt19937_64 random(99);
    const auto upto = [&](int last) { return std::uniform_int_distribution<int>(0, last)(random); };
    std::vector<rules::ListedHistory::Entry> entries;
    for (DrawId id = 1; id <= 200; ++id) {
        Draw draw = test::sample_draw(id, static_cast<DrawStatus>(upto(5)));
        draw.requested_date = now - days(upto(20)) - std::chrono::milliseconds(upto(5));
        draw.case_id = upto(9) == 0 ? std::nullopt : std::optional<std::int64_t>(upto(4));
        draw.workflow_id = 12 + upto(2);
        draw.requested_by = upto(1) == 0 ? "ann@example.gov" : "bo@example.gov";
        draw.field_a =
            upto(9) == 0
                ? std::nullopt
                : std::optional((upto(3) == 0 ? " P" : "P") + std::to_string(upto(5)) + (upto(3) == 0 ? "\t " : ""));
        if (upto(20) == 0) draw.field_a = " ";
        draw.amount_requested = upto(9) == 0 ? std::nullopt : std::optional(Money::from_cents(100 * (1 + upto(3))));
        draw.amount_approved = upto(1) == 0 ? std::nullopt : std::optional(Money::from_cents(100 * (1 + upto(3))));
        read(draw);
        // A newer reading replaces the older one.
        if (upto(4) == 0) {
            draw.case_id = upto(4);
            draw.modified_date += std::chrono::seconds(1);
            read(draw);
        }
        entries.push_back({draw, ""});
    }
    const rules::ListedHistory wanted(entries, payee_);
    const LedgerHistory found(*ledger, rules_, payee_, 0);
    int sums = 0, duplicates = 0;
    for (const auto& entry : entries) {
        const Draw& draw = entry.draw;
        for (const auto of : {HistoryOf::case_id, HistoryOf::requester, HistoryOf::workflow, HistoryOf::payee}) {
            const auto a = wanted.sum(of, draw, now - days(7));
            const auto b = found.sum(of, draw, now - days(7));
            ASSERT_EQ(a.has_value(), b.has_value());
            if (!a) continue;
            ASSERT_EQ(a->count, b->count) << draw.id << to_string(of);
            ASSERT_EQ(a->total, b->total) << draw.id << to_string(of);
            ASSERT_EQ(a->without_amount, b->without_amount) << draw.id << to_string(of);
            sums += a->count > 0 ? 1 : 0;
        }
        const auto a = wanted.duplicate(draw, days(3));
        const auto b = found.duplicate(draw, days(3));
        ASSERT_EQ(a.has_value(), b.has_value()) << draw.id;
        if (a) {
            ASSERT_EQ(a->id, b->id);
        }
        duplicates += a ? 1 : 0;
    }
    EXPECT_GT(sums, 100);
    EXPECT_GT(duplicates, 10);
}

TEST_F(HistoryTest, queries_use_indexes_only) {
    ABOUT_THE_FILE();
    read(test::sample_draw(1, DrawStatus::pending_approval));
    const LedgerHistory history(*ledger, rules_, payee_, 1);
    const Draw draw = newest_reading(*ledger, 1)->draw;
    for (const auto of : {HistoryOf::case_id, HistoryOf::requester, HistoryOf::workflow, HistoryOf::payee})
        (void)history.sum(of, draw, now);
    (void)history.duplicate(draw, days(1));
    for (const auto by : {LimitBy::everything, LimitBy::case_id, LimitBy::workflow, LimitBy::requester}) {
        (void)history.used("a", by, now, false);
        (void)history.used("", by, now, true);
    }
    for (const auto& sql : ledger->connection().statement_texts()) {
        if (sql.starts_with("CREATE")) continue;
        SQLite::Statement plan(ledger->connection().db.sqlite(), "EXPLAIN QUERY PLAN " + sql);
        while (plan.executeStep()) {
            const std::string step = plan.getColumn(3).getString();
            EXPECT_FALSE(step.starts_with("SCAN") && step.find("USING") == std::string::npos &&
                         step.find("CONSTANT ROW") == std::string::npos &&
                         step.find("json_each") == std::string::npos && step != "SCAN draw_moved" &&
                         step != "SCAN lost_modifiers" && step != "SCAN m" && !is_about_broken_references(sql, step))
                << sql << "\n"
                << step;
        }
    }
}

TEST_F(HistoryTest, counts_an_approval_once_and_only_while_it_is_in_force) {
    rules_.sha256 = sha256_hex("rules");
    const auto used = [&](std::optional<DrawId> except = std::nullopt) {
        const LedgerHistory history(*ledger, rules_, payee_, 0, except);
        const auto all = history.used("rule", LimitBy::everything, now, false);
        return all.empty() ? 0 : all.at("").count;
    };
    for (DrawId id = 1; id <= 4; ++id)
        read(test::sample_draw(id, DrawStatus::pending_approval));
    EXPECT_EQ(used(), 0);
    decide(1, true);
    decide(2, true);
    decide(3, true);
    decide(4, false);
    EXPECT_EQ(used(), 3);
    decide(3, false);
    EXPECT_EQ(used(), 2) << "decided again: hold";
    decide(2, true);
    EXPECT_EQ(used(), 2) << "decided again: the same";
    EXPECT_EQ(used(2), 1) << "a draw evaluated again does not count against itself";
    rules_.sha256 = sha256_hex("other rules");
    EXPECT_EQ(used(), 0) << "other rules do not carry it out";
    rules_.sha256 = sha256_hex("rules");
    const auto items = submit();
    ASSERT_EQ(items.size(), 2U);
    EXPECT_EQ(used(), 2) << "in an open call";
    answer(items[0], ApprovalOutcome::approved);
    answer(items[1], ApprovalOutcome::refused);
    EXPECT_EQ(used(), 1) << "a refused approval uses nothing";
    rules_.sha256 = sha256_hex("other rules");
    EXPECT_EQ(used(), 1) << "a completed approval counts under any rules";
}

TEST_F(HistoryTest, continues_an_interrupted_run) {
    const auto begin = [&] { return ledger->transaction([&] { return begin_decide_run(*ledger, now); }); };
    const auto run = begin();
    reopen();
    EXPECT_EQ(begin(), run);
    ledger->transaction([&] { end_decide_run(*ledger, run, now); });
    EXPECT_NE(begin(), run);
}

}  // namespace
}  // namespace drawbridge::ledger
