#include "drawbridge/disbursement/plan.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <functional>

#include "disbursement/sample_plan.hpp"
#include "drawbridge/domain/exception_catalog.hpp"

namespace drawbridge::disbursement {
namespace {

using testing::day;
using ::testing::HasSubstr;
using testing::payable;

Plan plan_of(const std::vector<Payable>& payables, const PlanSettings& settings = testing::settings(),
             const NumberBlock& numbers = testing::numbers(), Instant now = testing::now()) {
    return plan(payables, testing::directory(), settings, numbers, now);
}

TEST(Plan, puts_each_rail_in_a_file_and_each_sec_code_in_a_batch) {
    const Plan plan = plan_of(testing::payables());
    EXPECT_TRUE(plan.exceptions.empty());
    ASSERT_EQ(plan.files.size(), 2U);

    const PlannedFile& ach = plan.files[0];
    EXPECT_EQ(ach.rail, Rail::ach);
    EXPECT_EQ(ach.name, "ACH-20261120-B.ach");
    EXPECT_EQ(ach.file_id_modifier, 'B');
    EXPECT_EQ(ach.created_at, testing::now());
    EXPECT_EQ(ach.creation_date, day(2026, 11, 20));
    EXPECT_EQ(ach.creation_time, std::chrono::minutes(15 * 60 + 31));
    EXPECT_EQ(ach.total.cents(), 125'000 + 1 + 9'999'999'999 + 4'250'075);
    EXPECT_EQ(ach.entry_hash, 2100002 + 1140153 + 2100002 + 12104288);
    struct Row {
        DrawId draw_id;
        std::int64_t payment_id;
        const char* trace_number;
        std::int64_t batch_number;
    };
    const Row rows[] = {{101, 501, "091000010000041", 12},
                        {103, 502, "091000010000042", 12},
                        {105, 503, "091000010000043", 12},
                        {102, 504, "091000010000044", 13}};
    ASSERT_EQ(ach.payments.size(), std::size(rows));
    for (std::size_t i = 0; i < std::size(rows); ++i) {
        const PlannedPayment& payment = ach.payments[i];
        EXPECT_EQ(payment.draw_id, rows[i].draw_id);
        EXPECT_EQ(payment.payment_id, rows[i].payment_id);
        EXPECT_EQ(payment.trace_number, rows[i].trace_number);
        EXPECT_EQ(payment.batch_number, rows[i].batch_number);
        EXPECT_EQ(payment.reading_id, 9000 + rows[i].draw_id);
        EXPECT_EQ(payment.rail, Rail::ach);
        EXPECT_EQ(payment.effective_entry_date, day(2026, 11, 23)) << "the Monday after the Friday";
        EXPECT_EQ(payment.check_number, std::nullopt);
    }
    EXPECT_EQ(ach.payments[3].payee, *testing::directory().find("V-002"));

    const PlannedFile& check = plan.files[1];
    EXPECT_EQ(check.name, "CHK-20261120-0007.csv");
    EXPECT_EQ(check.total.cents(), 34'510);
    EXPECT_EQ(check.entry_hash, 0);
    ASSERT_EQ(check.payments.size(), 2U);
    EXPECT_EQ(check.payments[0].draw_id, 100);
    EXPECT_EQ(check.payments[0].check_number, 10001);
    EXPECT_EQ(check.payments[1].check_number, 10002);
    EXPECT_EQ(check.payments[1].payment_id, 506);
    EXPECT_EQ(check.payments[0].check_date, day(2026, 11, 20));
    EXPECT_EQ(check.payments[0].batch_number, 0);
    EXPECT_EQ(check.payments[0].trace_number, std::nullopt);

    const NumberBlock after = {.next_payment_id = 507,
                               .next_trace_sequence = 45,
                               .next_check_number = 10003,
                               .next_batch_number = 14,
                               .used_file_id_modifiers = "AB",
                               .next_file_sequence = 8};
    EXPECT_EQ(plan.numbers_after, after);
}

TEST(Plan, is_empty_without_draws) {
    const Plan plan = plan_of({});
    EXPECT_TRUE(plan.files.empty());
    EXPECT_TRUE(plan.exceptions.empty());
    EXPECT_EQ(plan.numbers_after, testing::numbers());
}

TEST(Plan, makes_an_exception_of_what_cannot_be_paid) {
    struct Case {
        std::string_view reason_code;
        std::function<void(Payable&)> change;
        const char* detail;
    };
    const Case table[] = {
        {reason::amount_missing, [](Payable& p) { p.amount.reset(); }, "empty"},
        {reason::amount_zero,
         [](Payable& p) {
             p.amount = Money();
             p.agreed_amount = Money();
         },
         "zero"},
        {reason::amount_changed, [](Payable& p) { p.amount = Money::from_cents(25001); }, "$250.00"},
        {reason::amount_changed, [](Payable& p) { p.amount = Money(); }, "is now $0.00"},
        {reason::amount_not_agreed, [](Payable& p) { p.agreed_amount.reset(); }, "$250.00"},
        {reason::amount_too_large, [](Payable& p) { p.amount = p.agreed_amount = Money::from_cents(100'000'000'00); },
         "$100,000,000.00"},
        {reason::payee_key_missing, [](Payable& p) { p.payee_key.reset(); }, "names no payee"},
        {reason::payee_key_missing, [](Payable& p) { p.payee_key = " \t"; }, "names no payee"},
        {reason::no_payee, [](Payable& p) { p.payee_key = "V-404"; }, "'V-404'"},
        {reason::no_payee, [](Payable& p) { p.payee_key = "v-001"; }, "'v-001'"},
    };
    for (const Case& row : table) {
        Payable bad = payable(7, 25'000, "V-001");
        row.change(bad);
        const Plan plan = plan_of({payable(6, 100, "V-001"), bad, payable(8, 200, "V-004")});
        ASSERT_EQ(plan.exceptions.size(), 1U) << row.reason_code;
        EXPECT_EQ(plan.exceptions[0].draw_id, 7);
        EXPECT_EQ(plan.exceptions[0].reason_code, row.reason_code);
        EXPECT_THAT(plan.exceptions[0].detail, HasSubstr(row.detail));
        EXPECT_EQ(plan.files.size(), 2U) << "the others are still paid";
        EXPECT_EQ(plan.numbers_after.next_payment_id, 503) << "no number is used for an exception";
    }
}

// The file of all checks could not be written.
TEST(Plan, holds_a_check_whose_amount_does_not_fit_into_the_banks_column) {
    PlanSettings settings = testing::settings();
    for (auto& column : settings.check->layout.columns)
        if (column.kind == checks::ColumnKind::amount) column.width = 8;
    const std::int64_t most =
        settings.check->layout.amount_format == checks::AmountFormat::cents ? 99'999'999 : 9'999'999;
    const Plan plan = plan_of({payable(1, most, "V-004"), payable(2, most + 1, "V-004")}, settings);
    ASSERT_EQ(plan.exceptions.size(), 1U);
    EXPECT_EQ(plan.exceptions[0].draw_id, 2);
    EXPECT_EQ(plan.exceptions[0].reason_code, reason::amount_too_large);
    EXPECT_THAT(plan.exceptions[0].detail, HasSubstr("does not fit into the amount column of"));
}

TEST(Plan, ends_a_check_file_before_its_trailer_is_full) {
    PlanSettings settings = testing::settings();
    auto& trailer = settings.check->layout.trailer_record;
    const auto sizes = [&] {
        const Plan plan = plan_of({payable(1, 60'000, "V-004"), payable(2, 30'000, "V-004"),
                                   payable(3, 30'000, "V-004"), payable(4, 100'000, "V-004")},
                                  settings);
        std::vector<std::size_t> all;
        for (const PlannedFile& file : plan.files) {
            all.push_back(file.payments.size());
            EXPECT_TRUE(render(file, profile_for(settings, Rail::check)));
        }
        for (const PlanException& exception : plan.exceptions) {
            EXPECT_EQ(exception.draw_id, 4);
            EXPECT_EQ(exception.reason_code, reason::amount_too_large);
            EXPECT_THAT(exception.detail, HasSubstr("$1,000.00 does not fit into the total column of"));
            EXPECT_THAT(exception.detail, HasSubstr("(at most $999.99)"));
        }
        return std::pair(all, plan.exceptions.size());
    };
    EXPECT_EQ(sizes(), std::pair(std::vector<std::size_t>{4}, std::size_t{0}));
    trailer = {testing::control_column(checks::ColumnKind::total, 6)};
    settings.check->layout.amount_format = checks::AmountFormat::decimal;
    EXPECT_EQ(sizes(), std::pair(std::vector<std::size_t>({2, 1}), std::size_t{1}));
    trailer = {testing::control_column(checks::ColumnKind::count, 1)};
    std::vector<Payable> many;
    for (DrawId id = 1; id <= 12; ++id)
        many.push_back(payable(id, 100, "V-004"));
    const Plan plan = plan_of(many, settings);
    ASSERT_EQ(plan.files.size(), 2U);
    EXPECT_EQ(plan.files[0].payments.size(), 9U);
    EXPECT_EQ(plan.files[1].payments.size(), 3U);
}

TEST(Plan, pays_the_largest_amount_and_the_smallest) {
    const Plan plan = plan_of({payable(1, 9'999'999'999, "V-001"), payable(2, 1, "V-004")});
    EXPECT_TRUE(plan.exceptions.empty());
    EXPECT_EQ(plan.files.size(), 2U);
}

TEST(Plan, makes_an_exception_of_a_rail_that_is_not_configured) {
    PlanSettings settings = testing::settings();
    settings.ach.reset();
    Plan plan = plan_of({payable(1, 100, "V-001"), payable(2, 100, "V-004")}, settings);
    ASSERT_EQ(plan.exceptions.size(), 1U);
    EXPECT_EQ(plan.exceptions[0].reason_code, reason::no_ach_profile);
    settings = testing::settings();
    settings.check.reset();
    plan = plan_of({payable(1, 100, "V-001"), payable(2, 100, "V-004")}, settings);
    ASSERT_EQ(plan.exceptions.size(), 1U);
    EXPECT_EQ(plan.exceptions[0].draw_id, 2);
    EXPECT_EQ(plan.exceptions[0].reason_code, reason::no_check_account);
}

TEST(Plan, makes_an_exception_of_a_name_that_cannot_be_encoded) {
    for (const char* name : {"李雷", "Ivan Иванов", "\u0301"}) {
        const std::string csv =
            "key,name,rail,routing_number,account_number,account_type,sec_code,address1,address2,city,state,zip\n"
            "K," +
            std::string(name) + ",ach,021000021,123456789,checking,PPD,,,,,\n";
        const auto directory = PayeeDirectory::read(csv, "payees.csv");
        ASSERT_TRUE(directory) << text::to_string(directory.error());
        const Plan result =
            plan({payable(1, 100, "K")}, *directory, testing::settings(), testing::numbers(), testing::now());
        ASSERT_EQ(result.exceptions.size(), 1U) << name;
        EXPECT_EQ(result.exceptions[0].reason_code, reason::name_not_encodable);
        const std::string& detail = result.exceptions[0].detail;
        EXPECT_EQ(detail.find("banks accept"), detail.rfind("banks accept")) << detail << " says it once";
        EXPECT_THAT(result.exceptions[0].detail, ::testing::Not(HasSubstr("123456789")));
    }
}

TEST(Plan, makes_an_exception_when_numbers_run_out_and_reuses_none) {
    struct Case {
        const char* what;
        std::function<void(NumberBlock&)> change;
        std::size_t paid;
        const char* detail;
    };
    const std::vector<Payable> ach = {payable(1, 100, "V-001"), payable(2, 200, "V-003"), payable(3, 300, "V-002")};
    const Case table[] = {
        {"two traces left", [](NumberBlock& n) { n.next_trace_sequence = 9'999'998; }, 2, "trace numbers"},
        {"no trace left", [](NumberBlock& n) { n.next_trace_sequence = 10'000'000; }, 0, "trace numbers"},
        {"one batch left", [](NumberBlock& n) { n.next_batch_number = 9'999'999; }, 2, "batch numbers"},
        {"two payment ids left", [](NumberBlock& n) { n.next_payment_id = 9'999'999'998; }, 2, "pay.payment_ids"},
        {"one payment id left", [](NumberBlock& n) { n.next_payment_id = 9'999'999'999; }, 1, "payment ids"},
        {"no modifier left", [](NumberBlock& n) { n.used_file_id_modifiers = "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"; },
         0, "36 file id modifiers of 2026-11-20"},
    };
    for (const Case& row : table) {
        NumberBlock numbers = testing::numbers();
        row.change(numbers);
        const Plan plan = plan_of(ach, testing::settings(), numbers);
        const std::size_t paid = plan.files.empty() ? 0 : plan.files[0].payments.size();
        EXPECT_EQ(paid, row.paid) << row.what;
        ASSERT_EQ(plan.exceptions.size(), ach.size() - row.paid) << row.what;
        for (const PlanException& exception : plan.exceptions) {
            EXPECT_EQ(exception.reason_code, reason::numbers_exhausted);
            EXPECT_THAT(exception.detail, HasSubstr(row.detail));
        }
        EXPECT_EQ(plan.numbers_after == numbers, row.paid == 0) << "only payments use numbers: " << row.what;
    }
    NumberBlock numbers = testing::numbers();
    numbers.next_check_number = 9'999'999'999;
    const Plan plan = plan_of({payable(1, 100, "V-004"), payable(2, 200, "V-005")}, testing::settings(), numbers);
    ASSERT_EQ(plan.exceptions.size(), 1U);
    EXPECT_THAT(plan.exceptions[0].detail, HasSubstr("check numbers"));
}

TEST(Plan, uses_the_first_free_modifier_letters_before_digits) {
    const std::pair<const char*, char> table[] = {
        {"", 'A'}, {"A", 'B'}, {"ABCDEFGHIJKLMNOPQRSTUVWXYZ", '0'}, {"ABCDEFGHIJKLMNOPQRSTUVWXYZ012345678", '9'}};
    for (const auto& [used, expected] : table) {
        NumberBlock numbers = testing::numbers();
        numbers.used_file_id_modifiers = used;
        const Plan plan = plan_of({payable(1, 100, "V-001")}, testing::settings(), numbers);
        ASSERT_EQ(plan.files.size(), 1U);
        EXPECT_EQ(plan.files[0].file_id_modifier, expected);
        EXPECT_EQ(plan.numbers_after.used_file_id_modifiers, std::string(used) + expected);
    }
}

TEST(Plan, settles_on_the_next_banking_day_after_the_local_date) {
    struct Case {
        const char* now;
        BusinessDate created, effective;
        const char* why;
    };
    const Case table[] = {
        {"2026-11-18T15:00:00Z", day(2026, 11, 18), day(2026, 11, 19), "an ordinary Wednesday"},
        {"2027-01-15T15:00:00Z", day(2027, 1, 15), day(2027, 1, 19), "a Friday before a Monday holiday"},
        {"2026-11-25T20:31:00Z", day(2026, 11, 25), day(2026, 11, 27), "the day before Thanksgiving"},
        {"2026-11-20T04:59:00Z", day(2026, 11, 19), day(2026, 11, 20), "still Thursday in New York"},
        {"2026-11-21T15:00:00Z", day(2026, 11, 21), day(2026, 11, 23), "a Saturday"},
        {"2026-07-02T15:00:00Z", day(2026, 7, 2), day(2026, 7, 3), "a holiday on a Saturday leaves the Friday open"},
        {"2027-07-02T15:00:00Z", day(2027, 7, 2), day(2027, 7, 6), "a holiday on a Sunday closes the Monday"},
        {"2026-12-31T15:00:00Z", day(2026, 12, 31), day(2027, 1, 4), "New Year's Eve"},
    };
    for (const Case& row : table) {
        const Instant now = parse_instant(row.now).value();
        const Plan plan = plan_of({payable(1, 100, "V-001")}, testing::settings(), testing::numbers(), now);
        ASSERT_EQ(plan.files.size(), 1U);
        EXPECT_EQ(plan.files[0].creation_date, row.created) << row.why;
        EXPECT_EQ(plan_date(testing::settings(), now), row.created) << row.why;
        EXPECT_EQ(plan.files[0].payments[0].effective_entry_date, row.effective) << row.why;
    }
    PlanSettings settings = testing::settings();
    settings.calendar = BankingCalendar({day(2026, 11, 23)});
    const Plan plan = plan_of({payable(1, 100, "V-001")}, settings);
    EXPECT_EQ(plan.files[0].payments[0].effective_entry_date, day(2026, 11, 24)) << "a configured closure";
}

TEST(Plan, splits_files_at_their_limits) {
    std::vector<Payable> many;
    for (DrawId id = 1; id <= 5; ++id)
        many.push_back(payable(id, 10'000, "V-001"));
    PlanSettings settings = testing::settings();
    settings.max_file_entries = 2;
    Plan plan = plan_of(many, settings);
    ASSERT_EQ(plan.files.size(), 3U);
    EXPECT_EQ(plan.files[0].name, "ACH-20261120-B.ach");
    EXPECT_EQ(plan.files[1].name, "ACH-20261120-C.ach");
    EXPECT_EQ(plan.files[2].payments.size(), 1U);
    EXPECT_EQ(plan.files[2].payments[0].batch_number, 14);
    EXPECT_EQ(plan.files[2].payments[0].trace_number, "091000010000045");

    settings = testing::settings();
    settings.max_file_total = Money::from_cents(30'000);
    plan = plan_of(many, settings);
    ASSERT_EQ(plan.files.size(), 2U);
    EXPECT_EQ(plan.files[0].payments.size(), 3U);
    EXPECT_EQ(plan.files[0].total.cents(), 30'000);
}

TEST(Plan, never_exceeds_the_fields_of_a_control_record) {
    std::vector<Payable> many;
    for (DrawId id = 1; id <= 101; ++id)
        many.push_back(payable(id, 9'999'999'999, "V-001"));
    const Plan plan = plan_of(many);
    ASSERT_EQ(plan.files.size(), 2U);
    for (const PlannedFile& file : plan.files) {
        EXPECT_LE(file.total, nacha::max_control_amount);
        EXPECT_TRUE(render(file, profile_for(testing::settings(), Rail::ach)));
    }
}

TEST(PlanDeathTest, refuses_the_same_draw_twice) {
    EXPECT_DEATH(plan_of({payable(1, 100, "V-001"), payable(2, 100, "V-001"), payable(1, 100, "V-004")}),
                 "must not be planned twice");
}

TEST(PaymentId, has_one_form) {
    EXPECT_EQ(format_payment_id(123), "P0000000123");
    EXPECT_EQ(format_payment_id(9'999'999'999), "P9999999999");
    EXPECT_EQ(parse_payment_id("P0000000123"), 123);
    for (const char* text : {"", "P", "P123", "p0000000123", "P00000000123", "P00000001 3", "00000000123",
                             "P0000000000", "P0000000123 ", "P-000000123"}) {
        EXPECT_EQ(parse_payment_id(text), std::nullopt) << text;
    }
}

// What the guards do and what people are told about it.
TEST(Plan, holds_what_the_exception_catalog_says_is_held) {
    for (const ExceptionKind& kind : exception_kinds()) {
        if (kind.step != Step::pay) continue;
        const bool is_lifted = kind.resolve_effect == ResolveEffect::lifts;
        EXPECT_TRUE(!is_hold(kind.reason_code) || kind.title.starts_with("Held: ")) << kind.reason_code;
        // The other holds that a person lifts: a void of the office's own, and those of a restored ledger.
        const bool is_other = kind.reason_code == reason::payment_voided || kind.reason_code == "paid_after_backup" ||
                              kind.reason_code == "possibly_paid";
        EXPECT_EQ(is_lifted, may_be_lifted(kind.reason_code) || is_other) << kind.reason_code;
    }
}

// Numbers outside the range belong to another instance.
TEST(Plan, uses_only_the_numbers_of_this_instance) {
    auto settings = testing::settings();
    settings.numbers = {{5000, 5999}, {1000, 1001}, {700'000, 700'000}, {42, 42}, "XY"};
    const Plan plan = plan_of(testing::payables(), settings);
    ASSERT_EQ(plan.files.size(), 2U);
    EXPECT_EQ(plan.files[0].file_id_modifier, 'X');
    ASSERT_EQ(plan.files[0].payments.size(), 2U);
    EXPECT_EQ(plan.files[0].payments[0].payment_id, 5000);
    EXPECT_EQ(plan.files[0].payments[0].trace_number, "091000010001000");
    EXPECT_EQ(plan.files[0].payments[1].trace_number, "091000010001001");
    ASSERT_EQ(plan.files[1].payments.size(), 1U);
    EXPECT_EQ(plan.files[1].payments[0].check_number, 700'000);
    EXPECT_THAT(plan.files[1].name, HasSubstr("-0042."));
    EXPECT_EQ(plan.exceptions.size() + 3, testing::payables().size());
    for (const auto& exception : plan.exceptions)
        EXPECT_EQ(exception.reason_code, reason::numbers_exhausted);
    EXPECT_THAT(plan.exceptions.front().detail,
                HasSubstr("the trace numbers 1000 to 1001 (ach.trace_numbers) are used up"));

    auto used = plan.numbers_after;
    used.used_file_id_modifiers = "XY";
    const Plan none = plan_of(testing::payables(), settings, used);
    EXPECT_TRUE(none.files.empty());
    EXPECT_THAT(none.exceptions,
                ::testing::Contains(::testing::Field(&PlanException::detail,
                                                     HasSubstr("the 2 file id modifiers of 2026-11-20 are used up"))));
}

}  // namespace
}  // namespace drawbridge::disbursement
