// Checks that left after the backup: what the restored ledger says of them, from their manifest.
#include "drawbridge/ledger/facts/sent_before.hpp"
#include "drawbridge/ledger/reports/check_register.hpp"
#include "drawbridge/ledger/reports/search.hpp"
#include "drawbridge/pipeline/acknowledge.hpp"
#include "drawbridge/pipeline/check_orders.hpp"
#include "pipeline/restore_fixture.hpp"

namespace drawbridge::pipeline {
namespace {

using ::testing::AllOf;
using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Not;

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

}  // namespace
}  // namespace drawbridge::pipeline
