#include "pipeline/pipeline_fixture.hpp"

#include <fstream>

#include "drawbridge/ledger/facts/outbox.hpp"
#include "drawbridge/ledger/facts/payments.hpp"
#include "drawbridge/ledger/facts/returns.hpp"
#include "drawbridge/ledger/reports/audit_list.hpp"
#include "drawbridge/ledger/reports/journal.hpp"

namespace drawbridge::pipeline {
namespace {

using ::testing::Each;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

class Reporting : public Pipeline {
  protected:
    // Draws from 1 on are paid, confirmed on a winter day, and Disbursed in the portal.
    explicit Reporting(DrawId draws = 2) {
        for (DrawId id = 1; id <= draws; ++id)
            add(id, 4);
        run_well({poll, pay});
        std::ofstream csv(folder_.path() / "state" / "inbox" / "bank.csv");
        csv << "payment_reference,status,amount,date\n";
        const auto today = format_date(context_->settings.plan.zone.date_of(clock_.now()));
        for (const auto& payment : ledger::load_file(*ledger_, 1).file.payments) {
            csv << *payment.trace_number << ",paid," << payment.amount.to_string() << "," << today << "\n";
        }
        csv.close();
        clock_.ahead = std::chrono::seconds(1);
        run_well({confirm});
        sandbox_.disburse_all_approved();
        run_well({poll});
    }
    [[nodiscard]] std::string disbursed_date(DrawId id) { return sandbox_.draw(id).at("disbursedDate"); }
};

TEST_F(Reporting, the_date_is_noon_of_the_banks_day_in_the_offices_zone) {
    run_well({report});
    EXPECT_EQ(state_of(1), "reported");
    const auto sent = parse_instant(disbursed_date(1)).value();
    const auto local = context_->settings.plan.zone.to_local(sent);
    EXPECT_EQ(local.time_of_day, std::chrono::hours(12));
    EXPECT_EQ(local.date, context_->settings.plan.zone.date_of(clock_.now()));
    expect_clean_ledger();
}

TEST_F(Reporting, a_draw_that_waits_for_the_portal_is_not_read_alone_while_the_list_shows_it) {
    context_->settings.full_sweep_interval = std::chrono::hours(24);
    sandbox_.edit(1, {{"status", 4}});
    run_well({poll});
    const auto reads = sandbox_.requests("read");
    fault(R"({"endpoint": "read", "kind": "status", "drawId": 1, "code": 500, "times": 1000})");
    for (int number = 0; number < 3; ++number)
        run_well({poll});
    EXPECT_EQ(sandbox_.requests("read"), reads);
    EXPECT_THAT(reasons(), IsEmpty());
}

class ReportingMany : public Reporting {
  protected:
    ReportingMany() : Reporting(60) {}
};

TEST_F(ReportingMany, answers_are_recorded_in_groups) {
    const auto before = ledger::journal_end(*ledger_);
    run_well({report});
    // Each transaction ends with an entry that the journal leaves out.
    const auto entries = std::ssize(ledger::journal_since(*ledger_, before, 100'000));
    const auto transactions = ledger::journal_end(*ledger_) - before - entries;
    EXPECT_GE(entries, 2) << "intents and answers";
    EXPECT_LT(entries, 60) << "those that are recorded together share an entry";
    EXPECT_LE(transactions, 1 + 60 / 3) << "one for the intents, and far fewer than one for each answer";
    for (DrawId id = 1; id <= 60; ++id)
        EXPECT_EQ(state_of(id), "reported");
    expect_clean_ledger();
}

TEST_F(Reporting, a_lost_answer_is_resolved_by_reading) {
    config_.service.max_connections = 1;
    fault(R"({"endpoint": "patch", "kind": "close_after_commit", "times": 2})");  // both attempts of the first read
    run(report);
    sandbox_.clear_faults();
    const auto patches = sandbox_.requests("patch");
    run_well({report});
    EXPECT_EQ(state_of(1), "reported");
    EXPECT_EQ(state_of(2), "reported");
    EXPECT_LE(sandbox_.requests("patch"), patches + 1) << "the lost one is read back, not sent again";
    EXPECT_THAT(reasons(), IsEmpty());
}

TEST_F(Reporting, a_refused_date_becomes_an_exception_after_three_attempts_with_backoff) {
    context_->settings.patch_retry_base = std::chrono::minutes(1);
    fault(R"({"endpoint": "patch", "kind": "status", "code": 422, "times": 1000})");
    run_well({report});
    const auto patches = sandbox_.requests("patch");
    run_well({report});
    EXPECT_EQ(sandbox_.requests("patch"), patches) << "not before its backoff ends";
    clock_.ahead += std::chrono::minutes(2);
    run_well({report});
    clock_.ahead += std::chrono::minutes(4);
    run_well({report});
    EXPECT_THAT(reasons(), ElementsAre("report_refused", "report_refused"));
    sandbox_.clear_faults();
    clock_.ahead += std::chrono::hours(1);
    run_well({report});
    EXPECT_EQ(state_of(1), "reported");
    EXPECT_THAT(reasons(), IsEmpty());
}

TEST_F(Reporting, a_service_that_limits_requests_refuses_no_date) {
    for (const std::string endpoint : {"patch", "read"})
        fault((R"({"endpoint": ")" + endpoint + R"(", "kind": "status", "code": 429, "times": 1000})").c_str());
    for (int run_number = 1; run_number <= 4; ++run_number) {
        static_cast<void>(run(report));
        clock_.ahead += std::chrono::hours(1);
    }
    EXPECT_THAT(reasons(), IsEmpty());
    sandbox_.clear_faults();
    run_well({report});
    EXPECT_EQ(state_of(1), "reported");
    EXPECT_EQ(state_of(2), "reported");
}

TEST_F(Reporting, a_service_that_limits_updates_alone_refuses_no_date) {
    config_.service.max_connections = 1;
    fault(R"({"endpoint": "patch", "kind": "status", "code": 429, "times": 1000})");
    for (int run_number = 1; run_number <= 4; ++run_number) {
        static_cast<void>(run(report));
        clock_.ahead += std::chrono::hours(1);
    }
    EXPECT_THAT(reasons(), ElementsAre("report_limited", "report_limited"));
    EXPECT_THAT(exception_details("report_limited"), Each(HasSubstr("429")));
    sandbox_.clear_faults();
    run_well({report});
    EXPECT_EQ(state_of(1), "reported");
    EXPECT_EQ(state_of(2), "reported");
    EXPECT_THAT(reasons(), IsEmpty());
}

TEST_F(Reporting, a_draw_at_which_the_service_fails_delays_no_other_and_becomes_an_exception) {
    config_.service.max_connections = 1;
    fault(R"({"endpoint": "patch", "kind": "status", "drawId": 1, "code": 500, "times": 1000})");
    run_well({report});
    EXPECT_EQ(state_of(2), "reported");
    for (int run_number = 2; run_number <= 3; ++run_number) {
        clock_.ahead += std::chrono::hours(1);
        run_well({report});
    }
    EXPECT_THAT(reasons(), ElementsAre("report_refused"));
    EXPECT_EQ(state_of(1), "disbursed");
    sandbox_.clear_faults();
    clock_.ahead += std::chrono::hours(1);
    run_well({report});
    EXPECT_EQ(state_of(1), "reported");
    EXPECT_THAT(reasons(), IsEmpty());
}

TEST_F(Reporting, an_answer_without_the_date_does_not_count) {
    for (DrawId id = 1; id <= 2; ++id)
        sandbox_.edit(id, {{"disbursedDate", nullptr}});
    fault(R"({"endpoint": "patch", "kind": "status", "code": 200, "body": "<html>all is well</html>", "times": 2})");
    run_well({report});
    EXPECT_EQ(state_of(1), "disbursed");
    EXPECT_EQ(state_of(2), "disbursed");
    run_well({report});
    EXPECT_EQ(state_of(1), "reported");
    EXPECT_EQ(state_of(2), "reported");
}

TEST_F(Reporting, a_date_that_the_service_answers_but_does_not_keep_is_an_exception) {
    const auto& zone = context_->settings.plan.zone;
    const auto noon = zone.to_instant(zone.date_of(clock_.now()), std::chrono::hours(12));
    sandbox_.edit(1, {{"disbursedDate", nullptr}});  // marking it as Disbursed has set one
    auto echo = sandbox_.draw(1);
    echo["disbursedDate"] = format_service_instant(noon);
    sandbox_.arm_fault(
        {{"endpoint", "patch"}, {"kind", "status"}, {"drawId", 1}, {"code", 200}, {"body", echo.dump()}});
    run_well({report});
    EXPECT_EQ(state_of(1), "reported") << "its answer shows the date";
    run_well({poll});
    EXPECT_THAT(reasons(), ElementsAre("reported_date_changed"));
    EXPECT_THAT(ledger::open_exceptions(*ledger_).front().what.detail, HasSubstr("now shows none"));
    // Somebody enters the day in the portal, with less precision.
    sandbox_.edit(1, {{"disbursedDate", format_date(zone.date_of(clock_.now())) + "T18:00:00"}});
    run_well({poll});
    EXPECT_THAT(reasons(), IsEmpty());
    expect_clean_ledger();
}

TEST_F(Reporting, a_date_that_the_service_stores_as_another_day_is_named_with_that_day) {
    auto echo = sandbox_.draw(1);
    echo["disbursedDate"] = "2026-01-02T12:00:00";
    sandbox_.arm_fault(
        {{"endpoint", "patch"}, {"kind", "status"}, {"drawId", 1}, {"code", 200}, {"times", 3}, {"body", echo.dump()}});
    run_well({report, report, report});
    EXPECT_THAT(reasons(), ElementsAre("report_refused"));
    EXPECT_THAT(
        ledger::open_exceptions(*ledger_).front().what.detail,
        HasSubstr("accepted " + format_date(today()) + " as the disbursed date and shows 2026-01-02: it is retried"));
    run_well({report});
    EXPECT_THAT(reasons(), IsEmpty());
}

TEST_F(Reporting, a_reported_draw_that_goes_back_to_approved_with_its_date_is_an_exception) {
    run_well({report, poll});
    sandbox_.edit(1, {{"status", 4}});
    run_well({poll, pay});
    EXPECT_THAT(reasons(), ElementsAre("status_went_back"));
    EXPECT_THAT(ledger::open_exceptions(*ledger_).front().what.detail,
                HasSubstr("was reverted to Approved after a payment of $100.01 was reported; it is not paid again"));
    sandbox_.edit(1, {{"status", 5}});
    run_well({poll});
    EXPECT_THAT(reasons(), IsEmpty());
    expect_clean_ledger();
}

TEST_F(Reporting, a_reported_date_that_somebody_changes_is_an_exception) {
    run_well({report, poll});
    EXPECT_THAT(reasons(), IsEmpty());
    sandbox_.edit(2, {{"disbursedDate", "2026-01-02T12:00:00"}});
    run_well({poll});
    EXPECT_THAT(reasons(), ElementsAre("reported_date_changed"));
    EXPECT_THAT(ledger::open_exceptions(*ledger_).front().what.detail, HasSubstr("now shows 2026-01-02"));
}

TEST_F(Reporting, a_draw_that_is_reverted_before_its_date_arrives_is_not_reported) {
    const auto& zone = context_->settings.plan.zone;
    auto echo = sandbox_.draw(1);
    echo["status"] = 4;
    echo["disbursedDate"] = format_service_instant(zone.to_instant(today(), std::chrono::hours(12)));
    sandbox_.arm_fault(
        {{"endpoint", "patch"}, {"kind", "status"}, {"drawId", 1}, {"code", 200}, {"body", echo.dump()}});
    run_well({report});
    EXPECT_EQ(state_of(1), "paid") << "the answer shows the date and Approved";
    EXPECT_EQ(state_of(2), "reported");
    // The next run reads it before it sends the date again.
    ledger_->transaction([&] {
        auto known = ledger::newest_reading(*ledger_, 1)->draw;
        known.status = DrawStatus::disbursed;
        ledger::record_reading(*ledger_, known, ledger::ReadingSource::poll, clock_.now());
    });
    sandbox_.arm_fault({{"endpoint", "read"}, {"kind", "status"}, {"drawId", 1}, {"code", 200}, {"body", echo.dump()}});
    run_well({report});
    EXPECT_EQ(state_of(1), "paid") << "the reading shows the date and Approved";
    run_well({poll, report});
    EXPECT_EQ(state_of(1), "reported");
}

TEST_F(Reporting, somebody_elses_disbursement_is_not_overwritten_before_a_person_looks) {
    const auto own = disbursed_date(1);
    sandbox_.edit(1, {{"disbursedDate", "2026-01-02T12:00:00"}});
    sandbox_.edit(2, {{"amountDisbursed", 9999.0}});
    run_well({poll, report, poll, report});
    EXPECT_THAT(reasons(), ElementsAre("disbursed_otherwise", "disbursed_otherwise"));
    EXPECT_EQ(sandbox_.requests("patch"), 0);
    EXPECT_THAT(exception_details("disbursed_otherwise"),
                ElementsAre(HasSubstr("on 2026-01-02 with $100.01, and the payment of $100.01 was released on"),
                            HasSubstr("with $9,999.00, and the payment of $100.02")));
    sandbox_.edit(1, {{"disbursedDate", own}});
    run_well({poll, report});
    EXPECT_EQ(state_of(1), "reported") << "somebody corrected it";
    EXPECT_EQ(state_of(2), "disbursed");
    EXPECT_EQ(resolve_all("disbursed_otherwise", eva()), 1);
    run_well({report});
    EXPECT_EQ(state_of(2), "reported");
    EXPECT_THAT(reasons(), IsEmpty());
    expect_clean_ledger();
}

TEST_F(Reporting, an_amount_of_zero_is_nobodys_disbursement) {
    sandbox_.edit(1, {{"amountDisbursed", 0.0}});
    run_well({poll, report});
    EXPECT_EQ(state_of(1), "reported");
    EXPECT_THAT(reasons(), IsEmpty());
}

TEST_F(Reporting, a_partial_answer_changes_no_other_field) {
    auto partial = sandbox_.draw(1);
    for (const char* field : {"amountApproved", "caseId", "fieldA"})
        partial.erase(field);
    sandbox_.arm_fault(
        {{"endpoint", "patch"}, {"kind", "status"}, {"drawId", 1}, {"code", 200}, {"body", partial.dump()}});
    run_well({report});
    EXPECT_THAT(reasons(), IsEmpty());
    EXPECT_EQ(ledger::newest_reading(*ledger_, 1)->draw.amount_approved, Money::from_cents(10001));
}

TEST_F(Reporting, a_reverted_draw_waits_until_it_is_disbursed_again) {
    sandbox_.act(1, "reopen", {{"status", 4}});
    run_well({report});
    EXPECT_EQ(state_of(1), "paid") << "the mirror shows that it is not Disbursed";
    EXPECT_EQ(state_of(2), "reported");
    run_well({report});
    sandbox_.act(1, "disburse");
    run_well({poll, report});
    EXPECT_EQ(state_of(1), "reported");
    EXPECT_THAT(reasons(), IsEmpty());
}

TEST_F(Reporting, a_workflow_that_forbids_the_date_raises_one_exception_and_no_more_requests) {
    sandbox_.portal("PUT", "/workflows/12", {{"manualDisbursementDate", false}});
    run_well({report, report});
    EXPECT_THAT(reasons(), IsEmpty()) << "the draw may be locked for a moment";
    run_well({report});
    EXPECT_THAT(reasons(), ElementsAre("disbursed_date_forbidden", "disbursed_date_forbidden"));
    const auto patches = sandbox_.requests("patch");
    run_well({poll, report, report});
    EXPECT_EQ(sandbox_.requests("patch"), patches);
    EXPECT_EQ(state_of(1), "disbursed");
    // The workflow allows it now, and a person closes the exceptions.
    sandbox_.portal("PUT", "/workflows/12", {{"manualDisbursementDate", true}});
    for (const auto& row : ledger::open_exceptions(*ledger_)) {
        ledger_->transaction([&] {
            EXPECT_TRUE(
                ledger::close_exception(*ledger_, row.exception_id, "allowed now", {clock_.now(), "uid 7 (eva)", 7}));
        });
    }
    run_well({report});
    EXPECT_EQ(state_of(1), "reported");
    expect_clean_ledger();
}

TEST_F(Reporting, a_conflict_that_passes_asks_nobody) {
    fault(R"({"endpoint": "patch", "kind": "status", "code": 409, "times": 4, "body": "modified by another user"})");
    run_well({report, report});
    EXPECT_EQ(state_of(1), "disbursed");
    run_well({report});
    EXPECT_EQ(state_of(1), "reported");
    EXPECT_EQ(state_of(2), "reported");
    EXPECT_THAT(reasons(), IsEmpty());
    expect_clean_ledger();
}

TEST_F(Reporting, a_refused_date_entered_in_the_portal_counts) {
    sandbox_.portal("PUT", "/workflows/12", {{"manualDisbursementDate", false}});
    run_well({report, report, report});
    EXPECT_THAT(reasons(), ElementsAre("disbursed_date_forbidden", "disbursed_date_forbidden"));
    for (const auto& row : ledger::open_exceptions(*ledger_)) {
        ledger_->transaction([&] {
            EXPECT_TRUE(
                ledger::close_exception(*ledger_, row.exception_id, "entered", {clock_.now(), "uid 7 (eva)", 7}));
        });
    }
    run_well({report});  // the portal had marked them as disbursed on the bank's day
    EXPECT_EQ(state_of(1), "reported");
    EXPECT_EQ(state_of(2), "reported");
    EXPECT_THAT(reasons(), IsEmpty());
}

TEST_F(Reporting, a_draw_that_disappears_and_returns_is_reported) {
    fault(R"({"endpoint": "patch", "kind": "status", "code": 404, "times": 2})");
    run_well({report});
    EXPECT_THAT(reasons(), ElementsAre("draw_gone", "draw_gone"));
    run_well({poll, report});
    EXPECT_EQ(state_of(1), "reported");
    EXPECT_EQ(state_of(2), "reported");
    EXPECT_THAT(reasons(), IsEmpty());
}

TEST_F(Reporting, an_attempt_recorded_in_the_future_delays_no_other) {
    context_->settings.patch_retry_base = std::chrono::minutes(1);
    fault(R"({"endpoint": "patch", "kind": "status", "code": 422, "times": 2})");
    clock_.ahead = std::chrono::hours(24 * 365 * 5);
    run(report);
    EXPECT_EQ(state_of(1), "disbursed");
    sandbox_.clear_faults();
    clock_.ahead = std::chrono::seconds(2);
    run_well({report});
    EXPECT_EQ(state_of(1), "reported");
    EXPECT_EQ(state_of(2), "reported");
}

class ReturnedBeforeItsReport : public Pipeline {
  protected:
    // The answer to the first date is lost, and then the payment comes back.
    ReturnedBeforeItsReport() {
        add(1, 4);
        run_well({poll, pay});
        bank_says(newest_payment(), "paid");
        sandbox_.disburse_all_approved();
        run_well({poll});
        fault(R"({"endpoint": "patch", "kind": "status", "code": 503, "times": 1000})");
        run(report);
        sandbox_.clear_faults();
        EXPECT_NE(ledger::newest_open_patch(*ledger_), 0);
    }
    disbursement::PlannedPayment newest_payment() {
        const auto file = ledger::payment_files(*ledger_, /*unreleased_only=*/false).back();
        return ledger::load_file(*ledger_, file.file_id).file.payments.front();
    }
    std::vector<std::string> withdrawn() {
        std::vector<std::string> details;
        for (const auto& entry : ledger::list_audit(*ledger_, {"", "report.withdrawn", ""}).entries)
            details.push_back(entry.detail);
        return details;
    }
};

TEST_F(ReturnedBeforeItsReport, a_date_that_never_arrived_is_withdrawn) {
    sandbox_.edit(1, {{"disbursedDate", nullptr}});
    bank_says(newest_payment(), "returned");
    run_well({report});
    EXPECT_EQ(ledger::newest_open_patch(*ledger_), 0);
    EXPECT_THAT(withdrawn(), ElementsAre(HasSubstr("never reached the service")));
    EXPECT_TRUE(sandbox_.draw(1).at("disbursedDate").is_null());
    expect_clean_ledger();
}

TEST_F(ReturnedBeforeItsReport, a_date_that_arrived_remains_the_only_one_even_with_another_time_of_day) {
    const auto stored = format_date(today()) + "T18:30:00";
    sandbox_.edit(1, {{"disbursedDate", stored}});
    bank_says(newest_payment(), "returned");
    run_well({report});
    EXPECT_EQ(ledger::newest_open_patch(*ledger_), 0);
    const ledger::Stamp eva{clock_.now(), "uid 7 (eva)", 7};
    ledger_->transaction(
        [&] { ASSERT_TRUE(ledger::order_reissue(*ledger_, 1, context_->payees, "new details", eva)); });
    run(poll);
    run(pay);
    resolve_all("disbursed_elsewhere", eva);
    run(pay);
    ASSERT_EQ(state_of(1), "paying");
    clock_.ahead += std::chrono::hours(72);
    bank_says(newest_payment(), "paid");
    run_well({report, report});
    EXPECT_EQ(sandbox_.draw(1).at("disbursedDate"), stored) << "a second date was sent";
    EXPECT_THAT(withdrawn(), IsEmpty());
    expect_clean_ledger();
}

}  // namespace
}  // namespace drawbridge::pipeline
