// Draws that somebody else seems to have paid are held until a person resolves that sign of payment.

#include "drawbridge/disbursement/write_back.hpp"
#include "drawbridge/ledger/facts/makers.hpp"
#include "drawbridge/ledger/facts/payments.hpp"
#include "drawbridge/ledger/facts/returns.hpp"
#include "drawbridge/pipeline/payment_files.hpp"
#include "pipeline/pipeline_fixture.hpp"

namespace drawbridge::pipeline {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::SizeIs;

class DisbursedElsewhere : public Pipeline {
  protected:
    void reopen(int status) {
        sandbox_.act(1, "reopen", {{"status", status}});
        clock_.ahead += std::chrono::minutes(1);
    }
    void expect_held() {
        run_well({poll, decide, approve, pay});
        EXPECT_EQ(state_of(1), "blocked");
        EXPECT_THAT(reasons(), ElementsAre("disbursed_elsewhere"));
        EXPECT_THAT(ledger::payment_files(*ledger_, /*unreleased_only=*/false), IsEmpty());
        expect_clean_ledger();
    }
    void resolve() {
        const auto id = ledger::open_exceptions(*ledger_).front().exception_id;
        ledger_->transaction([&] {
            ASSERT_TRUE(ledger::close_exception(*ledger_, id, "nobody paid it", {clock_.now(), "uid 7 (eva)"}));
        });
    }
    void expect_paid() {
        run_well({poll, pay});
        EXPECT_EQ(state_of(1), "paying");
        EXPECT_THAT(reasons(), IsEmpty());
        expect_clean_ledger();
    }
};

TEST_F(DisbursedElsewhere, a_draw_reverted_to_approved_is_held_each_time) {
    add(1, 5);
    run_well({poll, pay});
    EXPECT_EQ(state_of(1), "external");
    reopen(4);
    expect_held();
    expect_held();
    resolve();
    sandbox_.act(1, "disburse");
    run_well({poll, pay});
    reopen(4);
    expect_held();
    resolve();
    expect_paid();
}

TEST_F(DisbursedElsewhere, a_draw_reverted_to_pending_and_approved_again_is_held) {
    add(1, 5);
    run_well({poll});
    reopen(3);
    sandbox_.edit(1, {{"disbursedDate", nullptr}, {"amountDisbursed", nullptr}});
    expect_held();
    resolve();
    expect_paid();
}

TEST_F(DisbursedElsewhere, a_draw_with_a_write_back_text_unknown_to_the_ledger_is_held) {
    using disbursement::WriteBackEvent;
    using disbursement::WriteBackTemplate;
    const auto text =
        WriteBackTemplate::parse("ACH {trace_number}{check_number} of {file_name}", WriteBackEvent::export_);
    config_.report.write_back = {{WriteBackEvent::export_, {{"fieldB", text.value()}}}};
    add(1, 4);
    sandbox_.edit(1, {{"fieldB", "ACH 091000010000007 of ACH-20260302-A.ach"}});
    expect_held();
    resolve();
    expect_paid();
}

TEST_F(DisbursedElsewhere, a_text_that_anyone_could_have_written_holds_nothing) {
    using disbursement::WriteBackEvent;
    using disbursement::WriteBackTemplate;
    const auto ours = WriteBackTemplate::parse("ACH {trace_number}", WriteBackEvent::export_);
    const auto any = WriteBackTemplate::parse("paid {amount}", WriteBackEvent::export_);
    config_.report.write_back = {{WriteBackEvent::export_, {{"fieldB", ours.value()}, {"fieldC", any.value()}}}};
    add(1, 4);
    sandbox_.edit(1, {{"fieldB", "ACH, please"}, {"fieldC", "paid 12.00"}});
    expect_paid();
}

TEST_F(DisbursedElsewhere, a_draw_first_seen_approved_with_a_date_or_amount_is_held) {
    add(1, 5);
    reopen(4);
    sandbox_.edit(1, {{"disbursedDate", "2026-03-04T12:00:00.000Z"}, {"amountDisbursed", nullptr}});
    expect_held();
    resolve();
    sandbox_.edit(1, {{"disbursedDate", nullptr}, {"amountDisbursed", 100.01}});
    expect_held();
    resolve();
    expect_paid();
}

TEST_F(DisbursedElsewhere, a_voided_payment_does_not_explain_the_date_but_a_returned_one_does) {
    config_.pay.release = config::Release::manual;
    add(1, 4);
    run_well({poll, pay});
    const ledger::Stamp eva{clock_.now(), "uid 7 (eva)"};
    const auto name = ledger::payment_files(*ledger_, false).front().name;
    ASSERT_TRUE(void_file(*context_, name, "wrong day", eva));
    sandbox_.act(1, "disburse");
    run_well({poll});
    reopen(4);
    run_well({poll, pay});
    EXPECT_THAT(reasons(), ElementsAre("disbursed_elsewhere"));
    EXPECT_THAT(ledger::payment_files(*ledger_, false), SizeIs(1));
    resolve();
    config_.pay.release = config::Release::automatic;
    expect_paid();
    // From now on this program may pay it again.
    sandbox_.act(1, "disburse");
    run_well({poll});
    const auto file = ledger::payment_files(*ledger_, false).back();
    const auto payment = ledger::load_file(*ledger_, file.file_id).file.payments.at(0);
    bank_says(payment, "returned");
    EXPECT_EQ(state_of(1), "returned");
    ledger_->transaction([&] {
        ledger::record_maker_act(*ledger_, ledger::MakerAct::handed_in, {.draw = 1, .payment = payment.payment_id},
                                 {clock_.now(), "uid 7 (eva)", 7});
        ASSERT_TRUE(
            ledger::order_reissue(*ledger_, 1, context_->payees, "a new account", {clock_.now(), "uid 7 (eva)", 7}));
    });
    config_.pay.release = config::Release::manual;
    reopen(4);
    expect_paid();
}

}  // namespace
}  // namespace drawbridge::pipeline
