#include "drawbridge/ledger/reports/check_register.hpp"

#include <gmock/gmock.h>

#include <map>

#include "drawbridge/ledger/facts/check_orders.hpp"
#include "drawbridge/ledger/facts/evidence.hpp"
#include "drawbridge/ledger/facts/plans.hpp"
#include "drawbridge/ledger/facts/resolutions.hpp"
#include "drawbridge/ledger/facts/returns.hpp"
#include "ledger/ledger_fixture.hpp"
#include "store/connection.hpp"

namespace drawbridge::ledger {
namespace {

using checks::CheckAction;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::SizeIs;

BusinessDate day(std::string_view text) {
    return parse_date(text).value();
}

class CheckRegister : public LedgerFixture {
  protected:
    void approved(DrawId from, DrawId to) {
        for (DrawId id = from; id <= to; ++id) {
            auto draw = test::sample_draw(id, DrawStatus::approved, "12.34");
            draw.field_a = "PAYEE-3";
            read(draw);
        }
    }
    Result<void> order(std::int64_t number, CheckAction action = CheckAction::void_check,
                       const std::string& actor = "uid 7 (eva)") {
        return ledger->transaction([&] { return order_check(*ledger, number, action, "lost", stamp(actor)); });
    }
    // Plans a file for the open orders and stages it.
    FileRow write_orders() {
        const auto settings = test::sample_plan_settings();
        std::vector<disbursement::CheckOrder> orders;
        for (auto& open : open_check_orders(*ledger))
            orders.push_back(std::move(open.order));
        return ledger->transaction([&] {
            const auto next = number_block(*ledger, disbursement::plan_date(settings, now), 1).next_file_sequence;
            const auto plan = disbursement::plan_check_orders(orders, settings, next, now);
            EXPECT_THAT(plan.refused, IsEmpty());
            record_check_order_files(*ledger, plan, stamp());
            const auto file = *find_file(*ledger, plan.files.at(0).file.name);
            const auto stored = load_file(*ledger, file.file_id);
            EXPECT_EQ(stored.file, plan.files.at(0).file);
            const auto bytes = disbursement::render(stored.file, stored.profile).value();
            EXPECT_TRUE(disbursement::verify_rendered(bytes, stored.file, stored.profile));
            record_staged(*ledger, file.file_id, sha256_hex(bytes), stamp());
            return *find_file(*ledger, file.name);
        });
    }
    Result<void> let_go(const FileRow& file, const std::string& actor = "uid 1 (bo)") {
        return ledger->transaction([&] {
            auto ordered = order_release(*ledger, file, "test", stamp(actor));
            if (ordered) record_released(*ledger, file.file_id, stamp());
            return ordered;
        });
    }
    std::vector<std::string> states(std::string_view stale_until = "2020-01-01") {
        std::vector<std::string> all;
        for (const auto& row : check_register(*ledger, day(stale_until), 0, 1000)) {
            std::string text = std::to_string(row.first_number);
            if (row.last_number != row.first_number) text += "-" + std::to_string(row.last_number);
            all.push_back(text + " " + std::string(to_string(row.state)));
        }
        return all;
    }
    // Page by page, as one list.
    std::vector<std::int64_t> numbers(int limit) {
        std::vector<std::int64_t> all;
        for (std::int64_t after = 0;;) {
            const auto page = check_register(*ledger, day("2020-01-01"), after, limit);
            if (page.empty()) return all;
            EXPECT_LE(page.size(), static_cast<std::size_t>(limit));
            for (const auto& row : page)
                all.insert(all.end(), {row.first_number, row.last_number});
            after = page.back().last_number;
        }
    }
    std::vector<std::string> reasons() {
        std::vector<std::string> all;
        for (const auto& row : open_exceptions(*ledger))
            all.push_back(row.what.reason_code);
        return all;
    }
    Confirmation line(std::int64_t number, ConfirmationKind kind, std::string_view date = "2026-03-05") const {
        Confirmation confirmation;
        confirmation.line = 2;
        confirmation.payment_reference = std::to_string(number);
        confirmation.kind = kind;
        confirmation.amount = Money::from_cents(1234);
        confirmation.date = day(date);
        return confirmation;
    }
    // Checks 1001 and 1002 were issued, and the orders to void them went out two days ago.
    void void_two_checks() {
        approved(1, 2);
        pay();
        ASSERT_TRUE(order(1001));
        ASSERT_TRUE(order(1002));
        ASSERT_TRUE(let_go(write_orders()));
        now += std::chrono::hours(48);
    }
};

TEST_F(CheckRegister, has_a_row_for_each_number_and_shows_gaps) {
    approved(1, 2);
    pay();
    approved(3, 3);
    const auto settings = test::sample_plan_settings();
    ledger->transaction([&] {  // the office started a new box of checks
        const auto known = newest_reading(*ledger, 3);
        const std::vector<disbursement::Payable> payables = {
            {3, known->reading_id, known->draw.amount_approved, agreed_amount(*ledger, 3), known->draw.field_a, ""}};
        const auto numbers = number_block(*ledger, disbursement::plan_date(settings, now), 2000);
        record_plan(*ledger, disbursement::plan(payables, test::sample_directory(), settings, numbers, now), settings,
                    stamp());
    });
    EXPECT_THAT(states(), ElementsAre("1001 issued", "1002 issued", "1003-1999 never_used", "2000 planned"));
    const auto row = payment_files(*ledger, /*unreleased_only=*/true).front();
    ledger->transaction([&] { ASSERT_TRUE(void_file(*ledger, row, "wrong", stamp("uid 1 (bo)"))); });
    now += std::chrono::hours(24);
    confirm({line(1001, ConfirmationKind::paid)});
    EXPECT_THAT(states(), ElementsAre("1001 paid", "1002 issued", "1003-1999 never_used", "2000 not_issued"));
    EXPECT_THAT(states("2026-03-04"), ::testing::Contains("1002 stale"));
    EXPECT_THAT(numbers(1000), ElementsAre(1001, 1001, 1002, 1002, 1003, 1999, 2000, 2000));
    for (const int limit : {1, 2, 3})
        EXPECT_EQ(numbers(limit), numbers(1000)) << limit;
    EXPECT_EQ(count_checks(*ledger), 3);
    EXPECT_THAT(violations(), IsEmpty());
}

TEST_F(CheckRegister, a_check_is_void_once_the_order_is_transmitted_and_not_before) {
    approved(1, 2);
    pay();
    ASSERT_TRUE(order(1001));
    EXPECT_THAT(states(), ElementsAre("1001 void_requested", "1002 issued"));
    EXPECT_EQ(state(1), "paying");
    const auto file = write_orders();
    EXPECT_THAT(file.name, "CHV-20260304-0002.csv");
    EXPECT_THAT(open_check_orders(*ledger), IsEmpty());
    EXPECT_EQ(state(1), "paying");
    EXPECT_THAT(violations(), IsEmpty());
    ASSERT_TRUE(let_go(file));
    EXPECT_EQ(state(1), "returned");
    EXPECT_EQ(state(2), "paying");
    EXPECT_THAT(draws_to_pay(*ledger), IsEmpty());
    EXPECT_THAT(reasons(), ElementsAre("check_voided"));
    EXPECT_THAT(states(), ElementsAre("1001 void_transmitted", "1002 issued"));
    std::vector<std::string> details;
    for (const auto& entry : timeline(*ledger, 1))
        details.push_back(entry.detail);
    EXPECT_THAT(details, ::testing::IsSupersetOf({"void of check 1001 ordered by uid 7 (eva): lost",
                                                  "void of check 1001 sent to the bank in CHV-20260304-0002.csv: the "
                                                  "payment has ended"}));
    EXPECT_THAT(violations(), IsEmpty());
}

TEST_F(CheckRegister, the_person_who_ordered_does_not_release) {
    approved(1, 2);
    pay();
    ASSERT_TRUE(order(1001));
    ASSERT_TRUE(order(1002, CheckAction::void_check, "uid 8 (max)"));
    const auto file = write_orders();
    for (const char* actor : {"uid 7 (eva)", "uid 8 (max)"}) {
        const auto released = let_go(file, actor);
        ASSERT_FALSE(released);
        EXPECT_EQ(released.error().code, ErrorCode::forbidden);
        EXPECT_THAT(released.error().message,
                    HasSubstr("you had a hand in it (ordered a void or stop of the check of draw"));
    }
    EXPECT_TRUE(let_go(file));
}

TEST_F(CheckRegister, refuses_impossible_orders) {
    approved(1, 2);
    pay();
    approved(3, 3);
    pay(/*release=*/false);
    now += std::chrono::hours(24);
    confirm({line(1001, ConfirmationKind::paid)});
    ASSERT_TRUE(order(1002));
    const std::pair<std::int64_t, const char*> table[] = {
        {999, "there is no check 999: 'drawbridge checks' lists all of them"},
        {1001, "check 1001 cannot be voided or stopped: the bank reports it as paid on 2026-03-05"},
        {1002, "a void of check 1002 was ordered by uid 7 (eva)"},
        {1003, "check 1003 has not gone out yet: void its file CHK-20260304-0002.csv instead"},
    };
    for (const auto& [number, message] : table) {
        const auto ordered = order(number, CheckAction::stop);
        ASSERT_FALSE(ordered) << number;
        EXPECT_THAT(ordered.error().message, HasSubstr(message));
    }
    const auto row = *find_file(*ledger, "CHK-20260304-0002.csv");
    ledger->transaction([&] { ASSERT_TRUE(void_file(*ledger, row, "wrong", stamp("uid 1 (bo)"))); });
    EXPECT_THAT(order(1003).error().message, HasSubstr("never went out"));
    ASSERT_TRUE(let_go(write_orders()));
    EXPECT_THAT(order(1002).error().message, HasSubstr("is in CHV-"));
}

TEST_F(CheckRegister, an_order_can_be_withdrawn_while_it_is_in_no_file) {
    approved(1, 1);
    pay();
    const auto take_back = [&] {
        return ledger->transaction([&] { return withdraw_check_order(*ledger, 1001, "found", stamp("uid 7 (eva)")); });
    };
    EXPECT_THAT(take_back().error().message, HasSubstr("has no order to withdraw"));
    ASSERT_TRUE(order(1001));
    const auto file = write_orders();
    EXPECT_THAT(take_back().error().message, HasSubstr("is in CHV-"));
    ledger->transaction([&] { ASSERT_TRUE(void_file(*ledger, file, "wrong", stamp("uid 1 (bo)"))); });
    EXPECT_THAT(open_check_orders(*ledger), SizeIs(1)) << "the orders of a voided file are open again";
    ASSERT_TRUE(take_back());
    EXPECT_THAT(open_check_orders(*ledger), IsEmpty());
    EXPECT_THAT(states(), ElementsAre("1001 issued"));
    ASSERT_TRUE(order(1001));
    const auto second = write_orders();
    EXPECT_NE(second.name, file.name);
    ASSERT_TRUE(let_go(second));
    EXPECT_THAT(take_back().error().message, HasSubstr("has gone to the bank"));
    EXPECT_THAT(violations(), IsEmpty());
}

TEST_F(CheckRegister, a_check_paid_before_the_order_was_transmitted_stays_paid) {
    approved(1, 2);
    pay();
    ASSERT_TRUE(order(1001));
    ASSERT_TRUE(order(1002));
    const auto file = write_orders();
    now += std::chrono::hours(24);
    confirm({line(1001, ConfirmationKind::paid)});
    EXPECT_THAT(confirmed_checks(*ledger, file.file_id), ElementsAre("check 1001 was confirmed as paid on 2026-03-05"));
    ASSERT_TRUE(let_go(file));  // its release was already ordered
    EXPECT_EQ(state(1), "paid");
    EXPECT_EQ(state(2), "returned");
    EXPECT_THAT(reasons(), ElementsAre("check_order_too_late", "check_voided"));
    EXPECT_THAT(violations(), IsEmpty());
}

TEST_F(CheckRegister, paid_after_a_void_is_an_exception_and_the_banks_confirmation_of_the_void_is_not) {
    void_two_checks();
    const auto counts =
        confirm({line(1001, ConfirmationKind::paid, "2026-03-06"), line(1002, ConfirmationKind::voided, "2026-03-05")});
    EXPECT_EQ(counts.exceptions, 1);
    EXPECT_EQ(counts.duplicates, 1);
    EXPECT_THAT(reasons(), ElementsAre("check_voided", "check_voided", "settled_differently"));
    EXPECT_EQ(state(1), "returned");
}

TEST_F(CheckRegister, a_check_cashed_after_its_draw_was_paid_again_names_the_second_payment) {
    void_two_checks();
    ledger->transaction([&] {
        for (const auto& file : payment_files(*ledger, /*unreleased_only=*/false)) {
            if (file.kind == disbursement::FileKind::check_orders)
                record_evidence(*ledger, file.file_id, disbursement::EvidenceKind::by_hand, "the portal", stamp());
        }
        ASSERT_TRUE(order_reissue(*ledger, 1, test::sample_directory(), "again", stamp("uid 7 (eva)")));
    });
    pay();
    confirm({line(1001, ConfirmationKind::paid, "2026-03-06"), line(1002, ConfirmationKind::paid, "2026-03-06")});
    std::map<DrawId, std::string> details;
    for (const auto& row : open_exceptions(*ledger)) {
        if (row.what.reason_code == "settled_differently") details[*row.what.draw_id] = row.what.detail;
    }
    EXPECT_THAT(details[1], HasSubstr("draw 1 is paid twice: payment P0000000003, check 1003, pays it again"));
    EXPECT_THAT(details[2], testing::Not(HasSubstr("paid twice")));
}

TEST_F(CheckRegister, a_check_cashed_after_its_void_is_paid_once_a_person_says_so) {
    void_two_checks();
    confirm({line(1001, ConfirmationKind::paid), line(1002, ConfirmationKind::paid)});
    ASSERT_EQ(state(1), "returned");
    const auto open = open_exceptions(*ledger);
    ASSERT_THAT(open, SizeIs(4));
    const auto match = [&](const ExceptionRow& row) {
        return ledger->transaction([&] {
            return match_line(*ledger, {row.exception_id, "the bank's letter"}, *row.what.payment_id,
                              test::sample_plan_settings().zone, stamp("uid 7 (eva)"));
        });
    };
    EXPECT_EQ(open[2].what.reason_code, "settled_differently");
    const auto done = match(open[2]);
    EXPECT_TRUE(done) << done.error().message;
    EXPECT_EQ(state(1), "paid");
    EXPECT_THAT(reasons(), ElementsAre("check_voided", "settled_differently")) << "those of the other check";
    EXPECT_THAT(states(), ElementsAre("1001 paid", "1002 void_transmitted"));
    ledger->transaction(
        [&] { EXPECT_FALSE(order_reissue(*ledger, 1, test::sample_directory(), "again", stamp("uid 7 (eva)"))); });
    ledger->transaction(
        [&] { ASSERT_TRUE(undo_resolution(*ledger, {open[2].exception_id, "another check"}, stamp("uid 8 (bo)"))); });
    EXPECT_EQ(state(1), "returned");
    EXPECT_THAT(reasons(), ElementsAre("check_voided", "settled_differently", "check_voided", "settled_differently"));
    ledger->transaction([&] {
        ledger->connection().db.exec(
            "INSERT INTO reissue_order (draw_id, payment_id, reading_id, ordered_at, ordered_by, reason) "
            "SELECT draw_id, payment_id, reading_id, 1, 'eva', 'again' FROM payment WHERE draw_id = 2");
    });
    const auto refused = match(open[3]);
    ASSERT_FALSE(refused);
    EXPECT_THAT(refused.error().message, HasSubstr("paid again"));
    EXPECT_THAT(violations(), IsEmpty());
}

TEST_F(CheckRegister, a_stale_check_raises_one_exception_which_closes_when_it_is_paid) {
    approved(1, 2);
    pay();
    const auto raise = [&] {
        ledger->transaction([&] {
            close_stale_exceptions(*ledger, stamp());
            for (const auto& check : newly_stale_checks(*ledger, day("2026-03-04"))) {
                raise_exception(*ledger, {"pay", std::string(check_stale), check.draw_id, check.payment_id, "", "x"},
                                stamp());
            }
        });
    };
    EXPECT_THAT(newly_stale_checks(*ledger, day("2026-03-03")), IsEmpty());
    raise();
    raise();
    EXPECT_THAT(reasons(), ElementsAre("check_stale", "check_stale"));
    const auto sums = outstanding_checks(*ledger, day("2026-03-04"));
    EXPECT_EQ(sums.outstanding, 2);
    EXPECT_EQ(sums.stale_amount, Money::from_cents(2468));
    ledger->transaction([&] {
        ASSERT_TRUE(close_exception(*ledger, open_exceptions(*ledger)[1].exception_id, "asked", stamp("uid 7 (eva)")));
    });
    now += std::chrono::hours(24);
    confirm({line(1001, ConfirmationKind::paid)});
    EXPECT_THAT(reasons(), IsEmpty()) << "with the bank's line, not with the next pay run";
    raise();
    EXPECT_THAT(reasons(), IsEmpty());
    EXPECT_EQ(outstanding_checks(*ledger, day("2026-03-04")).outstanding, 1);
}

TEST_F(CheckRegister, orders_are_never_rewritten) {
    approved(1, 1);
    pay();
    ASSERT_TRUE(order(1001));
    for (const char* sql : {"UPDATE check_order SET reason = 'x'", "DELETE FROM check_order",
                            "UPDATE payment_file SET kind = 'check_orders'"}) {
        EXPECT_ANY_THROW(ledger->connection().db.exec(sql)) << sql;
    }
    ASSERT_TRUE(let_go(write_orders()));
    for (const char* sql : {"UPDATE check_order SET transmitted_at = 1", "DELETE FROM check_order_line",
                            "UPDATE check_order_line SET position = 9"}) {
        EXPECT_ANY_THROW(ledger->connection().db.exec(sql)) << sql;
    }
}

}  // namespace
}  // namespace drawbridge::ledger
