// The pay step voids and stops checks, on a real ledger and spool.
#include "drawbridge/pipeline/check_orders.hpp"

#include <filesystem>
#include <iterator>

#include "drawbridge/ledger/facts/makers.hpp"
#include "drawbridge/ledger/facts/returns.hpp"
#include "drawbridge/ledger/facts/runs.hpp"
#include "drawbridge/pipeline/deliver.hpp"
#include "drawbridge/pipeline/payment_files.hpp"
#include "pipeline/pipeline_fixture.hpp"

namespace drawbridge::pipeline {
namespace {

using checks::CheckAction;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

class CheckOrders : public Pipeline {
  protected:
    void issue(DrawId from, DrawId to) {
        for (DrawId id = from; id <= to; ++id)
            add(id, 4, "PAYEE-3");
        run_well({poll, pay});
    }
    Result<void> order(std::int64_t number, CheckAction action = CheckAction::void_check) {
        return order_check(*context_, number, action, "lost", {clock_.now(), "uid 7 (eva)", 7});
    }
    std::vector<std::string> order_files() {
        std::vector<std::string> names;
        for (const auto& file : ledger::payment_files(*ledger_, /*unreleased_only=*/false)) {
            if (file.kind == disbursement::FileKind::check_orders) names.push_back(file.name);
        }
        return names;
    }
    std::string outgoing(const std::string& name) {
        std::ifstream in(folder_.path() / "state" / "spool" / "outgoing" / name, std::ios::binary);
        return {std::istreambuf_iterator<char>(in), {}};
    }
};

TEST_F(CheckOrders, the_next_run_sends_the_order_and_returns_the_draw) {
    issue(1, 2);
    ASSERT_TRUE(order(2));
    EXPECT_EQ(state_of(2), "paying");
    run_well({pay});
    EXPECT_EQ(state_of(2), "returned");
    EXPECT_EQ(state_of(1), "paying");
    ASSERT_EQ(order_files().size(), 1U);
    EXPECT_THAT(outgoing(order_files().front()), ::testing::MatchesRegex("C,2,[0-9]{6},100.02,.*\n"));
    EXPECT_THAT(reasons(), ElementsAre("check_voided"));
    sandbox_.act(2, "disburse");
    run_well({poll, pay});
    EXPECT_THAT(reasons(), ElementsAre("check_voided")) << "checks are marked as Disbursed when they are sent";
    EXPECT_EQ(order_files().size(), 1U);
    EXPECT_EQ(state_of(2), "returned") << "it is not paid again automatically";
    expect_clean_ledger();
}

TEST_F(CheckOrders, checks_of_a_former_account_are_paid_all_the_same) {
    issue(1, 1);
    const auto payment = ledger::load_file(*ledger_, files().front().file_id).file.payments.front();
    auto& accounts = context_->settings.confirmations.office.check_accounts;
    accounts = {*AccountNumber::parse("7700000001")};
    const std::string cents = std::to_string(payment.amount.cents());
    std::string day = format_date(today()).substr(2);
    std::erase(day, '-');
    const auto statement = [&](const std::string& account) {
        return "01,BANK,OFFICE," + day + ",0800,7,,,2/\n02,OFFICE,BANK,1," + day + ",,USD,2/\n03," + account +
               ",USD,,,,/\n16,475," + cents + ",Z,," + std::to_string(*payment.check_number) + ",A/\n49," + cents +
               ",3/\n98," + cents + ",1,5/\n99," + cents + ",1,7/\n";
    };
    const auto drop = [&](const std::string& name, const std::string& bytes) {
        std::ofstream(folder_.path() / "state" / "inbox" / name, std::ios::binary) << bytes;
    };
    drop("other.bai", statement("99988877"));
    run_well({confirm});
    EXPECT_EQ(state_of(1), "paying");
    drop("former.bai", statement("555-000-111"));
    run_well({confirm});
    EXPECT_EQ(state_of(1), "paid");
    expect_clean_ledger();
}

// Until the bank has the order, the check can be cashed.
TEST_F(CheckOrders, a_draw_is_paid_again_only_after_the_bank_has_the_order) {
    issue(1, 1);
    ASSERT_TRUE(order(1));
    run_well({pay});
    EXPECT_EQ(state_of(1), "returned");
    const auto file = order_files().front();
    const auto reissue = [&] {
        return ledger_->transaction([&] {
            return ledger::order_reissue(*ledger_, 1, context_->payees, "lost", {clock_.now(), "uid 7 (eva)", 7});
        });
    };
    const auto refused = reissue();
    ASSERT_FALSE(refused);
    EXPECT_THAT(refused.error().message, HasSubstr("no evidence that the bank has " + file));
    const auto said = resolve_delivery(*context_, file, DeliveryResolution::by_hand, "in the bank's portal",
                                       {clock_.now(), "uid 8 (bo)", 8});
    ASSERT_TRUE(said) << said.error().message;
    ASSERT_TRUE(reissue());
    run_well({pay});
    const auto again = ledger::payment_files(*ledger_, /*unreleased_only=*/true);
    ASSERT_EQ(again.size(), 1U) << "the person who reported the delivery cannot release the next payment";
    EXPECT_THAT(ledger::describe(ledger::makers_of(*ledger_, again.front().file_id)),
                HasSubstr("said that the bank has the void or stop of the check of draw 1"));
    EXPECT_TRUE(release_now(again.front().name, "agreed", {clock_.now(), "uid 9 (cy)", 9}));
    EXPECT_EQ(state_of(1), "paying");
    expect_clean_ledger();
}

TEST_F(CheckOrders, check_orders_wait_for_a_second_person) {
    issue(1, 1);
    config_.pay.release = config::Release::manual;
    ASSERT_TRUE(order(1));
    run_well({pay});
    EXPECT_EQ(state_of(1), "paying");
    const auto name = order_files().front();
    EXPECT_FALSE(release_now(name, "ok", {clock_.now(), "uid 7 (eva)", 7}));
    ASSERT_TRUE(release_now(name, "ok", {clock_.now(), "uid 8 (max)", 8}));
    EXPECT_EQ(state_of(1), "returned");
    expect_clean_ledger();
}

TEST_F(CheckOrders, the_only_releaser_is_told_who_can_order_it_instead) {
    issue(1, 1);
    add_person("Eva", 7, ledger::Role::releaser);
    add_person("Max", 8, ledger::Role::operate);
    const auto refused = order(1);
    ASSERT_FALSE(refused);
    EXPECT_THAT(refused.error().message, HasSubstr("nobody would be left to release what pays draw 1"));
    EXPECT_THAT(refused.error().message, HasSubstr("ask Max"));
    EXPECT_TRUE(order_check(*context_, 1, CheckAction::void_check, "lost", {clock_.now(), "uid 8 (max)", 8}));
}

TEST_F(CheckOrders, a_stop_is_refused_if_the_layout_has_no_code_for_it) {
    issue(1, 1);
    const auto refused = order(1, CheckAction::stop);
    ASSERT_FALSE(refused);
    EXPECT_THAT(refused.error().message, HasSubstr("has no code for a stop"));
    context_->settings.plan.check->layout.stop_code = "S";
    ASSERT_TRUE(order(1, CheckAction::stop));
    // The layout changes before the run: the order waits and raises an exception.
    context_->settings.plan.check->layout.stop_code.reset();
    run_well({pay});
    EXPECT_THAT(reasons(), ElementsAre("order_not_expressible"));
    EXPECT_THAT(order_files(), IsEmpty());
    context_->settings.plan.check->layout.stop_code = "S";
    run_well({pay});
    EXPECT_THAT(reasons(), ElementsAre("check_stopped"));
    EXPECT_THAT(outgoing(order_files().front()), ::testing::StartsWith("S,1,"));
    EXPECT_EQ(state_of(1), "returned");
    expect_clean_ledger();
}

TEST_F(CheckOrders, nothing_is_planned_while_money_movement_is_paused) {
    issue(1, 1);
    ASSERT_TRUE(order(1));
    const ledger::Stamp by{clock_.now(), "uid 7 (eva)", 7};
    ledger_->transaction([&] { ledger::set_paused(*ledger_, true, "wait", by); });
    EXPECT_FALSE(run(pay).complete);
    EXPECT_THAT(order_files(), IsEmpty());
    ledger_->transaction([&] { ledger::set_paused(*ledger_, false, "go", by); });
    run_well({pay});
    EXPECT_EQ(order_files().size(), 1U);
}

TEST_F(CheckOrders, a_check_paid_first_withdraws_the_order) {
    issue(1, 1);
    ASSERT_TRUE(order(1));
    bank_says("1", {"paid", Money::from_cents(10001)});
    run_well({pay});
    EXPECT_THAT(reasons(), ElementsAre("check_order_overtaken"));
    EXPECT_THAT(order_files(), IsEmpty());
    EXPECT_EQ(state_of(1), "paid");
    sandbox_.act(1, "disburse");
    run_well({poll, report});
    EXPECT_EQ(state_of(1), "reported");
    EXPECT_THAT(reasons(), ElementsAre("check_order_overtaken")) << "the money must be recovered all the same";
    expect_clean_ledger();
}

TEST_F(CheckOrders, a_stale_check_raises_one_exception) {
    // Starts at noon, so that a daylight saving change does not shift the day.
    const auto& zone = context_->settings.plan.zone;
    const auto tomorrow = std::chrono::sys_days(zone.date_of(clock_.now())) + std::chrono::days(1);
    const auto noon = zone.to_instant(tomorrow, std::chrono::hours(12)) - clock_.now();
    clock_.ahead = noon;
    issue(1, 1);
    clock_.ahead = noon + std::chrono::days(179);
    run_well({pay});
    EXPECT_THAT(reasons(), IsEmpty());
    clock_.ahead = noon + std::chrono::days(180);
    EXPECT_THAT(run(pay).summary, HasSubstr("1 check newly stale"));
    run_well({pay});
    EXPECT_THAT(reasons(), ElementsAre("check_stale"));
    ASSERT_TRUE(order(1));
    run_well({pay});
    EXPECT_THAT(reasons(), ElementsAre("check_voided"));
    expect_clean_ledger();
}

}  // namespace
}  // namespace drawbridge::pipeline
