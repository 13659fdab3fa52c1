// An older ledger is restored after files went out: nothing is paid twice, and no number is used twice.
#include <filesystem>

#include "drawbridge/pipeline/payment_files.hpp"
#include "pipeline/restore_fixture.hpp"

namespace drawbridge::pipeline {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
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
