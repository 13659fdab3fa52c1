#include "drawbridge/ledger/facts/confirmations.hpp"

#include <gmock/gmock.h>

#include "drawbridge/ledger/facts/guards.hpp"
#include "drawbridge/ledger/facts/returns.hpp"
#include "drawbridge/ledger/facts/staged_lines.hpp"
#include "drawbridge/ledger/reports/confirmation_list.hpp"
#include "ledger/ledger_fixture.hpp"
#include "store/connection.hpp"

namespace drawbridge::ledger {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;
using ::testing::SizeIs;

class Confirmations : public LedgerFixture {
  protected:
    Confirmations() {
        for (DrawId id = 1; id <= 2; ++id)
            read(test::sample_draw(id, DrawStatus::approved));
        pay();
        payments = load_file(*ledger, payment_files(*ledger, false).front().file_id).file.payments;
    }
    Confirmation line(std::int64_t number, std::string reference, ConfirmationKind kind = ConfirmationKind::paid,
                      const char* amount = "100.00") {
        return {number, std::move(reference), kind, Money::parse(amount).value(), parse_date("2026-03-05").value()};
    }
    std::vector<disbursement::PlannedPayment> payments;
};

TEST_F(Confirmations, find_a_payment_by_trace_number_and_by_payment_id) {
    const auto counts =
        confirm({line(2, *payments[0].trace_number), line(3, disbursement::format_payment_id(payments[1].payment_id))});
    EXPECT_EQ(counts.applied, 2);
    EXPECT_EQ(counts.paid, Money::from_cents(20000));
    EXPECT_EQ(state(1), "paid");
    EXPECT_EQ(state(2), "paid");
    EXPECT_THAT(violations(), IsEmpty());
}

TEST_F(Confirmations, a_line_that_cannot_be_applied_is_an_exception_and_the_others_are_applied) {
    const auto counts = confirm({line(2, *payments[0].trace_number), line(3, "999999999999999"),
                                 line(4, *payments[1].trace_number, ConfirmationKind::paid, "99.00")});
    EXPECT_EQ(counts.applied, 1);
    EXPECT_EQ(counts.exceptions, 2);
    EXPECT_EQ(state(2), "paying");
    const auto open = open_exceptions(*ledger);
    ASSERT_THAT(open, SizeIs(2));
    EXPECT_EQ(open[0].what.subject, "bank.csv (" + sha256_hex("bank.csv").substr(0, 12) + ") line 3");
    EXPECT_EQ(open[1].what.draw_id, 2);
    EXPECT_THAT(violations(), IsEmpty());
}

TEST_F(Confirmations, what_a_file_paid_and_what_it_returned_are_counted_apart) {
    const auto counts =
        confirm({line(2, *payments[0].trace_number), line(3, *payments[1].trace_number, ConfirmationKind::returned),
                 line(4, "999999999999999", ConfirmationKind::returned)});
    EXPECT_EQ(counts.paid, Money::from_cents(10000));
    EXPECT_EQ(counts.returned, Money::from_cents(10000));
    const auto file = find_confirmation_file(*ledger, sha256_hex("bank.csv"));
    for (const auto& sum : outcomes_of(*ledger, file->confirmation_file_id))
        EXPECT_EQ(sum.paid, Money::from_cents(sum.outcome == "applied" ? 10000 : 0)) << sum.outcome;
    ledger->transaction([&] { Query(*ledger, "DELETE FROM confirmation_sum WHERE outcome = 'applied'").run(); });
    EXPECT_THAT(violations(), ElementsAre(HasSubstr("its lines that were applied are not counted")));
}

TEST_F(Confirmations, the_same_payment_confirmed_by_two_files_is_settled_once) {
    confirm({line(2, *payments[0].trace_number)}, "monday.csv");
    const auto again = confirm({line(9, *payments[0].trace_number)}, "tuesday.csv");
    EXPECT_EQ(again.applied, 0);
    EXPECT_EQ(again.duplicates, 1);
    EXPECT_THAT(violations(), IsEmpty());
}

TEST_F(Confirmations, a_staged_file_is_recorded_piece_by_piece_and_completed_by_another_process) {
    const auto match = [&](const Confirmation& one) {
        const auto zone = test::sample_plan_settings().zone;
        const reconciliation::PaymentIndex index(payments_for(*ledger, {one.payment_reference}, zone));
        return reconciliation::match({one}, index, parse_date("2026-03-06").value());
    };
    StagedLines lines(*ledger, /*lines_in_memory=*/0);
    lines.add(line(2, *payments[0].trace_number));
    lines.add(line(3, *payments[1].trace_number));
    lines.seal();
    EXPECT_EQ(recording_since(*ledger), std::nullopt);
    ledger->transaction([&] {
        ConfirmationRecord record(*ledger, {sha256_hex("large"), "large.csv", 9}, lines.size(), lines.staging_id(),
                                  stamp());
        record.add(match(lines.next(1).front()));
        lines.forget_returned();
    });
    EXPECT_EQ(state(1), "paid");
    EXPECT_EQ(state(2), "paying");
    EXPECT_THAT(violations(), IsEmpty()) << "half a file is in order, as long as the rest waits";
    EXPECT_TRUE(recording_since(*ledger));
    EXPECT_FALSE(check_not_recording(*ledger));

    auto record = ConfirmationRecord::unfinished(*ledger, "the next process");
    ASSERT_TRUE(record);
    EXPECT_EQ(record->file().name, "large.csv");
    EXPECT_EQ(record->counts().lines(), 1);
    StagedLines rest(*ledger, Staging{record->staging_id()});
    ledger->transaction([&] {
        record->add(match(rest.next(10).front()));
        rest.forget_returned();
        record->finish();
    });
    EXPECT_EQ(record->counts().paid, Money::from_cents(20000));
    EXPECT_EQ(state(2), "paid");
    EXPECT_EQ(recording_since(*ledger), std::nullopt);
    EXPECT_TRUE(is_applied(*ledger, sha256_hex("large")));
    EXPECT_THAT(violations(), IsEmpty());
}

TEST_F(Confirmations, lines_that_vanish_before_they_are_recorded_are_found) {
    StagedLines lines(*ledger, /*lines_in_memory=*/0);
    lines.add(line(2, "999999999999999"));
    lines.add(line(3, "999999999999998"));
    ledger->transaction([&] {
        ConfirmationRecord(*ledger, {sha256_hex("large"), "large.csv", 9}, lines.size(), lines.staging_id(), stamp());
    });
    EXPECT_THAT(violations(), IsEmpty());
    ledger->connection().db.exec("DELETE FROM staged_line WHERE ordinal = 1");
    EXPECT_THAT(violations(), ElementsAre(HasSubstr("lines are 2, recorded are 0")));
}

TEST_F(Confirmations, the_same_bytes_are_recognized) {
    confirm({line(2, *payments[0].trace_number)}, "monday.csv");
    EXPECT_TRUE(is_applied(*ledger, sha256_hex("monday.csv")));
    EXPECT_FALSE(is_applied(*ledger, sha256_hex("tuesday.csv")));
    EXPECT_ANY_THROW(confirm({line(2, *payments[1].trace_number)}, "monday.csv")) << "and the schema refuses them";
    EXPECT_EQ(state(2), "paying");
}

TEST_F(Confirmations, a_return_after_paid_ends_the_payment_and_raises_an_exception) {
    confirm({line(2, *payments[0].trace_number)}, "monday.csv");
    confirm({line(2, *payments[0].trace_number, ConfirmationKind::returned)}, "friday.csv");
    EXPECT_EQ(state(1), "returned");
    ASSERT_THAT(open_exceptions(*ledger), SizeIs(1));
    EXPECT_EQ(open_exceptions(*ledger).front().what.reason_code, "returned_after_paid");
    EXPECT_THAT(violations(), IsEmpty());
}

// The bank names the payment that came back and another one.
TEST_F(Confirmations, a_paid_line_that_may_mean_a_returned_payment_holds_its_draw) {
    const auto& first = payments[0];
    confirm({line(2, *first.trace_number, ConfirmationKind::returned)}, "return.csv");
    ledger->transaction(
        [&] { ASSERT_TRUE(order_reissue(*ledger, 1, test::sample_directory(), "new account", stamp("uid 7 (ana)"))); });
    now += std::chrono::minutes(1);
    pay(/*release=*/false);
    const auto file = payment_files(*ledger, /*unreleased_only=*/true).front();
    const auto again = load_file(*ledger, file.file_id).file.payments.front();
    for (const auto& other : {*again.trace_number, *payments[1].trace_number}) {
        auto paid = line(2, *first.trace_number);
        paid.references = {{ReferenceKind::trace_number, *first.trace_number}, {ReferenceKind::trace_number, other}};
        const auto zone = test::sample_plan_settings().zone;
        ledger->transaction([&] {
            const reconciliation::PaymentIndex index(payments_for(*ledger, {*first.trace_number, other}, zone));
            record_confirmations(*ledger, {sha256_hex(other), "late.csv", 1, 4, "uid 4"},
                                 reconciliation::match({paid}, index, zone.date_of(now)), stamp());
        });
        const auto raised = open_exceptions(*ledger).back();
        EXPECT_EQ(raised.what.reason_code, "ambiguous_reference");
        EXPECT_TRUE(bank_reported_paid_hold(*ledger, 1)) << other;
        EXPECT_THAT(bank_objections(*ledger, {again.payment_id}), Not(IsEmpty())) << other;
        now += std::chrono::minutes(1);
        ledger->transaction(
            [&] { ASSERT_TRUE(close_exception(*ledger, raised.exception_id, "asked", stamp("uid 7 (ana)"))); });
        EXPECT_FALSE(bank_reported_paid_hold(*ledger, 1));
        now += std::chrono::minutes(1);
    }
}

TEST_F(Confirmations, files_with_the_same_name_raise_separate_exceptions) {
    confirm({line(2, "999999999999999")}, "bank.csv");
    const auto other = line(2, "999999999999999", ConfirmationKind::returned, "999.00");
    ledger->transaction([&] {
        const auto matches =
            reconciliation::match({other}, reconciliation::PaymentIndex({}), parse_date("2026-03-06").value());
        record_confirmations(*ledger, {sha256_hex("the next day's"), "bank.csv", 1}, matches, stamp());
    });
    EXPECT_THAT(open_exceptions(*ledger), SizeIs(2));
    EXPECT_THAT(violations(), IsEmpty());
}

TEST_F(Confirmations, a_refused_file_can_be_handed_in_again_when_the_cause_is_fixed) {
    ledger->transaction([&] { record_refused(*ledger, {sha256_hex("x"), "x.csv", 3}, "x.csv:1: bad", stamp()); });
    EXPECT_FALSE(is_applied(*ledger, sha256_hex("x")));
    confirm({line(2, *payments[0].trace_number)}, "x");
    EXPECT_EQ(state(1), "paid");
}

}  // namespace
}  // namespace drawbridge::ledger
