// Parts of an ACH plan other than plain payments: addenda, batches by more than the SEC code, offsets, prenotes, and
// the guards.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "disbursement/sample_plan.hpp"
#include "drawbridge/nacha/validate.hpp"

namespace drawbridge::disbursement {
namespace {

using testing::day;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using testing::payable;
using State = PrenoteStatus::State;

PayeeDirectory payees() {
    return PayeeDirectory::read(
               "key,name,rail,routing_number,account_number,account_type,sec_code,address1,address2,city,state,zip\n"
               "P,Ana Person,ach,021000021,111,checking,PPD,,,,,\n"
               "C,Corner Shop,ach,021000021,222,savings,CCD,,,,,\n"
               "X,Extra Large Trading Company,ach,091000019,333,checking,CTX,,,,,\n"
               "K,Kim Check,check,,,,,1 Road,,Town,NY,10001\n",
               "payees.csv")
        .value();
}

Plan plan_of(const std::vector<Payable>& payables, const PlanSettings& settings, const PlanHistory& history = {}) {
    return plan(payables, payees(), settings, testing::numbers(), testing::now(), history);
}

nacha::File written(const PlannedFile& file, const PlanSettings& settings) {
    const auto profile = profile_for(settings, Rail::ach);
    const auto bytes = render(file, profile);
    EXPECT_TRUE(bytes) << (bytes ? "" : bytes.error().message);
    const auto good = testing::verify_with_limits(*bytes, file, settings);
    EXPECT_TRUE(good) << (good ? "" : good.error().message);
    return nacha::validate(*bytes).file;
}

Payable with_remittance(Payable payable, std::string text) {
    payable.remittance = std::move(text);
    return payable;
}

TEST(AchPlan, writes_remittance_as_addenda_up_to_the_limit_of_the_sec_code) {
    const PlanSettings settings = testing::settings();
    const std::string long_text = std::string(79, 'A') + " " + std::string(80, 'B') + "tail";
    const Plan plan =
        plan_of({with_remittance(payable(1, 100, "P"), " Miete f\xC3\xBCr M\xC3\xA4rz "),
                 with_remittance(payable(2, 100, "C"), long_text), with_remittance(payable(3, 100, "X"), long_text)},
                settings);
    ASSERT_EQ(plan.files.size(), 1U);
    const auto file = written(plan.files[0], settings);
    ASSERT_EQ(file.batches.size(), 3U);
    const auto texts = [&](std::size_t batch) {
        std::vector<std::string> all;
        for (const auto& addenda : file.batches[batch].entries.at(0).addenda)
            all.push_back(std::get<nacha::PaymentAddenda>(addenda).payment_related_information);
        return all;
    };
    EXPECT_THAT(texts(0), ElementsAre("MIETE FUR MARZ"));
    EXPECT_THAT(texts(1), ElementsAre(std::string(79, 'A'))) << "one addenda, truncated on the right";
    EXPECT_THAT(texts(2), ElementsAre(std::string(79, 'A'), std::string(80, 'B'), "TAIL"));
    EXPECT_EQ(file.batches[2].header.standard_entry_class_code, "CTX");
    EXPECT_EQ(nacha::control_of(file).entry_addenda_count, 3 + 1 + 1 + 3);
}

TEST(AchPlan, makes_an_exception_of_remittance_that_cannot_be_encoded) {
    for (const char* text : {"two\nlines", "\xE6\xB0\xB4"}) {
        const Plan plan = plan_of({with_remittance(payable(1, 100, "P"), text)}, testing::settings());
        ASSERT_EQ(plan.exceptions.size(), 1U);
        EXPECT_EQ(plan.exceptions[0].reason_code, reason::remittance_not_encodable);
    }
}

TEST(AchPlan, opens_a_batch_for_each_sec_code_description_and_date) {
    PlanSettings settings = testing::settings();
    settings.entry_descriptions = {{12, "RENT"}};
    settings.settle.settle = Settle::same_day;
    const Instant morning = settings.zone.to_instant(day(2026, 11, 20), std::chrono::hours(9));
    std::vector<Payable> payables = {payable(1, 100, "P"), payable(2, 100, "P"), payable(3, 1'000'000'01, "P"),
                                     payable(4, 100, "P")};
    payables[1].workflow_id = 12;
    const Plan result = plan(payables, payees(), settings, testing::numbers(), morning);
    const auto file = written(result.files.at(0), settings);
    ASSERT_EQ(file.batches.size(), 3U);
    EXPECT_EQ(file.batches[0].header.company_entry_description, "DRAWPMT");
    EXPECT_EQ(file.batches[0].header.effective_entry_date, day(2026, 11, 20));
    EXPECT_EQ(file.batches[0].entries.size(), 2U);
    EXPECT_EQ(file.batches[1].header.effective_entry_date, day(2026, 11, 23)) << "over the limit of same-day ACH";
    EXPECT_EQ(file.batches[2].header.company_entry_description, "RENT");
}

TEST(AchPlan, splits_batches_at_their_limits) {
    PlanSettings settings = testing::settings();
    settings.max_batch_entries = 4;
    std::vector<Payable> payables;
    for (DrawId id = 1; id <= 5; ++id)
        payables.push_back(with_remittance(payable(id, 100, "P"), "an entry and its addenda"));
    const auto by_entries = written(plan_of(payables, settings).files.at(0), settings);
    ASSERT_EQ(by_entries.batches.size(), 3U);
    EXPECT_EQ(by_entries.batches[2].entries.size(), 1U);

    settings = testing::settings();
    settings.max_batch_total = Money::from_cents(300);
    EXPECT_EQ(written(plan_of(payables, settings).files.at(0), settings).batches.size(), 2U);
    EXPECT_EQ(plan_of({payable(1, 301, "P")}, settings).exceptions.at(0).reason_code, reason::over_file_limit);
}

TEST(AchPlan, balances_each_batch_with_a_debit_to_the_offices_account) {
    PlanSettings settings = testing::settings();
    settings.ach->offset = OffsetAccount{RoutingNumber::parse("091000019").value(),
                                         AccountNumber::parse("777000").value(), /*is_savings=*/false};
    const Plan plan = plan_of({payable(1, 100, "P"), payable(2, 250, "P"), payable(3, 7, "C")}, settings);
    const PlannedFile& planned = plan.files.at(0);
    const auto file = written(planned, settings);
    ASSERT_EQ(file.batches.size(), 2U);
    for (const auto& batch : file.batches) {
        const auto control = nacha::control_of(batch);
        EXPECT_EQ(control.total_credit, control.total_debit);
        EXPECT_EQ(batch.header.service_class, nacha::ServiceClass::mixed);
        EXPECT_EQ(batch.entries.back().transaction_code, 27);
    }
    EXPECT_EQ(file.batches[0].entries.back().amount.cents(), 350);
    EXPECT_EQ(planned.total.cents(), 357) << "what is paid, not what is debited";
    EXPECT_EQ(planned.entry_hash, 3 * 2100002 + 2 * 9100001);
    EXPECT_EQ(plan.numbers_after.next_trace_sequence, 41 + 5) << "an offset has a trace number too";
}

TEST(AchPlan, counts_offsets_toward_the_limit_of_a_file) {
    PlanSettings settings = testing::settings();
    settings.ach->offset = OffsetAccount{RoutingNumber::parse("091000019").value(),
                                         AccountNumber::parse("777000").value(), /*is_savings=*/false};
    settings.max_file_entries = 10;
    settings.max_batch_entries = 3;  // two payments and their offset
    std::vector<Payable> payables;
    for (DrawId id = 1; id <= 30; ++id)
        payables.push_back(payable(id, 100 + id, id % 2 == 0 ? "P" : "C"));
    const auto counts = [&] {
        std::vector<std::int64_t> all;
        for (const PlannedFile& file : plan_of(payables, settings).files)
            all.push_back(nacha::control_of(written(file, settings)).entry_addenda_count);
        return all;
    };
    EXPECT_THAT(counts(), ElementsAre(10, 10, 10, 10, 10)) << "six payments and four offsets each";
    settings.max_batch_entries = 10;
    settings.max_batch_total = Money::from_cents(130);  // one payment
    EXPECT_THAT(counts(), ElementsAre(10, 10, 10, 10, 10, 10));
}

TEST(AchPlan, holds_an_entry_with_more_addenda_than_a_file_or_batch_may_have) {
    PlanSettings settings = testing::settings();
    const auto exceptions = [&] {
        return plan_of({with_remittance(payable(1, 100, "X"), std::string(400, 'A')), payable(2, 100, "X")}, settings)
            .exceptions;
    };
    settings.max_batch_entries = 6;
    EXPECT_THAT(exceptions(), ElementsAre()) << "five addenda";
    settings.max_batch_entries = 5;
    ASSERT_EQ(exceptions().size(), 1U);
    EXPECT_EQ(exceptions()[0].reason_code, reason::over_file_limit);
    EXPECT_EQ(exceptions()[0].detail,
              "its entry has 5 addenda, which makes 6 entries and addenda, more than a file or batch may have (5): "
              "raise ach.limits or shorten the remittance text");
    settings.max_batch_entries = 50;
    settings.max_file_entries = 6;
    EXPECT_THAT(exceptions(), ElementsAre());
    settings.ach->offset = OffsetAccount{RoutingNumber::parse("091000019").value(),
                                         AccountNumber::parse("777000").value(), /*is_savings=*/false};
    ASSERT_EQ(exceptions().size(), 1U);
    EXPECT_THAT(exceptions()[0].detail, HasSubstr("makes 7 entries and addenda with the offset, more than"));
}

// One offset over the same-day limit would settle a day after its credits.
TEST(AchPlan, keeps_the_offset_of_a_same_day_batch_within_the_limit_of_an_entry) {
    PlanSettings settings = testing::settings();
    settings.settle.settle = Settle::same_day;
    settings.ach->offset = OffsetAccount{RoutingNumber::parse("091000019").value(),
                                         AccountNumber::parse("777000").value(), /*is_savings=*/false};
    const Instant morning = settings.zone.to_instant(day(2026, 11, 20), std::chrono::hours(9));
    const std::vector<Payable> payables = {payable(1, 600'000'00, "P"), payable(2, 600'000'00, "P")};
    const auto count = [&](Instant at) {
        return written(plan(payables, payees(), settings, testing::numbers(), at).files.at(0), settings).batches.size();
    };
    EXPECT_EQ(count(morning), 2U);
    EXPECT_EQ(count(morning + std::chrono::hours(12)), 1U) << "on the next day, one entry may have that amount";
}

TEST(AchPlan, sends_a_prenote_for_each_new_account_and_holds_its_payments) {
    PlanSettings settings = testing::settings();
    settings.guards.prenotes_required = true;
    std::vector<Payable> payables = {payable(1, 100, "P"), payable(2, 200, "P"), payable(3, 300, "C"),
                                     payable(4, 400, "X")};
    for (std::size_t i = 0; i < 3; ++i)
        payables[i].prenote = {.state = State::needed, .fingerprint = "f"};
    const Plan plan = plan_of(payables, settings);
    ASSERT_EQ(plan.files.size(), 2U);
    EXPECT_EQ(plan.files[0].payments.size(), 1U);
    const PlannedFile& prenotes = plan.files[1];
    EXPECT_TRUE(prenotes.payments.empty());
    ASSERT_EQ(prenotes.prenotes.size(), 2U) << "one for each payee";
    const auto file = written(prenotes, settings);
    EXPECT_EQ(file.batches.size(), 2U);
    EXPECT_EQ(file.batches[0].entries.at(0).transaction_code, 23);
    EXPECT_EQ(file.batches[1].entries.at(0).transaction_code, 33);
    EXPECT_EQ(nacha::control_of(file).total_credit, Money());
    ASSERT_EQ(plan.exceptions.size(), 3U);
    EXPECT_EQ(plan.exceptions[0].reason_code, reason::prenote_waiting);
    EXPECT_THAT(plan.exceptions[0].detail, HasSubstr("its file " + prenotes.name + " has not been sent yet"));
    EXPECT_NE(plan.files[0].name, prenotes.name);
}

TEST(AchPlan, splits_prenotes_at_the_limits_of_batches_and_files) {
    PlanSettings settings = testing::settings();
    settings.guards.prenotes_required = true;
    settings.ach->offset = OffsetAccount{RoutingNumber::parse("091000019").value(),
                                         AccountNumber::parse("777000").value(), /*is_savings=*/false};
    settings.max_batch_entries = 2;
    settings.max_file_entries = 5;
    std::string csv =
        "key,name,rail,routing_number,account_number,account_type,sec_code,address1,address2,city,state,zip\n";
    std::vector<Payable> payables;
    for (DrawId id = 1; id <= 12; ++id) {
        const std::string number = std::to_string(id);
        csv += "P" + number + ",Ana Person,ach,021000021,11" + number + ",checking," + (id <= 3 ? "CCD" : "PPD") +
               ",,,,,\n";
        payables.push_back(payable(id, 100, "P" + number));
        payables.back().prenote = {.state = State::needed, .fingerprint = "f" + number};
    }
    payables.push_back(payable(13, 200, "P1"));
    payables.back().prenote = {.state = State::needed, .fingerprint = "f1"};
    const Plan plan = disbursement::plan(payables, PayeeDirectory::read(csv, "payees.csv").value(), settings,
                                         testing::numbers(), testing::now());
    std::vector<std::vector<std::size_t>> batches;
    std::map<std::string, std::string> file_of;
    for (const PlannedFile& file : plan.files) {
        auto& sizes = batches.emplace_back();
        for (const auto& batch : written(file, settings).batches)
            sizes.push_back(batch.entries.size());
        for (const PlannedPrenote& prenote : file.prenotes)
            EXPECT_TRUE(file_of.emplace(prenote.payee.key, file.name).second) << prenote.payee.key;
    }
    EXPECT_THAT(batches, ElementsAre(ElementsAre(2U, 2U, 1U), ElementsAre(2U, 2U, 1U), ElementsAre(2U)));
    ASSERT_EQ(plan.exceptions.size(), payables.size());
    for (std::size_t i = 0; i < payables.size(); ++i)
        EXPECT_THAT(plan.exceptions[i].detail, HasSubstr("its file " + file_of[*payables[i].payee_key] + " has not"));

    NumberBlock one_left = testing::numbers();
    one_left.used_file_id_modifiers = "ABCDEFGHIJKLMNOPQRSTUVWXYZ012345678";
    const Plan short_of_files = disbursement::plan(payables, PayeeDirectory::read(csv, "payees.csv").value(), settings,
                                                   one_left, testing::now());
    EXPECT_EQ(short_of_files.files.size(), 1U);
    EXPECT_EQ(std::ranges::count(short_of_files.exceptions, reason::numbers_exhausted, &PlanException::reason_code), 8);
}

TEST(AchPlan, waits_for_a_prenote_from_the_day_its_file_was_sent) {
    struct Case {
        const char* sent;  // local; empty: not yet
        const char* says;
    };
    // Its effective entry date is Monday, November 23. Three banking days later is the Friday after Thanksgiving.
    const Case table[] = {
        {"", "its file A.ach has not been sent yet"},
        {"2026-11-20T12:00:00.000Z", "paid from 2026-11-27"},
        {"2026-11-23T12:00:00.000Z", "paid from 2026-11-27"},
        {"2026-12-01T12:00:00.000Z", "paid from 2026-12-07"},  // settles on the 2nd
    };
    PlanSettings settings = testing::settings();
    settings.guards.prenotes_required = true;
    for (const Case& one : table) {
        Payable waiting = payable(1, 100, "P");
        waiting.prenote = {
            .state = State::waiting, .file_name = "A.ach", .effective_entry_date = day(2026, 11, 23), .sent_at = {}};
        if (*one.sent != 0) waiting.prenote.sent_at = parse_instant(one.sent).value();
        const Plan plan = plan_of({waiting}, settings);
        ASSERT_EQ(plan.exceptions.size(), 1U) << one.sent;
        EXPECT_THAT(plan.exceptions[0].detail, HasSubstr(one.says)) << one.sent;
    }
}

TEST(AchPlan, holds_an_account_whose_prenote_waits_or_came_back) {
    PlanSettings settings = testing::settings();
    settings.guards.prenotes_required = true;
    Payable waiting = payable(1, 100, "P"), returned = payable(2, 100, "C");
    waiting.prenote = {.state = State::waiting, .effective_entry_date = day(2026, 11, 19)};
    returned.prenote = {
        .state = State::returned, .effective_entry_date = day(2026, 11, 19), .return_reason_code = "R03"};
    const Plan plan = plan_of({waiting, returned}, settings);
    EXPECT_TRUE(plan.files.empty());
    ASSERT_EQ(plan.exceptions.size(), 2U);
    EXPECT_EQ(plan.exceptions[0].reason_code, reason::prenote_waiting);
    EXPECT_EQ(plan.exceptions[1].reason_code, reason::prenote_returned);
    EXPECT_THAT(plan.exceptions[1].detail, HasSubstr("R03"));
}

TEST(Guards, hold_unusual_payments_until_a_person_lifts_exactly_that_hold) {
    struct Case {
        std::string_view reason_code;
        std::function<void(PlanSettings&, Payable&, PlanHistory&)> arrange;
        const char* detail;
    };
    const Case table[] = {
        {reason::over_payment_limit,
         [](PlanSettings& s, Payable&, PlanHistory&) { s.guards.payment_limit = Money::from_cents(499); }, "$4.99"},
        {reason::over_day_limit,
         [](PlanSettings& s, Payable&, PlanHistory& h) {
             s.guards.day_limit = Money::from_cents(1000);
             h.planned_today = Money::from_cents(501);
         },
         "2026-11-20"},
        {reason::duplicate_suspected,
         [](PlanSettings& s, Payable& p, PlanHistory&) {
             s.guards.duplicate_days = 7;
             p.duplicate_of = "P0000000012 of draw 17 on 2026-11-19";
         },
         "draw 17"},
        {reason::payee_changed,
         [](PlanSettings& s, Payable& p, PlanHistory&) {
             s.guards.payee_hold_days = 5;
             p.details_fingerprint = "0123456789abcdef";
             p.details_since = testing::now() - std::chrono::days(4);
         },
         "(fingerprint 0123456789ab) are new as of 2026-11-16 15:31: held until 2026-11-21 15:31"},
    };
    for (const Case& row : table) {
        PlanSettings settings = testing::settings();
        Payable one = payable(1, 500, "P");
        PlanHistory history;
        row.arrange(settings, one, history);
        const Plan held = plan_of({one}, settings, history);
        ASSERT_EQ(held.exceptions.size(), 1U) << row.reason_code;
        EXPECT_EQ(held.exceptions[0].reason_code, row.reason_code);
        EXPECT_TRUE(is_hold(row.reason_code) && may_be_lifted(row.reason_code));
        EXPECT_THAT(held.exceptions[0].detail, HasSubstr(row.detail));

        one.lifted = {{std::string(row.reason_code), held.exceptions[0].detail}};
        EXPECT_TRUE(plan_of({one}, settings, history).exceptions.empty()) << row.reason_code;
        one.lifted[0].detail += " (another day)";
        EXPECT_EQ(plan_of({one}, settings, history).exceptions.size(), 1U) << row.reason_code;
    }
}

TEST(Guards, consider_the_other_draws_of_the_same_run) {
    PlanSettings settings = testing::settings();
    settings.guards.duplicate_days = 1;
    Plan plan = plan_of({payable(1, 500, "P"), payable(2, 500, "P"), payable(3, 500, "C")}, settings);
    ASSERT_EQ(plan.exceptions.size(), 1U);
    EXPECT_EQ(plan.exceptions[0].draw_id, 2);

    Payable first = payable(1, 500, "P"), second = payable(2, 500, "C");
    first.account_fingerprint = second.account_fingerprint = "the same account";
    plan = plan_of({first, second}, settings);
    ASSERT_EQ(plan.exceptions.size(), 1U);
    EXPECT_EQ(plan.exceptions[0].reason_code, reason::duplicate_suspected);
    EXPECT_THAT(plan.exceptions[0].detail, HasSubstr("draw 1 pays $5.00 to payee 'C', or to the same account"));

    settings = testing::settings();
    settings.guards.day_limit = Money::from_cents(1000);
    plan = plan_of({payable(1, 600, "P"), payable(2, 500, "K"), payable(3, 400, "C")}, settings);
    ASSERT_EQ(plan.exceptions.size(), 1U) << "what still fits is paid";
    EXPECT_EQ(plan.exceptions[0].draw_id, 2);
    EXPECT_THAT(plan.exceptions[0].detail, HasSubstr("with this $5.00, payments on"));
}

TEST(Guards, hold_an_amount_that_was_paid_before_for_as_little_as_a_day) {
    PlanSettings settings = testing::settings();
    Payable one = payable(1, 500, "P");
    one.duplicate_of = "draw 7";
    for (const int days : {0, 1}) {
        settings.guards.duplicate_days = days;
        EXPECT_EQ(plan_of({one}, settings).exceptions.size(), days == 0 ? 0U : 1U) << days;
    }
}

TEST(Guards, end_when_their_time_is_over) {
    PlanSettings settings = testing::settings();
    settings.guards.payee_hold_days = 5;
    Payable one = payable(1, 500, "P");
    one.details_since = testing::now() - std::chrono::days(5) + std::chrono::seconds(3);
    EXPECT_TRUE(plan_of({one}, settings).exceptions.empty());
    one.details_since = testing::now() - std::chrono::days(5) + std::chrono::minutes(1);
    EXPECT_EQ(plan_of({one}, settings).exceptions.size(), 1U) << "a day has 24 hours";
}

}  // namespace
}  // namespace drawbridge::disbursement
