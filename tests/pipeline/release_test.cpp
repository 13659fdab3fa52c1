// Who releases a payment file, what stops it, and how a single payment is voided before that.
#include <boost/asio/post.hpp>
#include <filesystem>
#include <utility>

#include "drawbridge/ledger/facts/exports.hpp"
#include "drawbridge/ledger/facts/guards.hpp"
#include "drawbridge/ledger/facts/payment_voids.hpp"
#include "drawbridge/ledger/facts/payments.hpp"
#include "drawbridge/ledger/facts/release_orders.hpp"
#include "drawbridge/ledger/facts/runs.hpp"
#include "drawbridge/pipeline/deliver.hpp"
#include "drawbridge/pipeline/payment_files.hpp"
#include "pipeline/pipeline_fixture.hpp"

namespace drawbridge::pipeline {
namespace {

using ledger::FileState;
using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::SizeIs;

class Releasing : public Pipeline {
  protected:
    [[nodiscard]] std::vector<FileState> states() {
        std::vector<FileState> all;
        for (const auto& file : files())
            all.push_back(file.state);
        return all;
    }
    // The payment of a draw in a file.
    [[nodiscard]] std::int64_t payment_of(DrawId id, std::size_t file = 0) {
        for (const auto& payment : ledger::load_file(*ledger_, files().at(file).file_id).file.payments) {
            if (payment.draw_id == id) return payment.payment_id;
        }
        return 0;
    }
    [[nodiscard]] std::vector<DrawId> draws_in(std::size_t file) {
        std::vector<DrawId> ids;
        for (const auto& payment : ledger::load_file(*ledger_, files().at(file).file_id).file.payments)
            ids.push_back(payment.draw_id);
        return ids;
    }
    // The release is ordered and every check has passed; the program dies before it moves the file.
    void begin_release(const ledger::FileRow& file, const ledger::Stamp& by) {
        ledger_->transaction([&] {
            ASSERT_TRUE(ledger::make_release_order(*ledger_, file, {}, "agreed", by));
            ASSERT_TRUE(ledger::order_release(*ledger_, file, "agreed", by));
        });
    }
    void begin_release(const ledger::FileRow& file) { begin_release(file, eva()); }
    void resolve_first() {
        const auto id = ledger::open_exceptions(*ledger_).front().exception_id;
        ledger_->transaction([&] { ASSERT_TRUE(ledger::close_exception(*ledger_, id, "it is right", eva())); });
    }
};

// Draw 1 pays $100.01 and draw 2 $100.02 in the same file; draw 3 pays $100.03 by check.
TEST_F(Releasing, a_file_up_to_the_limit_is_released_automatically_and_above_it_by_a_person) {
    config_.pay.release_limit = Money::parse("200.03").value();
    add(1, 4);
    add(2, 4);
    run_well({poll, pay});
    EXPECT_THAT(states(), ElementsAre(FileState::released)) << "exactly at the limit is not over it";
    config_.pay.release_limit = Money::parse("100.02").value();
    add(3, 4, "PAYEE-3");
    run_well({poll});
    const auto report = run(pay);
    EXPECT_THAT(report.summary, HasSubstr("1 file over pay.release_limit, to be released by a person"));
    EXPECT_THAT(states(), ElementsAre(FileState::released, FileState::staged));
    run_well({pay});
    EXPECT_THAT(states(), ElementsAre(FileState::released, FileState::staged)) << "and not automatically later";
    ASSERT_TRUE(release_now(files()[1].name, "totals agreed", eva()));
    EXPECT_EQ(files()[1].release_ordered_by, "uid 7 (eva)");
}

TEST_F(Releasing, the_limit_counts_automatic_releases_per_day_and_account) {
    config_.pay.release_limit = Money::parse("150.00").value();
    add(1, 4);
    run_well({poll, pay});
    add(2, 4);
    run_well({poll, pay});
    EXPECT_THAT(states(), ElementsAre(FileState::released, FileState::staged))
        << "100.01 and 100.02 together are over it";
    add(3, 4, "PAYEE-3");
    run_well({poll, pay});
    EXPECT_EQ(states().back(), FileState::released) << "a check is drawn on another account";
    ASSERT_TRUE(release_now(files()[1].name, "totals agreed", eva()));
    const auto company = std::exchange(context_->settings.plan.ach->company_id, "1987654321");
    add(4, 4);
    run_well({poll, pay});
    EXPECT_EQ(states().back(), FileState::released) << "another company";
    clock_.ahead += std::chrono::days(1);
    context_->settings.plan.ach->company_id = company;
    add(5, 4);
    run_well({poll, pay});
    EXPECT_EQ(states().back(), FileState::released) << "another day";
    add(6, 4);
    run_well({poll, pay});
    EXPECT_EQ(states().back(), FileState::staged);
    expect_clean_ledger();
}

TEST_F(Releasing, a_clock_that_leaps_ahead_leaves_releases_to_people) {
    config_.pay.release_limit = Money::parse("150.00").value();
    add(1, 4, "PAYEE-3");  // by check: an ACH file may be too late for its date a day later
    run_well({poll, pay});
    add(2, 4, "PAYEE-3");
    run_well({poll, pay});
    ASSERT_THAT(states(), ElementsAre(FileState::released, FileState::staged)) << "the limit of the day is used up";
    clock_.ahead_passes = false;
    clock_.ahead += std::chrono::hours(24);
    run(pay);
    EXPECT_THAT(states(), ElementsAre(FileState::released, FileState::staged)) << "no day has passed";
    EXPECT_THAT(exception_details("clock_leapt"), ElementsAre(HasSubstr("after 0 minutes")));
    run_well({poll, pay});
    EXPECT_THAT(states(), ElementsAre(FileState::released, FileState::staged));
    EXPECT_EQ(resolve_all("clock_leapt", eva()), 1);
    run_well({poll, pay});
    EXPECT_THAT(states(), ElementsAre(FileState::released, FileState::released)) << "the clock is right, says a person";
    EXPECT_THAT(reasons(), ::testing::IsEmpty());
}

TEST_F(Releasing, a_clock_that_differs_from_the_services_leaves_releases_to_people) {
    config_.pay.release_limit = Money::parse("150.00").value();
    add(1, 4, "PAYEE-3");  // by check: an ACH file may be too late for its date a day later
    run_well({poll, pay});
    add(2, 4, "PAYEE-3");
    run_well({poll, pay});
    auto& machine = dynamic_cast<OverHttp&>(*around_);
    // Drawbridge starts with the wrong clock, so nothing leaps while it runs.
    machine.ahead_of_sandbox = clock_.ahead = std::chrono::hours(24);
    run(poll);
    run(pay);
    EXPECT_THAT(states(), ElementsAre(FileState::released, FileState::staged)) << "it is the same day";
    EXPECT_THAT(reasons(), ElementsAre("clock_differs"));
    EXPECT_EQ(resolve_all("clock_differs", eva()), 1);
    run(poll);
    run(pay);
    EXPECT_THAT(states(), ElementsAre(FileState::released, FileState::staged)) << "no word of a person changes it";
    machine.ahead_of_sandbox = std::chrono::hours(0);
    run_well({poll, pay});
    EXPECT_THAT(states(), ElementsAre(FileState::released, FileState::released)) << "it was a day later";
    EXPECT_THAT(reasons(), ::testing::IsEmpty());
}

TEST_F(Releasing, an_automatic_release_that_has_begun_needs_its_permission_to_the_end) {
    config_.pay.release = config::Release::manual;
    add(1, 4);
    run_well({poll, pay});
    begin_release(files().front(), {clock_.now(), "drawbridge"});
    run(pay);
    EXPECT_THAT(states(), ElementsAre(FileState::releasing)) << "pay.release is manual by now";
    EXPECT_THAT(exception_details("release_not_allowed"), ElementsAre(HasSubstr("have a person release the next")));
    const auto waiting = ledger::releases_since(*ledger_, clock_.now() + std::chrono::hours(48), "drawbridge");
    ASSERT_EQ(waiting.size(), 1U) << "it counts on the day on which it leaves, whenever it was ordered";
    EXPECT_TRUE(waiting.front().waits);
    config_.pay.release = config::Release::automatic;
    config_.pay.release_limit = Money::parse("100.00").value();
    run(pay);
    EXPECT_THAT(states(), ElementsAre(FileState::releasing)) << "it is over the limit";
    config_.pay.release_limit = Money::parse("100.01").value();
    run_well({pay});
    EXPECT_THAT(states(), ElementsAre(FileState::released));
    EXPECT_THAT(ledger::releases_since(*ledger_, clock_.now() + std::chrono::hours(48), "drawbridge"),
                ::testing::IsEmpty());
}

TEST_F(Releasing, a_clock_that_went_back_leaves_releases_to_people) {
    add(1, 4);
    run_well({poll, pay});
    clock_.ahead -= std::chrono::days(30);
    add(2, 4);
    run(poll);
    run(pay);
    EXPECT_THAT(states(), ElementsAre(FileState::released, FileState::staged));
    EXPECT_THAT(reasons(), ::testing::Contains("clock_went_back"));
}

TEST_F(Releasing, a_file_that_has_begun_to_leave_and_cannot_be_read_has_not_left) {
    add(1, 4);
    config_.pay.release = config::Release::manual;
    run_well({poll, pay});
    const auto name = files().front().name;
    const auto staged = folder_.path() / "state/spool/staged" / name, aside = folder_.path() / name;
    begin_release(files().front());
    spool_->add_manifest_line(today(), ledger::export_line(*ledger_, files().front().file_id)->text);
    std::filesystem::rename(staged, aside);
    std::filesystem::create_symlink(aside, staged);
    run(pay);
    EXPECT_THAT(states(), ElementsAre(FileState::releasing)) << "a link is not the file";
    EXPECT_THAT(reasons(), ElementsAre("staged_file_changed"));
    std::filesystem::rename(aside, staged);
    run_well({pay});
    EXPECT_THAT(states(), ElementsAre(FileState::released));
    EXPECT_TRUE(std::filesystem::exists(folder_.path() / "state/spool/outgoing" / name));
}

TEST_F(Releasing, the_person_who_started_a_file_over_the_limit_cannot_release_it) {
    config_.pay.release_limit = Money::parse("1.00").value();
    add(1, 4);
    run_well({poll});
    context_->actor = "uid 7 (eva)";
    context_->uid = 7;
    EXPECT_TRUE(run_as_is(pay).ok);
    const auto refused = release_now(files().front().name, "mine", eva());
    ASSERT_FALSE(refused);
    EXPECT_EQ(refused.error().code, ErrorCode::forbidden);
    EXPECT_TRUE(release_now(files().front().name, "seen", {clock_.now(), "uid 8 (bo)", 8}));
}

TEST_F(Releasing, automatic_release_waits_for_another_person_if_the_file_has_makers) {
    add(1, 4);
    run_well({poll});
    ledger_->transaction([&] { ledger::record_maker_act(*ledger_, ledger::MakerAct::approved, {.draw = 1}, eva()); });
    const auto report = run_as_is(pay);
    EXPECT_THAT(report.summary, HasSubstr("1 file to be released by a person who is not a maker"));
    EXPECT_THAT(states(), ElementsAre(FileState::staged));
    EXPECT_FALSE(release_now(files().front().name, "mine", eva()));
    EXPECT_TRUE(release_now(files().front().name, "seen", {clock_.now(), "uid 8 (bo)", 8}));
}

TEST_F(Releasing, a_pause_between_two_files_stops_the_second) {
    add(1, 4);
    add(3, 4, "PAYEE-3");
    run_well({poll});
    // Like an operator's request, it runs whenever the step yields.
    int looks_left = 100'000;
    std::function<void()> pause_when_one_is_out = [&] {
        const auto now = states();
        if (std::ranges::find(now, FileState::released) != now.end()) {
            ledger_->transaction([&] { ledger::set_paused(*ledger_, true, "stop", eva()); });
        } else if (--looks_left > 0) {
            asio::post(io_, pause_when_one_is_out);
        }
    };
    asio::post(io_, pause_when_one_is_out);
    run_well({pay});
    EXPECT_THAT(states(), ElementsAre(FileState::released, FileState::staged));
    ledger_->transaction([&] { ledger::set_paused(*ledger_, false, "go on", eva()); });
    run_well({pay});
    EXPECT_THAT(states(), ElementsAre(FileState::released, FileState::released));
}

// Someone removes the file between the order and the move: no rename happened, and nothing shows one.
TEST_F(Releasing, a_file_that_vanishes_during_release_is_not_recorded_as_released) {
    config_.pay.release = config::Release::manual;
    add(1, 4);
    run_well({poll, pay});
    const auto file = files().front();
    begin_release(file);
    const auto staged = folder_.path() / "state/spool/staged" / file.name;
    const auto taken = folder_.path() / "taken";
    std::filesystem::rename(staged, taken);
    EXPECT_FALSE(run(pay).ok);
    EXPECT_THAT(reasons(), ElementsAre("staged_file_missing"));
    EXPECT_THAT(states(), ElementsAre(FileState::releasing)) << "nothing released it";
    std::filesystem::rename(taken, staged);
    run_well({pay});
    EXPECT_THAT(states(), ElementsAre(FileState::released));
    EXPECT_TRUE(std::filesystem::exists(folder_.path() / "state/spool/outgoing" / file.name));
    expect_clean_ledger();
}

TEST_F(Releasing, a_vanished_file_that_the_bank_has_counts_as_released_once_a_releaser_says_so) {
    config_.pay.release = config::Release::manual;
    add(1, 4);
    run_well({poll, pay});
    const auto file = files().front();
    EXPECT_FALSE(resolve_delivery(*context_, file.name, DeliveryResolution::by_hand, "r", eva()));
    begin_release(file);
    EXPECT_FALSE(resolve_delivery(*context_, file.name, DeliveryResolution::by_hand, "r", eva())) << "it is still here";
    const auto staged = folder_.path() / "state/spool/staged" / file.name;
    std::filesystem::rename(staged, folder_.path() / "taken");
    EXPECT_FALSE(run(pay).ok);
    EXPECT_THAT(exception_details("staged_file_missing"), ElementsAre(HasSubstr(file.name + " --by-hand")));
    EXPECT_THAT(void_file(*context_, file.name, "gone", eva()).error().message, HasSubstr("may have left"));
    EXPECT_FALSE(resolve_delivery(*context_, file.name, DeliveryResolution::again, "r", eva()));
    const auto found = resolve_delivery(*context_, file.name, DeliveryResolution::by_hand, "the bank's list", eva());
    ASSERT_TRUE(found) << found.error().message;
    EXPECT_EQ(found->state, FileState::released);
    EXPECT_THAT(reasons(), IsEmpty());
    run_well({pay});
    EXPECT_THAT(files(), SizeIs(1));
    expect_clean_ledger();
}

TEST_F(Releasing, an_identical_file_in_outgoing_counts_as_released_even_without_manifests) {
    config_.pay.release = config::Release::manual;
    add(1, 4);
    run_well({poll, pay});
    const auto file = files().front();
    begin_release(file);
    const auto spool = folder_.path() / "state/spool";
    std::filesystem::rename(spool / "staged" / file.name, spool / "outgoing" / file.name);
    run_well({pay});
    EXPECT_THAT(states(), ElementsAre(FileState::released));
}

class VoidingAPayment : public Releasing {
  protected:
    VoidingAPayment() {
        config_.pay.release = config::Release::manual;
        for (DrawId id = 1; id <= 3; ++id)
            add(id, 4);
        run_well({poll, pay});
    }
    Result<VoidedPayment> void_it(DrawId id) { return void_payment(*context_, payment_of(id), "wrong payee", eva()); }
};

TEST_F(VoidingAPayment, holds_its_draw_and_pays_the_others_under_new_numbers) {
    const auto first = files().front();
    const auto voided = void_it(2);
    ASSERT_TRUE(voided) << voided.error().message;
    EXPECT_EQ(voided->draw_id, 2);
    EXPECT_EQ(voided->file.state, FileState::voided);
    EXPECT_FALSE(std::filesystem::exists(folder_.path() / "state" / "spool" / "staged" / first.name));
    EXPECT_EQ(state_of(2), "blocked");
    EXPECT_EQ(state_of(1), "approved");
    EXPECT_THAT(reasons(), ElementsAre("payment_voided"));
    run_well({pay, pay});
    ASSERT_THAT(files(), SizeIs(2));
    EXPECT_THAT(draws_in(1), ElementsAre(1, 3));
    EXPECT_NE(files()[1].name, first.name);
    EXPECT_GT(payment_of(1, 1), payment_of(3, 0));
    const auto runs = ledger::pay_runs(*ledger_, 10);
    EXPECT_EQ(runs.back().exported.count, 3);
    EXPECT_EQ(runs.at(runs.size() - 2).held.count, 1) << "held, not an exception";
    expect_clean_ledger();
}

TEST_F(VoidingAPayment, once_resolved_lets_the_draw_be_paid_once) {
    ASSERT_TRUE(void_it(2));
    run_well({pay});
    resolve_first();
    EXPECT_EQ(state_of(2), "approved");
    run_well({pay, pay});
    ASSERT_THAT(files(), SizeIs(3));
    EXPECT_THAT(draws_in(2), ElementsAre(2));
    EXPECT_THAT(reasons(), IsEmpty());
    expect_clean_ledger();
}

// The exception closes when something else blocks the draw or the draw moves on; the hold stays.
TEST_F(VoidingAPayment, holds_the_draw_through_other_changes) {
    ASSERT_TRUE(void_it(2));
    sandbox_.edit(2, {{"amountApproved", 9'999.00}});
    run_well({poll, pay});
    EXPECT_THAT(reasons(), ElementsAre("amount_changed"));
    sandbox_.edit(2, {{"amountApproved", 100.02}});
    run_well({poll, pay});
    EXPECT_THAT(reasons(), ElementsAre("payment_voided"));
    sandbox_.act(2, "reopen", {{"status", 3}});
    run_well({poll, pay});
    sandbox_.act(2, "approve");
    run_well({poll, pay});
    EXPECT_THAT(reasons(), ElementsAre("payment_voided"));
    EXPECT_EQ(state_of(2), "blocked");
    resolve_first();
    run_well({pay});
    EXPECT_EQ(state_of(2), "paying");
}

TEST_F(VoidingAPayment, is_refused_after_release_and_names_the_alternative) {
    ASSERT_TRUE(release_now(files().front().name, "", eva()));
    const auto too_late = void_it(2);
    ASSERT_FALSE(too_late);
    EXPECT_THAT(too_late.error().message, HasSubstr("stop or recall it at the bank"));
    add(4, 4, "PAYEE-3");
    run_well({poll, pay});
    ASSERT_TRUE(release_now(files()[1].name, "", eva()));
    const auto check = void_payment(*context_, payment_of(4, 1), "lost", eva());
    ASSERT_FALSE(check);
    EXPECT_THAT(check.error().message, HasSubstr("'drawbridge void --check "));
    const auto unknown = void_payment(*context_, 99, "lost", eva());
    ASSERT_FALSE(unknown);
    EXPECT_EQ(unknown.error().code, ErrorCode::not_found);
    EXPECT_THAT(reasons(), IsEmpty());
}

TEST_F(VoidingAPayment, twice_is_refused_and_changes_nothing) {
    ASSERT_TRUE(void_it(2));
    EXPECT_FALSE(void_it(2));
    EXPECT_FALSE(void_it(1)) << "its file is already void";
    EXPECT_THAT(reasons(), ElementsAre("payment_voided"));
    EXPECT_EQ(ledger::void_hold(*ledger_, 1), std::nullopt);
}

}  // namespace
}  // namespace drawbridge::pipeline
