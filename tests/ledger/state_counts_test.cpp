// The totals of the states equal a recount of all draws, whatever happened to them.
#include "store/state_counts.hpp"

#include <gmock/gmock.h>

#include <random>

#include "drawbridge/ledger/facts/returns.hpp"
#include "ledger/ledger_fixture.hpp"
#include "store/connection.hpp"

namespace drawbridge::ledger {
namespace {

using ::testing::IsEmpty;

class StateCountsTest : public LedgerFixture {
  protected:
    std::vector<std::string> differences() {
        InvariantResult result;
        compare_counts(*ledger, result);
        return result.violations;
    }
    std::int64_t rows(const std::string& table) {
        return ledger->connection().db.integer("SELECT count(*) FROM " + table);
    }
    const StateTotal& total(std::string_view name) {
        totals_ = state_totals(*ledger);
        return *std::ranges::find(totals_, name, &StateTotal::state);
    }

  private:
    std::vector<StateTotal> totals_;
};

TEST_F(StateCountsTest, follow_a_draw_with_its_amount_and_reading_time) {
    read(test::sample_draw(1, DrawStatus::pending_approval, "10.00"));
    now += std::chrono::hours(1);
    read(test::sample_draw(2, DrawStatus::pending_approval, "20.00"));
    EXPECT_EQ(total("pending").count, 2);
    EXPECT_EQ(total("pending").amount, Money::from_cents(3000));
    EXPECT_EQ(total("pending").oldest, now - std::chrono::hours(1));
    decide(1, /*approve=*/false);
    EXPECT_EQ(total("pending").amount, Money::from_cents(2000));
    EXPECT_EQ(total("pending").oldest, now);
    EXPECT_EQ(total("held").oldest, now - std::chrono::hours(1));
    EXPECT_EQ(seen_total(*ledger).count, 2);
    EXPECT_EQ(seen_total(*ledger).amount, Money::from_cents(3000));
    EXPECT_EQ(seen_total(*ledger).oldest, now - std::chrono::hours(1));
}

TEST_F(StateCountsTest, count_draws_without_an_amount) {
    auto draw = test::sample_draw(1, DrawStatus::pending_approval);
    draw.amount_requested.reset();
    read(draw);
    EXPECT_EQ(total("pending").without_amount, 1);
    read(test::sample_draw(1, DrawStatus::pending_approval, "5.00"));
    EXPECT_EQ(total("pending").without_amount, 0);
    EXPECT_THAT(differences(), IsEmpty());
}

TEST_F(StateCountsTest, are_unchanged_after_a_rollback) {
    read(test::sample_draw(1, DrawStatus::pending_approval));
    EXPECT_THROW(ledger->transaction([&] {
        record_reading(*ledger, test::sample_draw(1, DrawStatus::cancelled), ReadingSource::poll, now);
        record_reading(*ledger, test::sample_draw(2, DrawStatus::pending_approval), ReadingSource::poll, now);
        EXPECT_EQ(total("cancelled").count, 1) << "inside the transaction, its own changes count";
        record_reading(*ledger, test::sample_draw(3, DrawStatus::pending_approval), ReadingSource::poll, now);
        throw std::runtime_error("power");
    }),
                 std::runtime_error);
    EXPECT_EQ(total("pending").count, 1);
    EXPECT_EQ(total("cancelled").count, 0);
    read(test::sample_draw(4, DrawStatus::pending_approval));
    EXPECT_THAT(differences(), IsEmpty());
}

TEST_F(StateCountsTest, count_a_draw_with_an_exception_from_before_it_was_seen) {
    ledger->transaction([&] { raise_exception(*ledger, {"pay", "no_payee", 5, std::nullopt, "", "?"}, stamp()); });
    read(test::sample_draw(5, DrawStatus::approved));
    EXPECT_EQ(total("blocked").count, 1);
    EXPECT_THAT(differences(), IsEmpty());
}

TEST_F(StateCountsTest, verify_finds_tampered_totals) {
    read(test::sample_draw(1, DrawStatus::pending_approval));
    const auto at = [&](const std::string& sql) {
        ledger->connection().db.exec(sql);
        return violations();
    };
    EXPECT_THAT(at("UPDATE state_total SET cents = cents + 1 WHERE state = 'pending'"),
                ::testing::ElementsAre(::testing::HasSubstr("3: state pending is counted as 1 draws of 10001 cents")));
    EXPECT_THAT(at("UPDATE state_total SET cents = cents - 1 WHERE state = 'pending'"), IsEmpty());
    EXPECT_THAT(at("UPDATE draw_standing SET state = 'paid' WHERE draw_id = 1"),
                ::testing::ElementsAre(::testing::HasSubstr("draw 1 is pending, and is listed with another state")));
    EXPECT_THAT(at("UPDATE draw_standing SET state = 'pending' WHERE draw_id = 1"), IsEmpty());
    EXPECT_THAT(at("UPDATE state_age SET since = since - 1"),
                ::testing::ElementsAre(::testing::HasSubstr("the ages of state pending")));
    EXPECT_THAT(at("DELETE FROM state_total WHERE state = 'seen'"),
                ::testing::Contains(::testing::HasSubstr("state seen is not counted")));
}

// Everything that moves a draw, in random order, several at once, some of it undone.
class RandomWalk : public StateCountsTest, public ::testing::WithParamInterface<unsigned> {
  protected:
    static constexpr DrawId draws = 9;

    int up_to(int most) { return std::uniform_int_distribution<int>(0, most)(random_); }
    DrawId any() { return 1 + up_to(draws - 1); }

    void see() {
        constexpr DrawStatus all[] = {
            DrawStatus::submitted, DrawStatus::cancelled, DrawStatus::pending_approval, DrawStatus::pending_approval,
            DrawStatus::approved,  DrawStatus::approved,  DrawStatus::disbursed,        static_cast<DrawStatus>(9)};
        auto draw = test::sample_draw(any(), all[up_to(7)], (std::to_string(1 + up_to(3)) + ".00").c_str());
        if (up_to(9) == 0) draw.amount_requested.reset();
        draw.field_a = "PAYEE-" + std::to_string(1 + up_to(2));
        record_reading(*ledger, draw, ReadingSource::poll, now);
    }
    void decide_something() {
        const auto id = any();
        if (newest_reading(*ledger, id)) decide(id, up_to(2) != 0);
    }
    void call_and_answer() {
        if (!approvals_to_submit(*ledger, sha256_hex("rules"), {}, 500).empty()) submit();
        for (const auto& item : open_approvals(*ledger)) {
            if (up_to(3) != 0) answer(item, static_cast<ApprovalOutcome>(up_to(3)), LearnedBy::read_back);
        }
    }
    void void_something() {
        for (const auto& row : payment_files(*ledger, /*unreleased_only=*/true))
            ledger->transaction([&] { (void)void_file(*ledger, row, "wrong", stamp("uid 1 (bo)")); });
    }
    void hear_from_the_bank() {
        const auto live = live_payment(*ledger, any());
        if (!live) return;
        for (const auto& payment : load_file(*ledger, find_file(*ledger, live->file_name)->file_id).file.payments) {
            if (payment.payment_id != live->payment_id) continue;
            const auto reference = payment.trace_number ? *payment.trace_number : std::to_string(*payment.check_number);
            const auto kind = up_to(2) == 0 ? ConfirmationKind::returned : ConfirmationKind::paid;
            confirm({{2, reference, kind, payment.amount, parse_date("2026-03-04").value()}},
                    "bank-" + std::to_string(++files_));
        }
    }
    void report() {
        ledger->transaction([&] {
            for (const auto& due : reports_due(*ledger))
                open_patch(*ledger, due, now, stamp());
            for (const auto& patch : open_patches(*ledger))
                if (up_to(1) == 0) close_patch(*ledger, patch, PatchOutcome::accepted, stamp());
        });
    }
    void look_at_a_case() {
        const auto id = any();
        ledger->transaction([&] {
            if (up_to(1) == 0) {
                raise_exception(*ledger, {"pay", "no_payee", id, std::nullopt, "", "?"}, stamp());
            } else {
                close_exceptions(*ledger, id, "pay", {}, "done", stamp());
            }
            (void)order_reissue(*ledger, id, test::sample_directory(), "again", stamp("uid 7 (eva)"));
        });
    }
    void step() {
        now += std::chrono::seconds(up_to(2));
        switch (up_to(8)) {
            case 0: return decide_something();
            case 1: return call_and_answer();
            case 2: return draws_to_pay(*ledger).empty() ? void() : pay(/*release=*/up_to(1) == 0);
            case 3: return void_something();
            case 4: return hear_from_the_bank();
            case 5: return report();
            case 6: return look_at_a_case();
            default: break;
        }
        const bool taken_back = up_to(4) == 0;
        try {
            ledger->transaction([&] {
                for (int i = up_to(4); i >= 0; --i)
                    see();
                if (taken_back) throw std::runtime_error("power");
            });
        } catch (const std::runtime_error&) {
            EXPECT_TRUE(taken_back);
        }
    }

  private:
    std::mt19937 random_{GetParam()};
    int files_ = 0;
};

TEST_P(RandomWalk, leaves_the_totals_that_a_recount_gives) {
    std::set<std::string> met;
    for (int i = 0; i < 150; ++i) {
        step();
        ASSERT_THAT(differences(), IsEmpty()) << "step " << i;
        ASSERT_EQ(rows("draw_moved"), 0) << "step " << i;
        for (const auto& state : state_totals(*ledger))
            if (state.count > 0) met.insert(state.state);
    }
    EXPECT_GE(met.size(), 9U) << "the walk reaches enough states";
    reopen();
    EXPECT_THAT(violations(), IsEmpty());
}

INSTANTIATE_TEST_SUITE_P(Seeds, RandomWalk, ::testing::Range(1U, 5U));

}  // namespace
}  // namespace drawbridge::ledger
