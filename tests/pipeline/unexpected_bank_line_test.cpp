// The bank sends lines about payments that it should not know. While such a line is unresolved, nothing more is
// paid for the draw, and nothing that would pay it again is allowed.
#include <gmock/gmock.h>

#include "drawbridge/ledger/facts/exceptions.hpp"
#include "drawbridge/ledger/facts/payments.hpp"
#include "drawbridge/ledger/facts/resolutions.hpp"
#include "drawbridge/ledger/facts/returns.hpp"
#include "drawbridge/pipeline/payment_files.hpp"
#include "pipeline/pipeline_fixture.hpp"

namespace drawbridge::pipeline {
namespace {

using ledger::FileState;
using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::SizeIs;

namespace fs = std::filesystem;

class UnexpectedBankLine : public Pipeline {
  protected:
    UnexpectedBankLine() {
        config_.pay.release = config::Release::manual;
        // On a Saturday, so that the effective entry dates can still be kept on the day after.
        while (std::chrono::weekday(std::chrono::sys_days(today())) != std::chrono::Saturday)
            clock_.ahead += std::chrono::hours(24);
        add(1, 4);
        add(2, 4);
        run_well({poll, pay});
    }

    disbursement::PlannedPayment payment_of(DrawId id, std::size_t file = 0) {
        for (const auto& payment : ledger::load_file(*ledger_, files().at(file).file_id).file.payments) {
            if (payment.draw_id == id) return payment;
        }
        throw std::logic_error("the draw has no payment");
    }
    std::vector<DrawId> draws_in(std::size_t file) {
        std::vector<DrawId> ids;
        for (const auto& payment : ledger::load_file(*ledger_, files().at(file).file_id).file.payments)
            ids.push_back(payment.draw_id);
        return ids;
    }
    void resolve(std::string_view reason) { resolve_all(reason, eva()); }
    Result<ledger::FileRow> void_it(std::size_t file) {
        return void_file(*context_, files().at(file).name, "wrong day", eva());
    }
    Result<ledger::FileRow> release_it(std::size_t file) { return release_now(files().at(file).name, "agreed", eva()); }
};

// Someone took the staged file to the bank.
TEST_F(UnexpectedBankLine, about_an_unreleased_file_forbids_its_void_until_a_person_resolves_it) {
    bank_says(payment_of(1), "paid");
    ASSERT_THAT(reasons(), ElementsAre("payment_not_released"));
    const auto refused = void_it(0);
    ASSERT_FALSE(refused);
    EXPECT_THAT(refused.error().message, HasSubstr("the bank sent a line about a payment in it (exception "));
    EXPECT_FALSE(void_payment(*context_, payment_of(2).payment_id, "x", eva())) << "the whole file would be voided";
    EXPECT_THAT(reasons(), ElementsAre("payment_not_released"));
    EXPECT_EQ(files().front().state, FileState::staged);
    resolve("payment_not_released");
    EXPECT_TRUE(void_it(0));
}

TEST_F(UnexpectedBankLine, counts_even_if_the_line_has_other_faults) {
    bank_says(*payment_of(1).trace_number, {"paid", payment_of(1).amount + Money::from_cents(25)});
    ASSERT_THAT(reasons(), ElementsAre("amount_differs"));
    EXPECT_FALSE(void_it(0));
    EXPECT_FALSE(release_it(0));
    EXPECT_THAT(reasons(), Contains("amount_differs"));
    EXPECT_EQ(files().front().state, FileState::staged);
}

TEST_F(UnexpectedBankLine, about_an_unreleased_file_also_forbids_its_release) {
    bank_says(payment_of(1), "paid");
    const auto refused = release_it(0);
    ASSERT_FALSE(refused);
    EXPECT_THAT(refused.error().message, HasSubstr("draw 1 has a bank line"));
    config_.pay.release = config::Release::automatic;
    EXPECT_FALSE(run(pay).ok);
    EXPECT_EQ(files().front().state, FileState::staged);
    EXPECT_TRUE(fs::is_empty(folder_.path() / "state/spool/outgoing"));
    resolve("payment_not_released");
    run_well({pay});
    EXPECT_EQ(files().front().state, FileState::released);
    EXPECT_THAT(reasons(), IsEmpty());
}

// Whoever says that a bank line about a file does not count does not release that file.
TEST_F(UnexpectedBankLine, of_any_kind_about_an_unreleased_file_makes_whoever_resolves_it_a_maker) {
    bank_says(payment_of(1), "returned");
    ASSERT_FALSE(release_it(0));
    resolve("payment_not_released");
    const auto refused = release_it(0);
    ASSERT_FALSE(refused);
    EXPECT_THAT(refused.error().message, HasSubstr("lifted the hold of draw 1"));
    EXPECT_TRUE(release_now(files().front().name, "agreed", {clock_.now(), "uid 8 (bo)", 8}));
    expect_clean_ledger();
}

// The file is already voided, and its draws are in another file.
TEST_F(UnexpectedBankLine, about_a_voided_file_stops_the_next_file) {
    const auto first = payment_of(1);
    ASSERT_TRUE(void_it(0));
    run_well({pay});
    ASSERT_THAT(files(), SizeIs(2));
    bank_says(first, "paid");
    ASSERT_THAT(reasons(), ElementsAre("payment_not_released"));
    const auto refused = release_it(1);
    ASSERT_FALSE(refused);
    EXPECT_THAT(refused.error().message, HasSubstr("resolve exception 1 first"));
    ASSERT_TRUE(void_it(1)) << "no line is about its own payments";
    run_well({pay});
    ASSERT_THAT(files(), SizeIs(3));
    EXPECT_THAT(draws_in(2), ElementsAre(2)) << "the other draw does not wait";
    EXPECT_EQ(state_of(1), "blocked");
    EXPECT_THAT(reasons(), Contains("bank_says_paid"));
    resolve("payment_not_released");
    run_well({pay});
    ASSERT_THAT(files(), SizeIs(4));
    EXPECT_THAT(draws_in(3), ElementsAre(1));
    EXPECT_THAT(reasons(), IsEmpty());
    expect_clean_ledger();
}

TEST_F(UnexpectedBankLine, of_any_kind_about_a_voided_file_holds_the_draw) {
    const auto first = payment_of(1);
    ASSERT_TRUE(void_it(0));
    bank_says(first, "returned");
    ASSERT_THAT(reasons(), ElementsAre("payment_not_released"));
    run_well({pay});
    ASSERT_THAT(files(), SizeIs(2));
    EXPECT_THAT(draws_in(1), ElementsAre(2));
    EXPECT_EQ(state_of(1), "blocked");
    resolve("payment_not_released");
    run_well({pay});
    ASSERT_THAT(files(), SizeIs(3));
    EXPECT_THAT(draws_in(2), ElementsAre(1));
    expect_clean_ledger();
}

// The file waited in outgoing/ for its upload, where somebody could take it, and was voided.
TEST_F(UnexpectedBankLine, about_a_recalled_file_stops_the_next_file) {
    context_->settings.ach_delivery.sftp.emplace();
    const auto first = payment_of(1);
    ASSERT_TRUE(release_it(0));
    ASSERT_EQ(files().front().state, FileState::released);
    ASSERT_TRUE(void_it(0));
    run_well({pay});
    ASSERT_THAT(files(), SizeIs(2));
    bank_says(first, "paid");
    ASSERT_THAT(reasons(), ElementsAre("payment_not_released"));
    EXPECT_THAT(ledger::open_exceptions(*ledger_).front().what.detail, HasSubstr("its file was voided"));
    const auto refused = release_now(files().at(1).name, "seen", {clock_.now(), "uid 8 (bo)", 8});
    ASSERT_FALSE(refused);
    EXPECT_THAT(refused.error().message, HasSubstr("draw 1 has a bank line"));
    ASSERT_TRUE(void_it(1));
    run_well({pay});
    ASSERT_THAT(files(), SizeIs(3));
    EXPECT_THAT(draws_in(2), ElementsAre(2));
    EXPECT_EQ(state_of(1), "blocked");
    expect_clean_ledger();
}

TEST_F(UnexpectedBankLine, about_a_file_before_its_upload_stops_its_void) {
    context_->settings.ach_delivery.sftp.emplace();
    ASSERT_TRUE(release_it(0));
    bank_says(payment_of(1), "paid");
    ASSERT_THAT(reasons(), ElementsAre("payment_not_released"));
    EXPECT_THAT(ledger::open_exceptions(*ledger_).front().what.detail, HasSubstr("its file is not uploaded yet"));
    EXPECT_FALSE(void_it(0));
    resolve("payment_not_released");
    EXPECT_TRUE(void_it(0));
    expect_clean_ledger();
}

// The payment was returned and reissued; then the bank reports it as paid after all.
TEST_F(UnexpectedBankLine, after_a_return_stops_the_reissue_until_a_person_resolves_it) {
    const auto first = payment_of(1);
    ASSERT_TRUE(release_it(0));
    bank_says(first, "returned");
    ledger_->transaction(
        [&] { ASSERT_TRUE(ledger::order_reissue(*ledger_, 1, context_->payees, "new details", eva())); });
    bank_says(first, "paid");
    ASSERT_THAT(reasons(), ElementsAre("settled_differently"));
    config_.pay.release = config::Release::automatic;
    run_well({pay});
    EXPECT_THAT(files(), SizeIs(1));
    EXPECT_THAT(reasons(), Contains("bank_says_paid"));
    EXPECT_EQ(state_of(1), "blocked");
    resolve("settled_differently");
    run_well({pay});
    ASSERT_THAT(files(), SizeIs(2));
    EXPECT_THAT(draws_in(1), ElementsAre(1));
    EXPECT_THAT(reasons(), IsEmpty());
    expect_clean_ledger();
}

// A spreadsheet dropped the leading zero of the trace number.
TEST_F(UnexpectedBankLine, without_its_leading_zero_stops_the_reissue_too) {
    auto first = payment_of(1);
    ASSERT_TRUE(first.trace_number->starts_with('0'));
    ASSERT_TRUE(release_it(0));
    bank_says(first, "returned");
    ledger_->transaction(
        [&] { ASSERT_TRUE(ledger::order_reissue(*ledger_, 1, context_->payees, "new details", eva())); });
    first.trace_number->erase(0, 1);
    bank_says(first, "paid");
    ASSERT_THAT(reasons(), ElementsAre("unknown_payment"));
    run_well({pay});
    EXPECT_EQ(state_of(1), "blocked");
    EXPECT_THAT(reasons(), Contains("bank_says_paid"));
}

TEST_F(UnexpectedBankLine, dated_between_the_planning_and_the_release_confirms_nothing) {
    clock_.ahead += std::chrono::hours(24);
    const auto released = release_it(0);
    ASSERT_TRUE(released) << released.error().message;
    bank_says(*payment_of(1).trace_number, {"paid", payment_of(1).amount, /*days_ago=*/1});
    EXPECT_THAT(reasons(), ElementsAre("dated_before_payment"));
    bank_says(payment_of(2), "paid");
    EXPECT_THAT(reasons(), ElementsAre("dated_before_payment"));
    expect_clean_ledger();
}

TEST_F(UnexpectedBankLine, dated_before_the_release_confirms_the_payment_that_it_names_on_a_persons_word) {
    clock_.ahead += std::chrono::hours(24);
    ASSERT_TRUE(release_it(0));
    clock_.ahead -= std::chrono::hours(24);
    bank_says(payment_of(1), "paid");
    const auto open = ledger::open_exceptions(*ledger_);
    ASSERT_THAT(open, SizeIs(1));
    EXPECT_THAT(reasons(), ElementsAre("dated_before_payment"));
    const auto matched = ledger_->transaction([&] {
        return ledger::match_line(*ledger_, {open[0].exception_id, "the clock was a day ahead"},
                                  payment_of(1).payment_id, context_->settings.plan.zone, eva());
    });
    ASSERT_TRUE(matched) << matched.error().message;
    EXPECT_EQ(state_of(1), "paid");
    EXPECT_THAT(reasons(), IsEmpty());
    expect_clean_ledger();
}

}  // namespace
}  // namespace drawbridge::pipeline
