// Draws that may have been paid after the backup: they wait until a person has asked the bank.
#include <filesystem>

#include "drawbridge/ledger/facts/returns.hpp"
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

}  // namespace
}  // namespace drawbridge::pipeline
