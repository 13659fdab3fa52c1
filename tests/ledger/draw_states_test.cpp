#include "drawbridge/ledger/reports/draw_states.hpp"

#include <gmock/gmock.h>

#include "ledger/ledger_fixture.hpp"

namespace drawbridge::ledger {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::SizeIs;

class DrawStates : public LedgerFixture {
  protected:
    void approve(DrawId id) {
        decide(id, /*approve=*/true);
        answer(submit().front(), ApprovalOutcome::approved);
        read(test::sample_draw(id, DrawStatus::approved));
    }
    std::vector<std::string> events(DrawId id) {
        std::vector<std::string> names;
        for (const auto& entry : timeline(*ledger, id))
            names.emplace_back(to_string(entry.event));
        return names;
    }
    Confirmation line(DrawId id, ConfirmationKind kind, const char* date = "2026-03-05") {
        const auto payment = live_payment(*ledger, id);
        return {1, disbursement::format_payment_id(payment->payment_id), kind, payment->amount,
                parse_date(date).value()};
    }
};

TEST_F(DrawStates, follow_a_draw_from_pending_to_reported) {
    read(test::sample_draw(1, DrawStatus::pending_approval));
    EXPECT_EQ(state(1), "pending");
    decide(1, /*approve=*/true);
    EXPECT_EQ(state(1), "approving");
    const auto item = submit().front();
    EXPECT_EQ(state(1), "approving");
    answer(item, ApprovalOutcome::approved);
    EXPECT_EQ(state(1), "approved") << "the service approved it, though no new reading exists yet";
    read(test::sample_draw(1, DrawStatus::approved));
    EXPECT_EQ(state(1), "approved");
    pay();
    EXPECT_EQ(state(1), "paying");
    confirm({line(1, ConfirmationKind::paid)});
    EXPECT_EQ(state(1), "paid");
    EXPECT_THAT(reports_due(*ledger), IsEmpty()) << "not before status 5";
    EXPECT_EQ(waiting_for_portal(*ledger).count, 1);
    read(test::sample_draw(1, DrawStatus::disbursed));
    EXPECT_EQ(state(1), "disbursed");
    ledger->transaction([&] { open_patch(*ledger, reports_due(*ledger).front(), now, stamp()); });
    EXPECT_EQ(state(1), "disbursed");
    ledger->transaction([&] { close_patch(*ledger, open_patches(*ledger).front(), PatchOutcome::accepted, stamp()); });
    EXPECT_EQ(state(1), "reported");
    EXPECT_THAT(violations(), IsEmpty());
    EXPECT_THAT(unfinished_draws(*ledger, 0, 10), IsEmpty());
    EXPECT_THAT(events(1), ElementsAre("draw_read", "draw_read", "draw_read", "decided_approve", "approval_submitted",
                                       "approval_approved", "payment_planned", "file_staged", "file_released",
                                       "line_paid", "report_queued", "report_accepted"));
}

TEST_F(DrawStates, a_timeline_names_each_event_apart_from_its_text) {
    read(test::sample_draw(1, DrawStatus::pending_approval));
    approve(1);
    pay();
    confirm({line(1, ConfirmationKind::paid)});
    confirm({line(1, ConfirmationKind::paid)}, "again.csv");
    read(test::sample_draw(1, DrawStatus::disbursed));
    ledger->transaction([&] { open_patch(*ledger, reports_due(*ledger).front(), now, stamp()); });
    ledger->transaction([&] { record_attempt(*ledger, open_patches(*ledger).front(), "refused", "accepted?", now); });
    confirm({line(1, ConfirmationKind::returned, "2026-03-06")}, "returned items.csv");
    EXPECT_THAT(events(1), ::testing::IsSupersetOf({"line_paid", "line_duplicate", "line_exception", "report_failed"}));
    EXPECT_THAT(events(1), ::testing::Not(::testing::Contains("report_accepted")));
    for (const auto& entry : timeline(*ledger, 1))
        EXPECT_TRUE(entry.what != "exception" || entry.event == TimelineEvent::exception_opened) << entry.detail;
}

TEST_F(DrawStates, a_held_draw_is_decided_again_when_it_or_the_rules_change) {
    read(test::sample_draw(1, DrawStatus::pending_approval));
    decide(1, /*approve=*/false);
    EXPECT_EQ(state(1), "held");
    EXPECT_THAT(draws_to_decide(*ledger, sha256_hex("rules"), Instant(), {}, 10), IsEmpty());
    EXPECT_THAT(draws_to_decide(*ledger, sha256_hex("other rules"), Instant(), {}, 10), SizeIs(1));
    read(test::sample_draw(1, DrawStatus::pending_approval, "90.00"));
    EXPECT_EQ(state(1), "pending");
    EXPECT_THAT(draws_to_decide(*ledger, sha256_hex("rules"), Instant(), {}, 10), SizeIs(1));
}

TEST_F(DrawStates, restored_rules_decide_again_and_withdrawn_rules_approve_nothing) {
    read(test::sample_draw(1, DrawStatus::pending_approval));
    decide(1, /*approve=*/false, "rules");
    decide(1, /*approve=*/true, "bold rules");
    EXPECT_THAT(approvals_to_submit(*ledger, sha256_hex("bold rules"), {}, 10), SizeIs(1));
    EXPECT_THAT(approvals_to_submit(*ledger, sha256_hex("rules"), {}, 10), IsEmpty());
    EXPECT_THAT(draws_to_decide(*ledger, sha256_hex("rules"), Instant(), {}, 10), SizeIs(1));
    decide(1, /*approve=*/false, "rules");
    EXPECT_EQ(state(1), "held");
    EXPECT_THAT(approvals_to_submit(*ledger, sha256_hex("bold rules"), {}, 10), IsEmpty());
}

TEST_F(DrawStates, a_draw_that_can_no_longer_be_read_is_not_approved_on_its_last_good_reading) {
    read(test::sample_draw(1, DrawStatus::pending_approval));
    read(test::sample_draw(2, DrawStatus::pending_approval));
    decide(2, /*approve=*/true);
    ledger->transaction([&] {
        for (DrawId id = 1; id <= 2; ++id)
            raise_exception(*ledger, {"poll", "bad_record", id, std::nullopt, "", "?"}, stamp());
    });
    EXPECT_THAT(draws_to_decide(*ledger, sha256_hex("rules"), Instant(), {}, 10), IsEmpty());
    EXPECT_THAT(approvals_to_submit(*ledger, sha256_hex("rules"), {}, 10), IsEmpty());
}

TEST_F(DrawStates, a_refused_approval_is_held_and_not_submitted_again_until_the_draw_changes) {
    read(test::sample_draw(1, DrawStatus::pending_approval));
    decide(1, /*approve=*/true);
    answer(submit().front(), ApprovalOutcome::refused);
    EXPECT_EQ(state(1), "held");
    EXPECT_THAT(approvals_to_submit(*ledger, sha256_hex("rules"), {}, 10), IsEmpty());
    EXPECT_THAT(draws_to_decide(*ledger, sha256_hex("new rules"), Instant(), {}, 10), IsEmpty());
    read(test::sample_draw(1, DrawStatus::pending_approval, "90.00"));
    EXPECT_THAT(draws_to_decide(*ledger, sha256_hex("rules"), Instant(), {}, 10), SizeIs(1));
}

TEST_F(DrawStates, an_approval_that_was_not_applied_may_be_submitted_again_with_only_one_call_open) {
    read(test::sample_draw(1, DrawStatus::pending_approval));
    decide(1, /*approve=*/true);
    const auto item = submit().front();
    EXPECT_THAT(approvals_to_submit(*ledger, sha256_hex("rules"), {}, 10), IsEmpty()) << "it is in an open call";
    answer(item, ApprovalOutcome::not_applied, LearnedBy::read_back);
    EXPECT_THAT(approvals_to_submit(*ledger, sha256_hex("rules"), {}, 10), SizeIs(1));
    submit();
    EXPECT_EQ(open_approvals(*ledger).front().earlier_attempts, 1);
}

TEST_F(DrawStates, a_draw_that_has_a_live_payment_is_never_planned_again) {
    read(test::sample_draw(1, DrawStatus::approved));
    pay();
    EXPECT_THAT(draws_to_pay(*ledger), IsEmpty());
    EXPECT_ANY_THROW(ledger->transaction([&] {
        const auto settings = test::sample_plan_settings();
        const auto known = newest_reading(*ledger, 1);
        const std::vector<disbursement::Payable> again{
            {1, known->reading_id, known->draw.amount_approved, known->draw.amount_approved, "PAYEE-1", ""}};
        const auto numbers = number_block(*ledger, disbursement::plan_date(settings, now), 1);
        record_plan(*ledger, disbursement::plan(again, test::sample_directory(), settings, numbers, now), settings,
                    stamp());
    })) << "the schema refuses a second live payment";
    EXPECT_THAT(payment_files(*ledger, false), SizeIs(1));
    EXPECT_THAT(violations(), IsEmpty());
}

TEST_F(DrawStates, a_returned_payment_ends_and_waits_for_a_person) {
    read(test::sample_draw(1, DrawStatus::approved));
    pay();
    confirm({line(1, ConfirmationKind::returned)});
    EXPECT_EQ(state(1), "returned");
    EXPECT_THAT(draws_to_pay(*ledger), IsEmpty()) << "paying again takes a person";
    EXPECT_THAT(open_exceptions(*ledger), SizeIs(1));
    EXPECT_THAT(violations(), IsEmpty());
}

TEST_F(DrawStates, cancelled_external_and_unknown_statuses) {
    read(test::sample_draw(1, DrawStatus::cancelled));
    read(test::sample_draw(2, DrawStatus::disbursed));
    read(test::sample_draw(3, DrawStatus::submitted));
    read(test::sample_draw(4, static_cast<DrawStatus>(9)));
    read(test::sample_draw(5, DrawStatus::approved));
    ledger->transaction(
        [&] { raise_exception(*ledger, {"pay", "no_payee", 5, std::nullopt, "", "who is it?"}, stamp()); });
    EXPECT_EQ(state(1), "cancelled");
    EXPECT_EQ(state(2), "external");
    EXPECT_EQ(state(3), "pending");
    EXPECT_EQ(state(4), "held");
    EXPECT_EQ(state(5), "blocked");
    EXPECT_EQ(find_draw(*ledger, 5)->why, "no_payee: who is it?");
    std::int64_t count = 0;
    for (const auto& total : state_totals(*ledger))
        count += total.count;
    EXPECT_EQ(count, 5);
    EXPECT_THAT(violations(), IsEmpty());
}

TEST_F(DrawStates, an_amount_raised_during_our_open_call_is_not_the_agreed_amount) {
    read(test::sample_draw(1, DrawStatus::pending_approval, "100.00"));
    decide(1, /*approve=*/true);
    const auto item = submit().front();
    now += std::chrono::seconds(1);
    read(test::sample_draw(1, DrawStatus::pending_approval, "9000.00"));
    now += std::chrono::seconds(1);
    answer(item, ApprovalOutcome::approved, LearnedBy::read_back);
    read(test::sample_draw(1, DrawStatus::approved, "9000.00"));
    EXPECT_EQ(agreed_amount(*ledger, 1), Money::from_cents(10000));
}

// The service applied the approval, and one of its servers still shows the draw as it was before.
TEST_F(DrawStates, a_late_reading_does_not_undo_our_approval) {
    read(test::sample_draw(1, DrawStatus::pending_approval, "100.00"));
    decide(1, /*approve=*/true);
    answer(submit().front(), ApprovalOutcome::approved);
    now += std::chrono::seconds(1);
    read(test::sample_draw(1, DrawStatus::pending_approval, "9000.00"));
    now += std::chrono::seconds(1);
    read(test::sample_draw(1, DrawStatus::approved, "9000.00"));
    EXPECT_EQ(agreed_amount(*ledger, 1), Money::from_cents(10000));
}

TEST_F(DrawStates, a_late_reading_does_not_undo_an_approval_in_the_portal) {
    const auto show = [&](DrawStatus status, const char* amount, int modified_after) {
        auto draw = test::sample_draw(1, status, amount);
        draw.modified_date += std::chrono::seconds(modified_after);
        if (status == DrawStatus::approved) draw.approved_date = draw.modified_date;
        read(draw);
    };
    show(DrawStatus::pending_approval, "100.00", 0);
    show(DrawStatus::approved, "100.00", 1);
    show(DrawStatus::pending_approval, "100.00", 0);
    show(DrawStatus::approved, "9000.00", 2);
    EXPECT_EQ(agreed_amount(*ledger, 1), Money::from_cents(10000));
}

TEST_F(DrawStates, an_approval_that_the_service_said_it_refused_counts_as_ours) {
    read(test::sample_draw(1, DrawStatus::pending_approval, "100.00"));
    decide(1, /*approve=*/true);
    answer(submit().front(), ApprovalOutcome::refused);
    now += std::chrono::seconds(1);
    read(test::sample_draw(1, DrawStatus::approved, "9000.00"));
    EXPECT_EQ(agreed_amount(*ledger, 1), Money::from_cents(10000));
}

struct Agreed {
    const char* name;
    std::vector<Draw> readings;
    bool approved_by_us_at_first;
    std::optional<Money> expected;
};

Draw approved(const char* amount) {
    return test::sample_draw(1, DrawStatus::approved, amount);
}
Draw pending(const char* amount) {
    return test::sample_draw(1, DrawStatus::pending_approval, amount);
}
// A wrong answer: the approval stays as it was.
Draw wrongly_pending(const char* amount) {
    Draw draw = pending(amount);
    draw.approved_by = "somebody";
    return draw;
}

Draw without_amount() {
    Draw draw = approved("70.00");
    draw.amount_approved.reset();
    return draw;
}

class AgreedAmount : public LedgerFixture, public ::testing::WithParamInterface<Agreed> {};

TEST_P(AgreedAmount, is_what_was_decided_or_first_seen_approved) {
    bool first = true;
    std::optional<Instant> approved_date;
    for (auto draw : GetParam().readings) {
        now += std::chrono::seconds(1);
        draw.modified_date = now;
        if (draw.status == DrawStatus::approved && !approved_date) approved_date = now;
        if (draw.status == DrawStatus::pending_approval && !draw.approved_by) approved_date.reset();
        draw.approved_date = approved_date;
        read(draw);
        if (first && GetParam().approved_by_us_at_first) {
            decide(1, /*approve=*/true);
            answer(submit().front(), ApprovalOutcome::approved);
        }
        first = false;
    }
    EXPECT_EQ(agreed_amount(*ledger, 1), GetParam().expected);
}

INSTANTIATE_TEST_SUITE_P(
    ledger, AgreedAmount,
    ::testing::Values(
        Agreed{"what_our_approval_decided_on", {pending("100.00"), approved("100.00")}, true, Money::from_cents(10000)},
        Agreed{
            "not_what_the_service_made_of_it", {pending("100.00"), approved("150.00")}, true, Money::from_cents(10000)},
        Agreed{"the_first_approved_reading_of_anothers_approval",
               {approved("80.00"), approved("90.00")},
               false,
               Money::from_cents(8000)},
        Agreed{"the_first_since_it_was_approved_again",
               {approved("80.00"), pending("95.00"), approved("95.00"), approved("96.00")},
               false,
               Money::from_cents(9500)},
        Agreed{"the_first_amount_where_there_was_none",
               {without_amount(), approved("70.00"), approved("71.00")},
               false,
               Money::from_cents(7000)},
        Agreed{"not_what_a_wrong_answer_comes_before",
               {approved("80.00"), approved("90.00"), wrongly_pending("90.00"), approved("90.00")},
               false,
               Money::from_cents(8000)},
        Agreed{"the_newest_approval_before_a_wrong_answer",
               {approved("80.00"), pending("90.00"), approved("90.00"), approved("99.00"), wrongly_pending("99.00"),
                approved("99.00")},
               false,
               Money::from_cents(9000)},
        Agreed{
            "what_our_approval_decided_on_after_a_wrong_answer",
            {pending("100.00"), approved("100.00"), approved("900.00"), wrongly_pending("900.00"), approved("900.00")},
            true,
            Money::from_cents(10000)},
        Agreed{"not_an_approval_that_was_undone",
               {pending("100.00"), approved("100.00"), pending("120.00"), approved("120.00")},
               true,
               Money::from_cents(12000)}),
    [](const auto& agreed) { return std::string(agreed.param.name); });

}  // namespace
}  // namespace drawbridge::ledger
