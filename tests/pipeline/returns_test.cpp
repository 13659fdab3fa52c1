// Returns: a NACHA return file through the real inbox, the holds it causes, and the reissue.
#include <fstream>

#include "drawbridge/ledger/facts/payments.hpp"
#include "drawbridge/ledger/facts/returns.hpp"
#include "drawbridge/ledger/facts/runs.hpp"
#include "drawbridge/ledger/reports/confirmation_list.hpp"
#include "drawbridge/ledger/reports/return_rates.hpp"
#include "pipeline/pipeline_fixture.hpp"

namespace drawbridge::pipeline {
namespace {

using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::SizeIs;

class Returns : public Pipeline {
  protected:
    Returns() {
        add(1, 4);
        run_well({poll, pay});
    }

    static std::string padded(std::string text, std::size_t width = 94) {
        text.resize(width, ' ');
        return text;
    }
    static std::string digits(std::int64_t number, std::size_t width) {
        const auto text = std::to_string(number);
        return std::string(width - text.size(), '0') + text;
    }

    // A batch without file records, as some banks send it.
    void drop_return(const std::string& code, const std::string& name = "returns.ach", bool change = false,
                     DrawId draw = 1) {
        drop_return_of(payment_of(draw), code, name, change);
    }
    void drop_return_of(const disbursement::PlannedPayment& payment, const std::string& code,
                        const std::string& name = "returns.ach", bool change = false,
                        const std::string& individual_id = "") {
        const std::string amount = digits(change ? 0 : payment.amount.cents(), 12);
        std::string file = padded("5200CITY HOUSING    " + padded("", 20) + "1123456789PPDDRAWPMT   " + padded("", 15) +
                                  "1091000010000001") +
                           "\n";
        file += "621091000019" + padded("123456789", 17) + amount.substr(2) + padded(individual_id, 15) +
                padded("JANE ROE", 22) + "  1091000010000001\n";
        file += padded("7" + std::string(change ? "98" : "99") + code + *payment.trace_number + padded("", 6) +
                           "09100001" + std::string(change ? "99887766" : ""),
                       79) +
                "091000010000001\n";
        file += "82000000020009100001000000000000" + amount + "1123456789" + padded("", 25) + "091000010000001\n";
        std::ofstream(folder_.path() / "state" / "inbox" / name) << file;
        clock_.ahead += std::chrono::seconds(1);
        run_well({confirm});
    }
    // In a notification by ISO 20022.
    void drop_camt_return(const std::string& reason, DrawId draw = 1) {
        const auto payment = payment_of(draw);
        std::ofstream(folder_.path() / "state" / "inbox" / ("camt" + std::to_string(++camt_files_) + ".xml"))
            << "<Document><BkToCstmrDbtCdtNtfctn><Ntfctn><Ntry><Amt Ccy=\"USD\">" << payment.amount.to_string()
            << "</Amt><CdtDbtInd>CRDT</CdtDbtInd><Sts>BOOK</Sts><BookgDt><Dt>" << format_date(today())
            << "</Dt></BookgDt><NtryDtls><TxDtls><Refs><EndToEndId>" << *payment.trace_number
            << "</EndToEndId></Refs><RtrInf><Rsn><Prtry>" << reason
            << "</Prtry></Rsn></RtrInf></TxDtls></NtryDtls></Ntry></Ntfctn></BkToCstmrDbtCdtNtfctn></Document>";
        clock_.ahead += std::chrono::seconds(1);
        run_well({confirm});
    }
    // The newest payment.
    disbursement::PlannedPayment payment_of(DrawId id) {
        std::optional<disbursement::PlannedPayment> newest;
        for (const auto& file : ledger::payment_files(*ledger_, /*unreleased_only=*/false)) {
            for (const auto& payment : ledger::load_file(*ledger_, file.file_id).file.payments) {
                if (payment.draw_id == id && (!newest || payment.payment_id > newest->payment_id)) newest = payment;
            }
        }
        return *newest;
    }
    Result<std::int64_t> reissue() {
        return ledger_->transaction(
            [&] { return ledger::order_reissue(*ledger_, 1, context_->payees, "new details", context_->stamp()); });
    }
    void change_payee_account() { change_payee(payment_of(1).payee.account_number->reveal(), "7777777"); }
    // Replaces the first occurrence of `from` in the current directory.
    void change_payee(const std::string& from, const std::string& to) {
        payees_csv_.replace(payees_csv_.find(from), from.size(), to);
        context_->payees = disbursement::PayeeDirectory::read(payees_csv_, "payees.csv").value();
    }

    std::string payees_csv_{test::sample_payees};
    int camt_files_ = 0;
};

TEST_F(Returns, a_bad_account_ends_the_payment_and_holds_the_next_until_the_details_change) {
    drop_return("R03");
    EXPECT_EQ(state_of(1), "returned");
    EXPECT_THAT(reasons(), Contains("returned"));
    EXPECT_THAT(ledger::open_exceptions(*ledger_).front().what.detail, HasSubstr("R03 no account"));
    add(2, 4);
    run_well({poll, pay});
    EXPECT_EQ(state_of(2), "blocked");
    EXPECT_THAT(reasons(), Contains("account_blocked"));
    change_payee_account();
    run_well({pay});
    EXPECT_EQ(state_of(2), "paying");
    EXPECT_EQ(state_of(1), "returned") << "not paid again without a person's order";
    expect_clean_ledger();
}

TEST_F(Returns, a_closed_account_is_not_paid_however_it_is_written) {
    drop_return("R02");
    const auto number = std::string(payment_of(1).payee.account_number->reveal());
    change_payee(number, "00" + number);
    add(2, 4);
    run_well({poll, pay});
    EXPECT_THAT(reasons(), Contains("account_blocked"));
    change_payee("00" + number, number.substr(0, 3) + "-" + number.substr(3));
    change_payee("checking", "savings");
    run_well({pay});
    EXPECT_EQ(state_of(2), "blocked");
    change_payee(number.substr(0, 3) + "-" + number.substr(3), "7777777");
    run_well({pay});
    EXPECT_EQ(state_of(2), "paying");
    expect_clean_ledger();
}

TEST_F(Returns, an_unknown_account_may_be_the_right_one_when_its_type_is_corrected) {
    drop_return("R03");
    change_payee("checking", "savings");
    add(2, 4);
    run_well({poll, pay});
    EXPECT_EQ(state_of(2), "paying");
    expect_clean_ledger();
}

TEST_F(Returns, a_return_rate_above_nachas_limit_is_an_exception_until_it_falls) {
    for (DrawId id = 2; id <= 30; ++id)
        add(id, 4);
    run_well({poll, pay});
    drop_return("R03");
    EXPECT_THAT(reasons(), Not(Contains("return_rate_high"))) << "one return is not a rate";
    drop_return("R03", "second.ach", /*change=*/false, 2);
    const auto rates = ledger::return_rates(*ledger_, clock_.now());
    EXPECT_EQ(ledger::describe(rates[1]), "administrative 6.67 % (limit 3 %): 2 of 30 entries");
    EXPECT_FALSE(rates[0].is_high() || rates[2].is_high());
    EXPECT_THAT(reasons(), Contains("return_rate_high"));
    change_payee_account();
    for (DrawId id = 31; id <= 90; ++id)
        add(id, 4);
    run_well({poll, pay});
    drop_return("R10", "third.ach", /*change=*/false, 3);
    EXPECT_THAT(reasons(), Not(Contains("return_rate_high"))) << "2 of 90, and one unauthorized";
    clock_.ahead += std::chrono::hours(24 * 61);
    EXPECT_EQ(ledger::return_rates(*ledger_, clock_.now())[2].entries, 0) << "of the last 60 days";
    expect_clean_ledger();
}

TEST_F(Returns, a_draw_is_reissued_with_new_details_and_reported_once) {
    EXPECT_FALSE(reissue()) << "its payment is on its way";
    drop_return("R02");
    const auto refused = reissue();
    ASSERT_FALSE(refused) << "the details are still the bad ones";
    EXPECT_THAT(refused.error().message, HasSubstr("payees.csv"));
    change_payee_account();
    ASSERT_TRUE(reissue());
    EXPECT_FALSE(reissue()) << "already ordered";
    EXPECT_THAT(reasons(), Not(Contains("returned")));
    EXPECT_EQ(state_of(1), "approved");
    run_well({pay});
    EXPECT_EQ(state_of(1), "paying");
    EXPECT_EQ(payment_of(1).payee.account_number->reveal(), "7777777");
    run_well({pay, pay});
    EXPECT_EQ(ledger::payment_files(*ledger_, /*unreleased_only=*/false).size(), 2u);
    bank_says(payment_of(1), "paid");
    sandbox_.disburse_all_approved();
    run_well({poll, report});
    EXPECT_EQ(state_of(1), "reported");
    expect_clean_ledger();
}

TEST_F(Returns, a_draw_reported_before_its_return_is_reissued_without_a_second_date) {
    bank_says(payment_of(1), "paid");
    sandbox_.disburse_all_approved();
    run_well({poll, report});
    ASSERT_EQ(state_of(1), "reported");
    const auto date = sandbox_.draw(1).at("disbursedDate");
    drop_return("R02");
    EXPECT_EQ(state_of(1), "returned");
    EXPECT_THAT(reasons(), Contains("returned_after_paid"));
    change_payee_account();
    ASSERT_TRUE(reissue());
    run_well({pay});
    EXPECT_EQ(state_of(1), "paying");
    clock_.ahead += std::chrono::hours(24);
    bank_says(payment_of(1), "paid");
    EXPECT_EQ(state_of(1), "reported");
    run_well({poll, report});
    EXPECT_EQ(sandbox_.draw(1).at("disbursedDate"), date);
    expect_clean_ledger();
}

TEST_F(Returns, an_unsent_report_is_withdrawn_for_that_of_the_reissue) {
    bank_says(payment_of(1), "paid");
    sandbox_.disburse_all_approved();
    run_well({poll});
    fault(R"({"endpoint": "patch", "kind": "status", "code": 503, "times": 1000})");
    run(report);
    sandbox_.clear_faults();
    drop_return("R02");
    change_payee_account();
    ASSERT_TRUE(reissue());
    run_well({pay});
    bank_says(payment_of(1), "paid");
    run_well({report});
    EXPECT_EQ(state_of(1), "reported");
    expect_clean_ledger();
}

TEST_F(Returns, a_draw_pending_again_after_its_reissue_is_decided_and_approved_again) {
    drop_return("R02");
    change_payee_account();
    ASSERT_TRUE(reissue());
    clock_.ahead += std::chrono::minutes(1);
    sandbox_.act(1, "reopen", {{"status", 3}});
    run_well({poll, decide, approve, pay});
    EXPECT_EQ(asked(1), 1);
    clock_.ahead += std::chrono::minutes(1);
    run_well({poll, pay});
    EXPECT_EQ(state_of(1), "paying");
    EXPECT_THAT(ledger::payment_files(*ledger_, /*unreleased_only=*/false), SizeIs(2));
    expect_clean_ledger();
}

TEST_F(Returns, a_duplicate_entry_return_pauses_all_movement) {
    drop_return("R24");
    EXPECT_TRUE(ledger::is_paused(*ledger_));
    EXPECT_THAT(reasons(), Contains("duplicate_entry_returned"));
    expect_clean_ledger();
}

TEST_F(Returns, a_return_for_death_holds_the_case_until_a_person_resolves_it) {
    drop_return("R15");
    change_payee_account();
    add(2, 4);
    run_well({poll, pay});
    EXPECT_EQ(state_of(2), "blocked");
    for (const auto& row : ledger::open_exceptions(*ledger_)) {
        if (row.what.reason_code != "case_stopped" || row.what.step != "confirm") continue;
        ledger_->transaction([&] {
            EXPECT_TRUE(ledger::close_exception(*ledger_, row.exception_id, "heirs known", context_->stamp()));
        });
    }
    run_well({pay});
    EXPECT_EQ(state_of(2), "paying");
    expect_clean_ledger();
}

TEST_F(Returns, a_frozen_account_holds_every_payee_that_has_it_however_written_until_a_person_resolves_it) {
    config_.pay.release = config::Release::manual;
    drop_return("R16");
    change_payee("PAYEE-3,", "PAYEE-9,Jane Roe,ach,021000021,0123-456-789,savings,PPD,,,,,\nPAYEE-3,");
    add(2, 4, "PAYEE-9");
    run_well({poll, pay});
    EXPECT_EQ(state_of(2), "blocked");
    const ledger::Stamp eva{clock_.now(), "uid 7 (eva)", 7};
    EXPECT_GE(resolve_all("case_stopped", eva), 1);
    run_well({pay});
    ASSERT_EQ(state_of(2), "paying");
    const auto file = ledger::payment_files(*ledger_, /*unreleased_only=*/true).back();
    EXPECT_FALSE(release_now(file.name, "agreed", eva)) << "whoever resolved it is a maker";
    EXPECT_TRUE(release_now(file.name, "agreed", {clock_.now(), "uid 8 (ben)", 8}));
    expect_clean_ledger();
}

TEST_F(Returns, whoever_resolves_a_stop_for_death_releases_no_file_that_pays_the_payee) {
    config_.pay.release = config::Release::manual;
    drop_return("R15");
    change_payee_account();
    add(2, 4);
    const ledger::Stamp eva{clock_.now(), "uid 7 (eva)", 7};
    EXPECT_EQ(resolve_all("case_stopped", eva), 1);
    run_well({poll, pay});
    ASSERT_EQ(state_of(2), "paying");
    const auto file = ledger::payment_files(*ledger_, /*unreleased_only=*/true).back();
    const auto refused = release_now(file.name, "agreed", eva);
    ASSERT_FALSE(refused);
    EXPECT_THAT(refused.error().message, HasSubstr("lifted the hold of draw 2"));
    EXPECT_TRUE(release_now(file.name, "agreed", {clock_.now(), "uid 8 (ben)", 8}));
    expect_clean_ledger();
}

// The bank dishonors the return: the payment may have gone through after all.
TEST_F(Returns, a_disputed_return_stops_the_reissue_until_another_person_resolves_it) {
    config_.pay.release = config::Release::manual;
    const auto first = payment_of(1);
    drop_return("R23");
    ASSERT_TRUE(reissue());
    run_well({pay});
    const auto staged = ledger::payment_files(*ledger_, /*unreleased_only=*/true).back();
    drop_return_of(first, "R68", "disputed.ach");
    ASSERT_THAT(reasons(), Contains("disputed_return"));
    const ledger::Stamp eva{clock_.now(), "uid 7 (eva)", 7}, ben{clock_.now(), "uid 8 (ben)", 8};
    const auto refused = release_now(staged.name, "agreed", ben);
    ASSERT_FALSE(refused);
    EXPECT_THAT(refused.error().message, HasSubstr("reports payment P0000000001 as disputed"));
    EXPECT_EQ(resolve_all("disputed_return", eva), 1);
    EXPECT_THAT(release_now(staged.name, "agreed", eva).error().message, HasSubstr("lifted the hold of draw 1"));
    EXPECT_TRUE(release_now(staged.name, "agreed", ben));
    expect_clean_ledger();
}

TEST_F(Returns, a_reissue_ordered_after_a_disputed_return_waits_too) {
    drop_return("R23");
    drop_return("R68", "disputed.ach");
    ASSERT_TRUE(reissue());
    run_well({pay});
    EXPECT_EQ(state_of(1), "blocked");
    EXPECT_THAT(reasons(), Contains("bank_says_paid"));
    EXPECT_EQ(resolve_all("disputed_return", {clock_.now(), "uid 7 (eva)", 7}), 1);
    run_well({pay});
    EXPECT_EQ(state_of(1), "paying");
    expect_clean_ledger();
}

// Another instance at the same bank gave one of its payments the same payment id.
TEST_F(Returns, of_another_instances_payment_with_the_same_payment_id_is_an_exception) {
    auto theirs = payment_of(1);
    theirs.trace_number->replace(8, 7, "5000000");
    drop_return_of(theirs, "R23", "returns.ach", /*change=*/false, "P0000000001");
    EXPECT_EQ(state_of(1), "paying");
    EXPECT_THAT(reasons(), Contains("ambiguous_reference"));
    EXPECT_FALSE(reissue());
    drop_return_of(theirs, "C01", "changes.ach", /*change=*/true, "P0000000001");
    EXPECT_THAT(reasons(), Not(Contains("payee_correction")));
    expect_clean_ledger();
}

TEST_F(Returns, a_draw_disbursed_after_its_reissue_was_ordered_is_a_question) {
    drop_return("R02");
    change_payee_account();
    ASSERT_TRUE(reissue());
    clock_.ahead += std::chrono::minutes(1);
    sandbox_.act(1, "disburse");
    run_well({poll, pay});
    EXPECT_EQ(state_of(1), "blocked");
    EXPECT_THAT(reasons(), Contains("disbursed_elsewhere"));
    for (const auto& row : ledger::open_exceptions(*ledger_)) {
        if (row.what.reason_code != "disbursed_elsewhere") continue;
        EXPECT_THAT(row.what.detail, HasSubstr("after it was ordered to be paid again"));
    }
    // It is the payment that came back.
    EXPECT_EQ(resolve_all("disbursed_elsewhere", context_->stamp()), 1);
    run_well({pay});
    EXPECT_EQ(state_of(1), "paying");
    expect_clean_ledger();
}

TEST_F(Returns, a_draw_disbursed_after_its_reissue_is_a_question_although_the_clock_went_back) {
    drop_return("R02");
    change_payee_account();
    clock_.ahead += std::chrono::hours(2);
    ASSERT_TRUE(reissue());
    clock_.ahead -= std::chrono::hours(2);
    clock_.ahead += std::chrono::minutes(5);
    sandbox_.act(1, "disburse");
    run(poll);
    run(pay);
    EXPECT_EQ(state_of(1), "blocked");
    EXPECT_THAT(reasons(), Contains("disbursed_elsewhere"));
}

TEST_F(Returns, codes_that_do_not_return_credits_leave_the_payment_unchanged) {
    int n = 0;
    for (const char* code : {"R10", "R61", "R99", "C02", "XYZ", "R3 "}) {
        drop_return(code, "r" + std::to_string(++n) + ".ach");
        EXPECT_EQ(state_of(1), "paying") << code;
    }
    EXPECT_THAT(reasons(), Contains("impossible_return"));
    EXPECT_THAT(reasons(), Contains("disputed_return"));
    expect_clean_ledger();
}

TEST_F(Returns, a_code_of_a_notification_of_change_returns_nothing_in_any_format) {
    drop_camt_return("C02");
    EXPECT_EQ(state_of(1), "paying");
    EXPECT_THAT(reasons(), Contains("impossible_return"));
    expect_clean_ledger();
}

// Banks write more into the reason than its code.
TEST_F(Returns, codes_that_do_not_return_credits_are_seen_in_the_banks_words) {
    for (const char* reason : {"R10 - Not authorized", "c01 incorrect account", "C99", "r61", "R99 of our own"}) {
        drop_camt_return(reason);
        EXPECT_EQ(state_of(1), "paying") << reason;
        EXPECT_THAT(reasons(), Contains(std::string(reason) == "r61" ? "disputed_return" : "impossible_return"));
    }
    expect_clean_ledger();
}

TEST_F(Returns, a_duplicate_pauses_everything_in_the_banks_words_too) {
    drop_camt_return("r24 - Duplicate Entry");
    EXPECT_EQ(state_of(1), "returned");
    EXPECT_TRUE(ledger::is_paused(*ledger_));
    EXPECT_THAT(reasons(), Contains("duplicate_entry_returned"));
}

// The bank got the file twice and rejects the second one: the first was paid.
TEST_F(Returns, a_file_that_the_bank_rejects_as_a_duplicate_pauses_everything) {
    std::ofstream(folder_.path() / "state" / "inbox" / "status.xml")
        << "<Document><CstmrPmtStsRpt><GrpHdr><CreDtTm>" << format_date(today())
        << "T10:00:00</CreDtTm></GrpHdr><OrgnlGrpInfAndSts><OrgnlMsgId>F1</OrgnlMsgId><GrpSts>RJCT</GrpSts><StsRsnInf>"
           "<Rsn><Cd>DU01</Cd></Rsn></StsRsnInf></OrgnlGrpInfAndSts></CstmrPmtStsRpt></Document>";
    clock_.ahead += std::chrono::seconds(1);
    run_well({confirm});
    EXPECT_EQ(state_of(1), "paying");
    EXPECT_TRUE(ledger::is_paused(*ledger_));
    EXPECT_THAT(exception_details("duplicate_entry_returned"), ElementsAre(HasSubstr("rejects F1 as a duplicate")));
    EXPECT_THAT(exception_details("unknown_payment"), ElementsAre(HasSubstr("the one that came first may be paid")));
    expect_clean_ledger();
}

// A statement says that the credit came back; the return file of the same day says why.
TEST_F(Returns, a_code_that_comes_later_has_its_effects_once) {
    bank_says(payment_of(1), "returned");
    ASSERT_THAT(reasons(), ElementsAre("returned"));
    drop_return("R24");
    EXPECT_TRUE(ledger::is_paused(*ledger_));
    EXPECT_THAT(exception_details("duplicate_entry_returned"), SizeIs(1));
    ledger_->transaction([&] { ledger::set_paused(*ledger_, false, "looked", context_->stamp()); });
    drop_camt_return("R24");
    EXPECT_FALSE(ledger::is_paused(*ledger_)) << "the same code again";
    EXPECT_THAT(exception_details("duplicate_entry_returned"), SizeIs(1));
    drop_camt_return("R16");
    EXPECT_THAT(exception_details("case_stopped"), ElementsAre(HasSubstr("R16 account frozen")));
    drop_camt_return("R03");
    drop_camt_return("R03 No account");
    EXPECT_THAT(exception_details("returned"), Contains(HasSubstr("it says R03 no account")));
    EXPECT_THAT(exception_details("returned"), SizeIs(2));
    resolve_all("case_stopped", {clock_.now(), "uid 7 (eva)", 7});
    add(2, 4);
    run_well({poll, pay});
    EXPECT_EQ(state_of(2), "blocked");
    EXPECT_THAT(reasons(), Contains("account_blocked"));
    expect_clean_ledger();
}

TEST_F(Returns, a_code_on_another_day_has_its_effects_and_is_named) {
    bank_says(payment_of(1), "returned");
    clock_.ahead += std::chrono::hours(24);
    drop_camt_return("R24");
    EXPECT_TRUE(ledger::is_paused(*ledger_));
    EXPECT_THAT(exception_details("settled_differently"), ElementsAre(HasSubstr("it says R24 duplicate entry")));
}

TEST_F(Returns, of_two_codes_in_one_file_both_have_their_effects) {
    const auto payment = payment_of(1);
    const auto transaction = [&](const std::string& code) {
        return "<TxDtls><Refs><EndToEndId>" + *payment.trace_number + "</EndToEndId></Refs><Amt Ccy=\"USD\">" +
               payment.amount.to_string() + "</Amt><RtrInf><Rsn><Prtry>" + code + "</Prtry></Rsn></RtrInf></TxDtls>";
    };
    std::ofstream(folder_.path() / "state/inbox/two.xml")
        << "<Document><BkToCstmrDbtCdtNtfctn><Ntfctn><Ntry><Amt Ccy=\"USD\">1.00</Amt><CdtDbtInd>CRDT</CdtDbtInd><Sts>"
           "BOOK</Sts><BookgDt><Dt>"
        << format_date(today()) << "</Dt></BookgDt><NtryDtls>" << transaction("R24") << transaction("R02")
        << transaction("R24") << "</NtryDtls></Ntry></Ntfctn></BkToCstmrDbtCdtNtfctn></Document>";
    clock_.ahead += std::chrono::seconds(1);
    run_well({confirm});
    EXPECT_EQ(state_of(1), "returned");
    EXPECT_TRUE(ledger::is_paused(*ledger_));
    EXPECT_THAT(exception_details("duplicate_entry_returned"), SizeIs(1));
    EXPECT_THAT(exception_details("returned"), ElementsAre(HasSubstr("R02")));
    expect_clean_ledger();
}

TEST_F(Returns, a_notification_of_change_keeps_the_payment_and_holds_the_payees_next) {
    drop_return("C01", "noc.ach", /*change=*/true);
    EXPECT_EQ(state_of(1), "paying");
    ASSERT_THAT(reasons(), Contains("payee_correction"));
    EXPECT_THAT(ledger::open_exceptions(*ledger_).front().what.detail, Not(HasSubstr("99887766")));
    add(2, 4);
    run_well({poll, pay});
    EXPECT_EQ(state_of(2), "blocked");
    EXPECT_THAT(reasons(), Contains("correction_pending"));
    change_payee_account();
    run_well({pay});
    EXPECT_EQ(state_of(2), "paying");
    bank_says(payment_of(1), "paid");
    EXPECT_EQ(state_of(1), "paid");
    expect_clean_ledger();
}

TEST_F(Returns, a_correction_holds_until_the_corrected_field_has_changed) {
    drop_return("C02", "noc.ach", /*change=*/true);
    add(2, 4);
    run_well({poll, pay});
    EXPECT_EQ(state_of(2), "blocked");
    change_payee_account();
    run_well({pay});
    EXPECT_EQ(state_of(2), "blocked") << "the routing number is wrong";
    change_payee(payment_of(1).payee.routing_number->to_string(), "011000015");
    run_well({pay});
    EXPECT_EQ(state_of(2), "paying");
    expect_clean_ledger();
}

TEST_F(Returns, a_line_with_a_correction_says_what_to_do) {
    drop_return("C01", "noc.ach", /*change=*/true);
    const auto file = ledger::confirmation_files_before(*ledger_, 0, 1).front();
    const auto lines = ledger::confirmation_lines(*ledger_, file.confirmation_file_id, 0, 10);
    ASSERT_EQ(lines.size(), 1U);
    EXPECT_EQ(lines.front().outcome, "recorded");
    EXPECT_EQ(lines.front().detail, ledger::open_exceptions(*ledger_).front().what.detail);
    EXPECT_THAT(lines.front().detail, HasSubstr("put it into payees.csv"));
}

TEST_F(Returns, a_correction_in_two_files_is_one_exception) {
    drop_return("C01", "monday.ach", /*change=*/true);
    clock_.ahead += std::chrono::hours(24);
    drop_return("C01", "tuesday.ach", /*change=*/true);
    EXPECT_EQ(std::ranges::count(reasons(), "payee_correction"), 1);
    expect_clean_ledger();
}

TEST_F(Returns, a_correction_of_other_fields_holds_nothing_and_says_so) {
    drop_return("C13", "noc.ach", /*change=*/true);
    ASSERT_THAT(reasons(), Contains("payee_correction"));
    EXPECT_THAT(ledger::open_exceptions(*ledger_).front().what.detail, HasSubstr("nothing is on hold"));
    add(2, 4);
    run_well({poll, pay});
    EXPECT_EQ(state_of(2), "paying");
    expect_clean_ledger();
}

}  // namespace
}  // namespace drawbridge::pipeline
