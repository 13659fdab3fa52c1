#include "drawbridge/reconciliation/match.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <random>
#include <set>

#include "reconciliation/match_lines.hpp"

namespace drawbridge::reconciliation {
namespace {

using namespace std::chrono_literals;

TEST(ReadReference, recognizes_trace_numbers_check_numbers_and_payment_ids) {
    struct Case {
        std::string_view text;
        std::optional<std::string> trace_number;
        std::optional<std::int64_t> check_number;
        std::optional<std::string> payment_id_text;
    };
    const Case cases[] = {
        {"091000010000001", "091000010000001", 91000010000001, {}},
        {"10001", {}, 10001, {}},
        {"0000010001", {}, 10001, {}},
        {"P0000000123", {}, {}, "P0000000123"},
        {"P000000123", {}, {}, {}},
        {"p0000000123", {}, {}, {}},
        {"", {}, {}, {}},
        {"0", {}, {}, {}},
        {"-1", {}, {}, {}},
        {"10001 ", {}, {}, {}},
        {"9999999999999999999999", {}, {}, {}},
    };
    for (const Case& c : cases) {
        const ReferenceForms forms = read_reference(c.text);
        EXPECT_EQ(forms.trace_number, c.trace_number) << c.text;
        EXPECT_EQ(forms.check_number, c.check_number) << c.text;
        EXPECT_EQ(forms.payment_id_text, c.payment_id_text) << c.text;
    }
}

TEST(Match, applies_lines_by_every_form_of_reference) {
    const std::vector<OpenPayment> payments = {ach(1), check(2, 10001), ach(3)};
    const auto matches = match_file({line("091000010000001"), line("00010001"), line("P0000000003")}, payments);
    ASSERT_EQ(matches.size(), 3U);
    for (std::size_t i = 0; i < 3; ++i) {
        EXPECT_EQ(matches[i].outcome, MatchOutcome::applied);
        EXPECT_EQ(matches[i].payment_id, static_cast<std::int64_t>(i) + 1);
        EXPECT_EQ(matches[i].reason_code, "");
    }
}

// A return that the bank sends on a Friday settles on Monday.
TEST(Match, takes_a_date_up_to_the_next_banking_day) {
    const auto on_friday = [](unsigned day) {
        constexpr BusinessDate friday = 2026y / 3 / 13;
        return match({line("P0000000001", returned, day)}, PaymentIndex({ach(1)}), friday).at(0).reason_code;
    };
    EXPECT_EQ(on_friday(16), "");
    EXPECT_EQ(on_friday(17), dated_in_the_future);
}

TEST(Match, makes_an_exception_with_a_reason_of_what_does_not_fit) {
    OpenPayment unreleased = ach(3);
    unreleased.unsent_because = OpenPayment().unsent_because;
    const std::vector<OpenPayment> payments = {ach(1), check(2, 10001), unreleased, check(4, 10001)};
    struct Case {
        Confirmation confirmation;
        std::string_view reason_code;
        std::string_view detail;
        std::optional<std::int64_t> payment_id;
    };
    const Case cases[] = {
        {line("091000010000009"), unknown_payment, "no payment of ours has the reference '091000010000009'", {}},
        {line("91000010000001"), unknown_payment,
         "no payment of ours has the reference '91000010000001'; a spreadsheet may have dropped the leading zero of a "
         "trace number, that of payment P0000000001",
         1},
        {line("91000010000009"),
         unknown_payment,
         "no payment of ours has the reference '91000010000009'; a spreadsheet may have dropped the leading zero of a "
         "trace number",
         {}},
        {line("10001"), ambiguous_reference, "the reference '10001' may mean any of P0000000002, P0000000004", {}},
        {line("P0000000001", paid, 4, 125'001), amount_differs,
         "the confirmation says $1,250.01, but payment P0000000001 is for $1,250.00", 1},
        {line("P0000000003"), payment_not_released, "payment P0000000003 was not sent: its file is not released", 3},
        {line("P0000000001", paid, 1), dated_before_payment,
         "the confirmation is dated 2026-03-01, but payment P0000000001 was released on 2026-03-02", 1},
        {line("P0000000001", paid, 12), dated_in_the_future,
         "the confirmation is dated 2026-03-12, but today is 2026-03-10", 1},
    };
    for (const Case& c : cases) {
        const auto matches = match_file({c.confirmation}, payments);
        ASSERT_EQ(matches.size(), 1U);
        EXPECT_EQ(matches[0].outcome, MatchOutcome::exception);
        EXPECT_EQ(matches[0].reason_code, c.reason_code);
        EXPECT_EQ(matches[0].detail, c.detail);
        EXPECT_EQ(matches[0].payment_id, c.payment_id);
    }
}

// A rejection of a whole payment by its payment id needs no amount. Any other line without one is an exception, which
// never says $0.00.
TEST(Match, takes_the_amount_of_a_payment_that_the_bank_rejects_without_one) {
    Confirmation rejection = line("P0000000001", returned, 4, 0);
    rejection.references = {{ReferenceKind::payment_id, "P0000000001"}};
    rejection.amount_source = AmountSource::payment;
    const auto applied = match_file({rejection}, {ach(1)});
    EXPECT_EQ(applied[0].outcome, MatchOutcome::applied);
    EXPECT_EQ(applied[0].confirmation.amount, Money::from_cents(125'000));
    Confirmation by_trace = rejection, paid_line = rejection, batched = rejection;
    by_trace.references = {{ReferenceKind::trace_number, "091000010000001"}};
    paid_line.kind = paid;
    batched.amount_source = AmountSource::none;
    for (const Confirmation& other : {by_trace, paid_line, batched}) {
        const auto refused = match_file({other}, {ach(1)});
        EXPECT_EQ(refused[0].outcome, MatchOutcome::exception);
        EXPECT_EQ(refused[0].detail, "the confirmation states no amount, but payment P0000000001 is for $1,250.00");
    }
}

TEST(Match, accepts_dates_from_the_payment_day_to_tomorrow) {
    EXPECT_EQ(outcomes({line("P0000000001", paid, 2)}, {ach(1)}), Outcomes{"applied"});
    EXPECT_EQ(outcomes({line("P0000000001", paid, 11)}, {ach(1)}), Outcomes{"applied"});
}

TEST(Match, never_confuses_a_trace_number_with_a_check_number) {
    EXPECT_EQ(outcomes({line("091000010000001")}, {ach(1), check(2, 91000010000001)}),
              Outcomes{"exception ambiguous_reference"});
}

TEST(Match, keeps_each_candidate_once) {
    EXPECT_EQ(outcomes({line("P0000000001")}, {ach(1), ach(1)}), Outcomes{"applied"});
}

TEST(Match, compares_with_earlier_confirmations) {
    OpenPayment came_back = settled(ach(1), returned, march(6));
    came_back.paid_on = march(4);
    struct Case {
        OpenPayment payment;
        Confirmation confirmation;
        std::string_view outcome;
    };
    const Case cases[] = {
        {settled(ach(1), paid, march(4)), line("P0000000001", paid, 4), "duplicate"},
        {settled(ach(1), paid, march(4)), line("P0000000001", paid, 5), "exception settled_differently"},
        {settled(ach(1), paid, march(4)), line("P0000000001", returned, 6), "applied returned_after_paid"},
        {settled(ach(1), paid, march(4)), line("P0000000001", voided, 6), "applied returned_after_paid"},
        {settled(ach(1), paid, march(4)), line("P0000000001", voided, 4), "applied returned_after_paid"},
        {settled(ach(1), paid, march(4)), line("P0000000001", voided, 3), "exception settled_differently"},
        {settled(ach(1), paid, march(4)), line("P0000000001", returned, 3), "exception settled_differently"},
        {settled(check(1, 10001), paid, march(4)), line("10001", voided, 6), "exception settled_differently"},
        {settled(check(1, 10001), paid, march(4)), line("10001", returned, 6), "applied returned_after_paid"},
        {settled(ach(1), returned, march(6)), line("P0000000001", returned, 6), "duplicate"},
        {settled(ach(1), returned, march(6)), line("P0000000001", returned, 7), "exception settled_differently"},
        {settled(ach(1), returned, march(6)), line("P0000000001", voided, 6), "exception settled_differently"},
        {settled(ach(1), returned, march(6)), line("P0000000001", paid, 7), "exception settled_differently"},
        {settled(ach(1), voided, march(6)), line("P0000000001", paid, 7), "exception settled_differently"},
        {came_back, line("P0000000001", paid, 4), "duplicate"},
        {came_back, line("P0000000001", paid, 7), "exception settled_differently"},
        {came_back, line("P0000000001", returned, 6), "duplicate"},
    };
    for (const Case& c : cases) {
        EXPECT_EQ(outcomes({c.confirmation}, {c.payment}), Outcomes{std::string(c.outcome)})
            << to_string(*c.payment.settled_as) << " then " << to_string(c.confirmation.kind) << " "
            << format_date(c.confirmation.date);
    }
}

TEST(Match, settles_several_lines_for_one_payment) {
    struct Case {
        std::vector<Confirmation> lines;
        Outcomes outcomes;
    };
    const Case cases[] = {
        // one fact, repeated, also by another reference: perhaps two debits
        {{line("P0000000001"), line("P0000000001"), line("P0000000001")},
         {"applied", "exception listed_twice", "exception listed_twice"}},
        {{line("P0000000001"), line("091000010000001")}, {"exception listed_twice", "applied"}},
        {{line("P0000000001", returned), line("P0000000001", returned)}, {"applied", "duplicate"}},
        // paid and returned, in either order
        {{line("P0000000001", paid, 4), line("P0000000001", returned, 6)}, {"applied", "applied returned_after_paid"}},
        {{line("P0000000001", returned, 6), line("P0000000001", paid, 4)}, {"applied returned_after_paid", "applied"}},
        // stopped before the bank paid it, in either order
        {{line("P0000000001", paid, 6), line("P0000000001", voided, 5)}, {"applied", "exception settled_differently"}},
        {{line("P0000000001", returned, 5), line("P0000000001", paid, 6)},
         {"exception settled_differently", "applied"}},
        {{line("P0000000001", paid, 5), line("P0000000001", returned, 4), line("P0000000001", returned, 6)},
         {"applied", "exception settled_differently", "exception settled_differently"}},
        // contradictions: none of them is applied
        {{line("P0000000001", paid, 4), line("P0000000001", paid, 6), line("P0000000001", voided, 5)},
         {"exception settled_differently", "exception settled_differently", "exception settled_differently"}},
        {{line("P0000000001", paid, 4), line("P0000000001", paid, 5)},
         {"exception settled_differently", "exception settled_differently"}},
        {{line("P0000000001", returned, 5), line("P0000000001", voided, 5)},
         {"exception settled_differently", "exception settled_differently"}},
        // a line that does not fit does not affect one that does
        {{line("P0000000001", paid, 5, 1), line("P0000000001", paid, 4)}, {"exception amount_differs", "applied"}},
    };
    for (const Case& c : cases)
        EXPECT_EQ(outcomes(c.lines, {ach(1)}), c.outcomes);
}

// The bank debited a check twice, or lists one debit twice: its own reference shows which.
TEST(Match, applies_a_second_paid_line_only_if_it_is_about_the_same_debit) {
    const auto debit = [](std::string bank_reference) {
        Confirmation check_paid = line("10001");
        check_paid.references = {{ReferenceKind::check_number, "10001"},
                                 {ReferenceKind::bank_reference, std::move(bank_reference)}};
        return check_paid;
    };
    const OpenPayment open = check(1, 10001), known = settled(open, paid, march(4));
    EXPECT_EQ(outcomes({debit("REF1"), debit("REF2")}, {open}), (Outcomes{"applied", "exception listed_twice"}));
    EXPECT_EQ(outcomes({debit("REF1"), debit("REF1")}, {open}), (Outcomes{"applied", "duplicate"}));
    EXPECT_EQ(outcomes({debit("REF1"), debit("REF2")}, {known}), (Outcomes{"duplicate", "exception listed_twice"}));
    EXPECT_EQ(outcomes({debit("REF1"), debit("REF1")}, {known}), (Outcomes{"duplicate", "duplicate"}));
    EXPECT_EQ(outcomes({debit("REF1"), line("10001")}, {known}), (Outcomes{"exception listed_twice", "duplicate"}));
}

TEST(Match, reports_what_contradicts_a_line) {
    const auto matches = match_file({line("P0000000001", paid, 4), line("P0000000001", paid, 5)}, {ach(1)});
    EXPECT_EQ(matches[0].detail,
              "the confirmation says payment P0000000001 is paid on 2026-03-04, but this file also says paid on "
              "2026-03-05");
    const auto again = match_file({line("P0000000001", paid, 5)}, {settled(ach(1), paid, march(4))});
    EXPECT_EQ(again[0].detail,
              "the confirmation says payment P0000000001 is paid on 2026-03-05, but it was confirmed as paid on "
              "2026-03-04");
    const auto back = match_file({line("P0000000001", returned, 6)}, {settled(ach(1), paid, march(4))});
    EXPECT_EQ(back[0].detail,
              "payment P0000000001 was confirmed as paid on 2026-03-04 and is now returned on 2026-03-06");
}

TEST(Match, orders_paid_before_returned_before_void) {
    const auto matches = match_file({line("P0000000002", voided, 6), line("P0000000001", returned, 6),
                                     line("P0000000001", paid, 4), line("P0000000009", paid, 4)},
                                    {ach(1), ach(2)});
    std::vector<std::int64_t> lines;
    for (const Match& m : matches)
        lines.push_back(m.confirmation.line);
    EXPECT_EQ(lines, (std::vector<std::int64_t>{4, 5, 3, 2}));
}

// The meaning of a file, whatever the order of its rows.
std::multiset<std::string> meaning(const std::vector<Match>& matches) {
    std::multiset<std::string> meant;
    for (const Match& m : matches) {
        meant.insert(m.confirmation.payment_reference + " " + std::string(to_string(m.confirmation.kind)) + " " +
                     m.confirmation.amount.to_string() + " " + format_date(m.confirmation.date) + " " +
                     std::string(to_string(m.outcome)) + " " + m.reason_code + " " + m.detail);
    }
    return meant;
}

TEST(Match, does_not_depend_on_the_order_of_rows) {
    std::mt19937 random(20260310);
    const auto one_of = [&](std::uint32_t n) { return static_cast<unsigned>(random() % n); };
    for (int round = 0; round < 500; ++round) {
        std::vector<OpenPayment> payments;
        for (std::int64_t id = 1; id <= 4; ++id) {
            OpenPayment payment = one_of(2) == 0 ? ach(id) : check(id, 10000 + static_cast<std::int64_t>(one_of(3)));
            if (one_of(8) != 0) payment.unsent_because.clear();
            if (one_of(3) == 0)
                payment = settled(payment, static_cast<ConfirmationKind>(one_of(3)), march(3 + one_of(3)));
            if (payment.settled_as && *payment.settled_as != paid && one_of(2) == 0) payment.paid_on = march(3);
            payments.push_back(payment);
        }
        const std::vector<std::string> references = {"P0000000001",     "P0000000002",     "P0000000003",
                                                     "091000010000001", "091000010000002", "10001",
                                                     "0010002",         "10009",           "10000"};
        std::vector<Confirmation> lines(1 + one_of(12));
        for (Confirmation& c : lines) {
            c = line(references[one_of(9)], static_cast<ConfirmationKind>(one_of(3)), 1 + one_of(12),
                     one_of(6) == 0 ? 1 : 125'000);
        }
        const auto before = match_file(lines, payments);
        ASSERT_EQ(before.size(), lines.size());
        std::ranges::shuffle(lines, random);
        std::ranges::shuffle(payments, random);
        EXPECT_EQ(meaning(match_file(lines, payments)), meaning(before));

        // at most one paid and one reversal is applied per payment
        std::map<std::pair<std::int64_t, bool>, int> applied;
        for (const Match& m : before) {
            if (m.outcome != MatchOutcome::applied) continue;
            EXPECT_LE((++applied[{m.payment_id.value(), m.confirmation.kind == paid}]), 1);
        }
    }
}

// With several kinds of references, codes, currencies, and lines that move no money.
TEST(Match, does_not_depend_on_the_order_of_varied_rows) {
    const std::vector<OpenPayment> payments = {ach(1), ach(2), check(3, 10001)};
    std::vector<Confirmation> rows = {
        line("091000010000001"),          line("P0000000001"),      line("091000010000002", returned, 5),
        line("P0000000002", returned, 5), line("10001", voided, 6), line("NOTHING", paid, 4)};
    rows[2].reason_code = "R01";
    rows[3].reason_code = "R03";
    rows[0].references = {{ReferenceKind::trace_number, "091000010000001"}, {ReferenceKind::payment_id, "P0000000001"}};
    rows[5].references = {{ReferenceKind::trace_number, "091000010000001"}, {ReferenceKind::payment_id, "P0000000002"}};
    const auto told = [&](const std::vector<std::size_t>& order) {
        std::vector<Confirmation> lines;
        for (const auto at : order)
            lines.push_back(rows[at]);
        std::multiset<std::string> all;
        for (const Match& m : match_file(lines, payments)) {
            all.insert(std::to_string(m.payment_id.value_or(0)) + " " + std::string(to_string(m.outcome)) + " " +
                       m.reason_code + " " + m.confirmation.reason_code + " " + m.detail);
        }
        return all;
    };
    std::vector<std::size_t> order = {0, 1, 2, 3, 4, 5};
    const auto expected = told(order);
    EXPECT_TRUE(std::ranges::any_of(expected, [](const std::string& m) { return m.starts_with("2 applied  R01"); }));
    do {
        ASSERT_EQ(told(order), expected);
    } while (std::ranges::next_permutation(order).found);
}

TEST(Match, applies_nothing_when_a_file_is_repeated) {
    std::vector<OpenPayment> payments = {ach(1), ach(2), check(3, 10001)};
    const std::vector<Confirmation> file = {line("P0000000001"), line("091000010000002", paid, 4),
                                            line("091000010000002", returned, 6), line("10001", voided, 5)};
    for (const Match& m : match_file(file, payments)) {
        ASSERT_EQ(m.outcome, MatchOutcome::applied);
        OpenPayment& payment = payments[static_cast<std::size_t>(*m.payment_id) - 1];
        if (payment.settled_as == paid) payment.paid_on = payment.settled_on;
        payment = settled(payment, m.confirmation.kind, m.confirmation.date);
    }
    EXPECT_EQ(outcomes(file, payments), (Outcomes{"duplicate", "duplicate", "duplicate", "duplicate"}));
}

TEST(Match, accepts_the_banks_lines_for_a_payment_paid_by_time) {
    OpenPayment by_time = settled(ach(1), paid, march(3));
    by_time.paid_on = march(3);
    by_time.paid_by_time = true;
    EXPECT_EQ(outcomes({line("P0000000001", paid, 6)}, {by_time}), Outcomes{"duplicate"});
    EXPECT_EQ(outcomes({line("P0000000001", returned, 6)}, {by_time}), Outcomes{"applied returned_after_paid"});
    EXPECT_EQ(outcomes({line("P0000000001", returned, 2)}, {by_time}), Outcomes{"applied returned_after_paid"})
        << "the day of our count is not the bank's";
    EXPECT_EQ(outcomes({line("P0000000001", paid, 6), line("P0000000001", returned, 5)}, {by_time}),
              (Outcomes{"duplicate", "exception settled_differently"}));
}

}  // namespace
}  // namespace drawbridge::reconciliation
