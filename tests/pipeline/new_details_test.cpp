// New or changed bank details: prenotes to them, and how long their payments are held.

#include <fstream>

#include "drawbridge/ledger/facts/deliveries.hpp"
#include "drawbridge/ledger/facts/guards.hpp"
#include "drawbridge/ledger/facts/payments.hpp"
#include "drawbridge/pipeline/ingest.hpp"
#include "drawbridge/pipeline/payment_files.hpp"
#include "pipeline/pipeline_fixture.hpp"

namespace drawbridge::pipeline {
namespace {

using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::SizeIs;

class NewDetails : public Pipeline {
  protected:
    // The sample payees, of which the first has this account number.
    static disbursement::PayeeDirectory with_account(std::string_view account) {
        std::string text = test::sample_payees;
        text.replace(text.find("123456789"), 9, account);
        return disbursement::PayeeDirectory::read(text, "p.csv").value();
    }
    // If it is the first directory, every payee of a later one is new.
    static disbursement::PayeeDirectory nobody() {
        const std::string text = test::sample_payees;
        return disbursement::PayeeDirectory::read(text.substr(0, text.find('\n') + 1), "p.csv").value();
    }
    // Draw 9 waits for it.
    void send_prenote() {
        context_->settings.plan.guards.prenotes_required = true;
        run_well({pay});
        context_->payees = with_account("333333333");
        add(9, 4);
        run_well({poll, pay});
        ASSERT_THAT(reasons(), Contains("prenote_waiting"));
    }
};

TEST_F(NewDetails, new_bank_details_need_a_prenote_and_those_of_the_first_directory_do_not) {
    auto& guards = context_->settings.plan.guards;
    guards.prenotes_required = true;
    add(1, 4);
    run_well({poll, pay});
    EXPECT_EQ(state_of(1), "paying") << "known since the first directory";

    std::string text = test::sample_payees;
    const auto account = text.find(context_->payees.find("PAYEE-1")->account_number->reveal());
    ASSERT_NE(account, std::string::npos);
    text[account] = text[account] == '9' ? '8' : '9';
    context_->payees = disbursement::PayeeDirectory::read(text, "payees.csv").value();
    add(2, 4);
    run_well({poll, pay});
    EXPECT_EQ(state_of(2), "blocked");
    EXPECT_THAT(reasons(), ElementsAre("prenote_waiting"));
    ASSERT_THAT(files(), SizeIs(2));
    EXPECT_EQ(files()[1].payment_count, 0);
    EXPECT_EQ(files()[1].prenote_count, 1);
    EXPECT_EQ(files()[1].state, ledger::FileState::released);
    run_well({pay});
    EXPECT_THAT(files(), SizeIs(2)) << "one prenote is enough";

    days_pass();
    run_well({pay});
    EXPECT_EQ(state_of(2), "paying");
    EXPECT_THAT(reasons(), IsEmpty());
    expect_clean_ledger();
}

TEST_F(NewDetails, a_leap_of_the_clock_does_not_end_the_wait_for_a_prenote) {
    send_prenote();
    clock_.ahead += std::chrono::days(14);
    for (int day = 1; day <= 3; ++day) {
        run_well({pay});
        EXPECT_THAT(exception_details("prenote_waiting"),
                    ElementsAre(HasSubstr("once Drawbridge has run on 3 later days")));
        clock_.ahead += std::chrono::days(1);
    }
    run_well({pay});
    EXPECT_EQ(state_of(9), "paying");
    expect_clean_ledger();
}

TEST_F(NewDetails, days_on_which_nobody_knew_of_a_prenote_do_not_end_its_wait) {
    for (int day = 0; day < 9; ++day) {
        run_well({pay});
        clock_.ahead += std::chrono::days(1);
    }
    clock_.ahead -= std::chrono::days(9);
    run(poll);
    EXPECT_EQ(resolve_all("clock_went_back", {clock_.now(), "uid 8 (bo)", 8}), 1) << "it was ahead, and is right now";
    send_prenote();
    clock_.ahead += std::chrono::days(9);
    run_well({pay});
    EXPECT_THAT(reasons(), Contains("prenote_waiting"));
    days_pass(3);
    run_well({pay});
    EXPECT_EQ(state_of(9), "paying");
    expect_clean_ledger();
}

TEST_F(NewDetails, a_prenote_waits_from_its_release_and_a_voided_one_is_planned_again) {
    context_->settings.plan.guards.prenotes_required = true;
    config_.pay.release = config::Release::manual;
    context_->payees = nobody();
    add(8, 4);
    run_well({poll, pay});  // an empty first directory: every payee is new
    context_->payees = test::sample_directory();
    add(9, 4);
    run_well({poll, pay});
    ASSERT_THAT(files(), SizeIs(1));
    clock_.ahead += std::chrono::days(14);
    run_well({pay});
    EXPECT_THAT(reasons(), Contains("prenote_waiting")) << "it was never released";
    ASSERT_THAT(files(), SizeIs(1));
    ASSERT_TRUE(void_file(*context_, files()[0].name, "too late for its date", eva()));
    run_well({pay});
    ASSERT_THAT(files(), SizeIs(2)) << "a new prenote";
    EXPECT_EQ(files()[1].prenote_count, 1);
    ASSERT_TRUE(release_now(files()[1].name, "agreed", eva()));
    run_well({pay});
    EXPECT_THAT(files(), SizeIs(2));
    days_pass();
    run_well({pay});
    EXPECT_EQ(state_of(9), "paying");
    expect_clean_ledger();
}

TEST_F(NewDetails, the_return_of_a_voided_prenote_is_an_exception) {
    context_->settings.plan.guards.prenotes_required = true;
    config_.pay.release = config::Release::manual;
    context_->payees = nobody();
    add(8, 4);
    run_well({poll, pay});  // an empty first directory: every payee is new
    context_->payees = test::sample_directory();
    run_well({pay});
    const auto stored = ledger::load_file(*ledger_, files().back().file_id);
    ASSERT_THAT(stored.file.prenotes, SizeIs(1));
    ASSERT_TRUE(void_file(*context_, files().back().name, "too late for its date", eva()));
    bank_says(stored.file.prenotes[0].trace_number, {"returned", Money::from_cents(100)});
    EXPECT_THAT(reasons(), Contains("payment_not_released"));
    expect_clean_ledger();
}

TEST_F(NewDetails, the_return_of_a_prenote_is_shown_as_it_is_recorded) {
    send_prenote();
    const auto stored = ledger::load_file(*ledger_, files().back().file_id);
    ASSERT_THAT(stored.file.prenotes, SizeIs(1));
    const std::string trace_number = stored.file.prenotes[0].trace_number;
    std::ofstream(folder_.path() / "state/inbox/back.csv")
        << "payment_reference,status,amount,date\n"
        << trace_number << ",returned,0.00," << format_date(today()) << "\n";
    const auto claimed = context_->spool.claim("back.csv", context_->clock.now());
    ASSERT_TRUE(claimed);
    const auto outcome = run_to_end(import_file(*context_, *claimed, /*max_lines=*/10));
    ASSERT_TRUE(outcome);
    ASSERT_THAT(outcome->lines, SizeIs(1));
    EXPECT_EQ(outcome->lines[0].outcome, reconciliation::MatchOutcome::recorded);
    EXPECT_EQ(outcome->lines[0].detail, "prenote " + trace_number + " came back");
    EXPECT_THAT(outcome->lines[0].reason_code, IsEmpty());
    EXPECT_EQ(outcome->counts.recorded, 1);
}

TEST_F(NewDetails, a_prenote_sent_by_sftp_waits_from_its_delivery) {
    context_->settings.plan.guards.prenotes_required = true;
    delivery::SftpOptions sftp;
    sftp.host = "127.0.0.1";
    context_->settings.ach_delivery.sftp = sftp;
    context_->payees = nobody();
    add(9, 4);
    run_well({poll, pay});
    context_->payees = test::sample_directory();
    run_well({pay});
    ASSERT_THAT(files(), SizeIs(1));
    ASSERT_EQ(files()[0].state, ledger::FileState::released);
    clock_.ahead += std::chrono::days(14);
    run_well({pay});
    EXPECT_THAT(reasons(), ElementsAre("prenote_waiting")) << "it was not delivered";
    ledger_->transaction([&] {
        ledger::record_delivery_step(
            *ledger_, files()[0].file_id,
            {.step = disbursement::DeliveryStep::delivered, .at = clock_.now(), .by = "drawbridge"});
    });
    run_well({pay});
    EXPECT_THAT(reasons(), ElementsAre("prenote_waiting"));
    days_pass();
    run_well({pay});
    EXPECT_EQ(state_of(9), "paying");
    expect_clean_ledger();
}

TEST_F(NewDetails, a_returned_prenote_holds_the_account_until_the_payee_changes) {
    context_->settings.plan.guards.prenotes_required = true;
    context_->payees = {};
    add(9, 4);
    run_well({poll, pay});  // no directory has been seen yet
    context_->payees = nobody();
    run_well({pay});  // an empty first directory: every payee is new
    context_->payees = test::sample_directory();
    run_well({pay});
    EXPECT_THAT(reasons(), ElementsAre("prenote_waiting"));
    const auto stored = ledger::load_file(*ledger_, files().back().file_id);
    ASSERT_THAT(stored.file.prenotes, SizeIs(1));
    const auto trace = stored.file.prenotes[0].trace_number;
    EXPECT_EQ(ledger::find_prenote(*ledger_, trace)->payee_key, "PAYEE-1");
    ledger_->transaction([&] {
        ASSERT_TRUE(ledger::record_prenote_returned(*ledger_, trace, "R03", context_->stamp()));
        EXPECT_FALSE(ledger::record_prenote_returned(*ledger_, trace, "R03", context_->stamp()));
        EXPECT_FALSE(ledger::record_prenote_returned(*ledger_, "000000000000000", "R03", context_->stamp()));
    });
    days_pass();
    run_well({pay});
    EXPECT_THAT(reasons(), ElementsAre("prenote_returned"));
    EXPECT_EQ(state_of(9), "blocked");
    expect_clean_ledger();
}

TEST_F(NewDetails, a_prenote_that_comes_back_in_a_list_of_the_bank_holds_the_account) {
    send_prenote();
    const auto trace = ledger::load_file(*ledger_, files().back().file_id).file.prenotes.at(0).trace_number;
    bank_says(trace, {"returned", Money()});
    EXPECT_THAT(reasons(), ElementsAre("prenote_waiting"));
    days_pass();
    run_well({pay});
    EXPECT_THAT(reasons(), ElementsAre("prenote_returned"));
    EXPECT_EQ(state_of(9), "blocked");
    expect_clean_ledger();
}

TEST_F(NewDetails, a_notification_of_change_about_a_prenote_holds_the_payee_until_the_field_changes) {
    send_prenote();
    const auto trace = ledger::load_file(*ledger_, files().back().file_id).file.prenotes.at(0).trace_number;
    const auto padded = [](std::string one, std::size_t width) {
        one.resize(width, ' ');
        return one;
    };
    std::ofstream(folder_.path() / "state" / "inbox" / "changes.ach")
        << padded("5200CITY HOUSING    " + padded("", 20) + "1123456789PPDDRAWPMT   " + padded("", 15) +
                      "1091000010000001",
                  94)
        << "\n621091000019" << padded("333333333", 17) << "0000000000" << padded("", 15) << padded("ANA ALVAREZ", 22)
        << "  1091000010000001\n"
        << padded("798C01" + trace + padded("", 6) + "0910000199887766", 79) << "091000010000001\n"
        << "820000000200091000010000000000000000000000001123456789" << padded("", 25) << "091000010000001\n";
    clock_.ahead += std::chrono::seconds(1);
    run_well({confirm});
    EXPECT_THAT(reasons(), Contains("payee_correction"));
    days_pass();
    run_well({pay});
    EXPECT_EQ(state_of(9), "blocked");
    EXPECT_THAT(reasons(), Contains("correction_pending"));
    expect_clean_ledger();
    context_->payees = with_account("99887766");
    run_well({pay});
    days_pass();
    run_well({pay});
    EXPECT_EQ(state_of(9), "paying");
    expect_clean_ledger();
}

// Whoever lifts the hold asked the payee about one account.
TEST_F(NewDetails, a_second_change_of_an_account_is_held_again_on_the_same_day) {
    context_->settings.plan.guards.payee_hold_days = 3;
    run_well({pay});
    context_->payees = with_account("333333333");
    add(9, 4);
    run_well({poll, pay});
    ASSERT_THAT(reasons(), ElementsAre("payee_changed"));
    resolve_all("payee_changed", eva());
    context_->payees = with_account("666666666");
    run_well({pay});
    EXPECT_THAT(reasons(), ElementsAre("payee_changed"));
    EXPECT_THAT(files(), IsEmpty());
    resolve_all("payee_changed", eva());
    run_well({pay});
    EXPECT_THAT(files(), SizeIs(1));
    expect_clean_ledger();
}

TEST_F(NewDetails, new_details_are_held_for_whole_days_of_24_hours) {
    context_->settings.plan.guards.payee_hold_days = 1;
    run_well({pay});
    const auto before_midnight =
        context_->settings.plan.zone.to_instant(context_->settings.plan.zone.date_of(clock_.now()),
                                                std::chrono::minutes(23 * 60 + 57)) +
        std::chrono::days(1);
    clock_.ahead += before_midnight - clock_.now();
    context_->payees = with_account("333333333");
    add(9, 4);
    run_well({poll, pay});
    clock_.ahead += std::chrono::minutes(4);
    run_well({pay});
    EXPECT_THAT(reasons(), ElementsAre("payee_changed"));
    clock_.ahead += std::chrono::days(1) - std::chrono::minutes(4);
    run_well({pay});
    EXPECT_THAT(reasons(), IsEmpty());
    EXPECT_THAT(files(), SizeIs(1));
}

TEST_F(NewDetails, new_details_are_held_although_a_slow_clock_is_set_right) {
    context_->settings.plan.guards.payee_hold_days = 3;
    clock_.ahead = -std::chrono::days(5);
    run(pay);
    context_->payees = with_account("333333333");
    add(9, 4);
    run(poll);
    run(pay);
    ASSERT_THAT(reasons(), Contains("payee_changed"));
    clock_.ahead = std::chrono::minutes(1);
    run(poll);
    run(pay);
    EXPECT_EQ(state_of(9), "blocked");
    EXPECT_THAT(files(), IsEmpty());
    for (int day = 1; day <= 3; ++day) {
        clock_.ahead += std::chrono::days(1);
        run(poll);
        run(pay);
    }
    EXPECT_THAT(files(), SizeIs(1)) << "Drawbridge ran on three more days";
}

TEST_F(NewDetails, days_on_which_nobody_saw_the_new_details_do_not_end_their_hold) {
    context_->settings.plan.guards.payee_hold_days = 3;
    for (int day = 0; day < 9; ++day) {
        run(pay);
        clock_.ahead += std::chrono::days(1);
    }
    clock_.ahead -= std::chrono::days(7);
    context_->payees = with_account("333333333");
    add(9, 4);
    run(poll);
    run(pay);
    ASSERT_THAT(reasons(), Contains("payee_changed"));
    clock_.ahead += std::chrono::days(7);
    run(poll);
    run(pay);
    EXPECT_EQ(state_of(9), "blocked");
    EXPECT_THAT(files(), IsEmpty());
}

}  // namespace
}  // namespace drawbridge::pipeline
