// A person matches a line to a payment, and undoes it.
#include "drawbridge/ledger/facts/resolutions.hpp"

#include <gmock/gmock.h>

#include "drawbridge/ledger/facts/by_time.hpp"
#include "drawbridge/ledger/facts/evidence.hpp"
#include "drawbridge/ledger/facts/guards.hpp"
#include "drawbridge/ledger/facts/returns.hpp"
#include "drawbridge/ledger/reports/cash.hpp"
#include "drawbridge/ledger/reports/reconciliation.hpp"
#include "drawbridge/ledger/reports/return_rates.hpp"
#include "ledger/ledger_fixture.hpp"
#include "store/connection.hpp"

namespace drawbridge::ledger {
namespace {

using ::testing::AllOf;
using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::SizeIs;

class Resolutions : public LedgerFixture {
  protected:
    Resolutions() {
        for (DrawId id = 1; id <= 2; ++id)
            read(test::sample_draw(id, DrawStatus::approved));
        pay();
        payments = load_file(*ledger, payment_files(*ledger, false).front().file_id).file.payments;
        later();
    }
    void later() { now += std::chrono::minutes(1); }

    // A line that names none of our payments, and the exception that it raised.
    std::int64_t stray(ConfirmationKind kind = ConfirmationKind::paid, const char* amount = "100.00",
                       const char* code = "", const std::string& file = "bank.csv") {
        Confirmation line{2, "99999", kind, Money::parse(amount).value(), parse_date("2026-03-05").value()};
        line.reason_code = code;
        line.payee_name = "Alvarez, Ana";
        confirm({line}, file);
        later();
        return open_exceptions(*ledger).back().exception_id;
    }
    Result<ExceptionRow> match(std::int64_t exception_id, std::int64_t payment_id) {
        auto done = ledger->transaction([&] {
            return match_line(*ledger, {exception_id, "the bank's letter"}, payment_id, zone, stamp("uid 7 (ana)"));
        });
        later();
        return done;
    }
    Result<ExceptionRow> undo(std::int64_t exception_id) {
        auto done = ledger->transaction(
            [&] { return undo_resolution(*ledger, {exception_id, "the wrong one"}, stamp("uid 8 (bo)")); });
        later();
        return done;
    }
    void close(std::int64_t exception_id) {
        ledger->transaction([&] { ASSERT_TRUE(close_exception(*ledger, exception_id, "seen", stamp("uid 7 (ana)"))); });
        later();
    }
    std::string refusal(const Result<ExceptionRow>& done) { return done ? "" : done.error().message; }
    std::vector<std::string> reasons() {
        std::vector<std::string> all;
        for (const auto& row : open_exceptions(*ledger))
            all.push_back(row.what.reason_code);
        return all;
    }
    std::int64_t id(std::size_t i) { return payments[i].payment_id; }
    Confirmation exact(std::size_t i, ConfirmationKind kind) {
        return {2, *payments[i].trace_number, kind, payments[i].amount, parse_date("2026-03-05").value()};
    }

    const TimeZone zone = test::sample_plan_settings().zone;
    std::vector<disbursement::PlannedPayment> payments;
};

TEST_F(Resolutions, a_line_is_applied_to_the_payment_that_a_person_names) {
    const auto exception_id = stray();
    const auto line = line_of_exception(*ledger, exception_id);
    ASSERT_TRUE(line);
    EXPECT_EQ(line->confirmation.payee_name, "Alvarez, Ana");
    const auto proposals = proposals_for(*ledger, *line, zone, zone.date_of(now));
    ASSERT_THAT(proposals, SizeIs(2)) << "of the same amount";
    EXPECT_GT(proposals[0].score, 60);
    ASSERT_TRUE(match(exception_id, id(1)));
    EXPECT_EQ(state(2), "paid");
    EXPECT_EQ(state(1), "paying");
    EXPECT_THAT(open_exceptions(*ledger), IsEmpty());
    EXPECT_EQ(line_of_exception(*ledger, exception_id)->matched_to, id(1));
    EXPECT_THAT(proposals_for(*ledger, *line_of_exception(*ledger, exception_id), zone, zone.date_of(now)), IsEmpty());
    EXPECT_THAT(violations(), IsEmpty());
}

TEST_F(Resolutions, every_reference_of_a_line_counts_for_its_proposals) {
    Confirmation line{2, "INV-7", ConfirmationKind::paid, Money::parse("99.00").value(),
                      parse_date("2026-03-05").value()};
    line.references = {{ReferenceKind::end_to_end_id, "INV-7"},
                       {ReferenceKind::trace_number, *payments[1].trace_number},
                       {ReferenceKind::bank_reference, *payments[0].trace_number}};
    confirm({line}, "bank.csv");
    const auto recorded = line_of_exception(*ledger, open_exceptions(*ledger).back().exception_id);
    ASSERT_TRUE(recorded);
    ASSERT_THAT(recorded->confirmation.references, SizeIs(2)) << "the bank's own names no payment";
    EXPECT_EQ(recorded->confirmation.references[1], line.references[1]);
}

TEST_F(Resolutions, only_the_check_of_the_reference_is_waived) {
    EXPECT_THAT(refusal(match(stray(ConfirmationKind::paid, "100.01"), id(0))), HasSubstr("$100.01"));
    EXPECT_THAT(refusal(match(999, id(0))), HasSubstr("no exception 999"));
    const auto exception_id = stray(ConfirmationKind::paid, "100.00", "", "second.csv");
    EXPECT_THAT(refusal(match(exception_id, 777)), HasSubstr("no payment P0000000777"));
    confirm({exact(0, ConfirmationKind::paid)}, "exact.csv");
    EXPECT_THAT(refusal(match(exception_id, id(0))), HasSubstr("nothing to apply"));
    confirm({exact(1, ConfirmationKind::returned)}, "return.csv");
    EXPECT_THAT(refusal(match(exception_id, id(1))), HasSubstr("was confirmed as returned"));
    close(exception_id);
    EXPECT_THAT(refusal(match(exception_id, id(1))), HasSubstr("--undo"));
    EXPECT_EQ(state(1), "paid");
    EXPECT_EQ(state(2), "returned");
    EXPECT_THAT(violations(), IsEmpty());
}

TEST_F(Resolutions, a_line_that_settles_nothing_cannot_be_matched) {
    const auto disputed = stray(ConfirmationKind::disputed, "100.00", "R61", "disputed.csv");
    EXPECT_THAT(refusal(match(disputed, id(0))), HasSubstr("settles no payment"));
    const auto corrected = stray(ConfirmationKind::corrected, "0.00", "C01", "corrected.csv");
    EXPECT_THAT(refusal(match(corrected, id(0))), HasSubstr("payees.csv"));
    EXPECT_EQ(state(1), "paying");
}

TEST_F(Resolutions, one_line_settles_one_payment) {
    const auto exception_id = stray();
    ASSERT_TRUE(match(exception_id, id(0)));
    EXPECT_FALSE(match(exception_id, id(1)));
    EXPECT_EQ(state(2), "paying");
}

TEST_F(Resolutions, a_return_matched_by_a_person_acts_like_any_return) {
    const auto exception_id = stray(ConfirmationKind::returned, "100.00", "R03");
    ASSERT_TRUE(match(exception_id, id(0)));
    EXPECT_EQ(state(1), "returned");
    EXPECT_THAT(reasons(), Contains("returned"));
    const auto directory = test::sample_directory();
    EXPECT_TRUE(payment_hold_for(*ledger, *directory.find("PAYEE-1"), std::nullopt));
    EXPECT_THAT(violations(), IsEmpty());
}

TEST_F(Resolutions, undoing_a_paid_line_leaves_the_payment_as_it_was) {
    const auto exception_id = stray();
    ASSERT_TRUE(match(exception_id, id(0)));
    const auto again = undo(exception_id);
    ASSERT_TRUE(again) << refusal(again);
    EXPECT_EQ(state(1), "paying");
    EXPECT_NE(again->exception_id, exception_id);
    EXPECT_EQ(again->what.reason_code, "unknown_payment");
    EXPECT_THAT(refusal(undo(exception_id)), HasSubstr("already"));
    ASSERT_TRUE(match(again->exception_id, id(1))) << "it can be matched again";
    EXPECT_EQ(state(2), "paid");
    ASSERT_TRUE(undo(again->exception_id));
    EXPECT_EQ(state(2), "paying");
    EXPECT_THAT(violations(), IsEmpty());
}

TEST_F(Resolutions, undoing_a_return_undoes_its_consequences) {
    confirm({exact(0, ConfirmationKind::paid)}, "paid.csv");
    const auto exception_id = stray(ConfirmationKind::returned, "100.00", "R15");
    ASSERT_TRUE(match(exception_id, id(0)));
    EXPECT_EQ(state(1), "returned");
    EXPECT_THAT(reasons(), Contains("case_stopped"));
    const auto again = undo(exception_id);
    ASSERT_TRUE(again) << refusal(again);
    EXPECT_EQ(state(1), "paid");
    EXPECT_THAT(reasons(), ::testing::ElementsAre("unknown_payment"));
    const auto directory = test::sample_directory();
    EXPECT_FALSE(payment_hold_for(*ledger, *directory.find("PAYEE-1"), 7001));
    EXPECT_THAT(violations(), IsEmpty());
    ASSERT_TRUE(match(again->exception_id, id(0))) << "it can be matched again";
    EXPECT_EQ(state(1), "returned");
    EXPECT_TRUE(payment_hold_for(*ledger, *directory.find("PAYEE-1"), 7001));
    EXPECT_THAT(violations(), IsEmpty());
}

TEST_F(Resolutions, an_account_is_no_longer_blocked_when_its_return_belonged_to_another_payment) {
    const auto exception_id = stray(ConfirmationKind::returned, "100.00", "R02");
    ASSERT_TRUE(match(exception_id, id(0)));
    const auto directory = test::sample_directory();
    ASSERT_TRUE(payment_hold_for(*ledger, *directory.find("PAYEE-1"), std::nullopt));
    const auto again = undo(exception_id);
    ASSERT_TRUE(again);
    EXPECT_FALSE(payment_hold_for(*ledger, *directory.find("PAYEE-1"), std::nullopt));
    ASSERT_TRUE(match(again->exception_id, id(0)));
    EXPECT_TRUE(payment_hold_for(*ledger, *directory.find("PAYEE-1"), std::nullopt)) << "the match was right after all";
}

TEST_F(Resolutions, whoever_undoes_the_return_that_blocked_an_account_releases_nothing_to_it) {
    const auto exception_id = stray(ConfirmationKind::returned, "100.00", "R02");
    ASSERT_TRUE(match(exception_id, id(0)));
    ASSERT_TRUE(undo(exception_id));
    read(test::sample_draw(3, DrawStatus::approved));  // to the same payee
    pay(/*release=*/false);
    const auto file = payment_files(*ledger, false).back();
    ASSERT_EQ(load_file(*ledger, file.file_id).file.payments.front().draw_id, 3);
    EXPECT_FALSE(check_may_release(*ledger, file, stamp("uid 8 (bo)")));
    EXPECT_TRUE(check_may_release(*ledger, file, stamp("uid 9 (cy)")));
    EXPECT_THAT(violations(), IsEmpty());
}

// The draw was reported with an earlier payment.
TEST_F(Resolutions, a_reissued_payment_whose_return_is_undone_is_looked_after_again) {
    confirm({exact(0, ConfirmationKind::paid)}, "paid.csv");
    read(test::sample_draw(1, DrawStatus::disbursed));
    ledger->transaction([&] {
        const auto patch_id = open_patch(*ledger, reports_due(*ledger).front(), now, stamp());
        close_patch(*ledger, {patch_id, 1, id(0), now, 0, {}}, PatchOutcome::accepted, stamp());
    });
    later();
    confirm({exact(0, ConfirmationKind::returned)}, "returned.csv");
    ledger->transaction([&] {
        ASSERT_TRUE(order_reissue(*ledger, 1, test::sample_directory(), "there is money now", stamp("uid 7 (ana)")));
    });
    later();
    pay();
    const auto again = load_file(*ledger, payment_files(*ledger, false).back().file_id).file.payments.front();
    const auto exception_id = stray(ConfirmationKind::returned, "100.00", "R01", "wrong.csv");
    ASSERT_TRUE(match(exception_id, again.payment_id));
    ASSERT_TRUE(undo(exception_id));
    EXPECT_EQ(state(1), "paying");
    EXPECT_THAT(unfinished_draws(*ledger, 0, 10), Contains(1));
    EXPECT_THAT(violations(), IsEmpty());
}

TEST_F(Resolutions, a_return_counts_in_the_rates_once_it_is_applied_and_changes_no_settlement) {
    const auto settling = [&] {
        std::int64_t count = 0;
        for (const auto& file :
             settling_between(*ledger, parse_date("2026-03-01").value(), parse_date("2026-03-31").value()))
            count += file.payments;
        return count;
    };
    const auto exception_id = stray(ConfirmationKind::returned, "100.00", "R02");
    EXPECT_EQ(return_rates(*ledger, now)[2].returned, 0);
    EXPECT_EQ(settling(), 2);
    ASSERT_TRUE(match(exception_id, id(0)));
    EXPECT_EQ(return_rates(*ledger, now)[2].returned, 1);
    EXPECT_EQ(return_rates(*ledger, now)[1].returned, 1) << "R02 is administrative";
    EXPECT_EQ(settling(), 2) << "the bank took the whole file";
}

TEST_F(Resolutions, nothing_can_be_undone_once_the_service_may_have_the_date) {
    const auto exception_id = stray();
    ASSERT_TRUE(match(exception_id, id(0)));
    read(test::sample_draw(1, DrawStatus::disbursed));
    const auto patch_id =
        ledger->transaction([&] { return open_patch(*ledger, reports_due(*ledger).front(), now, stamp()); });
    later();
    EXPECT_THAT(refusal(undo(exception_id)), HasSubstr("is being sent"));
    ledger->transaction(
        [&] { close_patch(*ledger, {patch_id, 1, id(0), now, 0, {}}, PatchOutcome::accepted, stamp()); });
    later();
    const auto refused = refusal(undo(exception_id));
    EXPECT_THAT(refused, HasSubstr("was sent to the service"));
    EXPECT_THAT(refused, HasSubstr("portal")) << "it says what to do instead";
    EXPECT_EQ(state(1), "reported");
    EXPECT_THAT(violations(), IsEmpty());
}

TEST_F(Resolutions, a_return_cannot_be_undone_once_the_draw_is_paid_again) {
    const auto exception_id = stray(ConfirmationKind::returned, "100.00", "R01");
    ASSERT_TRUE(match(exception_id, id(0)));
    ledger->transaction([&] {
        ASSERT_TRUE(order_reissue(*ledger, 1, test::sample_directory(), "there is money now", stamp("uid 7 (ana)")));
    });
    later();
    EXPECT_THAT(refusal(undo(exception_id)), HasSubstr("paid again"));
    pay();
    EXPECT_THAT(refusal(undo(exception_id)), HasSubstr("paid again"));
    EXPECT_EQ(state(1), "paying");
    EXPECT_THAT(violations(), IsEmpty());
}

TEST_F(Resolutions, a_match_that_the_bank_repeated_cannot_be_undone) {
    const auto exception_id = stray(ConfirmationKind::returned, "100.00", "R01");
    ASSERT_TRUE(match(exception_id, id(0)));
    confirm({exact(0, ConfirmationKind::returned)}, "proper.csv");
    EXPECT_THAT(refusal(undo(exception_id)), HasSubstr("proper.csv line 2"));
    EXPECT_EQ(state(1), "returned");
}

TEST_F(Resolutions, a_paid_line_cannot_be_undone_after_a_return) {
    const auto exception_id = stray();
    ASSERT_TRUE(match(exception_id, id(0)));
    confirm({exact(0, ConfirmationKind::returned)}, "return.csv");
    EXPECT_THAT(refusal(undo(exception_id)), HasSubstr("came back since"));
    EXPECT_EQ(state(1), "returned");
    EXPECT_THAT(violations(), IsEmpty());
}

TEST_F(Resolutions, an_exception_that_was_only_closed_is_opened_again) {
    const auto exception_id = stray();
    EXPECT_THAT(refusal(undo(exception_id)), HasSubstr("is open"));
    close(exception_id);
    const auto again = undo(exception_id);
    ASSERT_TRUE(again) << refusal(again);
    EXPECT_TRUE(line_of_exception(*ledger, again->exception_id)) << "it still has its line";
    ASSERT_TRUE(match(again->exception_id, id(0)));
    EXPECT_THAT(violations(), IsEmpty());
}

TEST_F(Resolutions, an_exception_closed_by_the_program_cannot_be_reopened_by_a_person) {
    const auto exception_id = stray();
    ledger->transaction([&] { ASSERT_TRUE(close_exception(*ledger, exception_id, "it is well", stamp())); });
    EXPECT_THAT(refusal(undo(exception_id)), HasSubstr("the program closed it (it is well)"));
}

TEST_F(Resolutions, a_guard_that_was_lifted_holds_again) {
    read(test::sample_draw(3, DrawStatus::approved));
    ledger->transaction([&] {
        raise_exception(*ledger, {"pay", "duplicate_suspected", 3, std::nullopt, "", "like P0000000001"}, stamp());
    });
    const auto exception_id = open_exceptions(*ledger).back().exception_id;
    close(exception_id);
    ASSERT_THAT(lifts_of(*ledger, 3), SizeIs(1));
    ASSERT_TRUE(undo(exception_id));
    EXPECT_THAT(lifts_of(*ledger, 3), IsEmpty());
}

TEST_F(Resolutions, a_lift_is_not_undone_once_the_draw_is_paid_whatever_the_clock_says) {
    const auto lift = [&](DrawId id) {
        ledger->transaction(
            [&] { raise_exception(*ledger, {"pay", "duplicate_suspected", id, std::nullopt, "", "alike"}, stamp()); });
        const auto exception_id = open_exceptions(*ledger).back().exception_id;
        close(exception_id);
        return exception_id;
    };
    read(test::sample_draw(3, DrawStatus::approved));
    const auto before_payment = lift(3);
    now -= std::chrono::hours(3);
    pay();
    EXPECT_THAT(refusal(undo(before_payment)), HasSubstr("was made since"));
    now -= std::chrono::hours(3);
    const auto after_payment = lift(1);
    EXPECT_TRUE(undo(after_payment));
}

TEST_F(Resolutions, the_schema_revives_no_payment_without_an_undone_return) {
    confirm({exact(0, ConfirmationKind::returned)}, "return.csv");
    auto& db = ledger->connection().db;
    EXPECT_THROW(db.exec("UPDATE payment SET ended_at = NULL, finished_at = NULL WHERE ended_at IS NOT NULL"),
                 std::runtime_error);
    EXPECT_THROW(db.exec("UPDATE payment SET ended_at = 5 WHERE ended_at IS NOT NULL"), std::runtime_error);
    EXPECT_THROW(db.exec("UPDATE settlement SET undone_at = 5"), std::runtime_error) << "no person made it";
    EXPECT_THROW(db.exec("DELETE FROM settlement"), std::runtime_error);
    EXPECT_THROW(db.exec("DELETE FROM line_exception"), std::runtime_error);
}

// "The bank says that the money came back" closes the exception, but does not tell the ledger what is true.
class Disputes : public Resolutions {
  protected:
    Disputes() {
        ledger->transaction([&] {
            record_evidence(*ledger, payment_files(*ledger, false).front().file_id, disbursement::EvidenceKind::by_hand,
                            "in the portal", stamp());
        });
        later();
    }
    std::vector<std::int64_t> due() {
        std::vector<std::int64_t> ids;
        for (const auto& credit : unconfirmed_credits(*ledger, parse_date("2026-12-31").value()))
            ids.push_back(credit.payment_id);
        return ids;
    }
    bool first_line_is_settled() {
        const auto day = zone.date_of(now);
        return facts_of_bank_lines(*ledger, 0, 1, {day, day, now}).front().payment_is_settled;
    }
};

TEST_F(Disputes, keep_a_payment_from_being_confirmed_by_time_until_a_list_says_what_is_true) {
    EXPECT_THAT(due(), ElementsAre(id(0), id(1)));
    confirm({exact(0, ConfirmationKind::disputed)}, "statement.bai");
    later();
    EXPECT_THAT(due(), ElementsAre(id(1))) << "its exception is open";
    close(open_exceptions(*ledger).back().exception_id);
    EXPECT_THAT(due(), ElementsAre(id(1))) << "a reason says nothing to the ledger";
    EXPECT_FALSE(first_line_is_settled());
    EXPECT_EQ(state(1), "paying");
    auto paid = exact(0, ConfirmationKind::paid);
    paid.payment_reference = disbursement::format_payment_id(id(0));
    EXPECT_EQ(confirm({paid}, "list.csv").applied, 1);
    later();
    EXPECT_TRUE(first_line_is_settled());
    EXPECT_EQ(state(1), "paid");
    EXPECT_THAT(violations(), IsEmpty());
}

TEST_F(Disputes, of_a_payment_that_time_confirmed_stay_open_until_a_list_repeats_it) {
    const auto credit = unconfirmed_credits(*ledger, parse_date("2026-12-31").value()).front();
    ledger->transaction([&] { confirm_by_time(*ledger, credit, parse_date("2026-03-05").value(), 2, stamp()); });
    later();
    confirm({exact(0, ConfirmationKind::disputed)}, "statement.bai");
    later();
    close(open_exceptions(*ledger).back().exception_id);
    EXPECT_FALSE(first_line_is_settled());
    EXPECT_EQ(confirm({exact(0, ConfirmationKind::paid)}, "list.csv").duplicates, 1);
    later();
    EXPECT_TRUE(first_line_is_settled());
    EXPECT_THAT(violations(), IsEmpty());
}

TEST_F(Resolutions, a_debit_that_is_read_after_the_return_changes_nothing) {
    confirm({exact(0, ConfirmationKind::returned)}, "returns.ach");
    later();
    auto debit = exact(0, ConfirmationKind::paid);
    debit.date = parse_date("2026-03-04").value();
    EXPECT_EQ(confirm({debit}, "statement.bai").recorded, 1);
    later();
    EXPECT_EQ(state(1), "returned");
    EXPECT_THAT(reasons(), ElementsAre("returned"));
    EXPECT_EQ(confirm({debit}, "statement again.bai").duplicates, 1);
    auto another = debit;
    another.date = parse_date("2026-03-03").value();
    EXPECT_EQ(confirm({another}, "tuesday.bai").exceptions, 1) << "a second debit";
    EXPECT_THAT(violations(), IsEmpty());
}

TEST_F(Resolutions, a_payment_whose_return_is_undone_is_paid_by_the_debit_that_was_read_after_it) {
    const auto exception_id = stray(ConfirmationKind::returned, "100.00", "R03");
    ASSERT_TRUE(match(exception_id, id(0)));
    auto debit = exact(0, ConfirmationKind::paid);
    debit.date = parse_date("2026-03-04").value();
    EXPECT_EQ(confirm({debit}, "statement.bai").recorded, 1);
    later();
    const auto again = undo(exception_id);
    ASSERT_TRUE(again) << refusal(again);
    EXPECT_EQ(state(1), "paid");
    EXPECT_THAT(violations(), IsEmpty());
    // It came back after all, and then again did not.
    ASSERT_TRUE(match(again->exception_id, id(0)));
    EXPECT_EQ(state(1), "returned");
    ASSERT_TRUE(undo(again->exception_id));
    EXPECT_EQ(state(1), "paid");
    EXPECT_THAT(violations(), IsEmpty());
    std::vector<std::string> told;
    for (const auto& entry : timeline(*ledger, 1))
        told.push_back(entry.detail);
    EXPECT_THAT(told, Contains(HasSubstr("its return was undone, and the bank had listed its debit")));
}

TEST_F(Resolutions, a_return_that_turns_out_to_be_suspected_fraud_blocks_the_account) {
    auto returned = exact(0, ConfirmationKind::returned);
    returned.reason_code = "R17";
    confirm({returned}, "monday.bai");
    later();
    EXPECT_THAT(open_exceptions(*ledger).back().what.detail, HasSubstr("R17 file record edit criteria"));
    returned.note = "QUESTIONABLE";
    EXPECT_EQ(confirm({returned}, "tuesday.ach").duplicates, 1);
    later();
    ASSERT_THAT(reasons(), ElementsAre("returned", "returned"));
    EXPECT_THAT(open_exceptions(*ledger).back().what.detail,
                AllOf(HasSubstr("R17 QUESTIONABLE"), HasSubstr("suspected fraud"), HasSubstr("pays nothing more")));
    const auto hold = payment_hold_for(*ledger, payments[0].payee, std::nullopt);
    ASSERT_TRUE(hold);
    EXPECT_EQ(hold->reason_code, "account_blocked");
    EXPECT_THAT(violations(), IsEmpty());
}

}  // namespace
}  // namespace drawbridge::ledger
