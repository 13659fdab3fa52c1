// The bank's acknowledgments compared with released files, on a real ledger, spool and inbox.
#include "drawbridge/pipeline/acknowledge.hpp"

#include <fstream>

#include "drawbridge/ledger/facts/deliveries.hpp"
#include "drawbridge/ledger/facts/evidence.hpp"
#include "drawbridge/ledger/facts/people.hpp"
#include "drawbridge/ledger/facts/returns.hpp"
#include "drawbridge/ledger/facts/runs.hpp"
#include "drawbridge/pipeline/check_orders.hpp"
#include "drawbridge/pipeline/deliver.hpp"
#include "drawbridge/pipeline/transfer_worker.hpp"
#include "pipeline/pipeline_fixture.hpp"

namespace drawbridge::pipeline {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::SizeIs;
using Outcome = AcknowledgmentOutcome;

class Acknowledging : public Pipeline {
  protected:
    // Pays draws 1 and 2: $200.03 in one file.
    Acknowledging() {
        add(1, 4);
        add(2, 4);
        run_well({poll, pay});
        file_ = ledger::payment_files(*ledger_, /*unreleased_only=*/false).front();
    }
    Result<Comparison> say(std::int64_t payments, std::int64_t cents, const std::string& name = {}) {
        return acknowledge(*context_, {name.empty() ? file_.name : name, payments, Money::from_cents(cents)},
                           "the bank's receipt", eva());
    }
    std::vector<ledger::Evidence> evidence() { return ledger::evidence_of(*ledger_, file_.file_id); }
    bool paused() { return ledger::is_paused(*ledger_); }
    void drop(const std::string& name, const std::string& lines) {
        std::ofstream(folder_.path() / "state" / "inbox" / name) << "file_name,payments,total\n" << lines;
    }
    ledger::FileRow file_;
};

TEST_F(Acknowledging, a_match_is_recorded_as_evidence_once) {
    const auto first = say(2, 200'03);
    ASSERT_TRUE(first) << first.error().message;
    EXPECT_EQ(first->outcome, Outcome::matches);
    ASSERT_THAT(evidence(), SizeIs(1));
    EXPECT_EQ(evidence().front().kind, disbursement::EvidenceKind::acknowledged);
    EXPECT_EQ(evidence().front().by, "uid 7 (eva)");
    EXPECT_EQ(evidence().front().detail, "the bank's receipt: 2 payments, $200.03, as in the file");
    const auto again = say(2, 200'03);
    ASSERT_TRUE(again);
    EXPECT_EQ(again->outcome, Outcome::repeated);
    EXPECT_THAT(evidence(), SizeIs(1));
    EXPECT_FALSE(paused());
    expect_clean_ledger();
}

TEST_F(Acknowledging, a_difference_pauses_and_a_delivery_by_hand_does_not_close_it) {
    for (const auto& [payments, cents] : {std::pair{2, 200'04}, {3, 200'03}}) {
        const auto found = say(payments, cents);
        ASSERT_TRUE(found);
        EXPECT_EQ(found->outcome, Outcome::differs);
        EXPECT_THAT(found->detail, HasSubstr("the file has 2 payments, $200.03"));
    }
    EXPECT_THAT(evidence(), IsEmpty());
    EXPECT_TRUE(paused());
    EXPECT_THAT(ledger::movement(*ledger_)->reason, HasSubstr("with 2 payments, $200.04, but the file has 2 payments"));
    EXPECT_THAT(reasons(), ElementsAre("acknowledgment_differs"));
    EXPECT_THAT(ledger::open_causes_of_pause(*ledger_), SizeIs(1));
    ASSERT_TRUE(resolve_delivery(*context_, file_.name, DeliveryResolution::by_hand, "it is there", eva()));
    ASSERT_TRUE(say(2, 200'03));
    EXPECT_THAT(reasons(), ElementsAre("acknowledgment_differs"));
    EXPECT_FALSE(ledger::check_may_override_pause(*ledger_, eva())) << "she reported the difference";
    EXPECT_TRUE(ledger::check_may_override_pause(*ledger_, {clock_.now(), "uid 8 (bo)", 8}));
    expect_clean_ledger();
}

TEST_F(Acknowledging, a_maker_of_the_file_cannot_override_its_pause) {
    const ledger::Stamp bo{clock_.now(), "uid 8 (bo)", 8};
    ledger_->transaction([&] { ledger::record_maker_act(*ledger_, ledger::MakerAct::lifted, {.draw = 1}, bo); });
    ASSERT_TRUE(say(1, 1'00));
    const auto refused = ledger::check_may_override_pause(*ledger_, bo);
    ASSERT_FALSE(refused);
    EXPECT_THAT(refused.error().message, HasSubstr("you had a hand in what exception"));
    EXPECT_TRUE(ledger::check_may_override_pause(*ledger_, {clock_.now(), "uid 9 (cy)", 9}));
}

TEST_F(Acknowledging, a_file_that_was_not_sent_cannot_be_acknowledged) {
    config_.pay.release = config::Release::manual;
    add(3, 4);
    run_well({poll, pay});
    const auto staged = ledger::payment_files(*ledger_, /*unreleased_only=*/true).front();
    const auto early = say(2, 100'03, staged.name);
    ASSERT_FALSE(early);
    EXPECT_EQ(early.error().code, ErrorCode::conflict);
    EXPECT_THAT(early.error().message,
                HasSubstr("is not released; the acknowledgment has 2 payments, $100.03, but the file has 1 payment, "));
    EXPECT_EQ(say(1, 100'03, "ACH-none.ach").error().code, ErrorCode::not_found);
    EXPECT_THAT(ledger::evidence_of(*ledger_, staged.file_id), IsEmpty());
    EXPECT_FALSE(paused());
}

TEST_F(Acknowledging, a_missing_acknowledgment_pauses_once_and_a_late_one_closes_it) {
    run_well({confirm});
    clock_.ahead = std::chrono::hours(3);
    run_well({confirm});
    EXPECT_THAT(reasons(), IsEmpty()) << "acknowledge_within is not configured";
    config_.pay.acknowledge_within = std::chrono::hours(4);
    run_well({confirm});
    EXPECT_THAT(reasons(), IsEmpty());
    clock_.ahead = std::chrono::hours(5);
    EXPECT_THAT(run(confirm).summary, HasSubstr("1 file not acknowledged in time"));
    EXPECT_TRUE(paused());
    EXPECT_THAT(reasons(), ElementsAre("acknowledgment_missing"));
    EXPECT_THAT(ledger::open_causes_of_pause(*ledger_), SizeIs(1));
    ASSERT_TRUE(resolve_delivery(*context_, file_.name, DeliveryResolution::by_hand, "it is there", eva()));
    EXPECT_THAT(reasons(), ElementsAre("acknowledgment_missing")) << "a delivery by hand does not confirm the numbers";
    ASSERT_TRUE(say(2, 200'03));
    EXPECT_THAT(reasons(), IsEmpty());
    EXPECT_TRUE(paused()) << "only a person resumes";
    ledger_->transaction([&] { ledger::set_paused(*ledger_, false, "go", eva()); });
    run_well({confirm});
    EXPECT_FALSE(paused());
    expect_clean_ledger();
}

TEST_F(Acknowledging, a_resolved_missing_acknowledgment_is_not_raised_again) {
    config_.pay.acknowledge_within = std::chrono::hours(4);
    clock_.ahead = std::chrono::hours(5);
    run_well({confirm});
    const auto id = ledger::open_causes_of_pause(*ledger_).front();
    ledger_->transaction([&] {
        EXPECT_TRUE(ledger::close_exception(*ledger_, id, "the bank sends none", eva()));
        ledger::set_paused(*ledger_, false, "go", eva());
    });
    run_well({confirm});
    EXPECT_THAT(reasons(), IsEmpty());
    EXPECT_FALSE(paused());
}

TEST_F(Acknowledging, files_with_payments_in_flight_are_watched_at_any_age) {
    config_.pay.acknowledge_within = std::chrono::hours(4);
    clock_.ahead = std::chrono::days(30);
    run_well({confirm});
    EXPECT_THAT(reasons(), ElementsAre("acknowledgment_missing"));
}

TEST_F(Acknowledging, the_banks_acknowledgment_file_is_compared_line_by_line) {
    drop("ack-1.csv", file_.name + ",2,200.03\nACH-none.ach,1,5.00\n");
    EXPECT_THAT(run(confirm).summary, HasSubstr("1 exception"));
    ASSERT_THAT(evidence(), SizeIs(1));
    EXPECT_EQ(evidence().front().by, "uid 4 (finance)");
    EXPECT_EQ(evidence().front().detail, "ack-1.csv:2: 2 payments, $200.03, as in the file");
    EXPECT_THAT(reasons(), ElementsAre("acknowledgment_unknown"));
    EXPECT_FALSE(paused());
    drop("ack-2.csv", file_.name + ",2,100.03\n");
    run_well({confirm});
    EXPECT_THAT(reasons(), ElementsAre("acknowledgment_unknown", "acknowledgment_differs"));
    EXPECT_TRUE(paused());
    drop("ack-3.csv", file_.name + ",two,100.03\n");
    EXPECT_THAT(run(confirm).summary, HasSubstr("1 file refused"));
    expect_clean_ledger();
}

TEST_F(Acknowledging, with_people_set_up_a_match_from_nobody_is_refused_and_a_difference_counts) {
    add_person("Eva", 7, ledger::Role::finance);
    context_->actor = "uid 0 (root)";
    context_->uid = 0;
    drop("ack-1.csv", file_.name + ",2,200.03\n");
    static_cast<void>(run_as_is(confirm));
    EXPECT_THAT(evidence(), IsEmpty());
    EXPECT_THAT(reasons(), ElementsAre("acknowledgment_refused"));
    EXPECT_FALSE(paused());
    drop("ack-2.csv", file_.name + ",2,200.04\n");
    static_cast<void>(run_as_is(confirm));
    EXPECT_TRUE(paused());
    const auto root = acknowledge(*context_, {file_.name, 2, Money::from_cents(200'03)}, "x", context_->stamp());
    ASSERT_FALSE(root);
    EXPECT_EQ(root.error().code, ErrorCode::forbidden);
    ASSERT_TRUE(say(2, 200'03));
    EXPECT_THAT(evidence(), SizeIs(1));
}

TEST_F(Acknowledging, with_people_set_up_the_owner_of_a_list_in_the_inbox_must_be_from_finance) {
    add_person("Eva", 7, ledger::Role::finance);
    context_->actor = "uid 5999";
    context_->uid = 5999;
    drop("ack-1.csv", file_.name + ",2,200.03\n");
    static_cast<void>(run_as_is(confirm));
    EXPECT_THAT(evidence(), IsEmpty());
    EXPECT_THAT(reasons(), ElementsAre("acknowledgment_refused"));
}

TEST_F(Acknowledging, the_banks_line_about_a_voided_file_pauses) {
    config_.pay.release = config::Release::manual;
    add(3, 4);
    run_well({poll, pay});
    const auto file = ledger::payment_files(*ledger_, /*unreleased_only=*/true).front();
    ASSERT_TRUE(void_file(*context_, file.name, "wrong day", eva()));
    const auto said = say(1, 100'03, file.name);
    ASSERT_FALSE(said);
    EXPECT_THAT(said.error().message, HasSubstr("was voided by uid 7 (eva)"));
    EXPECT_FALSE(paused());
    drop("ack.csv", file.name + ",1,100.03\n");
    static_cast<void>(run_as_is(confirm));
    EXPECT_TRUE(paused());
    EXPECT_THAT(reasons(), ElementsAre("acknowledgment_unsent"));
    run_well({pay});
    EXPECT_THAT(ledger::payment_files(*ledger_, /*unreleased_only=*/true), IsEmpty()) << "nothing is paid again";
    EXPECT_FALSE(ledger::open_causes_of_pause(*ledger_).empty());
    expect_clean_ledger();
}

// Until the bank has the order, the check can be cashed. The person who acknowledges it cannot release the next
// payment.
TEST_F(Acknowledging, acknowledging_a_void_makes_the_person_a_maker_of_the_next_payment) {
    add(3, 4, "PAYEE-3");
    run_well({poll, pay});
    const auto check = ledger::load_file(*ledger_, ledger::payment_files(*ledger_, false).back().file_id);
    ASSERT_TRUE(order_check(*context_, *check.file.payments.front().check_number, checks::CheckAction::void_check,
                            "lost", eva()));
    run_well({pay});
    const auto orders = ledger::payment_files(*ledger_, false).back();
    const ledger::Stamp bo{clock_.now(), "uid 8 (bo)", 8};
    const auto reissue = [&] {
        return ledger_->transaction(
            [&] { return ledger::order_reissue(*ledger_, 3, context_->payees, "lost", eva()); });
    };
    EXPECT_FALSE(reissue());
    const auto said = acknowledge(*context_, {orders.name, orders.payment_count, orders.total}, "the portal", bo);
    ASSERT_TRUE(said) << said.error().message;
    ASSERT_TRUE(reissue());
    run_well({pay});
    const auto again = ledger::payment_files(*ledger_, /*unreleased_only=*/true);
    ASSERT_THAT(again, SizeIs(1));
    EXPECT_FALSE(release_now(again.front().name, "agreed", bo));
    EXPECT_TRUE(release_now(again.front().name, "agreed", {clock_.now(), "uid 9 (cy)", 9}));
    expect_clean_ledger();
}

TEST_F(Acknowledging, who_reported_a_difference_cannot_resume_alone_even_if_all_was_paused_before) {
    ledger_->transaction(
        [&] { ledger::set_paused(*ledger_, /*paused=*/true, "lunch", {clock_.now(), "uid 9 (cy)", 9}); });
    ASSERT_TRUE(say(1, 1'00));
    EXPECT_FALSE(ledger::check_may_override_pause(*ledger_, eva())) << "she reported the difference";
    EXPECT_TRUE(ledger::check_may_override_pause(*ledger_, {clock_.now(), "uid 8 (bo)", 8}));
}

TEST_F(Acknowledging, who_reported_a_difference_or_made_the_file_cannot_resolve_it) {
    add_person("Eva", 7, ledger::Role::finance);
    const ledger::Stamp bo{clock_.now(), "uid 8 (bo)", 8}, cy{clock_.now(), "uid 9 (cy)", 9};
    add_person("Bo", 8, ledger::Role::operate);
    ledger_->transaction([&] { ledger::record_maker_act(*ledger_, ledger::MakerAct::lifted, {.draw = 1}, bo); });
    ASSERT_TRUE(say(1, 1'00));
    const auto id = ledger::open_causes_of_pause(*ledger_).front();
    const auto close = [&](const ledger::Stamp& by) {
        return ledger_->transaction([&] { return ledger::close_exception(*ledger_, id, "a slip", by); });
    };
    const std::string nobody = "which paused everything: ask an admin to give the role operator to one more person";
    EXPECT_THAT(close(eva()).error().message,
                AllOf(HasSubstr("you reported what the bank says: another person must"), HasSubstr(nobody)));
    EXPECT_THAT(close(bo).error().message,
                AllOf(HasSubstr("you had a hand in what it is about: another person must"), HasSubstr(nobody)));
    add_person("Cy", 9, ledger::Role::operate);
    EXPECT_THAT(close(bo).error().message, HasSubstr("which paused everything: ask Cy"));
    EXPECT_TRUE(close(cy));
}

TEST_F(Acknowledging, a_resolved_difference_does_not_end_the_watch) {
    config_.pay.acknowledge_within = std::chrono::hours(4);
    ASSERT_TRUE(say(7, 700'00));
    EXPECT_EQ(resolve_all("acknowledgment_differs", eva()), 1);
    ledger_->transaction([&] { ledger::set_paused(*ledger_, /*paused=*/false, "a typing error", eva()); });
    clock_.ahead = std::chrono::hours(5);
    run_well({confirm});
    EXPECT_THAT(reasons(), ElementsAre("acknowledgment_missing")) << "the bank has acknowledged nothing";
}

TEST_F(Acknowledging, a_void_of_a_check_that_the_bank_counts_differently_pays_nobody_again) {
    add(3, 4, "PAYEE-3");
    run_well({poll, pay});
    ASSERT_TRUE(order_check(*context_, 1, checks::CheckAction::void_check, "stolen", eva()));
    run_well({pay});
    const auto orders = ledger::payment_files(*ledger_, false).back();
    ASSERT_EQ(orders.kind, disbursement::FileKind::check_orders);
    const ledger::Stamp bo{clock_.now(), "uid 8 (bo)", 8}, cy{clock_.now(), "uid 9 (cy)", 9};
    ASSERT_TRUE(resolve_delivery(*context_, orders.name, DeliveryResolution::by_hand, "in the portal", bo));
    const auto said = acknowledge(*context_, {orders.name, 0, Money()}, "the bank's receipt", cy);
    ASSERT_TRUE(said);
    ASSERT_EQ(said->outcome, Outcome::differs);
    const auto reissue = [&] {
        return ledger_->transaction(
            [&] { return ledger::order_reissue(*ledger_, 3, context_->payees, "lost", eva()).has_value(); });
    };
    EXPECT_FALSE(reissue()) << "the check can still be cashed";
    EXPECT_EQ(resolve_all("acknowledgment_differs", bo), 1);
    EXPECT_TRUE(reissue());
}

TEST_F(Acknowledging, the_draws_of_a_voided_file_that_the_bank_has_wait_for_a_person) {
    config_.pay.release = config::Release::manual;
    add(3, 4);
    run_well({poll, pay});
    const auto voided = ledger::payment_files(*ledger_, false).back();
    ASSERT_TRUE(void_file(*context_, voided.name, "wrong day", eva()));
    run_well({pay});
    const auto second = ledger::payment_files(*ledger_, false).back();
    ASSERT_NE(second.name, voided.name);
    add(4, 4);
    drop("ack.csv", voided.name + ",1,100.03\n");
    run_well({confirm});
    ASSERT_THAT(reasons(), ElementsAre("acknowledgment_unsent"));
    // A second person lets other files move.
    const ledger::Stamp bo{clock_.now(), "uid 8 (bo)", 8}, cy{clock_.now(), "uid 9 (cy)", 9};
    ledger_->transaction([&] { ledger::set_paused(*ledger_, /*paused=*/false, "other files must go", bo); });
    const auto released = release_now(second.name, "agreed", cy);
    ASSERT_FALSE(released);
    EXPECT_THAT(released.error().message, HasSubstr("the bank acknowledges " + voided.name));
    ASSERT_TRUE(void_file(*context_, second.name, "the bank has the first one", cy));
    run_well({poll, pay});
    EXPECT_EQ(state_of(3), "blocked");
    EXPECT_EQ(state_of(4), "paying");
    EXPECT_THAT(reasons(), ElementsAre("acknowledgment_unsent", "bank_says_paid"));
    EXPECT_EQ(resolve_all("acknowledgment_unsent", bo), 1);
    run_well({pay});
    EXPECT_EQ(state_of(3), "paying");
    const auto third = ledger::payment_files(*ledger_, false).back();
    EXPECT_FALSE(release_now(third.name, "mine", bo)) << "that the bank does not have the first is bo's word alone";
    EXPECT_TRUE(release_now(third.name, "agreed", cy));
}

TEST_F(Acknowledging, whoever_says_that_the_bank_does_not_have_a_staged_file_does_not_release_it) {
    config_.pay.release = config::Release::manual;
    add(3, 4);
    run_well({poll, pay});
    const auto staged = ledger::payment_files(*ledger_, false).back();
    drop("ack.csv", staged.name + ",1,100.03\n");
    EXPECT_THAT(run(confirm).summary, HasSubstr("1 exception"));
    const ledger::Stamp bo{clock_.now(), "uid 8 (bo)", 8}, cy{clock_.now(), "uid 9 (cy)", 9};
    EXPECT_EQ(resolve_all("acknowledgment_unsent", bo), 1);
    ledger_->transaction([&] { ledger::set_paused(*ledger_, /*paused=*/false, "asked the bank", bo); });
    EXPECT_FALSE(release_now(staged.name, "mine", bo));
    ASSERT_TRUE(void_file(*context_, staged.name, "another one", bo));
    run_well({pay});
    const auto next = ledger::payment_files(*ledger_, false).back();
    ASSERT_NE(next.name, staged.name);
    EXPECT_FALSE(release_now(next.name, "mine", bo));
    EXPECT_TRUE(release_now(next.name, "agreed", cy));
    expect_clean_ledger();
}

TEST_F(Acknowledging, a_file_that_the_bank_has_is_neither_sent_again_nor_voided) {
    config_.pay.release = config::Release::manual;
    TransferWorker worker;
    context_->transfer_worker = &worker;
    context_->settings.ach_delivery.sftp.emplace();
    add(3, 4);
    run_well({poll, pay});
    const auto file = ledger::payment_files(*ledger_, false).back();
    ASSERT_TRUE(release_now(file.name, "agreed", eva()));
    ledger_->transaction([&] {
        disbursement::DeliveryFact fact{
            .step = disbursement::DeliveryStep::intent, .at = clock_.now(), .by = "drawbridge"};
        fact.server = "bank";
        fact.temporary_name = "tmp-1";
        fact.size_bytes = 1;
        ledger::record_delivery_step(*ledger_, file.file_id, fact);
        disbursement::DeliveryFact lost{
            .step = disbursement::DeliveryStep::uncertain, .at = clock_.now(), .by = "drawbridge"};
        lost.detail = "no answer";
        ledger::record_delivery_step(*ledger_, file.file_id, lost);
    });
    drop("ack.csv", file.name + ",1,100.03\n");
    run_well({confirm});
    ASSERT_THAT(reasons(), ElementsAre("acknowledgment_unsent"));
    const ledger::Stamp bo{clock_.now(), "uid 8 (bo)", 8};
    const auto again = resolve_delivery(*context_, file.name, DeliveryResolution::again, "it has none", bo);
    ASSERT_FALSE(again);
    EXPECT_THAT(again.error().message, HasSubstr("the bank acknowledges it"));
    EXPECT_EQ(resolve_all("acknowledgment_unsent", bo), 1);
    EXPECT_FALSE(resolve_delivery(*context_, file.name, DeliveryResolution::again, "it has none", bo))
        << "bo alone would have let it out";
    const ledger::Stamp cy{clock_.now(), "uid 9 (cy)", 9};
    EXPECT_TRUE(resolve_delivery(*context_, file.name, DeliveryResolution::again, "it has none", cy));
    clock_.ahead += std::chrono::seconds(1);
    drop("ack2.csv", file.name + ",1,100.03\n\n");
    run_well({confirm});
    const auto voided = void_file(*context_, file.name, "not sent", {clock_.now(), "uid 9 (cy)", 9});
    ASSERT_FALSE(voided);
    EXPECT_THAT(voided.error().message, HasSubstr("the bank acknowledges it"));
    context_->transfer_worker = nullptr;
}

}  // namespace
}  // namespace drawbridge::pipeline
