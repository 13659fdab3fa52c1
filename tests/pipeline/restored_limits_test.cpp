// Limits, earlier payments and automatic releases after a restore: what only the manifests show counts, too.
#include <gmock/gmock.h>

#include <chrono>
#include <optional>

#include "pipeline/restore_fixture.hpp"

namespace drawbridge::pipeline {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::SizeIs;

// Draw 1 is paid to PAYEE-1 after the backup.
class LimitsAfterRestore : public AfterRestore {
  protected:
    void configure() override {
        config_.pay.release_limit = Money::parse("150.00").value();
        context_->settings.plan.guards.duplicate_days = 7;
        if (day_limit_) context_->settings.plan.guards.day_limit = day_limit_;
    }
    void pay_draw_1_after_the_backup() {
        configure();
        approved(1, 10000);
        run_well({poll});
        back_up_ledger();
        run_well({poll, pay});
        ASSERT_EQ(files().front().release_ordered_by, "drawbridge");
        bank_takes_files();
    }
    void restore_and_resume() {
        restore_ledger();
        run_well({poll});
        EXPECT_TRUE(end_restoration());
    }
    void approved(DrawId id, std::int64_t cents, const std::string& payee = "PAYEE-1") {
        sandbox_.add({.id = id,
                      .cents = cents,
                      .payee = payee,
                      .status = 4,
                      .requested = std::chrono::floor<std::chrono::seconds>(clock_.now() + std::chrono::hours(2))});
    }
    std::optional<Money> day_limit_;
};

TEST_F(LimitsAfterRestore, a_payment_of_a_lost_ledger_is_an_earlier_payment) {
    pay_draw_1_after_the_backup();
    restore_and_resume();
    approved(2, 10000);
    run_well({poll, pay});
    EXPECT_THAT(files(), IsEmpty());
    EXPECT_THAT(exception_details("duplicate_suspected"), ElementsAre(HasSubstr("P0000000001 of draw 1")));
}

TEST_F(LimitsAfterRestore, what_a_lost_ledger_paid_counts_for_the_day) {
    day_limit_ = Money::parse("150.00").value();
    pay_draw_1_after_the_backup();
    restore_and_resume();
    approved(2, 5001);
    approved(3, 5000, "PAYEE-3");
    run_well({poll, pay});
    EXPECT_THAT(files(), SizeIs(1));
    EXPECT_EQ(state_of(3), "paying") << "exactly at the limit";
    EXPECT_NE(state_of(2), "paying");
}

TEST_F(LimitsAfterRestore, what_a_lost_ledger_released_counts_for_the_automatic_releases) {
    pay_draw_1_after_the_backup();
    restore_and_resume();
    approved(2, 5001);
    run_well({poll, pay});
    ASSERT_THAT(files(), SizeIs(1));
    EXPECT_EQ(files().front().state, ledger::FileState::staged) << "a person releases it";
}

TEST_F(LimitsAfterRestore, nothing_is_released_automatically_on_the_day_if_the_manifests_are_gone) {
    pay_draw_1_after_the_backup();
    delete_manifests();
    restore_and_resume();
    approved(2, 5001, "PAYEE-3");
    run_well({poll});
    EXPECT_THAT(run(pay).summary, HasSubstr("over pay.release_limit, to be released by a person: CHK-"));
    ASSERT_THAT(files(), SizeIs(1));
    EXPECT_EQ(files().front().state, ledger::FileState::staged);
    clock_.ahead += std::chrono::days(1);
    run_well({poll, pay});
    EXPECT_EQ(files().front().state, ledger::FileState::released);
}

}  // namespace
}  // namespace drawbridge::pipeline
