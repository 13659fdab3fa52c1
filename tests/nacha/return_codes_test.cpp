#include "drawbridge/nacha/return_codes.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace drawbridge::nacha {
namespace {

TEST(ReturnCodes, match_the_nacha_table_for_credits) {
    struct Case {
        ReturnAction action;
        std::vector<std::string> codes;
    };
    using enum ReturnAction;
    const std::vector<Case> cases = {
        {block_account, {"R02", "R03", "R04", "R12", "R13", "R20", "R28"}},
        {stop_case, {"R14", "R15", "R16", "R90"}},
        {ask_payee, {"R23"}},
        {pause_everything, {"R24", "AM05", "DU01", "DU02", "DU03", "DU04", "DU05", "DUPL"}},
        {fix_data, {"R17", "R18", "R19", "R21", "R22", "R25", "R26", "R27"}},
        {payment_ended, {"R06", "R31"}},
        {escalate, {"R32", "R34", "R85"}},
        {not_for_credits, {"R01", "R05", "R07", "R08", "R09", "R10", "R11", "R29", "R30", "R33",
                           "R35", "R36", "R37", "R38", "R39", "R40", "R47", "R50", "R53", "R80"}},
        {disputed, {"R61", "R63", "R66", "R70", "R71", "R77"}},
    };
    for (const auto& [action, codes] : cases) {
        for (const auto& code : codes) {
            const auto found = find_return_code(code);
            ASSERT_TRUE(found) << code;
            EXPECT_EQ(found->action, action) << code;
        }
    }
}

TEST(ReturnCodes, say_what_to_do_in_words_of_their_own) {
    const std::pair<const char*, const char*> cases[] = {{"R02", "pays nothing more to that account"},
                                                         {"R14", "until the exception 'case_stopped' is resolved"},
                                                         {"R23", "ask the payee why"},
                                                         {"R24", "money movement is paused"},
                                                         {"R17", "correct the data"},
                                                         {"R31", "decide whether to pay again"},
                                                         {"R32", "ask the bank before paying again"},
                                                         {"R01", "the payment is unchanged"},
                                                         {"R61", "an issue between the banks"}};
    for (const auto& [code, words] : cases)
        EXPECT_THAT(what_to_do(find_return_code(code)->action), testing::HasSubstr(words)) << code;
}

TEST(ReturnCodes, suspect_fraud_after_r17_questionable) {
    const auto suspected = find_return_code("R17", "return Questionable ");
    EXPECT_EQ(suspected->action, ReturnAction::block_account);
    EXPECT_THAT(suspected->meaning, testing::HasSubstr("suspected fraud"));
    EXPECT_EQ(find_return_code("R17", "field 5")->action, ReturnAction::fix_data);
    EXPECT_EQ(find_return_code("R18", "QUESTIONABLE")->action, ReturnAction::fix_data);
    EXPECT_FALSE(find_return_code("R99", "QUESTIONABLE"));
}

TEST(ReturnCodes, of_a_closed_account_reject_every_spelling_of_it) {
    for (const char* code : {"R02", "R12", "R13", "AC04", "AC07"})
        EXPECT_TRUE(rejects_every_spelling(code)) << code;
    for (const char* code : {"R03", "R04", "R20", "R28", "AC01", "AC03", "R16"})
        EXPECT_FALSE(rejects_every_spelling(code)) << code;
}

TEST(ReturnCodes, have_no_entry_for_an_unknown_code) {
    for (const char* code : {"", "R00", "R48", "R60", "R78", "R99", "r03", "R3", "C01"})
        EXPECT_FALSE(find_return_code(code)) << code;
}

TEST(ReturnCodes, of_nacha_are_told_from_other_codes_by_their_form) {
    for (const char* code : {"R03", "R99", "C01", "C99"})
        EXPECT_TRUE(has_nacha_form(code)) << code;
    for (const char* code : {"", "03", "r03", "R3", "R03 ", "RO3", "AC04", "D01"})
        EXPECT_FALSE(has_nacha_form(code)) << code;
}

TEST(ChangeCodes, tell_a_correction_from_a_refusal_of_one) {
    for (const char* code : {"C01", "C02", "C03", "C04", "C05", "C06", "C07", "C09", "C13"})
        EXPECT_FALSE(find_change_code(code).value().is_refused) << code;
    for (const char* code : {"C61", "C62", "C65", "C69"})
        EXPECT_TRUE(find_change_code(code).value().is_refused) << code;
    for (const char* code : {"C60", "C70", "C6", "C611", ""})
        EXPECT_FALSE(find_change_code(code)) << code;
}

TEST(ChangeCodes, list_the_corrected_fields) {
    EXPECT_EQ(find_change_code("C01")->changed, std::vector{PayeeField::account_number});
    EXPECT_EQ(find_change_code("C04")->changed, std::vector{PayeeField::name});
    EXPECT_TRUE(changes(*find_change_code("C07"), PayeeField::account_type));
    EXPECT_FALSE(changes(*find_change_code("C02"), PayeeField::account_number));
    EXPECT_TRUE(find_change_code("C13")->changed.empty());
    EXPECT_TRUE(find_change_code("C64")->is_refused);
    for (const char* code : {"C08", "C14"})
        EXPECT_TRUE(find_change_code(code)->changed.empty()) << code;
    EXPECT_FALSE(find_change_code("C10"));
}

}  // namespace
}  // namespace drawbridge::nacha
