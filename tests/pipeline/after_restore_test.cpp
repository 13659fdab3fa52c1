// An older ledger is put back after files went out: nothing is paid twice, no number is used twice.
#include <filesystem>

#include "drawbridge/pipeline/payment_files.hpp"
#include "pipeline/put_back_fixture.hpp"

namespace drawbridge::pipeline {
namespace {

using ::testing::Each;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::SizeIs;
using ::testing::UnorderedElementsAre;

namespace fs = std::filesystem;

TEST_F(PutBack, waits_for_a_comparison_and_a_person) {
    add(1);
    run_well({poll, decide, approve});
    keep_a_copy();
    run_well({poll, pay});
    bank_takes_files();
    put_the_copy_back();
    EXPECT_TRUE(ledger::is_paused(*ledger_));
    EXPECT_THAT(reasons(), ElementsAre("ledger_is_older"));
    EXPECT_FALSE(settle()) << "not before it was compared";
    run_well({poll, pay});
    EXPECT_THAT(files(), IsEmpty());
    ASSERT_TRUE(ledger::open_restoration(*ledger_)->compared_at);
    EXPECT_TRUE(ledger::open_restoration(*ledger_)->complete) << ledger::open_restoration(*ledger_)->summary;
    EXPECT_TRUE(settle());
    EXPECT_FALSE(ledger::is_paused(*ledger_));
}

TEST_F(PutBack, pays_no_draw_again_that_a_file_paid_since_though_only_the_manifest_is_left) {
    add(1);
    add(2);
    run_well({poll, decide, approve});
    keep_a_copy();
    run_well({poll, pay});
    const auto sent = files().front().name;
    bank_takes_files();
    put_the_copy_back();
    run_well({poll});
    EXPECT_THAT(reasons(), UnorderedElementsAre("ledger_is_older", "paid_after_backup", "paid_after_backup"));
    EXPECT_TRUE(settle());
    add(3, 4);
    run_well({poll, pay});
    ASSERT_THAT(files(), SizeIs(1)) << "the new draw, and only that";
    EXPECT_NE(files().front().name, sent);
    const auto payment = ledger::load_file(*ledger_, files().front().file_id).file.payments;
    ASSERT_THAT(payment, SizeIs(1));
    EXPECT_EQ(payment.front().draw_id, 3);
    EXPECT_EQ(payment.front().payment_id, 3) << "the numbers go on behind the file that went out";
    EXPECT_EQ(payment.front().trace_number->substr(8), "0000003");
    EXPECT_EQ(state_of(1), "blocked");
    expect_clean_ledger();
}

TEST_F(PutBack, a_person_may_order_that_a_draw_be_paid_whose_payment_came_back) {
    add(1);
    run_well({poll, decide, approve});
    keep_a_copy();
    run_well({poll, pay});
    bank_takes_files();
    put_the_copy_back();
    run_well({poll});
    EXPECT_TRUE(settle());
    for (const auto& row : ledger::open_exceptions(*ledger_)) {
        if (row.what.reason_code != ledger::paid_after_backup) continue;
        const auto closed = ledger_->transaction([&] {
            return ledger::close_exception(*ledger_, row.exception_id, "it was returned",
                                           {clock_.now(), "uid 8 (cy)", 8});
        });
        EXPECT_TRUE(closed);
    }
    run_well({poll, pay});
    EXPECT_THAT(files(), SizeIs(1));
    EXPECT_EQ(state_of(1), "paying");
}

TEST_F(PutBack, without_manifests_nothing_is_paid_until_a_person_has_asked_the_bank) {
    add(1);
    add(2);
    run_well({poll, decide, approve});
    keep_a_copy();
    run_well({poll, pay});
    bank_takes_files();
    lose_the_manifests();
    put_the_copy_back();
    run_well({poll});
    EXPECT_FALSE(ledger::open_restoration(*ledger_)->complete);
    EXPECT_THAT(reasons(), UnorderedElementsAre("ledger_is_older", "possibly_paid", "possibly_paid"));
    EXPECT_TRUE(settle());
    run_well({pay});
    EXPECT_THAT(files(), IsEmpty());
}

// What the first comparison found out is gone with its ledger; that there was something is not.
TEST_F(PutBack, twice_without_manifests_holds_what_may_have_been_paid_the_second_time_too) {
    add(1);
    run_well({poll, decide, approve});
    keep_a_copy();
    run_well({poll, pay});
    bank_takes_files();
    lose_the_manifests();
    put_the_copy_back();
    run_well({poll});
    EXPECT_TRUE(settle());
    put_the_copy_back();
    run_well({poll});
    EXPECT_FALSE(ledger::open_restoration(*ledger_)->complete);
    EXPECT_THAT(reasons(), UnorderedElementsAre("ledger_is_older", "possibly_paid"));
    EXPECT_TRUE(settle());
    run_well({pay});
    EXPECT_THAT(files(), IsEmpty()) << "draw 1 was paid by a file that only the bank remembers";
}

TEST_F(PutBack, what_the_bank_never_had_is_paid_when_a_person_says_so) {
    add(1, 4);
    run_well({poll});
    keep_a_copy();
    fs::remove(state_ / "ledger.mark");
    put_the_copy_back();
    fs::remove(state_ / "ledger.mark");
    run_well({pay});
    bank_takes_files();
    close();
    fs::remove(state_ / "ledger.mark");
    open();
    EXPECT_TRUE(ledger::is_paused(*ledger_)) << "files were let go, and the mark is gone";
    add(2, 4);
    run_well({poll});
    EXPECT_THAT(reasons(), UnorderedElementsAre("ledger_is_older", "possibly_paid")) << "draw 1 has its payment";
    EXPECT_TRUE(settle(/*nothing_else_sent=*/true));
    run_well({pay});
    EXPECT_EQ(state_of(2), "paying");
    EXPECT_THAT(files(), SizeIs(2));
}

TEST_F(PutBack, the_banks_word_may_come_after_everything_else_is_settled) {
    add(1, 4);
    run_well({poll});
    keep_a_copy();
    fs::remove(state_ / "ledger.mark");
    put_the_copy_back();
    fs::remove(state_ / "ledger.mark");
    run_well({pay});
    bank_takes_files();
    close();
    fs::remove(state_ / "ledger.mark");
    open();
    EXPECT_TRUE(ledger::is_paused(*ledger_)) << "files were let go, and the mark is gone";
    add(2, 4);
    run_well({poll});
    EXPECT_THAT(reasons(), UnorderedElementsAre("ledger_is_older", "possibly_paid")) << "draw 1 has its payment";
    EXPECT_TRUE(settle());
    run_well({pay});
    EXPECT_EQ(state_of(2), "blocked");
    const auto lift = [&] {
        return ledger_->transaction(
            [&] { return ledger::lift_possibly_paid(*ledger_, "the bank's list", {clock_.now(), "uid 8 (cy)", 8}); });
    };
    EXPECT_EQ(lift(), 1);
    EXPECT_EQ(lift(), 0);
    EXPECT_THAT(reasons(), ::testing::Not(::testing::Contains("possibly_paid")));
    run_well({pay});
    EXPECT_EQ(state_of(2), "paying");
    EXPECT_THAT(files(), SizeIs(2));
}

TEST_F(PutBack, a_file_that_was_only_staged_is_known_to_have_gone) {
    release_by_hand();
    add(1, 4);
    run_well({poll, pay});
    ASSERT_EQ(files().front().state, ledger::FileState::staged);
    keep_a_copy();
    release_all();
    bank_takes_files();
    put_the_copy_back();
    run_well({poll});
    EXPECT_THAT(reasons(), ElementsAre("ledger_is_older"));
    EXPECT_EQ(files().front().state, ledger::FileState::released);
    EXPECT_TRUE(settle());
    run_well({pay});
    EXPECT_THAT(files(), SizeIs(1));
    EXPECT_EQ(state_of(1), "paying");
    expect_clean_ledger();
}

TEST_F(PutBack, a_staged_file_whose_draws_another_file_paid_since_is_not_released) {
    release_by_hand();
    add(1, 4);
    run_well({poll, pay});
    const auto first = files().front().name;
    keep_a_copy();
    const auto staged = state_ / "spool/staged" / first;
    fs::copy_file(staged, folder_.path() / "staged");
    ASSERT_TRUE(void_file(*context_, first, "wrong day", {clock_.now(), "uid 7 (bo)", 7}));
    run_well({pay});
    release_all();
    bank_takes_files();
    close();
    fs::copy_file(folder_.path() / "staged", staged);
    open();
    put_the_copy_back();
    run_well({poll});
    EXPECT_THAT(reasons(), UnorderedElementsAre("ledger_is_older", "paid_after_backup"));
    EXPECT_TRUE(settle());
    const auto refused = release_now(first, "go", {clock_.now(), "uid 7 (bo)", 7});
    ASSERT_FALSE(refused);
    EXPECT_THAT(refused.error().message, HasSubstr("draw 1 would not be paid now (paid_after_backup)"));
    EXPECT_THAT(outgoing(), IsEmpty());
}

TEST_F(PutBack, a_file_in_outgoing_that_no_manifest_names_uses_up_its_numbers_and_stops_what_may_be_paid) {
    add(1);
    run_well({poll, decide, approve});
    keep_a_copy();
    run_well({poll, pay});
    lose_the_manifests();
    put_the_copy_back();
    fs::remove(state_ / "ledger.mark");
    run_well({poll});
    EXPECT_THAT(reasons(), UnorderedElementsAre("ledger_is_older", "sent_file_unknown", "possibly_paid"));
    EXPECT_TRUE(settle(/*nothing_else_sent=*/true));
    run_well({pay});
    ASSERT_THAT(files(), SizeIs(1));
    const auto payments = ledger::load_file(*ledger_, files().front().file_id).file.payments;
    EXPECT_EQ(payments.front().payment_id, 2);
    EXPECT_EQ(payments.front().trace_number->substr(8), "0000002");
    EXPECT_THAT(outgoing(), SizeIs(2)) << "and another modifier in its name";
}

TEST_F(PutBack, draws_that_were_approved_since_are_named_and_then_paid) {
    add(1);
    run_well({poll});
    keep_a_copy();
    run_well({decide, approve});
    add(2, 4);
    run_well({poll});
    ledger::write_high_water_mark(*ledger_);
    put_the_copy_back();
    run_well({poll});
    EXPECT_THAT(reasons(), UnorderedElementsAre("ledger_is_older", "approved_after_backup", "approved_after_backup"));
    EXPECT_TRUE(settle());
    run_well({pay});
    EXPECT_EQ(state_of(1), "paying");
    EXPECT_EQ(state_of(2), "paying");
}

TEST_F(PutBack, a_whole_folder_that_was_copied_is_told_by_its_place) {
    add(1, 4);
    run_well({poll});
    close();
    fs::copy(state_, folder_.path() / "copy", fs::copy_options::recursive);
    state_ = folder_.path() / "copy";
    open();
    EXPECT_TRUE(ledger::is_paused(*ledger_));
    EXPECT_EQ(ledger::open_restoration(*ledger_)->how, ledger::RestoredHow::copied);
}

TEST_F(PutBack, a_ledger_that_is_gone_is_not_begun_anew) {
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
