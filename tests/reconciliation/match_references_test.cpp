// Which payment a line is about, by all that it names, and lines that are about none for certain.
#include <gtest/gtest.h>

#include "reconciliation/match_lines.hpp"

namespace drawbridge::reconciliation {
namespace {

Confirmation with_references(std::vector<Reference> references) {
    Confirmation several = line(references.front().text);
    several.references = std::move(references);
    return several;
}

TEST(Matching, uses_the_strongest_reference_that_matches_a_payment) {
    using enum ReferenceKind;
    for (const auto& references : std::vector<std::vector<Reference>>{
             {{trace_number, "091000010000001"}, {payment_id, "P0000000001"}},
             {{any, "999999999999999"}, {payment_id, "P0000000001"}},
             {{end_to_end_id, "INV-7"}, {trace_number, "091000010000001"}},
             {{check_number, "10001"}, {check_number, "77"}, {payment_id, "P0000000002"}},
             {{check_number, "000000"}, {payment_id, "P0000000002"}},
             {{check_number, "5550"}, {payment_id, "P0000000001"}},
         }) {
        EXPECT_EQ(outcomes({with_references(references)}, {ach(1), check(2, 10001)}), Outcomes{"applied"})
            << references.front().text;
    }
}

// Another instance at the same bank may have a payment with the same payment id or check number, and the same amount.
TEST(Matching, applies_no_line_with_a_number_that_is_not_the_payments_own) {
    using enum ReferenceKind;
    struct Case {
        std::vector<Reference> references;
        std::string_view detail;
    };
    const Case cases[] = {
        {{{trace_number, "091000011000000"}, {payment_id, "P0000000001"}},
         "the line names trace number 091000011000000, which is not that of payment P0000000001"},
        {{{trace_number, "021000020000001"}, {payment_id, "P0000000001"}},
         "the line names trace number 021000020000001, which is not that of payment P0000000001"},
        {{{payment_id, "P0000000002"}, {trace_number, "091000011000000"}},
         "the line names trace number 091000011000000, which is not that of payment P0000000002"},
        {{{trace_number, "091000010000001"}, {payment_id, "P0000000009"}},
         "the line names payment id P0000000009, which is not that of payment P0000000001"},
        {{{check_number, "20001"}, {payment_id, "P0000000002"}},
         "the line names check number 20001, which is not that of payment P0000000002"},
    };
    for (const Case& c : cases) {
        for (const auto kind : {paid, returned, ConfirmationKind::corrected}) {
            Confirmation contradiction = with_references(c.references);
            contradiction.kind = kind;
            const auto found = match_file({contradiction}, {ach(1), check(2, 10001)}).at(0);
            EXPECT_EQ(found.outcome, MatchOutcome::exception) << c.detail;
            EXPECT_EQ(found.reason_code, ambiguous_reference) << c.detail;
            EXPECT_EQ(found.detail, c.detail);
            EXPECT_TRUE(found.payment_id);
        }
    }
}

TEST(Matching, treats_references_to_different_payments_as_ambiguous) {
    Confirmation torn = line("091000010000001");
    torn.references = {{ReferenceKind::trace_number, "091000010000001"}, {ReferenceKind::payment_id, "P0000000002"}};
    const auto matches = match({torn}, PaymentIndex({ach(1), ach(2)}), today);
    EXPECT_EQ(matches.at(0).reason_code, ambiguous_reference);
}

TEST(Matching, never_takes_a_trace_number_for_a_check_number) {
    Confirmation traced = line("1001");
    traced.references = {{ReferenceKind::trace_number, "1001"}};
    EXPECT_EQ(match({traced}, PaymentIndex({check(1, 1001)}), today).at(0).reason_code, unknown_payment);
}

TEST(Matching, records_lines_without_money_and_changes_no_payment) {
    using enum ConfirmationKind;
    struct Case {
        ConfirmationKind kind;
        const char* code;
        MatchOutcome outcome;
        std::string_view reason;
    };
    for (const auto& [kind, code, outcome, reason] :
         {Case{pending, "", MatchOutcome::recorded, ""}, Case{unrelated, "", MatchOutcome::recorded, ""},
          Case{corrected, "C01", MatchOutcome::recorded, ""},
          Case{disputed, "R61", MatchOutcome::exception, disputed_return},
          Case{disputed, "R10", MatchOutcome::exception, impossible_return}}) {
        Confirmation about = line("091000010000001", kind, 4, kind == corrected ? 0 : 125'000);
        about.reason_code = code;
        const auto found = match({about}, PaymentIndex({ach(1)}), today).at(0);
        EXPECT_EQ(found.outcome, outcome) << to_string(kind) << code;
        EXPECT_EQ(found.reason_code, reason) << to_string(kind) << code;
    }
}

TEST(Matching, says_of_a_disputed_line_without_a_note_whom_to_ask_what) {
    Confirmation disputed = line("P0000000001", ConfirmationKind::disputed);
    EXPECT_EQ(match_file({disputed}, {ach(1)}).at(0).detail,
              "the line is neither a plain payment nor a plain return: ask the bank what happened to the money; no "
              "payment was changed");
    disputed.reason_code = "R61";
    EXPECT_EQ(match_file({disputed}, {ach(1)}).at(0).detail,
              "an issue between the banks: ask yours; no payment was changed");
}

TEST(Matching, never_guesses_the_payment_of_a_return_without_a_reference) {
    Confirmation nameless = line("", ConfirmationKind::returned);
    nameless.payee_name = "JANE ROE";
    const auto found = match({nameless}, PaymentIndex({ach(1)}), today).at(0);
    EXPECT_EQ(found.outcome, MatchOutcome::exception);
    EXPECT_EQ(found.reason_code, unknown_payment);
    EXPECT_EQ(found.payment_id, std::nullopt);
}

TEST(Matching, says_that_the_bank_rejects_a_whole_file) {
    Confirmation rejection = line("ACH-20260304-A.ach", returned, 5, 0);
    rejection.amount_source = AmountSource::file;
    rejection.reason_code = "FF01";
    const Match found = match_file({rejection}, {ach(1)}).at(0);
    EXPECT_EQ(found.reason_code, unknown_payment);
    EXPECT_EQ(found.detail,
              "the bank rejects ACH-20260304-A.ach as a whole; it says FF01: ask it which of the payments it did not "
              "make, and hand in a list that says 'returned' for those");
    rejection.reason_code = "DU01";
    EXPECT_EQ(match_file({rejection}, {ach(1)}).at(0).detail,
              "the bank rejects ACH-20260304-A.ach as a whole; it says DU01 duplicate message: the one that came first "
              "may be paid: ask it what it received twice, and which of the payments it made");
    rejection.payment_reference = "10001";
    EXPECT_FALSE(match_file({rejection}, {check(1, 10001)}).at(0).payment_id) << "a batch with a number";
}

TEST(Matching, names_the_code_of_another_return) {
    Confirmation again = line("P0000000001", returned, 5);
    again.reason_code = "R15";
    const auto detail = [&](unsigned day) {
        return match_file({again}, {settled(ach(1), returned, march(day))}).at(0).detail;
    };
    EXPECT_EQ(detail(5),
              "payment P0000000001 is already confirmed as returned on 2026-03-05; it says R15 beneficiary or account "
              "holder deceased");
    EXPECT_EQ(
        detail(4),
        "the confirmation says payment P0000000001 is returned on 2026-03-05, but it was confirmed as returned on "
        "2026-03-04; it says R15 beneficiary or account holder deceased");
}

TEST(Matching, makes_an_exception_of_another_currency) {
    Confirmation euros = line("091000010000001");
    euros.currency = "EUR";
    EXPECT_EQ(match({euros}, PaymentIndex({ach(1)}), today).at(0).reason_code, currency_not_usd);
}

// A bank may report the return in one file and the debit before it in another that is read later.
TEST(Match, records_a_debit_from_before_the_return) {
    const OpenPayment back = settled(ach(1), returned, march(5));
    EXPECT_EQ(outcomes({line("P0000000001", paid, 4)}, {back}), Outcomes{"recorded"});
    EXPECT_EQ(outcomes({line("P0000000001", paid, 5)}, {back}), Outcomes{"exception settled_differently"});
    EXPECT_EQ(outcomes({line("P0000000001", paid, 6)}, {back}), Outcomes{"exception settled_differently"});
    EXPECT_EQ(outcomes({line("P0000000001", paid, 4)}, {settled(ach(1), voided, march(5))}),
              Outcomes{"exception settled_differently"});
    EXPECT_EQ(outcomes({line("P0000000001", paid, 4), line("P0000000001", paid, 4)}, {back}),
              (Outcomes{"recorded", "exception listed_twice"}));
    EXPECT_EQ(outcomes({line("P0000000001", paid, 4), line("P0000000001", paid, 3)}, {back}),
              (Outcomes{"exception settled_differently", "exception settled_differently"}));
    const auto match = match_file({line("P0000000001", paid, 4)}, {back}).front();
    EXPECT_EQ(match.payment_id, 1);
    EXPECT_EQ(match.detail,
              "payment P0000000001 was confirmed as returned on 2026-03-05, and an earlier debit does not change that");
}

TEST(Match, doubts_a_debit_with_the_number_and_amount_of_an_outstanding_check) {
    const auto debit = [](std::string number, std::int64_t cents = 125'000) {
        Confirmation unrelated = line("any", ConfirmationKind::unrelated, 4, cents);
        unrelated.references = {{ReferenceKind::possible_check, std::move(number)}};
        return unrelated;
    };
    const auto match = match_file({debit("0010001")}, {check(1, 10001)}).front();
    EXPECT_EQ(match.outcome, MatchOutcome::exception);
    EXPECT_EQ(match.reason_code, impossible_return);
    EXPECT_EQ(match.payment_id, 1);
    EXPECT_EQ(match.confirmation.kind, ConfirmationKind::disputed);
    EXPECT_EQ(outcomes({debit("10001", 1)}, {check(1, 10001)}), Outcomes{"recorded"}) << "another amount";
    EXPECT_EQ(outcomes({debit("10002")}, {check(1, 10001)}), Outcomes{"recorded"}) << "another number";
    EXPECT_EQ(outcomes({debit("10001")}, {settled(check(1, 10001), paid, march(4))}), Outcomes{"recorded"}) << "cashed";
    OpenPayment unsent = check(1, 10001);
    unsent.unsent_because = "its file is not released";
    EXPECT_EQ(outcomes({debit("10001")}, {unsent}), Outcomes{"recorded"});
    auto in_canada = debit("10001");
    in_canada.currency = "CAD";
    EXPECT_EQ(outcomes({in_canada}, {check(1, 10001)}), Outcomes{"recorded"});
}

TEST(Match, doubts_a_debit_that_may_name_another_payment_of_its_amount) {
    const auto debit = [](std::string number, std::int64_t cents = 125'000) {
        Confirmation unrelated = line("any", ConfirmationKind::unrelated, 4, cents);
        unrelated.references = {{ReferenceKind::possible_check, std::move(number)}};
        return unrelated;
    };
    for (const char* number : {"091000010000001", "P0000000001"}) {
        const auto match = match_file({debit(number)}, {ach(1)}).front();
        EXPECT_EQ(match.outcome, MatchOutcome::exception) << number;
        EXPECT_EQ(match.payment_id, 1) << number;
        EXPECT_TRUE(match.detail.contains("with the amount of payment P0000000001, and the line may mean its number " +
                                          std::string(number)))
            << match.detail;
        EXPECT_EQ(outcomes({debit(number, 1)}, {ach(1)}), Outcomes{"recorded"}) << number;
        EXPECT_EQ(outcomes({debit(number)}, {ach(2)}), Outcomes{"recorded"}) << number;
    }
}

TEST(Match, doubts_a_deposit_by_a_number_only_if_a_payment_has_it) {
    Confirmation deposit = line("77", ConfirmationKind::disputed);
    deposit.note = "money came in";
    deposit.references = {{ReferenceKind::any, "77"}, {ReferenceKind::possible_check, "77"}};
    const auto known = match_file({deposit}, {check(1, 77)}).front();
    EXPECT_EQ(known.outcome, MatchOutcome::exception);
    EXPECT_EQ(known.payment_id, 1);
    EXPECT_EQ(known.detail, "money came in");
    const auto others = match_file({deposit}, {check(1, 78)}).front();
    EXPECT_EQ(others.outcome, MatchOutcome::recorded);
    EXPECT_EQ(others.confirmation.kind, ConfirmationKind::unrelated);
    EXPECT_EQ(others.detail, "no payment of ours has the number 77");
    deposit.payment_reference = "P0000000009";
    deposit.references = {{ReferenceKind::payment_id, "P0000000009"}};
    const auto unknown = match_file({deposit}, {check(1, 77)}).front();
    EXPECT_EQ(unknown.outcome, MatchOutcome::exception);
    EXPECT_EQ(unknown.detail, "money came in; no payment of ours has the reference 'P0000000009'");
}

TEST(PaymentIndexTest, keeps_the_candidates_after_a_repeated_one) {
    EXPECT_EQ(PaymentIndex({ach(1), ach(1), ach(2)}).find("P0000000002").size(), 1U);
}

}  // namespace
}  // namespace drawbridge::reconciliation
