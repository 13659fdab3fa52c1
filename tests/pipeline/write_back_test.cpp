// Write-back into the draws' own fields at the real sandbox, and automatic confirmation of credits.
#include <fstream>

#include "drawbridge/ledger/facts/deliveries.hpp"
#include "drawbridge/ledger/facts/payments.hpp"
#include "drawbridge/ledger/facts/restorations.hpp"
#include "drawbridge/ledger/facts/runs.hpp"
#include "drawbridge/ledger/facts/write_back.hpp"
#include "drawbridge/pipeline/deliver.hpp"
#include "pipeline/pipeline_fixture.hpp"

namespace drawbridge::pipeline {
namespace {

using disbursement::WriteBackEvent;
using disbursement::WriteBackTemplate;
using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

class BankAndPortal : public Pipeline {
  protected:
    disbursement::PlannedPayment payment() {
        return ledger::load_file(*ledger_, ledger::payment_files(*ledger_, false).front().file_id).file.payments.at(0);
    }
    std::string field(DrawId id, const std::string& name) {
        const auto value = sandbox_.draw(id).at(name);
        return value.is_null() ? "null" : value.get<std::string>();
    }
};

class ThreeFormats : public BankAndPortal {
  protected:
    // One payment, paid today, in each kind of file.
    void drop_file(const std::string& name, const std::string& content) {
        std::ofstream(folder_.path() / "state" / "inbox" / name) << content;
    }
    void drop_bai2(const BusinessDate& date) {
        const std::string cents = std::to_string(payment().amount.cents());
        std::string day = format_date(date).substr(2);
        std::erase(day, '-');
        drop_file("bank.bai", "01,BANK,OFFICE," + day + ",0800,7,,,2/\n02,OFFICE,BANK,1," + day +
                                  ",,USD,2/\n03,12345,USD,,,,/\n16,455," + cents + ",Z,," + *payment().trace_number +
                                  ",ACH/\n49," + cents + ",3/\n98," + cents + ",1,5/\n99," + cents + ",1,7/\n");
    }
    void drop_camt(const BusinessDate& date) {
        drop_file("bank.xml",
                  "<Document xmlns=\"urn:iso:std:iso:20022:tech:xsd:camt.053.001.08\"><BkToCstmrStmt><GrpHdr><MsgId>M1"
                  "</MsgId><CreDtTm>" +
                      format_date(date) +
                      "T23:30:00</CreDtTm></GrpHdr><Stmt><Id>S1</Id><Acct><Id><Othr>"
                      "<Id>12345</Id></Othr></Id></Acct>\n<Ntry><Amt Ccy=\"USD\">" +
                      payment().amount.to_string() +
                      "</Amt><CdtDbtInd>DBIT</CdtDbtInd><Sts><Cd>BOOK</Cd></Sts><BookgDt><Dt>" + format_date(date) +
                      "</Dt></BookgDt><NtryDtls><TxDtls><Refs><EndToEndId>" +
                      disbursement::format_payment_id(payment().payment_id) +
                      "</EndToEndId></Refs></TxDtls></NtryDtls></Ntry></Stmt></BkToCstmrStmt></Document>");
    }
};

TEST_F(ThreeFormats, that_agree_confirm_a_payment_once) {
    add(1, 4);
    run_well({poll, pay});
    drop_bai2(today());
    drop_camt(today());
    bank_says(payment(), "paid");
    EXPECT_EQ(state_of(1), "paid");
    EXPECT_THAT(reasons(), IsEmpty());
    sandbox_.disburse_all_approved();
    run_well({poll, report, confirm, report});
    EXPECT_EQ(state_of(1), "reported");
    EXPECT_EQ(sandbox_.requests("patch"), 1);
    expect_clean_ledger();
}

TEST_F(ThreeFormats, that_disagree_are_an_exception) {
    add(1, 4);
    run_well({poll, pay});
    bank_says(payment(), "paid");
    drop_camt(BusinessDate(std::chrono::sys_days(today()) + std::chrono::days(1)));
    clock_.ahead += std::chrono::seconds(1);
    run_well({confirm});
    EXPECT_THAT(reasons(), ElementsAre("settled_differently"));
    EXPECT_EQ(state_of(1), "paid");
    expect_clean_ledger();
}

class WritingBack : public BankAndPortal {
  protected:
    void write(WriteBackEvent state, const std::string& name, const std::string& text) {
        config_.report.write_back[state].emplace(name, WriteBackTemplate::parse(text, state).value());
        std::set<WriteBackEvent> states;
        for (const auto& [armed, texts] : config_.report.write_back)
            states.insert(armed);
        ledger_->transaction([&] { ledger::enable_write_back(*ledger_, states, context_->stamp()); });
    }
    void pay_one() {
        add(1, 4);
        run_well({poll, pay});
    }
};

TEST_F(WritingBack, each_event_writes_its_texts) {
    write(WriteBackEvent::export_, "fieldE", "ACH {trace_number}");
    write(WriteBackEvent::confirmation, "fieldD", "paid {bank_date} {amount}");
    write(WriteBackEvent::return_, "fieldD", "RETURNED {bank_date}, was paid {settlement_date}");
    pay_one();
    run_well({report});
    EXPECT_EQ(field(1, "fieldE"), "ACH " + *payment().trace_number);
    bank_says(payment(), "paid");
    sandbox_.disburse_all_approved();
    run_well({poll, report});
    EXPECT_EQ(state_of(1), "reported");
    EXPECT_EQ(field(1, "fieldD"), "paid " + format_date(today()) + " 100.01");
    bank_says(payment(), "returned");
    run_well({report});
    EXPECT_THAT(field(1, "fieldD"), HasSubstr("RETURNED " + format_date(today())));
    EXPECT_EQ(state_of(1), "returned");
    const auto patches = sandbox_.requests("patch");
    run_well({report, report});
    EXPECT_EQ(sandbox_.requests("patch"), patches) << "each text once";
    expect_clean_ledger();
}

TEST_F(WritingBack, a_return_with_questionable_has_its_own_reason) {
    write(WriteBackEvent::return_, "fieldD", "RETURNED {return_code} {return_reason}");
    pay_one();
    std::ofstream(folder_.path() / "state" / "inbox" / "bank.xml")
        << "<Document><BkToCstmrDbtCdtNtfctn><Ntfctn><Ntry><Amt Ccy=\"USD\">" << payment().amount.to_string()
        << "</Amt><CdtDbtInd>CRDT</CdtDbtInd><Sts>BOOK</Sts><BookgDt><Dt>" << format_date(today())
        << "</Dt></BookgDt><NtryDtls><TxDtls><Refs><EndToEndId>" << *payment().trace_number
        << "</EndToEndId></Refs><RtrInf><Rsn><Prtry>R17</Prtry></Rsn><AddtlInf>QUESTIONABLE</AddtlInf></RtrInf></"
           "TxDtls>"
           "</NtryDtls></Ntry></Ntfctn></BkToCstmrDbtCdtNtfctn></Document>";
    clock_.ahead += std::chrono::seconds(1);
    run_well({confirm, report});
    EXPECT_EQ(state_of(1), "returned");
    EXPECT_THAT(field(1, "fieldD"), HasSubstr("RETURNED R17 "));
    EXPECT_THAT(field(1, "fieldD"), HasSubstr("fraud"));
}

TEST_F(WritingBack, facts_from_before_the_configuration_are_not_written) {
    pay_one();
    write(WriteBackEvent::export_, "fieldE", "ACH {trace_number}");
    run_well({report});
    EXPECT_EQ(field(1, "fieldE"), "null");
}

TEST_F(WritingBack, a_refused_field_is_dropped_and_the_others_are_written) {
    sandbox_.portal("PUT", "/workflows/12", {{"adminDescription", false}});
    write(WriteBackEvent::export_, "fieldE", "ACH {trace_number}");
    write(WriteBackEvent::export_, "admin_Description", "in {file_name}");
    pay_one();
    run_well({report});
    EXPECT_EQ(field(1, "fieldE"), "ACH " + *payment().trace_number);
    EXPECT_THAT(reasons(), ElementsAre("write_back_refused"));
    EXPECT_EQ(ledger::open_exceptions(*ledger_).front().what.subject, "admin_Description");
    const auto patches = sandbox_.requests("patch");
    run_well({report});
    EXPECT_EQ(sandbox_.requests("patch"), patches) << "a refusal is final";
    bank_says(payment(), "paid");
    sandbox_.disburse_all_approved();
    run_well({poll, report});
    EXPECT_EQ(state_of(1), "reported") << "the date is still sent";
    EXPECT_THAT(reasons(), ElementsAre("write_back_refused")) << "the date does not resolve the field's exception";
    expect_clean_ledger();
}

TEST_F(WritingBack, a_value_that_a_person_changed_is_kept) {
    write(WriteBackEvent::export_, "fieldE", "ACH {trace_number}");
    write(WriteBackEvent::export_, "fieldD", "in {file_name}");
    add(1, 4);
    sandbox_.edit(1, {{"fieldD", "from the request"}});
    run_well({poll, pay});
    sandbox_.edit(1, {{"fieldE", "ask Maria first"}});
    run_well({report});
    EXPECT_EQ(field(1, "fieldE"), "ask Maria first");
    EXPECT_EQ(field(1, "fieldD"), "in " + ledger::payment_files(*ledger_, false).front().name)
        << "the office wants the value from planning time replaced";
    EXPECT_THAT(reasons(), ElementsAre("write_back_overtaken"));
    expect_clean_ledger();
}

TEST_F(WritingBack, a_lost_answer_is_found_by_reading) {
    write(WriteBackEvent::export_, "fieldE", "ACH {trace_number}");
    pay_one();
    fault(R"({"endpoint": "patch", "kind": "close_after_commit", "times": 2})");
    run(report);
    sandbox_.clear_faults();
    const auto patches = sandbox_.requests("patch");
    run_well({report});
    EXPECT_EQ(sandbox_.requests("patch"), patches) << "it is already there";
    EXPECT_EQ(field(1, "fieldE"), "ACH " + *payment().trace_number);
    EXPECT_THAT(reasons(), IsEmpty());
    expect_clean_ledger();
}

TEST_F(WritingBack, an_outage_delays_write_back_and_other_errors_end_it_with_an_exception) {
    write(WriteBackEvent::export_, "fieldE", "ACH {trace_number}");
    pay_one();
    fault(R"({"endpoint": "patch", "kind": "status", "code": 503, "times": 1000})");
    for (int i = 0; i < 5; ++i)
        run(report);
    EXPECT_THAT(reasons(), ElementsAre("write_back_failing"));
    sandbox_.clear_faults();
    fault(R"({"endpoint": "patch", "kind": "status", "code": 418, "times": 1000})");
    for (int i = 0; i < 5; ++i)
        run(report);
    EXPECT_THAT(reasons(), ElementsAre("write_back_refused"));
    sandbox_.clear_faults();
    bank_says(payment(), "paid");
    sandbox_.disburse_all_approved();
    run_well({poll, report});
    EXPECT_EQ(state_of(1), "reported");
}

TEST_F(WritingBack, a_draw_at_which_the_service_fails_becomes_an_exception_and_delays_nothing) {
    for (const char* endpoint : {"patch", "read"}) {
        const DrawId failing = endpoint == std::string("patch") ? 1 : 3;
        const DrawId other = failing + 1;
        write(WriteBackEvent::export_, "fieldE", "ACH {trace_number}");
        add(failing, 4);
        add(other, 4);
        run_well({poll, pay});
        sandbox_.arm_fault(
            {{"endpoint", endpoint}, {"kind", "status"}, {"drawId", failing}, {"code", 500}, {"times", 1000}});
        run_well({report});
        EXPECT_NE(field(other, "fieldE"), "null");
        run_well({report});
        EXPECT_THAT(reasons(), IsEmpty()) << "a short failure is no exception";
        run_well({report, report});
        EXPECT_THAT(reasons(), ElementsAre("write_back_failing"));
        const auto open = ledger::open_exceptions(*ledger_).front();
        EXPECT_EQ(open.what.draw_id, failing);
        EXPECT_THAT(open.what.detail, HasSubstr("answered 500"));
        sandbox_.clear_faults();
        run_well({report});
        EXPECT_NE(field(failing, "fieldE"), "null");
        EXPECT_THAT(reasons(), IsEmpty()) << "the text is there";
        expect_clean_ledger();
    }
}

TEST_F(WritingBack, a_reported_date_does_not_close_the_exception_about_a_text) {
    write(WriteBackEvent::confirmation, "fieldD", "paid {bank_date}");
    pay_one();
    bank_says(payment(), "paid");
    fault(R"({"endpoint": "read", "kind": "status", "drawId": 1, "code": 500, "times": 1000})");
    run_well({report, report, report});
    ASSERT_THAT(reasons(), ElementsAre("write_back_failing"));
    sandbox_.disburse_all_approved();
    run_well({poll, report});
    EXPECT_EQ(state_of(1), "reported");
    EXPECT_THAT(reasons(), ElementsAre("write_back_failing"));
}

class AutoConfirm : public BankAndPortal {
  protected:
    AutoConfirm() {
        config_.ach->confirm_after_banking_days = 2;
        add(1, 4);
        run_well({poll, pay});
        bank_has_every_file();
    }
    void bank_has_every_file() {
        for (const auto& file : ledger::payment_files(*ledger_, /*unreleased_only=*/false))
            static_cast<void>(resolve_delivery(*context_, file.name, DeliveryResolution::by_hand, "the portal shows it",
                                               context_->stamp()));
    }
    void clock_leaps(int days) {
        clock_.ahead += std::chrono::hours(24) * days;
        run_well({confirm});
    }
};

TEST_F(AutoConfirm, a_credit_without_a_return_counts_as_paid_on_its_settlement_date) {
    run_well({confirm});
    EXPECT_EQ(state_of(1), "paying") << "not before its backoff ends";
    days_pass();
    EXPECT_EQ(state_of(1), "paid");
    sandbox_.disburse_all_approved();
    run_well({poll, report, confirm});
    EXPECT_EQ(state_of(1), "reported");
    const auto sent = parse_instant(sandbox_.draw(1).at("disbursedDate").get<std::string>()).value();
    EXPECT_EQ(context_->settings.plan.zone.date_of(sent), *payment().effective_entry_date);
    bool found = false;
    for (const auto& entry : ledger::timeline(*ledger_, 1))
        found = found || entry.detail.contains("nothing came back in time");
    EXPECT_TRUE(found);
    expect_clean_ledger();
}

TEST_F(AutoConfirm, a_later_return_reopens_it_and_a_later_confirmation_adds_nothing) {
    days_pass();
    bank_says(payment(), "paid");
    EXPECT_EQ(state_of(1), "paid");
    EXPECT_THAT(reasons(), IsEmpty()) << "a different date is no contradiction";
    bank_says(payment(), "returned");
    EXPECT_EQ(state_of(1), "returned");
    EXPECT_THAT(reasons(), ElementsAre("returned_after_paid"));
    expect_clean_ledger();
}

TEST_F(AutoConfirm, nothing_is_confirmed_while_an_exception_about_the_payment_is_open) {
    bank_says(*payment().trace_number, {"returned", Money::from_cents(100)});
    ASSERT_THAT(reasons(), ElementsAre("amount_differs"));
    days_pass();
    EXPECT_EQ(state_of(1), "paying");
    const auto id = ledger::open_exceptions(*ledger_).front().exception_id;
    ledger_->transaction([&] { (void)ledger::close_exception(*ledger_, id, "another office's", context_->stamp()); });
    days_pass(1);
    EXPECT_EQ(state_of(1), "paid");
}

TEST_F(AutoConfirm, an_exception_about_a_report_does_not_prevent_it) {
    ledger_->transaction([&] {
        ledger::raise_exception(
            *ledger_, {"report", "write_back_failing", 1, payment().payment_id, "", "the service fails at the text"},
            context_->stamp());
    });
    days_pass();
    EXPECT_EQ(state_of(1), "paid");
}

TEST_F(AutoConfirm, an_unmatched_return_of_the_same_amount_prevents_it) {
    bank_says("999999999999999", {"returned", payment().amount});
    ASSERT_THAT(reasons(), ElementsAre("unknown_payment"));
    days_pass();
    EXPECT_EQ(state_of(1), "paying");
}

// It may be the sum of several returns.
TEST_F(AutoConfirm, an_unmatched_return_of_no_credits_amount_prevents_it) {
    bank_says("999999999999999", {"returned", payment().amount + payment().amount});
    ASSERT_THAT(reasons(), ElementsAre("unknown_payment"));
    days_pass();
    EXPECT_EQ(state_of(1), "paying");
    EXPECT_EQ(resolve_all("unknown_payment", context_->stamp()), 1);
    days_pass(1);
    EXPECT_EQ(state_of(1), "paid");
}

TEST_F(AutoConfirm, an_unmatched_void_of_another_amount_does_not_prevent_it) {
    bank_says("999", {"void", payment().amount + payment().amount});
    ASSERT_THAT(reasons(), ElementsAre("unknown_payment"));
    days_pass();
    EXPECT_EQ(state_of(1), "paid");
}

TEST_F(AutoConfirm, a_rejected_file_prevents_it) {
    const auto file = ledger::payment_files(*ledger_, /*unreleased_only=*/false).front();
    std::ofstream(folder_.path() / "state" / "inbox" / "status.xml")
        << "<Document><CstmrPmtStsRpt><GrpHdr><CreDtTm>" << format_date(today())
        << "T10:00:00</CreDtTm></GrpHdr><OrgnlGrpInfAndSts><OrgnlMsgId>" << file.name
        << "</OrgnlMsgId><GrpSts>RJCT</GrpSts><StsRsnInf><Rsn><Cd>FF01</Cd></Rsn></StsRsnInf></OrgnlGrpInfAndSts>"
           "</CstmrPmtStsRpt></Document>";
    clock_.ahead += std::chrono::seconds(1);
    run_well({confirm});
    EXPECT_THAT(exception_details("unknown_payment"),
                ElementsAre("the bank rejects " + file.name +
                            " as a whole; it says FF01: ask it which of the payments it did not make, and hand in a "
                            "list that says 'returned' for those"));
    days_pass();
    EXPECT_EQ(state_of(1), "paying");
}

TEST_F(AutoConfirm, a_refused_file_prevents_it) {
    std::ofstream(folder_.path() / "state" / "inbox" / "torn.csv") << "payment_reference,status,amount,date\n1,retu";
    clock_.ahead += std::chrono::seconds(1);
    run_well({confirm});
    ASSERT_THAT(reasons(), ElementsAre("file_refused"));
    days_pass();
    EXPECT_EQ(state_of(1), "paying");
}

TEST_F(AutoConfirm, nothing_is_confirmed_while_paused) {
    ledger_->transaction([&] { ledger::set_paused(*ledger_, true, "audit", context_->stamp()); });
    days_pass();
    EXPECT_EQ(state_of(1), "paying");
}

TEST_F(AutoConfirm, nothing_is_confirmed_of_a_file_that_the_bank_may_not_have) {
    delivery::SftpOptions sftp;
    sftp.host = "127.0.0.1";
    context_->settings.ach_delivery.sftp = sftp;
    add(2, 4);
    run_well({poll, pay});
    const auto file = ledger::payment_files(*ledger_, /*unreleased_only=*/false).back();
    ASSERT_EQ(file.state, ledger::FileState::released);
    days_pass();
    EXPECT_EQ(state_of(1), "paid");
    EXPECT_EQ(state_of(2), "paying") << "it was never delivered";
    disbursement::DeliveryFact fact{.step = disbursement::DeliveryStep::delivered, .at = clock_.now(), .by = "bo"};
    ledger_->transaction([&] { ledger::record_delivery_step(*ledger_, file.file_id, fact); });
    run_well({confirm});
    EXPECT_EQ(state_of(2), "paying") << "the time counts from the delivery";
    days_pass();
    EXPECT_EQ(state_of(2), "paid");
    expect_clean_ledger();
}

TEST_F(AutoConfirm, nothing_is_confirmed_of_a_file_with_an_open_exception) {
    const auto file = ledger::payment_files(*ledger_, /*unreleased_only=*/false).front();
    ledger_->transaction([&] {
        ledger::raise_exception(*ledger_, {"pay", "sent_file_differs", std::nullopt, std::nullopt, file.name, "which?"},
                                context_->stamp());
    });
    days_pass();
    EXPECT_EQ(state_of(1), "paying");
    ledger_->transaction(
        [&] { ledger::close_exceptions_of_subject(*ledger_, file.name, "the bank has it", context_->stamp()); });
    days_pass(1);
    EXPECT_EQ(state_of(1), "paid");
}

TEST_F(AutoConfirm, nothing_is_confirmed_in_a_restored_ledger) {
    ledger_->transaction([&] {
        ledger::begin_restoration(*ledger_, ledger::RestoredHow::restored, "test", context_->stamp());
        ledger::set_paused(*ledger_, false, "test", context_->stamp());
    });
    days_pass();
    EXPECT_EQ(state_of(1), "paying");
}

TEST_F(AutoConfirm, a_clock_that_leaps_ahead_confirms_nothing) {
    constexpr int ten_years = 3652;
    clock_leaps(ten_years);
    EXPECT_EQ(state_of(1), "paying");
    EXPECT_THAT(reasons(), ElementsAre("banking_days_missed"));
    clock_leaps(-ten_years);
    EXPECT_EQ(state_of(1), "paying");
    EXPECT_THAT(reasons(), IsEmpty());
    clock_leaps(14);
    EXPECT_EQ(state_of(1), "paying") << "the program may have been off as well";
    EXPECT_THAT(reasons(), ElementsAre("banking_days_missed"));
    days_pass(7);
    EXPECT_EQ(state_of(1), "paid");
    EXPECT_THAT(reasons(), IsEmpty());
}

TEST_F(AutoConfirm, only_runs_since_the_bank_has_the_file_count_whatever_the_clock_says) {
    days_pass(12);
    clock_.ahead -= std::chrono::days(11);
    add(2, 4);
    run(poll);
    EXPECT_EQ(resolve_all("clock_went_back", {clock_.now(), "uid 8 (bo)", 8}), 1) << "it was ahead, and is right now";
    run(pay);
    bank_has_every_file();
    clock_.ahead += std::chrono::days(12);
    run(confirm);
    EXPECT_EQ(state_of(2), "paying");
    EXPECT_THAT(reasons(), Contains("banking_days_missed"));
    days_pass(7);
    EXPECT_EQ(state_of(2), "paid");
}

TEST_F(AutoConfirm, it_never_applies_to_checks) {
    add(2, 4, "PAYEE-3");
    run_well({poll, pay});
    bank_has_every_file();
    days_pass();
    EXPECT_EQ(state_of(1), "paid");
    EXPECT_EQ(state_of(2), "paying");
}

TEST_F(AutoConfirm, without_the_setting_only_the_banks_confirmation_counts) {
    config_.ach->confirm_after_banking_days.reset();
    days_pass(100);
    EXPECT_EQ(state_of(1), "paying");
}

}  // namespace
}  // namespace drawbridge::pipeline
