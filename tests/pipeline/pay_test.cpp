#include "pipeline/pipeline_fixture.hpp"

#include <fstream>

#include "drawbridge/disbursement/cutoffs.hpp"
#include "drawbridge/ledger/facts/deliveries.hpp"
#include "drawbridge/ledger/facts/guards.hpp"
#include "drawbridge/ledger/facts/payments.hpp"
#include "drawbridge/ledger/facts/returns.hpp"
#include "drawbridge/ledger/facts/runs.hpp"
#include "drawbridge/pipeline/payment_files.hpp"

namespace drawbridge::pipeline {
namespace {

using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::SizeIs;

class Paying : public Pipeline {
  protected:
    [[nodiscard]] std::filesystem::path staged(const std::string& name) {
        return folder_.path() / "state" / "spool" / "staged" / name;
    }
    [[nodiscard]] std::filesystem::path outgoing(const std::string& name) {
        return folder_.path() / "state" / "spool" / "outgoing" / name;
    }
};

TEST_F(Paying, an_unreadable_draw_is_an_exception_and_the_others_are_paid) {
    for (DrawId id = 1; id <= 3; ++id)
        add(id, 4);
    run_well({poll});
    config_.service.max_connections = 1;
    fault(R"({"endpoint": "read", "kind": "invalid_json", "times": 2})");  // both attempts of the first read
    run_well({pay});
    EXPECT_THAT(reasons(), ElementsAre("bad_record"));
    EXPECT_EQ(files().front().payment_count, 2);
    run_well({pay});
    EXPECT_THAT(reasons(), IsEmpty());
    EXPECT_THAT(files(), SizeIs(2));
    expect_clean_ledger();
}

TEST_F(Paying, a_change_of_the_time_zone_begins_no_new_day_for_the_limit) {
    auto& plan = context_->settings.plan;
    plan.guards.day_limit = Money::from_cents(150'00);
    add(1, 4);
    run_well({poll, pay});
    ASSERT_THAT(files(), SizeIs(1));
    const auto planned_on = today();
    plan.zone = TimeZone::find("Pacific/Kiritimati").value();
    if (today() == planned_on) plan.zone = TimeZone::find("Pacific/Honolulu").value();
    ASSERT_NE(today(), planned_on);
    add(2, 4);
    run(poll);
    run(pay);
    EXPECT_THAT(files(), SizeIs(1));
    EXPECT_THAT(reasons(), Contains("over_day_limit"));
}

TEST_F(Paying, a_draw_that_cannot_be_read_waits_and_the_others_are_paid) {
    for (DrawId id = 1; id <= 3; ++id)
        add(id, 4);
    run_well({poll});
    config_.service.max_connections = 1;
    fault(R"({"endpoint": "read", "kind": "status", "code": 500, "times": 2})");  // both attempts of the first read
    const auto report = run(pay);
    EXPECT_FALSE(report.ok);
    EXPECT_TRUE(report.complete) << "the cut-off is served: one draw must not repeat it at every poll";
    EXPECT_THAT(report.problems.back(), HasSubstr("1 approved draw could not be read again"));
    EXPECT_EQ(files().front().payment_count, 2);
    run_well({pay});
    EXPECT_THAT(files(), SizeIs(2));
}

TEST_F(Paying, a_plan_in_parts_makes_one_file) {
    for (DrawId id = 1; id <= 5; ++id)
        add(id, 4);
    run_well({poll, pay});
    ASSERT_THAT(files(), SizeIs(1));
    EXPECT_EQ(files().front().payment_count, 5);
    EXPECT_EQ(files().front().total, Money::from_cents(5 * 10000 + 15));
    EXPECT_EQ(files().front().state, ledger::FileState::released);
    const auto runs = ledger::pay_runs(*ledger_, 10);
    ASSERT_THAT(runs, SizeIs(1));
    EXPECT_EQ(runs.front().exported.count, 5);
    EXPECT_TRUE(runs.front().is_complete());
    expect_clean_ledger();
}

TEST_F(Paying, a_plan_that_was_stopped_is_completed_as_it_is_and_the_rest_is_paid_in_another_file) {
    for (DrawId id = 1; id <= 5; ++id)
        add(id, 4);
    run_well({poll});
    EXPECT_FALSE(pay_and_act(1, [](auto& stop) { stop.emit(asio::cancellation_type::terminal); }));
    ASSERT_THAT(files(), SizeIs(1));
    const auto first = files().front();
    EXPECT_EQ(first.payment_count, 2);
    EXPECT_FALSE(first.planned_at);
    expect_clean_ledger();
    run_well({pay});
    ASSERT_THAT(files(), SizeIs(2));
    EXPECT_EQ(files()[0].payment_count, 2);
    EXPECT_EQ(files()[1].payment_count, 3);
    for (const auto& file : files())
        EXPECT_EQ(file.state, ledger::FileState::released);
    expect_clean_ledger();
}

TEST_F(Paying, nobody_voids_or_releases_a_file_that_is_being_planned) {
    for (DrawId id = 1; id <= 5; ++id)
        add(id, 4);
    run_well({poll});
    int refused = 0;
    const auto report = pay_and_act(1, [&](auto&) {
        const auto name = files().front().name;
        const auto voided = void_file(*context_, name, "a try", eva());
        ASSERT_FALSE(voided);
        EXPECT_THAT(voided.error().message, HasSubstr("is still being planned"));
        const auto payment = void_payment(*context_, 1, "a try", eva());
        EXPECT_FALSE(payment);
        const auto ordered = ledger::check_may_order(files().front());
        ASSERT_FALSE(ordered);
        EXPECT_THAT(ordered.error().message, HasSubstr("is not written yet"));
        ++refused;
    });
    EXPECT_EQ(refused, 1);
    ASSERT_TRUE(report);
    ASSERT_THAT(files(), SizeIs(1));
    EXPECT_EQ(files().front().payment_count, 5);
    expect_clean_ledger();
}

TEST_F(Paying, a_pause_in_the_middle_of_a_plan_ends_it) {
    for (DrawId id = 1; id <= 5; ++id)
        add(id, 4);
    run_well({poll});
    const auto report = pay_and_act(
        1, [&](auto&) { ledger_->transaction([&] { ledger::set_paused(*ledger_, true, "audit", eva()); }); });
    ASSERT_TRUE(report);
    EXPECT_FALSE(report->complete);
    EXPECT_THAT(report->problems, Contains(HasSubstr("3 approved draws will be paid in a later run")));
    ASSERT_THAT(files(), SizeIs(1));
    EXPECT_EQ(files().front().payment_count, 2);
    EXPECT_TRUE(files().front().planned_at);
    ledger_->transaction([&] { ledger::set_paused(*ledger_, false, "done", eva()); });
    run_well({pay});
    ASSERT_THAT(files(), SizeIs(2));
    EXPECT_EQ(files()[1].payment_count, 3);
    expect_clean_ledger();
}

TEST_F(Paying, what_people_do_between_two_parts_counts_for_the_next) {
    for (DrawId id = 1; id <= 5; ++id)
        add(id, 4);
    run_well({poll});
    const auto report = pay_and_act(1, [&](auto&) { context_->payees = {}; });
    ASSERT_TRUE(report);
    ASSERT_THAT(files(), SizeIs(1));
    EXPECT_EQ(files().front().payment_count, 2);
    EXPECT_THAT(reasons(), ElementsAre("no_payee", "no_payee", "no_payee", "draws_changed")) << "it is not released";
    expect_clean_ledger();
}

TEST_F(Paying, a_cutoff_served_by_a_fast_clock_is_served_when_it_comes) {
    const disbursement::CutoffPlan plan{context_->settings.plan.zone, {std::chrono::hours(15)}, BankingCalendar()};
    const auto cutoff = *disbursement::next_cutoff(plan, clock_.now() + std::chrono::hours(26));
    const auto due = [&] {
        return disbursement::due_cutoff(plan, ledger::last_cutoff(*ledger_, clock_.now()), ledger_->created_at(),
                                        clock_.now());
    };
    const auto set_clock = [&](Instant to) { clock_.ahead += to - clock_.now(); };
    set_clock(cutoff + std::chrono::minutes(1));
    ASSERT_TRUE(due());
    run_well({poll, pay});
    ledger_->transaction([&] { ledger::record_cutoff(*ledger_, cutoff, clock_.now()); });
    EXPECT_FALSE(due());
    set_clock(cutoff - std::chrono::hours(20));
    run(poll);
    ASSERT_THAT(reasons(), Contains("clock_went_back"));
    set_clock(cutoff + std::chrono::minutes(2));
    EXPECT_TRUE(due());
    ledger_->transaction([&] { ledger::record_cutoff(*ledger_, cutoff, clock_.now()); });
    EXPECT_FALSE(due());
}

TEST_F(Paying, plans_nothing_on_a_date_that_no_payment_file_can_have) {
    add(1, 4);
    run_well({poll});
    const auto right = clock_.ahead;
    clock_.ahead -= clock_.now() - Instant();
    const auto report = run(pay);
    EXPECT_FALSE(report.ok);
    EXPECT_FALSE(report.complete);
    EXPECT_THAT(report.problems, Contains(HasSubstr("clock says 1969-12-31")));
    EXPECT_THAT(files(), IsEmpty());
    clock_.ahead = right;
    run_well({pay});
    EXPECT_THAT(files(), SizeIs(1));
}

TEST_F(Paying, an_outage_leaves_the_cutoff_unserved) {
    add(1, 4);
    run_well({poll});
    fault(R"({"endpoint": "read", "kind": "status", "code": 503, "times": 2})");
    const auto report = run(pay);
    EXPECT_FALSE(report.ok);
    EXPECT_FALSE(report.complete);
}

constexpr const char* draw_3_cannot_be_read =
    R"({"endpoint": "read", "kind": "status", "drawId": 3, "code": 500, "times": 1000})";

TEST_F(Paying, a_draw_that_alone_cannot_be_read_again_is_an_exception_until_it_can) {
    for (DrawId id = 1; id <= 20; ++id)
        add(id, 4);
    run_well({poll});
    fault(draw_3_cannot_be_read);
    for (int run_number = 1; run_number <= 2; ++run_number) {
        run_well({poll, pay});
        EXPECT_THAT(reasons(), ElementsAre("read_failing"));
        EXPECT_EQ(state_of(3), "blocked");
        EXPECT_EQ(state_of(20), "paying");
    }
    sandbox_.clear_faults();
    run_well({pay});
    EXPECT_THAT(reasons(), IsEmpty());
    EXPECT_EQ(state_of(3), "paying");
    expect_clean_ledger();
}

TEST_F(Paying, the_only_draw_that_cannot_be_read_again_is_an_exception_after_three_runs) {
    add(3, 4);
    run_well({poll});
    fault(draw_3_cannot_be_read);
    EXPECT_FALSE(run(pay).ok);
    EXPECT_FALSE(run(pay).ok);
    EXPECT_THAT(reasons(), IsEmpty());
    run_well({pay, pay});
    EXPECT_THAT(reasons(), ElementsAre("read_failing"));
}

TEST_F(Paying, a_draw_that_stays_pending_after_its_approval_raises_an_exception) {
    add(1);
    run_well({poll, decide, approve});
    sandbox_.act(1, "reopen", {{"status", 3}});
    run_well({pay});
    EXPECT_THAT(reasons(), ElementsAre("still_pending"));
    EXPECT_THAT(files(), IsEmpty());
    sandbox_.act(1, "approve");
    run_well({poll});
    EXPECT_THAT(reasons(), IsEmpty());
}

TEST_F(Paying, manual_release_waits_for_a_person) {
    config_.pay.release = config::Release::manual;
    add(1, 4);
    run_well({poll, pay, pay});
    const auto file = files().front();
    EXPECT_EQ(file.state, ledger::FileState::staged);
    EXPECT_TRUE(std::filesystem::exists(staged(file.name)));
    const auto released = release_now(file.name, "checked", eva());
    ASSERT_TRUE(released) << released.error().message;
    EXPECT_TRUE(std::filesystem::exists(outgoing(file.name)));
    EXPECT_FALSE(std::filesystem::exists(staged(file.name)));
    const auto again = release_now(file.name, "checked", eva());
    ASSERT_FALSE(again);
    EXPECT_THAT(again.error().message, HasSubstr("was already released by uid 7 (eva)"));
    EXPECT_THAT(reasons(), IsEmpty());
}

TEST_F(Paying, a_changed_staged_file_is_not_released) {
    config_.pay.release = config::Release::manual;
    add(1, 4);
    add(2, 4, "PAYEE-3");
    run_well({poll, pay});
    ASSERT_THAT(files(), SizeIs(2));
    std::ofstream(staged(files()[0].name), std::ios::app) << "one more entry\n";
    std::filesystem::remove(staged(files()[1].name));
    for (const auto& file : files())
        EXPECT_FALSE(release_now(file.name, "", eva()));
    EXPECT_THAT(reasons(), ElementsAre("staged_file_changed", "staged_file_missing"));
    EXPECT_FALSE(std::filesystem::exists(outgoing(files()[0].name)));
}

TEST_F(Paying, nothing_is_planned_or_released_while_paused) {
    add(1, 4);
    run_well({poll});
    ledger_->transaction([&] { ledger::set_paused(*ledger_, true, "audit", eva()); });
    run_well({pay});
    EXPECT_THAT(files(), IsEmpty());
    ledger_->transaction([&] { ledger::set_paused(*ledger_, false, "done", eva()); });
    run_well({pay});
    EXPECT_EQ(files().front().state, ledger::FileState::released);
}

TEST_F(Paying, a_file_whose_draw_was_cancelled_is_not_released_and_voiding_it_pays_the_others) {
    config_.pay.release = config::Release::manual;
    add(1, 4);
    add(2, 4);
    run_well({poll, pay});
    const auto first = files().front().name;
    sandbox_.act(1, "cancel");
    run_well({poll});
    const auto refused = release_now(first, "", eva());
    ASSERT_FALSE(refused);
    EXPECT_THAT(refused.error().message, HasSubstr("draw 1 is now Cancelled"));
    EXPECT_THAT(reasons(), ElementsAre("cancelled_after_payment", "draws_changed"));
    EXPECT_FALSE(std::filesystem::exists(outgoing(first)));

    ASSERT_TRUE(void_file(*context_, first, "draw 1 was cancelled", eva()));
    EXPECT_FALSE(std::filesystem::exists(staged(first)));
    EXPECT_EQ(state_of(2), "approved");
    EXPECT_FALSE(void_file(*context_, first, "again", eva()));
    EXPECT_FALSE(release_now(first, "after all", eva()));
    run_well({poll, pay});
    EXPECT_EQ(state_of(1), "cancelled");
    EXPECT_EQ(state_of(2), "paying");
    ASSERT_THAT(files(), SizeIs(2));
    EXPECT_EQ(files().back().payment_count, 1);
    EXPECT_NE(files().back().name, first) << "no name or number is used twice";
    ASSERT_TRUE(release_now(files().back().name, "checked", eva()));
    EXPECT_THAT(reasons(), IsEmpty());
    expect_clean_ledger();
}

TEST_F(Paying, a_file_that_went_out_is_not_voided) {
    add(1, 4);
    run_well({poll, pay});
    const auto voided = void_file(*context_, files().front().name, "too late", eva());
    ASSERT_FALSE(voided);
    EXPECT_THAT(voided.error().message, HasSubstr("stop or recall it at the bank"));
    EXPECT_EQ(state_of(1), "paying");
}

TEST_F(Paying, an_older_copy_of_the_ledger_pauses_all_movement) {
    const auto state = folder_.path() / "state";
    add(1, 4);
    run_well({poll});
    const auto reopen = [&] {
        context_.reset();
        ledger_.reset();
    };
    reopen();
    std::filesystem::copy_file(state / "ledger.db", folder_.path() / "old.db");
    ledger_.emplace(std::move(*ledger::Ledger::open(state, clock_.now())));
    connect();
    context_->payees = test::sample_directory();
    run_well({pay});
    ASSERT_EQ(files().front().state, ledger::FileState::released);
    reopen();
    std::filesystem::copy_file(folder_.path() / "old.db", state / "ledger.db",
                               std::filesystem::copy_options::overwrite_existing);
    ledger_.emplace(std::move(*ledger::Ledger::open(state, clock_.now())));
    connect();
    context_->payees = test::sample_directory();
    EXPECT_THAT(reasons(), ElementsAre("ledger_is_older"));
    run_well({poll, pay});
    EXPECT_THAT(files(), IsEmpty()) << "the draw is not paid a second time";
}

TEST_F(Paying, a_draw_of_an_unconfigured_workflow_is_not_paid) {
    add(1, 4);
    run_well({poll});
    config_.service.workflows = {99};
    run_well({pay});
    EXPECT_THAT(files(), IsEmpty());
}

TEST_F(Paying, a_file_too_late_for_its_date_is_refused_and_its_draws_are_paid_again) {
    config_.pay.release = config::Release::manual;
    add(1, 4);
    run_well({poll, pay});
    const auto late = files().front().name;
    clock_.ahead = std::chrono::days(8);
    const auto refused = release_now(late, "found it", eva());
    ASSERT_FALSE(refused);
    EXPECT_THAT(refused.error().message, HasSubstr("its effective entry date is"));
    EXPECT_THAT(reasons(), ElementsAre("settlement_date_passed"));
    EXPECT_FALSE(std::filesystem::exists(outgoing(late)));
    ASSERT_TRUE(void_file(*context_, late, "too late", eva()));
    run_well({pay});
    ASSERT_TRUE(release_now(files().back().name, "in time", eva()));
    EXPECT_THAT(reasons(), IsEmpty());
    expect_clean_ledger();
}

TEST_F(Paying, a_staged_file_that_missed_its_date_is_an_exception_at_the_next_poll) {
    config_.pay.release = config::Release::manual;
    add(1, 4);
    run_well({poll, pay});
    const auto late = files().front().name;
    run_well({poll});
    EXPECT_THAT(reasons(), IsEmpty()) << "it still fits";
    clock_.ahead = std::chrono::days(8);
    run_well({poll});
    EXPECT_THAT(reasons(), ElementsAre("settlement_date_passed"));
    EXPECT_THAT(ledger::open_exceptions(*ledger_).front().what.detail, HasSubstr("void the file"));
    resolve_all("settlement_date_passed", eva());
    run_well({poll, pay});
    EXPECT_THAT(reasons(), IsEmpty()) << "a person knows";
    ASSERT_TRUE(void_file(*context_, late, "too late", eva()));
    run_well({pay});
    EXPECT_EQ(files().size(), 2U);
}

TEST_F(Paying, resolving_a_hold_lifts_it_for_one_payment_only) {
    context_->settings.plan.guards.payment_limit = Money::from_cents(10000);
    add(1, 4);
    add(2, 4);
    run_well({poll, pay});
    EXPECT_THAT(reasons(), ElementsAre("over_payment_limit", "over_payment_limit"));
    EXPECT_EQ(state_of(1), "blocked");
    const auto held = ledger::open_exceptions(*ledger_).front();
    ledger_->transaction(
        [&] { ASSERT_TRUE(ledger::close_exception(*ledger_, held.exception_id, "the director knows", eva())); });
    run_well({pay});
    EXPECT_EQ(state_of(*held.what.draw_id), "paying");
    EXPECT_THAT(reasons(), ElementsAre("over_payment_limit"));
    expect_clean_ledger();
}

TEST_F(Paying, an_exception_closed_by_the_daemon_lifts_no_hold) {
    auto& limit = context_->settings.plan.guards.payment_limit;
    limit = Money::from_cents(10000);
    add(1, 4);
    run_well({poll, pay});
    const auto payees = std::exchange(context_->payees, {});
    run_well({pay});
    EXPECT_THAT(reasons(), ElementsAre("no_payee"));
    context_->payees = payees;
    run_well({pay});
    EXPECT_THAT(reasons(), ElementsAre("over_payment_limit"));
}

TEST_F(Paying, the_same_amount_to_another_payee_with_the_same_account_however_written_is_held) {
    context_->settings.plan.guards.duplicate_days = 7;
    const std::string csv = std::string(test::sample_payees) +
                            "PAYEE-9,Ana A,ach,021000021,0123-456-789,savings,PPD,,,,,\n"
                            "PAYEE-8,BO BERG,check,,,,,1 Main St.,,Springfield,IL,62701\n";
    context_->payees = disbursement::PayeeDirectory::read(csv, "p.csv").value();
    const auto approved = [&](DrawId id, const std::string& payee) {
        sandbox_.add({.id = id, .cents = 70000, .payee = payee, .workflow = 12, .status = 4});
    };
    approved(1, "PAYEE-1");
    approved(2, "PAYEE-9");
    approved(3, "PAYEE-3");
    run_well({poll, pay});
    EXPECT_THAT(reasons(), ElementsAre("duplicate_suspected"));
    approved(4, "PAYEE-8");
    run_well({poll, pay});
    EXPECT_THAT(reasons(), ElementsAre("duplicate_suspected", "duplicate_suspected"));
    EXPECT_EQ(state_of(2), "blocked");
    EXPECT_EQ(state_of(4), "blocked");
    expect_clean_ledger();
}

// A forged return of one draw would otherwise lift the hold of another, and leave that one without a maker.
TEST_F(Paying, a_payment_that_came_back_still_holds_the_same_amount_to_the_same_payee) {
    context_->settings.plan.guards.duplicate_days = 7;
    add(1, 4);
    run_well({poll, pay});
    sandbox_.add({.id = 2, .cents = 10001, .payee = "PAYEE-1", .workflow = 12, .status = 4});
    run_well({poll, pay});
    ASSERT_THAT(reasons(), ElementsAre("duplicate_suspected"));
    const auto payment = ledger::load_file(*ledger_, files().back().file_id).file.payments.front();
    bank_says(payment, "returned");
    run_well({pay});
    ASSERT_THAT(reasons(), Contains("duplicate_suspected"));
    EXPECT_THAT(files(), SizeIs(1));
    config_.pay.release = config::Release::manual;
    resolve_all("duplicate_suspected", eva());
    run_well({pay});
    ASSERT_THAT(files(), SizeIs(2));
    EXPECT_FALSE(ledger::makers_of(*ledger_, files().back().file_id).empty()) << "whoever lifted the hold";
    expect_clean_ledger();
}

TEST_F(Paying, a_leap_of_the_clock_does_not_end_the_hold_of_a_duplicate) {
    context_->settings.plan.guards.duplicate_days = 7;
    const auto approved = [&](DrawId id) {
        sandbox_.add({.id = id, .cents = 70000, .payee = "PAYEE-1", .workflow = 12, .status = 4});
    };
    approved(1);
    run_well({poll, pay});
    approved(2);
    run_well({poll, pay});
    ASSERT_THAT(reasons(), ElementsAre("duplicate_suspected"));
    clock_.ahead += std::chrono::days(8);
    run_well({poll, pay});
    EXPECT_EQ(state_of(2), "blocked");
    days_pass(2);
    run_well({poll, pay});
    EXPECT_EQ(state_of(2), "paying") << "time passed: Drawbridge ran on more days";
    expect_clean_ledger();
}

TEST_F(Paying, a_reissue_is_no_duplicate_of_its_own_payment) {
    context_->settings.plan.guards.duplicate_days = 7;
    add(1, 4);
    run_well({poll, pay});
    const auto payment = ledger::load_file(*ledger_, files().back().file_id).file.payments.front();
    bank_says(payment, "returned");
    ledger_->transaction(
        [&] { ASSERT_TRUE(ledger::order_reissue(*ledger_, 1, context_->payees, "it has money again", eva())); });
    run_well({pay});
    EXPECT_THAT(files(), SizeIs(2));
    EXPECT_THAT(reasons(), IsEmpty());
    expect_clean_ledger();
}

TEST_F(Paying, each_run_accounts_for_every_approved_draw) {
    context_->settings.plan.guards.payment_limit = Money::from_cents(10002);
    add(1, 4);
    add(2, 4);
    add(3, 4);
    add(4, 4, "NOBODY");
    run_well({poll, pay});
    const auto runs = ledger::pay_runs(*ledger_, 10);
    ASSERT_THAT(runs, SizeIs(1));
    EXPECT_EQ(runs[0].approved.count, 4);
    EXPECT_EQ(runs[0].approved.amount.cents(), 40010);
    EXPECT_EQ(runs[0].exported.amount.cents(), 20003);
    EXPECT_EQ(runs[0].held.amount.cents(), 10003);
    EXPECT_EQ(runs[0].exceptions.amount.cents(), 10004);
    EXPECT_TRUE(runs[0].is_complete());
}

TEST_F(Paying, remittance_text_comes_from_the_template) {
    config_.ach->remittance = disbursement::RemittanceTemplate::parse("DRAW {id} WORKFLOW {workflowId}").value();
    add(1, 4);
    run_well({poll, pay});
    const auto stored = ledger::load_file(*ledger_, files().front().file_id);
    EXPECT_EQ(stored.file.payments.at(0).remittance, "DRAW 1 WORKFLOW 12");
}

}  // namespace
}  // namespace drawbridge::pipeline
