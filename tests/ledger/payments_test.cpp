#include "drawbridge/ledger/facts/payments.hpp"

#include <gmock/gmock.h>

#include <string>
#include <vector>

#include "ledger/ledger_fixture.hpp"
#include "store/connection.hpp"

namespace drawbridge::ledger {
namespace {

using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::SizeIs;

class Payments : public LedgerFixture {
  protected:
    void approved_draws(DrawId from, DrawId to, const char* payee) {
        for (DrawId id = from; id <= to; ++id) {
            auto draw = test::sample_draw(id, DrawStatus::approved, "12.34");
            draw.field_a = payee;
            read(draw);
        }
    }
};

TEST_F(Payments, are_read_from_the_ledger_as_they_were_planned) {
    approved_draws(1, 3, "PAYEE-1");
    approved_draws(4, 5, "PAYEE-3");
    const auto settings = test::sample_plan_settings();
    std::vector<disbursement::Payable> payables;
    for (const auto id : draws_to_pay(*ledger)) {
        const auto known = newest_reading(*ledger, id);
        payables.push_back(
            {id, known->reading_id, known->draw.amount_approved, agreed_amount(*ledger, id), known->draw.field_a, ""});
    }
    const auto numbers = number_block(*ledger, disbursement::plan_date(settings, now), 10001);
    const auto plan = disbursement::plan(payables, test::sample_directory(), settings, numbers, now);
    ASSERT_THAT(plan.files, SizeIs(2));
    ledger->transaction([&] { record_plan(*ledger, plan, settings, stamp()); });
    reopen();
    const auto rows = payment_files(*ledger, /*unreleased_only=*/true);
    ASSERT_THAT(rows, SizeIs(2));
    for (std::size_t i = 0; i < 2; ++i) {
        const auto stored = load_file(*ledger, rows[i].file_id);
        EXPECT_EQ(stored.file, plan.files[i]);
        EXPECT_EQ(disbursement::render(stored.file, stored.profile).value(),
                  disbursement::render(plan.files[i], disbursement::profile_for(settings, plan.files[i].rail)).value());
    }
    EXPECT_EQ(number_block(*ledger, disbursement::plan_date(settings, now), 10001), plan.numbers_after);
}

TEST_F(Payments, are_never_rewritten_under_any_name_of_a_column) {
    ABOUT_THE_FILE();
    approved_draws(1, 2, "PAYEE-1");
    pay();
    auto& db = ledger->connection().db;
    std::vector<std::string> assignments = {"rowid = 4711", "oid = 4711", "_rowid_ = 4711"};
    {
        SQLite::Statement columns(db.sqlite(),
                                  "SELECT name || iif(type = 'TEXT', ' = ''other''', ' = 4711') FROM "
                                  "pragma_table_info('payment') WHERE name NOT IN ('ended_at', 'finished_at')");
        while (columns.executeStep())
            assignments.push_back(columns.getColumn(0).getString());
    }
    ASSERT_GT(assignments.size(), 25U);
    for (const auto& assignment : assignments) {
        SCOPED_TRACE(assignment);
        try {
            db.exec("UPDATE payment SET " + assignment + " WHERE draw_id = 1");
            ADD_FAILURE() << "it was rewritten";
        } catch (const SQLite::Exception& refused) {
            EXPECT_STREQ(refused.what(), "a payment is never rewritten");
        }
    }
}

TEST_F(Payments, numbers_continue_across_files_days_and_restarts) {
    approved_draws(1, 2, "PAYEE-1");
    pay();
    reopen();
    approved_draws(3, 4, "PAYEE-1");
    approved_draws(5, 6, "PAYEE-3");
    pay();
    now += std::chrono::hours(24);
    approved_draws(7, 8, "PAYEE-1");
    pay();
    std::vector<std::string> names;
    for (const auto& file : payment_files(*ledger, false))
        names.push_back(file.name);
    EXPECT_THAT(names, ::testing::ElementsAre("ACH-20260304-A.ach", "ACH-20260304-B.ach", HasSubstr("CHK-20260304-"),
                                              "ACH-20260305-A.ach"));
    EXPECT_THAT(violations(), IsEmpty());
}

TEST_F(Payments, the_first_check_number_can_raise_but_never_lower_the_next) {
    approved_draws(1, 2, "PAYEE-3");
    pay();
    const auto today = disbursement::plan_date(test::sample_plan_settings(), now);
    EXPECT_EQ(number_block(*ledger, today, 1).next_check_number, 1003);
    EXPECT_EQ(number_block(*ledger, today, 5000).next_check_number, 5000);
}

TEST_F(Payments, go_through_their_states_in_order) {
    approved_draws(1, 1, "PAYEE-1");
    pay(/*release=*/false);
    const auto file = payment_files(*ledger, true).front();
    EXPECT_EQ(file.state, FileState::staged);
    if (!on_postgresql()) {  // the process that dies would share its connection with this one
        EXPECT_DEATH(ledger->transaction([&] { record_released(*ledger, file.file_id, stamp()); }), "in order");
    }
    ledger->transaction([&] { ASSERT_TRUE(order_release(*ledger, file, "checked", stamp("uid 7 (eva)"))); });
    const auto ordered = *find_file(*ledger, file.name);
    EXPECT_EQ(ordered.state, FileState::releasing);
    const auto again = ledger->transaction([&] { return order_release(*ledger, ordered, "", stamp("uid 8 (max)")); });
    ASSERT_FALSE(again);
    EXPECT_THAT(again.error().message, HasSubstr("already released by uid 7 (eva)"));
}

TEST_F(Payments, the_person_who_started_a_file_does_not_release_it) {
    approved_draws(1, 1, "PAYEE-1");
    pay_as(stamp("uid 7 (eva)"), /*release=*/false);
    const auto file = payment_files(*ledger, true).front();
    const auto ordered = ledger->transaction([&] { return order_release(*ledger, file, "", stamp("uid 7 (eva)")); });
    ASSERT_FALSE(ordered);
    EXPECT_EQ(ordered.error().code, ErrorCode::forbidden);
    EXPECT_THAT(ordered.error().message, HasSubstr("you had a hand in it (started the run)"));
}

// Its void may have gone out while the file that issues it waited.
TEST_F(Payments, one_that_has_ended_keeps_its_file_from_leaving) {
    approved_draws(1, 2, "PAYEE-3");
    pay(/*release=*/false);
    const auto file = payment_files(*ledger, /*unreleased_only=*/true).front();
    std::vector<std::int64_t> payment_ids;
    for (const auto& paid : paid_draws(*ledger, file.file_id, {}, 10))
        payment_ids.push_back(paid.position.payment_id);
    EXPECT_THAT(bank_objections(*ledger, payment_ids), IsEmpty());
    ledger->transaction(
        [&] { ledger->connection().db.exec("UPDATE payment SET ended_at = 1, finished_at = 1 WHERE draw_id = 2"); });
    EXPECT_THAT(bank_objections(*ledger, payment_ids),
                ::testing::ElementsAre("draw 2: its payment in this file has ended"));
}

}  // namespace
}  // namespace drawbridge::ledger
