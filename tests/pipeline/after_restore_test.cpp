// An older ledger is restored after files went out: nothing is paid twice, and no number is used twice.
#include <filesystem>

#include "drawbridge/ledger/facts/check_orders.hpp"
#include "drawbridge/ledger/facts/resolutions.hpp"
#include "drawbridge/ledger/facts/returns.hpp"
#include "drawbridge/ledger/facts/sent_before.hpp"
#include "drawbridge/ledger/reports/check_register.hpp"
#include "drawbridge/ledger/reports/search.hpp"
#include "drawbridge/pipeline/acknowledge.hpp"
#include "drawbridge/pipeline/check_orders.hpp"
#include "drawbridge/pipeline/payment_files.hpp"
#include "pipeline/restore_fixture.hpp"

namespace drawbridge::pipeline {
namespace {

using ::testing::AllOf;
using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;
using ::testing::SizeIs;
using ::testing::UnorderedElementsAre;

namespace fs = std::filesystem;

TEST_F(AfterRestore, payments_wait_for_the_comparison_and_a_person) {
    add(1);
    run_well({poll, decide, approve});
    back_up_ledger();
    run_well({poll, pay});
    bank_takes_files();
    restore_ledger();
    EXPECT_TRUE(ledger::is_paused(*ledger_));
    EXPECT_THAT(reasons(), ElementsAre("ledger_is_older"));
    EXPECT_FALSE(end_restoration()) << "not before the comparison";
    run_well({poll, pay});
    EXPECT_THAT(files(), IsEmpty());
    ASSERT_TRUE(ledger::open_restoration(*ledger_)->compared_at);
    EXPECT_EQ(ledger::open_restoration(*ledger_)->complete, true) << ledger::open_restoration(*ledger_)->summary;
    EXPECT_TRUE(end_restoration());
    EXPECT_FALSE(ledger::is_paused(*ledger_));
}

TEST_F(AfterRestore, a_draw_paid_after_the_backup_is_not_paid_again_if_only_the_manifest_is_left) {
    add(1);
    add(2);
    run_well({poll, decide, approve});
    back_up_ledger();
    run_well({poll, pay});
    const auto sent = files().front().name;
    bank_takes_files();
    restore_ledger();
    run_well({poll});
    EXPECT_THAT(reasons(), UnorderedElementsAre("ledger_is_older", "paid_after_backup", "paid_after_backup"));
    EXPECT_TRUE(end_restoration());
    add(3, 4);
    run_well({poll, pay});
    ASSERT_THAT(files(), SizeIs(1)) << "only the new draw";
    EXPECT_NE(files().front().name, sent);
    const auto payment = ledger::load_file(*ledger_, files().front().file_id).file.payments;
    ASSERT_THAT(payment, SizeIs(1));
    EXPECT_EQ(payment.front().draw_id, 3);
    EXPECT_EQ(payment.front().payment_id, 3) << "the numbers continue after the file that went out";
    EXPECT_EQ(payment.front().trace_number->substr(8), "0000003");
    EXPECT_EQ(state_of(1), "blocked");
    expect_clean_ledger();
}

TEST_F(AfterRestore, a_person_may_have_a_draw_paid_whose_payment_was_returned) {
    add(1);
    run_well({poll, decide, approve});
    back_up_ledger();
    run_well({poll, pay});
    bank_takes_files();
    restore_ledger();
    run_well({poll});
    EXPECT_TRUE(end_restoration());
    resolve_all(ledger::paid_after_backup);
    run_well({poll, pay});
    EXPECT_THAT(files(), SizeIs(1));
    EXPECT_EQ(state_of(1), "paying");
}

// Checks 1 and 2 go out after the backup, check 3 after the restore.
class ChecksAfterBackup : public AfterRestore {
  protected:
    void SetUp() override {
        AfterRestore::SetUp();
        add(9, 4, "PAYEE-3");
        run_well({poll, pay});
        add(1, 4, "PAYEE-3");
        add(2, 4, "PAYEE-3");
        back_up_ledger();
        run_well({poll, pay});
        file_ = files().back().name;
        bank_takes_files();
        restore_ledger();
        run_well({poll});
        ASSERT_TRUE(end_restoration());
    }
    std::vector<std::string> register_rows(int limit = 100) {
        std::vector<std::string> rows;
        for (std::int64_t after = 0;;) {
            const auto page = ledger::check_register(*ledger_, parse_date("2020-01-01").value(), after, limit);
            if (page.empty()) return rows;
            for (const auto& row : page)
                rows.push_back(
                    fmt::format("{}-{} {}", row.first_number, row.last_number, ledger::to_string(row.state)));
            after = page.back().last_number;
        }
    }
    Result<void> stop(std::int64_t number) {
        return order_check(*context_, number, checks::CheckAction::stop, "stolen", {clock_.now(), "uid 7 (eva)", 7});
    }
    std::vector<std::string> found(std::string_view text) {
        std::vector<std::string> titles;
        for (const auto& one : ledger::search(*ledger_, text, 10))
            titles.push_back(one.title);
        return titles;
    }
    Comparison acknowledged(std::int64_t payments, std::int64_t cents) {
        return ledger_->transaction([&] {
            return record_bank_line(*ledger_, {file_, payments, Money::from_cents(cents), 2}, "acks.csv",
                                    context_->stamp());
        });
    }

    std::string file_;
};

TEST_F(ChecksAfterBackup, are_listed_as_sent_before_the_restore) {
    add(3, 4, "PAYEE-3");
    run_well({poll, pay});
    const std::vector<std::string> wanted = {"1-1 issued", "2-2 sent_before_restore", "3-3 sent_before_restore",
                                             "4-4 issued"};
    EXPECT_EQ(register_rows(), wanted);
    EXPECT_EQ(register_rows(/*limit=*/1), wanted);
    EXPECT_EQ(ledger::count_checks(*ledger_), 4);
    const auto row = ledger::check_register(*ledger_, parse_date("2020-01-01").value(), 1, 1).at(0);
    EXPECT_EQ(row.file_name, file_);
    EXPECT_EQ(row.draw_id, 1);
    EXPECT_EQ(row.amount, Money::from_cents(10001));
}

TEST_F(ChecksAfterBackup, cannot_be_stopped_here_and_the_refusal_names_the_file_and_the_bank) {
    const auto refused = stop(2);
    ASSERT_FALSE(refused);
    EXPECT_THAT(refused.error().message, AllOf(HasSubstr("check 2 of $100.01 for draw 1 left with " + file_ +
                                                         " before this ledger was restored"),
                                               HasSubstr("call the bank")));
    EXPECT_THAT(stop(77).error().message, HasSubstr("there is no check 77"));
}

TEST_F(ChecksAfterBackup, are_found_by_number_and_by_file) {
    EXPECT_THAT(found("3"), Contains(AllOf(HasSubstr("Draw 2: $100.02 under 3 in " + file_))));
    EXPECT_THAT(found(file_), ElementsAre("File " + file_ + ", sent before this ledger was restored"));
    EXPECT_THAT(ledger::no_file_named(*ledger_, file_),
                AllOf(HasSubstr(file_ + " left before this ledger was restored at "),
                      HasSubstr(": 2 payments, $200.03, according to its manifest")));
}

TEST_F(ChecksAfterBackup, an_acknowledgment_of_their_file_is_compared_with_the_manifest) {
    const auto same = acknowledged(2, 200'03);
    EXPECT_EQ(same.outcome, AcknowledgmentOutcome::matches) << same.detail;
    EXPECT_THAT(same.detail, HasSubstr("left before this ledger was restored"));
    EXPECT_FALSE(ledger::is_paused(*ledger_));
    EXPECT_EQ(acknowledged(3, 200'03).outcome, AcknowledgmentOutcome::differs) << "a check file has no prenotes";
    EXPECT_THAT(reasons(), Contains("acknowledgment_differs"));
    EXPECT_THAT(reasons(), Not(Contains("acknowledgment_unknown")));
    EXPECT_TRUE(ledger::is_paused(*ledger_));
    expect_clean_ledger();
}

TEST_F(ChecksAfterBackup, a_line_of_the_bank_about_one_names_its_draw_and_file) {
    bank_says("2", {"void", Money::from_cents(10001)});
    const auto exceptions = ledger::open_exceptions(*ledger_);
    const auto line =
        std::ranges::find(exceptions, "unknown_payment", [](const auto& row) { return row.what.reason_code; });
    ASSERT_NE(line, exceptions.end());
    EXPECT_THAT(line->what.detail, HasSubstr("draw 1 was paid $100.01 under 2 with " + file_));
}

TEST_F(ChecksAfterBackup, numbers_that_no_manifest_explains_are_skipped_by_the_restore) {
    ledger_->transaction([&] { ledger::advance_numbers(*ledger_, {.check_number = 7}); });
    add(3, 4, "PAYEE-3");
    run_well({poll, pay});
    EXPECT_THAT(register_rows(), ElementsAre("1-1 issued", "2-2 sent_before_restore", "3-3 sent_before_restore",
                                             "4-6 skipped_by_restore", "7-7 issued"));
    EXPECT_THAT(stop(5).error().message, HasSubstr("may have left before: call the bank"));
}

// Draw 1 is paid after the backup, and paid again after that payment was returned.
class PaidTwiceAfterBackup : public AfterRestore {
  protected:
    struct Sent {
        std::string file, reference;
    };
    Sent pay_draw_1() {
        run_well({poll, pay});
        const auto file = files().back();
        bank_takes_files();
        return {file.name, *ledger::load_file(*ledger_, file.file_id).file.payments.at(0).trace_number};
    }
    void return_and_reissue(const Sent& sent) {
        bank_says(sent.reference, {"returned", Money::from_cents(10001)});
        ASSERT_EQ(state_of(1), "returned");
        ledger_->transaction([&] {
            ASSERT_TRUE(
                ledger::order_reissue(*ledger_, 1, context_->payees, "it came back", {clock_.now(), "uid 7 (eva)", 7}));
        });
    }
    std::vector<std::string> details() {
        std::vector<std::string> all;
        for (const auto& row : ledger::open_exceptions(*ledger_)) {
            if (row.what.reason_code == ledger::paid_after_backup) all.push_back(row.what.detail);
        }
        return all;
    }
};

TEST_F(PaidTwiceAfterBackup, its_exception_names_both_files) {
    add(1);
    run_well({poll, decide, approve});
    back_up_ledger();
    const auto first = pay_draw_1();
    return_and_reissue(first);
    const auto second = pay_draw_1();
    ASSERT_NE(first.file, second.file);
    restore_ledger();
    run_well({poll});
    EXPECT_EQ(ledger::open_restoration(*ledger_)->complete, true) << ledger::open_restoration(*ledger_)->summary;
    EXPECT_THAT(ledger::open_restoration(*ledger_)->summary, HasSubstr("paid 1 draw;"));
    EXPECT_THAT(details(), ElementsAre(AllOf(HasSubstr(first.file + " of "), HasSubstr(second.file + " of "),
                                             HasSubstr("only if all 2 payments were returned"))));
    EXPECT_TRUE(end_restoration());
    run_well({poll, pay});
    EXPECT_THAT(files(), IsEmpty());
}

// The exception that the first restore raised is not enough to free the draw.
TEST_F(PaidTwiceAfterBackup, a_second_restore_replaces_the_exception_by_one_that_names_both_files) {
    add(1);
    run_well({poll, decide, approve});
    back_up_ledger();
    const auto first = pay_draw_1();
    restore_ledger();
    run_well({poll});
    EXPECT_TRUE(end_restoration());
    ASSERT_THAT(details(), SizeIs(1));
    const auto old = ledger::open_exceptions(*ledger_).back();
    back_up_ledger();
    resolve_all(ledger::paid_after_backup);
    const auto second = pay_draw_1();
    ASSERT_NE(first.file, second.file);
    restore_ledger();
    run_well({poll});
    EXPECT_THAT(details(), ElementsAre(AllOf(HasSubstr(first.file + " of "), HasSubstr(second.file + " of "))));
    EXPECT_FALSE(ledger_->transaction([&] {
        return ledger::close_exception(*ledger_, old.exception_id, "it came back", {clock_.now(), "uid 12 (cy)", 12});
    }));
    EXPECT_TRUE(end_restoration());
    run_well({poll, pay});
    EXPECT_THAT(files(), IsEmpty());
    expect_clean_ledger();
    resolve_all(ledger::paid_after_backup);
    run_well({pay});
    EXPECT_THAT(files(), SizeIs(1));
}

// That the payment shown in a manifest came back does not clear the draw of payments that no manifest shows.
TEST_F(AfterRestore, a_draw_whose_known_payment_was_returned_may_still_be_possibly_paid) {
    add(1);
    run_well({poll, decide, approve});
    back_up_ledger();
    run_well({poll, pay});
    bank_takes_files();
    restore_ledger();
    fs::remove(state_ / "ledger.mark");
    run_well({poll});
    EXPECT_THAT(reasons(), UnorderedElementsAre("ledger_is_older", "paid_after_backup"));
    EXPECT_EQ(ledger::open_restoration(*ledger_)->complete, false);
    EXPECT_TRUE(end_restoration());
    resolve_all(ledger::paid_after_backup);
    run_well({poll, pay});
    EXPECT_THAT(files(), IsEmpty());
    EXPECT_THAT(reasons(), ElementsAre("ledger_is_older", "possibly_paid"));
    resolve_all(ledger::possibly_paid);
    run_well({pay});
    EXPECT_THAT(files(), SizeIs(1));
    EXPECT_EQ(state_of(1), "paying");
}

TEST_F(AfterRestore, without_manifests_nothing_is_paid_until_a_person_asks_the_bank) {
    add(1);
    add(2);
    run_well({poll, decide, approve});
    back_up_ledger();
    run_well({poll, pay});
    bank_takes_files();
    delete_manifests();
    restore_ledger();
    run_well({poll});
    EXPECT_EQ(ledger::open_restoration(*ledger_)->complete, false);
    EXPECT_THAT(reasons(), UnorderedElementsAre("ledger_is_older", "possibly_paid", "possibly_paid"));
    EXPECT_TRUE(end_restoration());
    run_well({pay});
    EXPECT_THAT(files(), IsEmpty());
}

// The findings of the first comparison are lost with its ledger; the mark still records that there were any.
TEST_F(AfterRestore, a_second_restore_without_manifests_holds_possibly_paid_draws_again) {
    add(1);
    run_well({poll, decide, approve});
    back_up_ledger();
    run_well({poll, pay});
    bank_takes_files();
    delete_manifests();
    restore_ledger();
    run_well({poll});
    EXPECT_TRUE(end_restoration());
    restore_ledger();
    run_well({poll});
    EXPECT_EQ(ledger::open_restoration(*ledger_)->complete, false);
    EXPECT_THAT(reasons(), UnorderedElementsAre("ledger_is_older", "possibly_paid"));
    EXPECT_TRUE(end_restoration());
    run_well({pay});
    EXPECT_THAT(files(), IsEmpty()) << "only the bank knows the file that paid draw 1";
}

TEST_F(AfterRestore, a_draw_that_the_bank_never_received_is_paid_on_a_persons_order) {
    add(1, 4);
    run_well({poll});
    back_up_ledger();
    fs::remove(state_ / "ledger.mark");
    restore_ledger();
    fs::remove(state_ / "ledger.mark");
    run_well({pay});
    bank_takes_files();
    close();
    fs::remove(state_ / "ledger.mark");
    open();
    EXPECT_TRUE(ledger::is_paused(*ledger_)) << "files were released, and the mark is missing";
    add(2, 4);
    run_well({poll});
    EXPECT_THAT(reasons(), UnorderedElementsAre("ledger_is_older", "possibly_paid")) << "draw 1 has its payment";
    EXPECT_TRUE(end_restoration(/*nothing_else_sent=*/true));
    run_well({pay});
    EXPECT_EQ(state_of(2), "paying");
    EXPECT_THAT(files(), SizeIs(2));
}

TEST_F(AfterRestore, possibly_paid_draws_may_be_lifted_after_the_restoration_ends) {
    add(1, 4);
    run_well({poll});
    back_up_ledger();
    fs::remove(state_ / "ledger.mark");
    restore_ledger();
    fs::remove(state_ / "ledger.mark");
    run_well({pay});
    bank_takes_files();
    close();
    fs::remove(state_ / "ledger.mark");
    open();
    EXPECT_TRUE(ledger::is_paused(*ledger_)) << "files were released, and the mark is missing";
    add(2, 4);
    run_well({poll});
    EXPECT_THAT(reasons(), UnorderedElementsAre("ledger_is_older", "possibly_paid")) << "draw 1 has its payment";
    EXPECT_TRUE(end_restoration());
    run_well({pay});
    EXPECT_EQ(state_of(2), "blocked");
    EXPECT_TRUE(bank_has_nothing_else());
    EXPECT_FALSE(bank_has_nothing_else());
    EXPECT_THAT(reasons(), ::testing::Not(::testing::Contains("possibly_paid")));
    run_well({pay});
    EXPECT_EQ(state_of(2), "paying");
    EXPECT_THAT(files(), SizeIs(2));
}

// The manifests are incomplete, and the service does not show that the draws were paid: one reading is old, one draw is
// not shown at all.
class PaidUnseen : public AfterRestore {
  protected:
    // Draw 1 is pending in the backup and paid after it. The comparison sees it as pending again.
    void lose_payment_of_draw_1() {
        add(1);
        run_well({poll});
        back_up_ledger();
        run_well({decide, approve, poll, pay});
        EXPECT_THAT(files(), SizeIs(1));
        bank_takes_files();
        delete_manifests();
        restore_ledger();
        sandbox_.act(1, "reopen", {{"status", 3}});
        run_well({poll});
        EXPECT_EQ(ledger::open_restoration(*ledger_)->complete, false);
        EXPECT_THAT(reasons(), ElementsAre("ledger_is_older")) << "nothing is to be paid yet";
        EXPECT_TRUE(end_restoration());
    }
    void requested(DrawId id, std::chrono::hours from_now) {
        sandbox_.add({.id = id,
                      .cents = 10000 + id,
                      .payee = "PAYEE-1",
                      .status = 4,
                      .requested = std::chrono::floor<std::chrono::seconds>(clock_.now() + from_now)});
    }
};

TEST_F(PaidUnseen, a_draw_that_was_pending_at_the_comparison_is_possibly_paid) {
    lose_payment_of_draw_1();
    run_well({poll, decide, approve, poll, pay});
    EXPECT_THAT(files(), IsEmpty());
    EXPECT_THAT(reasons(), ElementsAre("ledger_is_older", "possibly_paid"));
    EXPECT_EQ(state_of(1), "blocked");
    run_well({pay});
    EXPECT_THAT(files(), IsEmpty());
    expect_clean_ledger();
}

TEST_F(PaidUnseen, a_draw_first_seen_after_resume_is_possibly_paid_if_it_was_requested_before) {
    lose_payment_of_draw_1();
    requested(2, std::chrono::hours(-1));
    requested(3, std::chrono::hours(0));
    requested(4, std::chrono::hours(2));
    run_well({poll, pay});
    EXPECT_EQ(state_of(2), "blocked");
    EXPECT_EQ(state_of(3), "blocked") << "the clocks may differ";
    EXPECT_EQ(state_of(4), "paying") << "requested clearly after the resume";
}

TEST_F(PaidUnseen, a_draw_is_paid_once_a_person_resolves_its_exception) {
    lose_payment_of_draw_1();
    release_by_hand();
    run_well({poll, decide, approve, poll, pay});
    const ledger::Stamp cy{clock_.now(), "uid 12 (cy)", 12};
    resolve_all(ledger::possibly_paid, cy);
    run_well({pay});
    ASSERT_THAT(files(), SizeIs(1));
    const auto file = files().front().name;
    EXPECT_FALSE(release_now(file, "go", cy)) << "cy said that the bank has no payment";
    EXPECT_TRUE(release_now(file, "agreed", {clock_.now(), "uid 7 (bo)", 7}));
    EXPECT_THAT(reasons(), ElementsAre("ledger_is_older"));
    expect_clean_ledger();
}

TEST_F(PaidUnseen, whoever_says_that_the_bank_has_nothing_else_does_not_release_the_payment) {
    lose_payment_of_draw_1();
    release_by_hand();
    EXPECT_TRUE(bank_has_nothing_else());
    requested(2, std::chrono::hours(-1));
    run_well({poll, decide, approve, poll, pay});
    ASSERT_THAT(files(), SizeIs(1)) << "draws 1 and 2";
    const auto refused = release_now(files().front().name, "go", {clock_.now(), "uid 8 (cy)", 8});
    ASSERT_FALSE(refused);
    EXPECT_THAT(refused.error().message, HasSubstr("said after a restore that nothing had paid draw 1 and 1 more"));
    release_all();
    EXPECT_EQ(state_of(2), "paying");
    expect_clean_ledger();
}

// Everything that the pay step asked is asked again at the release.
TEST_F(PaidUnseen, a_staged_file_is_not_released_once_its_draw_turns_out_to_be_possibly_paid) {
    lose_payment_of_draw_1();
    release_by_hand();
    requested(2, std::chrono::hours(2));
    run_well({poll, pay});
    ASSERT_THAT(files(), SizeIs(1));
    sandbox_.edit(2, {{"requestedDate", "2026-01-05T10:00:00"}});
    const auto refused = release_now(files().front().name, "go", {clock_.now(), "uid 7 (bo)", 7});
    ASSERT_FALSE(refused);
    EXPECT_THAT(refused.error().message, HasSubstr("draw 2 would not be paid now (possibly_paid)"));
}

TEST_F(AfterRestore, a_file_staged_in_the_backup_is_recorded_as_released) {
    release_by_hand();
    add(1, 4);
    run_well({poll, pay});
    ASSERT_EQ(files().front().state, ledger::FileState::staged);
    back_up_ledger();
    release_all();
    bank_takes_files();
    restore_ledger();
    run_well({poll});
    EXPECT_THAT(reasons(), ElementsAre("ledger_is_older"));
    EXPECT_EQ(files().front().state, ledger::FileState::released);
    EXPECT_TRUE(end_restoration());
    run_well({pay});
    EXPECT_THAT(files(), SizeIs(1));
    EXPECT_EQ(state_of(1), "paying");
    expect_clean_ledger();
}

TEST_F(AfterRestore, a_staged_file_is_not_released_if_another_file_paid_its_draws) {
    release_by_hand();
    add(1, 4);
    run_well({poll, pay});
    const auto first = files().front().name;
    back_up_ledger();
    const auto staged = state_ / "spool/staged" / first;
    fs::copy_file(staged, folder_.path() / "staged");
    ASSERT_TRUE(void_file(*context_, first, "wrong day", {clock_.now(), "uid 7 (bo)", 7}));
    run_well({pay});
    release_all();
    bank_takes_files();
    close();
    fs::copy_file(folder_.path() / "staged", staged);
    open();
    restore_ledger();
    run_well({poll});
    EXPECT_THAT(reasons(), UnorderedElementsAre("ledger_is_older", "paid_after_backup"));
    EXPECT_TRUE(end_restoration());
    const auto refused = release_now(first, "go", {clock_.now(), "uid 7 (bo)", 7});
    ASSERT_FALSE(refused);
    EXPECT_THAT(refused.error().message, HasSubstr("draw 1 would not be paid now (paid_after_backup)"));
    EXPECT_THAT(outgoing(), IsEmpty());
}

TEST_F(AfterRestore, a_bank_file_that_the_restored_ledger_never_read_holds_up_resume) {
    add(1);
    run_well({poll, decide, approve, pay});
    const auto payment = ledger::load_file(*ledger_, files().front().file_id).file.payments.front();
    back_up_ledger();
    bank_says(payment, "returned");
    restore_ledger();
    ledger_->transaction([&] {
        ledger::begin_restoration(*ledger_, ledger::RestoredHow::restored, "test", {clock_.now(), "uid 12 (cy)", 12});
    });
    run_well({poll});
    const auto details = exception_details("bank_files_unread");
    ASSERT_THAT(details, SizeIs(1));
    EXPECT_THAT(details.front(), HasSubstr("spool/archive has 1 file of the bank that this ledger has not read: 20"));
    EXPECT_THAT(ledger::open_causes_of_pause(*ledger_), SizeIs(1));
}

TEST_F(AfterRestore, a_file_still_in_outgoing_that_a_manifest_names_is_no_unknown_file) {
    add(1);
    run_well({poll, decide, approve});
    back_up_ledger();
    run_well({poll, pay});
    restore_ledger();
    run_well({poll});
    EXPECT_THAT(reasons(), UnorderedElementsAre("ledger_is_older", "paid_after_backup"));
    EXPECT_EQ(ledger::open_restoration(*ledger_)->complete, true) << ledger::open_restoration(*ledger_)->summary;
    EXPECT_THAT(ledger::open_restoration(*ledger_)->summary, testing::StartsWith("1 file went out"));
}

TEST_F(AfterRestore, an_unknown_file_in_outgoing_uses_its_numbers_and_holds_payable_draws) {
    add(1);
    run_well({poll, decide, approve});
    back_up_ledger();
    run_well({poll, pay});
    restore_without_traces();
    EXPECT_THAT(reasons(), UnorderedElementsAre("ledger_is_older", "sent_file_unknown", "possibly_paid"));
    EXPECT_TRUE(end_restoration(/*nothing_else_sent=*/true));
    run_well({pay});
    ASSERT_THAT(files(), SizeIs(1));
    const auto payments = ledger::load_file(*ledger_, files().front().file_id).file.payments;
    EXPECT_EQ(payments.front().payment_id, 2);
    EXPECT_EQ(payments.front().trace_number->substr(8), "0000002");
    EXPECT_THAT(outgoing(), SizeIs(2)) << "with another file id modifier in its name";
}

TEST_F(AfterRestore, draws_approved_after_the_backup_are_reported_and_then_paid) {
    add(1);
    run_well({poll});
    back_up_ledger();
    run_well({decide, approve});
    add(2, 4);
    run_well({poll});
    ledger::write_high_water_mark(*ledger_);
    restore_ledger();
    run_well({poll});
    EXPECT_THAT(reasons(), UnorderedElementsAre("ledger_is_older", "approved_after_backup", "approved_after_backup"));
    EXPECT_TRUE(end_restoration());
    run_well({pay});
    EXPECT_EQ(state_of(1), "paying");
    EXPECT_EQ(state_of(2), "paying");
}

TEST_F(AfterRestore, an_approval_that_the_service_shows_only_after_the_comparison_is_reported_too) {
    add(1);
    run_well({poll});
    back_up_ledger();
    run_well({decide, approve});
    ledger::write_high_water_mark(*ledger_);
    restore_ledger();
    sandbox_.edit(1, {{"status", 3}});  // the service is late
    run_well({poll});
    EXPECT_THAT(reasons(), ElementsAre("ledger_is_older"));
    ASSERT_TRUE(ledger::open_restoration(*ledger_)->complete);
    sandbox_.edit(1, {{"status", 4}, {"modifiedDate", "2026-01-05T10:00:00"}});
    clock_.ahead += std::chrono::hours(1);
    run_well({poll});
    EXPECT_THAT(reasons(), UnorderedElementsAre("ledger_is_older", "approved_after_backup"));
    EXPECT_THAT(ledger::draws_freed_by_resolving(*ledger_, /*nothing_else_sent=*/false), ElementsAre(1))
        << "the person who resumes vouches for it";
    const auto told = ledger::open_exceptions(*ledger_).back();
    ledger_->transaction([&] {
        EXPECT_TRUE(ledger::close_exception(*ledger_, told.exception_id, "asked", {clock_.now(), "uid 7 (eva)", 7}));
    });
    run_well({poll});
    EXPECT_THAT(reasons(), ElementsAre("ledger_is_older")) << "people are asked once";
    EXPECT_TRUE(end_restoration());
    run_well({pay});
    EXPECT_EQ(state_of(1), "paying");
}

// What came before the restore is told by the order of the readings, not by clocks.
TEST_F(AfterRestore, draws_approved_after_the_backup_are_reported_whatever_the_clocks_show) {
    add(1);
    run_well({poll});
    back_up_ledger();
    run_well({decide, approve, poll});
    ledger::write_high_water_mark(*ledger_);
    const auto years = std::chrono::hours(24 * 3650);
    clock_.ahead += years;  // while it is restored
    restore_ledger();
    clock_.ahead -= years;
    sandbox_.edit(1, {{"modifiedDate", "2026-01-05T10:00:00"}});  // by the service's clock
    run_well({poll});
    EXPECT_THAT(reasons(), ::testing::IsSupersetOf({"ledger_is_older", "approved_after_backup"}));
}

TEST_F(AfterRestore, an_approval_is_reported_although_an_earlier_exception_about_the_draw_has_a_later_date) {
    const auto approve_and_lose_it = [&] {
        back_up_ledger();
        sandbox_.edit(1, {{"status", 4}});
        ledger_->transaction([&] { ledger::audit(*ledger_, context_->stamp(), "test", "test", "lost"); });
        ledger::write_high_water_mark(*ledger_);
        restore_ledger();
        run_well({poll});
        EXPECT_THAT(reasons(), ::testing::IsSupersetOf({"ledger_is_older", "approved_after_backup"}));
        EXPECT_TRUE(end_restoration());
    };
    add(1);
    run_well({poll});
    constexpr auto years = std::chrono::days(5 * 365);
    clock_.ahead += years;
    approve_and_lose_it();
    sandbox_.edit(1, {{"status", 3}});
    clock_.ahead -= years;
    run_well({poll});
    approve_and_lose_it();
}

TEST_F(AfterRestore, draws_that_the_backup_knows_as_approved_or_disbursed_are_not_reported) {
    add(1, 4);
    add(2, 5);
    run_well({poll});
    back_up_ledger();
    ledger_->transaction([&] { ledger::audit(*ledger_, context_->stamp(), "test", "test", "lost"); });
    ledger::write_high_water_mark(*ledger_);
    restore_ledger();
    sandbox_.edit(1, {{"description", "changed"}});
    sandbox_.edit(2, {{"description", "changed"}});
    run_well({poll});
    EXPECT_THAT(reasons(), ElementsAre("ledger_is_older"));
}

// An approval that was undone before the backup does not answer for one that came after it.
TEST_F(AfterRestore, a_draw_that_was_reopened_before_the_backup_and_approved_after_it_is_reported) {
    add(1);
    run_well({poll, decide, approve, poll});  // by us
    add(2, 4);                                // in the portal
    run_well({poll});
    ASSERT_EQ(approved(1), 1);
    for (const int id : {1, 2})
        sandbox_.act(id, "reopen", {{"status", 3}});
    run_well({poll});
    back_up_ledger();
    for (const int id : {1, 2})
        sandbox_.edit(id, {{"status", 4}});
    ledger_->transaction([&] { ledger::audit(*ledger_, context_->stamp(), "test", "test", "lost"); });
    ledger::write_high_water_mark(*ledger_);
    restore_ledger();
    run_well({poll});
    EXPECT_EQ(ledger::open_restoration(*ledger_)->complete, true) << ledger::open_restoration(*ledger_)->summary;
    EXPECT_THAT(reasons(), UnorderedElementsAre("ledger_is_older", "approved_after_backup", "approved_after_backup"));
    EXPECT_THAT(ledger::draws_freed_by_resolving(*ledger_, /*nothing_else_sent=*/false), UnorderedElementsAre(1, 2));
}

TEST_F(AfterRestore, a_copy_from_before_any_incomplete_comparison_is_incomplete_whatever_the_clock_said) {
    const auto compare_copy = [&] {
        ledger_->transaction(
            [&] { ledger::begin_restoration(*ledger_, ledger::RestoredHow::copied, "moved", context_->stamp()); });
        run_well({poll});
        ASSERT_EQ(ledger::open_restoration(*ledger_)->complete, false);
        ASSERT_TRUE(end_restoration());
    };
    add(1, 4);
    run_well({poll});
    constexpr auto years = std::chrono::days(5 * 365);
    clock_.ahead += years;
    compare_copy();
    clock_.ahead -= years;
    back_up_ledger();
    compare_copy();
    restore_ledger();
    run_well({poll});
    EXPECT_EQ(ledger::open_restoration(*ledger_)->complete, false);
    EXPECT_THAT(ledger::open_restoration(*ledger_)->summary, HasSubstr("found the manifests incomplete"));
}

TEST_F(AfterRestore, a_copied_state_folder_is_recognized_by_its_location) {
    add(1, 4);
    run_well({poll});
    close();
    fs::copy(state_, folder_.path() / "copy", fs::copy_options::recursive);
    state_ = folder_.path() / "copy";
    open();
    EXPECT_TRUE(ledger::is_paused(*ledger_));
    EXPECT_EQ(ledger::open_restoration(*ledger_)->how, ledger::RestoredHow::copied);
}

TEST_F(AfterRestore, a_missing_ledger_is_not_created_again) {
    add(1, 4);
    run_well({poll, pay});
    close();
    fs::remove(state_ / "ledger.db");
    const auto opened = ledger::Ledger::open(state_, clock_.now());
    ASSERT_FALSE(opened);
    EXPECT_THAT(opened.error().message, HasSubstr("restore"));
}

}  // namespace
}  // namespace drawbridge::pipeline
