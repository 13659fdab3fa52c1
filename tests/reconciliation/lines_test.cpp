// A payment's transitions by day, and the class of one draw at the end of a day.
#include "drawbridge/reconciliation/lines.hpp"

#include <gmock/gmock.h>

#include "drawbridge/reconciliation/totals.hpp"

namespace drawbridge::reconciliation {
namespace {

using ::testing::ElementsAre;

const TimeZone zone = TimeZone::find("America/New_York").value();

Instant at(const char* text) {
    return parse_instant(text).value();
}
BusinessDate day(const char* text) {
    return parse_date(text).value();
}
SettledFact settled(const char* on, const char* recorded_at) {
    return {day(on), at(recorded_at), SettledBy::line};
}

// "2026-03-03 >1 2026-03-04 >2": the buckets that it moves into.
std::string path_of(const PaymentFacts& payment) {
    std::string text;
    for (const auto& step : transitions_of(payment, zone))
        text += (text.empty() ? "" : " ") + format_date(step.on) + " >" + std::to_string(static_cast<int>(step.to));
    return text;
}

PaymentFacts payment() {
    PaymentFacts payment;
    payment.payment_id = 1;
    payment.amount = Money::from_cents(10'000);
    payment.made_at = at("2026-03-03T15:00:00");
    payment.staged_at = payment.released_at = payment.made_at;
    return payment;
}

TEST(PaymentTransitions, use_the_banks_day_and_never_go_back) {
    auto it = payment();
    EXPECT_EQ(path_of(it), "2026-03-03 >1");
    it.paid = settled("2026-03-05", "2026-03-06T15:00:00");
    EXPECT_EQ(path_of(it), "2026-03-03 >1 2026-03-05 >2");
    it.paid = settled("2026-03-07", "2026-03-06T15:00:00");
    EXPECT_EQ(path_of(it), "2026-03-03 >1 2026-03-06 >2") << "a bank in a zone ahead of ours";
    it.reported_at = at("2026-03-09T02:00:00");
    EXPECT_EQ(path_of(it), "2026-03-03 >1 2026-03-06 >2 2026-03-08 >3") << "still the 8th in New York";
    it.returned = settled("2026-03-10", "2026-03-12T15:00:00");
    it.ended_at = it.returned->recorded_at;
    EXPECT_EQ(path_of(it), "2026-03-03 >1 2026-03-06 >2 2026-03-08 >3 2026-03-10 >4");
    it.returned = settled("2026-03-07", "2026-03-12T15:00:00");
    EXPECT_EQ(path_of(it), "2026-03-03 >1 2026-03-06 >2 2026-03-07 >4") << "it was returned before it was reported";
}

TEST(PaymentTransitions, end_on_the_day_of_a_void) {
    auto it = payment();
    it.released_at.reset();
    it.file_voided_at = it.ended_at = at("2026-03-04T15:00:00");
    EXPECT_EQ(path_of(it), "2026-03-03 >1 2026-03-04 >4");
}

class OneDraw : public ::testing::Test {
  protected:
    OneDraw() {
        facts.draw_id = 17;
        facts.first_seen_at = at("2026-03-02T15:00:00");
        ReadingFacts reading;
        reading.read_at = facts.first_seen_at;
        reading.status = DrawStatus::approved;
        reading.amount_requested = reading.amount_approved = Money::from_cents(10'000);
        facts.opening = facts.closing = reading;
    }
    std::vector<std::string> classes(const char* on = "2026-03-05") {
        std::vector<std::string> names;
        for (const auto& line : lines_at(facts, facts.closing, day(on), settings))
            names.push_back(std::string(to_string(line.line_class)) + (line.counts_draw ? "*" : ""));
        return names;
    }
    void open_exception(const char* step, const char* reason) {
        ExceptionFacts open;
        open.opened_at = at("2026-03-04T15:00:00");
        open.step = step;
        open.reason_code = reason;
        facts.exceptions.push_back(open);
    }

    DrawFacts facts;
    ReportSettings settings{{day("2026-03-01"), day("2026-03-31"), at("2026-04-01T00:00:00")}, zone, 10};
};

TEST_F(OneDraw, payment_that_ends_in_flight_is_counted_as_such) {
    struct Case {
        const char* paid_on;   // nullptr: not paid
        const char* reported;  // nullptr: not reported
        std::int64_t in_flight, confirmed, reported_count;
    };
    for (const Case& row : {Case{nullptr, nullptr, 1, 0, 0}, Case{"2026-03-04", nullptr, 0, 1, 0},
                            Case{"2026-03-04", "2026-03-05T15:00:00", 0, 0, 1}}) {
        facts.payments = {payment()};
        auto& it = facts.payments[0];
        if (row.paid_on != nullptr) it.paid = settled(row.paid_on, "2026-03-04T15:00:00");
        if (row.reported != nullptr) it.reported_at = at(row.reported);
        it.returned = settled("2026-03-10", "2026-03-10T15:00:00");
        it.ended_at = it.returned->recorded_at;
        ReportAccumulator report(settings);
        static_cast<void>(report.add(facts));
        const auto& totals = report.totals();
        EXPECT_EQ(totals.payments.ended_in_flight.count, row.in_flight);
        EXPECT_EQ(totals.payments.ended_confirmed.count, row.confirmed);
        EXPECT_EQ(totals.payments.ended_reported.count, row.reported_count);
    }
}

TEST_F(OneDraw, payment_that_a_person_or_time_settled_is_counted_in_the_period_of_that_act) {
    for (const auto& [by, recorded_at, counts] : {std::tuple(SettledBy::person, "2026-03-01T06:00:00", true),
                                                  {SettledBy::person, "2026-03-01T04:00:00", false},
                                                  {SettledBy::time, "2026-04-01T03:00:00", true},
                                                  {SettledBy::time, "2026-04-01T05:00:00", false},
                                                  {SettledBy::line, "2026-03-04T15:00:00", false}}) {
        facts.payments = {payment()};
        facts.payments[0].paid = SettledFact{day("2026-03-04"), at(recorded_at), by};
        ReportAccumulator report(settings);
        static_cast<void>(report.add(facts));
        const auto& totals = report.totals();
        EXPECT_EQ(totals.bank.by_person.count, counts && by == SettledBy::person ? 1 : 0) << recorded_at;
        EXPECT_EQ(totals.bank.by_time.count, counts && by == SettledBy::time ? 1 : 0) << recorded_at;
    }
}

TEST_F(OneDraw, line_names_its_payment) {
    facts.payments = {payment()};
    facts.payments[0].payment_id = 7;
    const auto lines = lines_at(facts, facts.closing, day("2026-03-05"), settings);
    ASSERT_EQ(lines.size(), 1U);
    EXPECT_EQ(lines[0].draw_id, 17);
    EXPECT_EQ(lines[0].payment_id, 7);
}

TEST_F(OneDraw, in_a_file_that_missed_its_settlement_date_is_to_be_voided) {
    facts.payments = {payment()};
    facts.payments[0].released_at.reset();
    facts.payments[0].settlement_missed_at = at("2026-03-04T15:00:00");
    EXPECT_THAT(classes("2026-03-03"), ElementsAre("staged*")) << "before it was missed";
    EXPECT_THAT(classes(), ElementsAre("settlement_date_passed*"));
    EXPECT_THAT(std::string(words(LineClass::settlement_date_passed).what_to_do), testing::HasSubstr("void"));
}

TEST_F(OneDraw, disbursed_and_paid_before_a_restore_names_the_file) {
    facts.closing->status = DrawStatus::disbursed;
    facts.closing->amount_disbursed = Money::from_cents(10'000);
    EXPECT_THAT(classes(), ElementsAre("external*"));
    facts.sent_before = {{at("2026-03-03T15:00:00"), "CHK-20260303-0001.csv of … paid it $100.00 under 1001"}};
    EXPECT_THAT(classes("2026-03-02"), ElementsAre("external*")) << "before the file left";
    EXPECT_THAT(classes(), ElementsAre("sent_before_restore*"));
    open_exception("pay", "paid_after_backup");
    const auto lines = lines_at(facts, facts.closing, day("2026-03-05"), settings);
    ASSERT_EQ(lines.size(), 1U);
    EXPECT_EQ(lines[0].line_class, LineClass::sent_before_restore);
    EXPECT_EQ(lines[0].why, "CHK-20260303-0001.csv of … paid it $100.00 under 1001");
}

TEST_F(OneDraw, waits_is_released_and_becomes_overdue) {
    EXPECT_THAT(classes(), ElementsAre("approved*"));
    EXPECT_THAT(classes("2026-03-13"), ElementsAre("unpaid_too_long*"));
    facts.payments = {payment()};
    EXPECT_THAT(classes("2026-03-02"), ElementsAre("approved*")) << "before its file was made";
    EXPECT_THAT(classes(), ElementsAre("released*"));
    EXPECT_THAT(classes("2026-03-14"), ElementsAre("unconfirmed_too_long*"));
    facts.payments[0].is_check = true;
    EXPECT_THAT(classes("2026-03-14"), ElementsAre("released*")) << "a check waits to be cashed";
    facts.payments[0].released_at.reset();
    EXPECT_THAT(classes(), ElementsAre("staged*"));
    facts.payments[0].staged_at.reset();
    EXPECT_THAT(classes(), ElementsAre("planned*"));
}

TEST_F(OneDraw, paid_again_after_a_return_counts_once) {
    facts.payments = {payment(), payment()};
    facts.payments[0].returned = settled("2026-03-04", "2026-03-04T15:00:00");
    facts.payments[0].ended_at = at("2026-03-04T15:00:00");
    facts.payments[0].reissue_ordered_at = at("2026-03-05T15:00:00");
    facts.payments[1].made_at = facts.payments[1].released_at.emplace(at("2026-03-06T15:00:00"));
    EXPECT_THAT(classes("2026-03-04"), ElementsAre("returned*"));
    EXPECT_THAT(classes("2026-03-05"), ElementsAre("replaced", "approved*"));
    EXPECT_THAT(classes("2026-03-06"), ElementsAre("replaced", "released*"));
}

TEST_F(OneDraw, open_exception_gives_the_reason_and_a_closed_one_does_not) {
    open_exception("pay", "no_payee");
    EXPECT_THAT(classes("2026-03-03"), ElementsAre("approved*")) << "before it was opened";
    EXPECT_THAT(classes(), ElementsAre("blocked*"));
    facts.exceptions[0].step = "poll";
    EXPECT_THAT(classes(), ElementsAre("exception_open*"));
    facts.exceptions[0].closed_at = at("2026-03-05T15:00:00");
    EXPECT_THAT(classes(), ElementsAre("approved*"));
}

TEST_F(OneDraw, exception_at_paying_blocks_only_what_waits_for_its_payment) {
    open_exception("pay", "no_payee");
    EXPECT_THAT(classes("2026-03-13"), ElementsAre("blocked*")) << "unpaid for too long";
    facts.payments = {payment()};
    EXPECT_THAT(classes(), ElementsAre("exception_open*")) << "released";
}

TEST_F(OneDraw, exception_about_a_bank_line_appears_on_that_line) {
    facts.payments = {payment()};
    open_exception("confirm", "amount_differs");
    EXPECT_THAT(classes(), ElementsAre("released*"));
}

TEST(Ages, have_no_gaps) {
    EXPECT_EQ(age_words(age_index(0)), "0-1 days");
    EXPECT_EQ(age_words(age_index(1)), "0-1 days");
    EXPECT_EQ(age_words(age_index(2)), "2-3 days");
    EXPECT_EQ(age_words(age_index(30)), "15-30 days");
    EXPECT_EQ(age_words(age_index(31)), "over 30 days");
}

TEST(BankLine, of_money_that_left_without_a_payment_is_on_the_banks_side) {
    const ReportSettings settings{{day("2026-03-01"), day("2026-03-31"), at("2026-05-01T00:00:00")}, zone, 10};
    BankLineFacts facts;
    facts.file_recorded_at = at("2026-03-05T15:00:00");
    facts.outcome = "exception";
    facts.kind = ConfirmationKind::paid;
    facts.currency = "USD";
    facts.amount = Money::from_cents(500);
    EXPECT_EQ(line_of(facts, settings)->sides.bank, Money::from_cents(500));
    facts.kind = ConfirmationKind::returned;
    EXPECT_EQ(line_of(facts, settings)->sides.bank, Money());
}

TEST(BankLine, is_closed_with_its_exception) {
    const ReportSettings settings{{day("2026-03-01"), day("2026-03-31"), at("2026-05-01T00:00:00")}, zone, 10};
    BankLineFacts facts;
    facts.file_recorded_at = at("2026-03-05T15:00:00");
    facts.outcome = "exception";
    EXPECT_EQ(line_of(facts, settings)->line_class, LineClass::bank_line_unmatched);
    facts.exception_closed_at = at("2026-03-31T15:00:00");
    facts.exception_closed_reason = "the bank's own fee";
    EXPECT_EQ(line_of(facts, settings)->line_class, LineClass::bank_exception_closed);
    EXPECT_TRUE(line_of(facts, settings)->why.ends_with(": the bank's own fee"));
    facts.exception_closed_at = at("2026-04-01T15:00:00");
    EXPECT_EQ(line_of(facts, settings)->line_class, LineClass::bank_line_unmatched) << "closed after the period";
}

// "The bank says that the money came back" closes the exception, but the ledger does not know it.
TEST(BankLine, that_is_disputed_never_agrees_while_its_payment_is_not_settled) {
    const ReportSettings settings{{day("2026-03-01"), day("2026-03-31"), at("2026-05-01T00:00:00")}, zone, 10};
    BankLineFacts facts;
    facts.file_recorded_at = at("2026-03-05T15:00:00");
    facts.outcome = "exception";
    facts.kind = ConfirmationKind::disputed;
    facts.payment_id = 1;
    facts.exception_closed_at = at("2026-03-06T15:00:00");
    facts.exception_closed_reason = "the money came back";
    EXPECT_EQ(line_of(facts, settings)->line_class, LineClass::bank_line_in_doubt);
    EXPECT_TRUE(line_of(facts, settings)->why.ends_with(": the money came back"));
    facts.payment_is_settled = true;
    EXPECT_EQ(line_of(facts, settings)->line_class, LineClass::bank_exception_closed);
    facts.payment_is_settled = false;
    facts.payment_id.reset();
    EXPECT_EQ(line_of(facts, settings)->line_class, LineClass::bank_exception_closed) << "it names no payment";
}

TEST(PaymentFileLine, is_there_when_the_file_and_the_ledger_differ) {
    const ReportSettings settings{{day("2026-03-01"), day("2026-03-31"), at("2026-04-01T00:00:00")}, zone, 10};
    PaymentFileFacts facts;
    facts.name = "ACH-20260304-A.ach";
    facts.made_at = at("2026-03-04T15:00:00");
    facts.payment_count = facts.row_count = 3;
    facts.total = facts.row_total = Money::from_cents(300);
    facts.paid_count = facts.ended_count = facts.open_count = 1;
    facts.paid = facts.ended = facts.open = Money::from_cents(100);
    EXPECT_FALSE(line_of(facts, settings));
    facts.row_count = 2;
    const auto line = line_of(facts, settings);
    ASSERT_TRUE(line);
    EXPECT_EQ(line->line_class, LineClass::file_totals_differ);
    EXPECT_EQ(line->file_name, "ACH-20260304-A.ach");
    EXPECT_EQ(line->amount, Money::from_cents(300));
    EXPECT_EQ(line->since, day("2026-03-04"));
    EXPECT_EQ(line->age_days, 27);
    EXPECT_EQ(line->why, "the file says 3 payments of $3.00, but the ledger has 2 of $3.00");
    facts.made_at = at("2026-04-01T15:00:00");
    EXPECT_FALSE(line_of(facts, settings)) << "after the period";
    for (Money PaymentFileFacts::* const sum :
         {&PaymentFileFacts::row_total, &PaymentFileFacts::paid, &PaymentFileFacts::ended}) {
        PaymentFileFacts other = facts;
        other.made_at = at("2026-03-04T15:00:00");
        other.row_count = 3;
        other.*sum = Money::from_cents(99);
        EXPECT_TRUE(line_of(other, settings));
    }
}

TEST(BankLine, counts_as_open_unless_it_was_applied_or_came_later) {
    const ReportSettings settings{{day("2026-03-01"), day("2026-03-31"), at("2026-05-01T00:00:00")}, zone, 10};
    BankLineFacts facts;
    facts.file_recorded_at = at("2026-03-05T15:00:00");
    facts.confirmed_on = day("2026-03-04");
    facts.outcome = "exception";
    EXPECT_TRUE(line_of(facts, settings));
    facts.outcome = "applied";
    EXPECT_FALSE(line_of(facts, settings));
    facts.outcome = "exception";
    facts.file_recorded_at = at("2026-04-01T15:00:00");
    EXPECT_FALSE(line_of(facts, settings));
}

}  // namespace
}  // namespace drawbridge::reconciliation
