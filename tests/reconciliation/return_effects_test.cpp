#include "drawbridge/reconciliation/return_effects.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace drawbridge::reconciliation {
namespace {

using namespace std::chrono_literals;
using nacha::PayeeField;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;

Match match_of(ConfirmationKind kind, std::string code, MatchOutcome outcome) {
    Match match;
    match.confirmation.kind = kind;
    match.confirmation.reason_code = std::move(code);
    match.confirmation.date = 2026y / 3 / 6;  // a Friday
    match.outcome = outcome;
    match.payment_id = 7;
    return match;
}

ReturnEffects of_return(std::string code) {
    return effects_of(match_of(ConfirmationKind::returned, std::move(code), MatchOutcome::applied), "f.ach line 2",
                      "acme");
}

ReturnEffects of_change(std::string code, std::string data = {}) {
    auto match = match_of(ConfirmationKind::corrected, std::move(code), MatchOutcome::recorded);
    match.confirmation.corrected_data = std::move(data);
    return effects_of(match, "f.ach line 2", "acme");
}

TEST(ReturnEffects, a_bad_account_is_held_until_the_payee_has_another_one) {
    for (const char* code : {"R02", "R03", "R04", "R20"}) {
        const auto effects = of_return(code);
        EXPECT_TRUE(effects.hold_account) << code;
        EXPECT_FALSE(effects.apply_by) << code;
        EXPECT_THAT(effects.reason_code, IsEmpty()) << code;
    }
}

TEST(ReturnEffects, suspected_fraud_holds_the_account_however_it_is_written) {
    auto match = match_of(ConfirmationKind::returned, "R17", MatchOutcome::applied);
    EXPECT_FALSE(effects_of(match, "f.ach line 2", "acme").hold_account);
    match.confirmation.note = "QUESTIONABLE";
    const auto effects = effects_of(match, "f.ach line 2", "acme");
    EXPECT_TRUE(effects.hold_account);
    EXPECT_TRUE(effects.holds_every_spelling);
}

TEST(ReturnEffects, a_deceased_payee_stops_the_case_and_asks_a_person) {
    const auto effects = of_return("R15");
    EXPECT_TRUE(effects.stop_case);
    EXPECT_EQ(effects.reason_code, "case_stopped");
    EXPECT_THAT(effects.detail, HasSubstr("nothing more is paid for this case or payee"));
}

TEST(ReturnEffects, a_duplicate_entry_pauses_everything) {
    const auto effects = of_return("R24");
    EXPECT_THAT(effects.pause_because, HasSubstr("f.ach line 2"));
    EXPECT_EQ(effects.reason_code, "duplicate_entry_returned");
}

TEST(ReturnEffects, the_rejection_of_a_whole_file_as_a_duplicate_pauses_everything) {
    auto match = match_of(ConfirmationKind::returned, "AM05", MatchOutcome::exception);
    match.payment_id.reset();
    match.reason_code = unknown_payment;
    match.confirmation.amount_source = AmountSource::file;
    match.confirmation.payment_reference = "ACH-20260304-A.ach";
    for (const char* code : {"AM05", "DU01", "DU02"}) {
        match.confirmation.reason_code = code;
        const auto effects = effects_of(match, "f.xml line 2", {});
        EXPECT_THAT(effects.pause_because, HasSubstr("f.xml line 2")) << code;
        EXPECT_EQ(effects.reason_code, "duplicate_entry_returned") << code;
        EXPECT_THAT(effects.detail, HasSubstr("rejects ACH-20260304-A.ach as a duplicate (" + std::string(code)));
    }
    for (const char* code : {"FF01", "AC01", "MD07", ""}) {
        match.confirmation.reason_code = code;
        const auto effects = effects_of(match, "f.xml line 2", {});
        EXPECT_FALSE(effects.hold_account || effects.stop_case) << code;
        EXPECT_THAT(effects.pause_because + effects.reason_code, IsEmpty()) << code;
    }
}

TEST(ReturnEffects, an_unknown_code_or_a_refused_line_has_no_effect) {
    for (const auto& match : {match_of(ConfirmationKind::returned, "R98", MatchOutcome::applied),
                              match_of(ConfirmationKind::returned, "R03", MatchOutcome::exception),
                              match_of(ConfirmationKind::corrected, "C01", MatchOutcome::exception),
                              match_of(ConfirmationKind::paid, "R03", MatchOutcome::applied)}) {
        const auto effects = effects_of(match, "f.ach line 2", "acme");
        EXPECT_FALSE(effects.hold_account || effects.stop_case);
        EXPECT_THAT(effects.hold_fields, IsEmpty());
        EXPECT_THAT(effects.pause_because + effects.reason_code, IsEmpty());
    }
}

// The bank may say why only later.
TEST(ReturnEffects, another_return_of_the_payment_has_the_effects_of_its_code) {
    auto duplicate = match_of(ConfirmationKind::returned, "R03", MatchOutcome::duplicate);
    duplicate.detail = "payment P is already confirmed; it says R03";
    const auto held = effects_of(duplicate, "f.ach line 2", "acme");
    EXPECT_TRUE(held.hold_account);
    EXPECT_EQ(held.reason_code, "returned");
    EXPECT_THAT(held.detail, HasSubstr("it says R03: Drawbridge pays nothing more to that account"));
    EXPECT_TRUE(effects_of(match_of(ConfirmationKind::returned, "R15", MatchOutcome::duplicate), "f.ach line 2", "acme")
                    .stop_case);
    auto contradiction = match_of(ConfirmationKind::returned, "R24", MatchOutcome::exception);
    contradiction.reason_code = settled_differently;
    EXPECT_THAT(effects_of(contradiction, "f.ach line 2", "acme").pause_because, HasSubstr("R24"));
    contradiction.reason_code = amount_differs;
    EXPECT_THAT(effects_of(contradiction, "f.ach line 2", "acme").pause_because, IsEmpty());
}

TEST(ReturnEffects, a_correction_holds_each_corrected_field_for_six_banking_days) {
    const auto effects = of_change("C03", "12345678901234567");
    EXPECT_THAT(effects.hold_fields, ElementsAre(PayeeField::routing_number, PayeeField::account_number));
    EXPECT_TRUE(effects.hold_account);
    EXPECT_EQ(effects.apply_by, 2026y / 3 / 16);
    EXPECT_EQ(effects.reason_code, "payee_correction");
    EXPECT_THAT(effects.detail, HasSubstr("payee 'acme', by 2026-03-16"));
    EXPECT_THAT(effects.detail, HasSubstr("'*************4567'"));
    EXPECT_THAT(effects.detail, Not(HasSubstr("1234567890")));
}

TEST(ReturnEffects, a_correction_masks_only_the_account_number) {
    struct Case {
        const char* code;
        const char* data;
        const char* shown;
    };
    for (const auto& [code, data, shown] : {
             Case{"C01", "777001", "***001"},
             Case{"C05", "32", "32"},
             Case{"C05", "777005", "***005"},
             Case{"C06", "777005              32", "***005              32"},
             Case{"C06", "1234567890123456732", "***************6732"},
             Case{"C06", "777005 32", "*****5 32"},
             Case{"C06", "12345678901234567   32", "*************4567   32"},
             Case{"C07", "021000089777006           32", "021000089***006           32"},
             Case{"C07", "0210000891234567890123456732", "021000089*************456732"},
             Case{"C07", "021000089777006 32", "**************6 32"},
         })
        EXPECT_THAT(of_change(code, data).detail, HasSubstr("now '" + std::string(shown) + "' (")) << code << data;
}

TEST(ReturnEffects, a_correction_of_nothing_in_the_payees_record_holds_nothing) {
    for (const char* code : {"C08", "C09", "C13", "C14"}) {
        const auto effects = of_change(code, "PPD");
        EXPECT_THAT(effects.hold_fields, IsEmpty()) << code;
        EXPECT_FALSE(effects.hold_account) << code;
        EXPECT_THAT(effects.detail, HasSubstr("payees.csv is correct and nothing is on hold")) << code;
    }
}

TEST(ReturnEffects, a_correction_without_a_value_asks_the_bank_for_it) {
    EXPECT_THAT(of_change("C01").detail,
                HasSubstr("C01 account number, but gives no value: ask it for the right one, and put that into "
                          "payees.csv, payee 'acme', by 2026-03-16"));
}

TEST(ReturnEffects, a_corrected_name_leaves_the_account_alone) {
    const auto effects = of_change("C04", "JANE ROE");
    EXPECT_THAT(effects.hold_fields, ElementsAre(PayeeField::name));
    EXPECT_FALSE(effects.hold_account);
}

TEST(ReturnEffects, an_unknown_correction_asks_a_person_and_holds_nothing) {
    const auto effects = of_change("C99", "123456789");
    EXPECT_FALSE(effects.hold_account);
    EXPECT_THAT(effects.hold_fields, IsEmpty());
    EXPECT_THAT(effects.detail, HasSubstr("this program does not know the code"));
    EXPECT_THAT(effects.detail, HasSubstr("'*****6789'"));
}

}  // namespace
}  // namespace drawbridge::reconciliation
