#include "drawbridge/reconciliation/proposals.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

namespace drawbridge::reconciliation {
namespace {

using namespace std::chrono_literals;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::SizeIs;

constexpr BusinessDate made = 2026y / 3 / 2;
constexpr BusinessDate due = 2026y / 3 / 4;
constexpr BusinessDate today = 2026y / 3 / 20;

NearPayment near(std::int64_t id, std::int64_t cents = 125'000, std::string name = "JANE ROE") {
    OpenPayment payment;
    payment.payment_id = id;
    payment.payment_id_text = "P000000000" + std::to_string(id);
    payment.trace_number = "09100001000120" + std::to_string(id);
    payment.amount = Money::from_cents(cents);
    payment.released_on = made;
    payment.unsent_because.clear();
    return {payment, std::move(name), due};
}

Confirmation line(std::string reference, std::int64_t cents = 125'000, BusinessDate date = due) {
    return {.line = 2,
            .payment_reference = std::move(reference),
            .kind = ConfirmationKind::paid,
            .amount = Money::from_cents(cents),
            .date = date};
}

TEST(ReferenceSimilarity, scores_mangled_references) {
    const struct {
        std::string_view written, ours;
        int score;
    } cases[] = {
        {"091000010001207", "091000010001207", 35},
        {"91000010001207", "091000010001207", 35},   // a spreadsheet dropped the zero
        {"91000010000000", "091000010001207", 20},   // here it kept ten digits
        {"091000010001270", "091000010001207", 25},  // two digits swapped
        {"091000010001208", "091000010001207", 25},
        {"0001207", "091000010001207", 25},
        {"1207", "091000010001207", 0},  // too short to mean anything
        {"REF 091000010001207 ACH", "091000010001207", 25},
        {"INV P0000000007", "P0000000007", 25},
        {"CHECK 10001 CASHED", "10001", 25},
        {"CHECK 1001 CASHED", "1001", 0},  // four digits may mean anything
        {"P0000000017", "P0000000007", 25},
        {"10001", "10001", 35},
        {"10010", "10001", 25},
        {"10110", "10001", 0},
        {"1001", "10001", 0},
        {"", "10001", 0},
        {"X", "", 0},
        {"091000010009999", "091000010001207", 0},
    };
    for (const auto& c : cases) {
        const auto similarity = reference_similarity(c.written, c.ours);
        EXPECT_EQ(similarity.score, c.score) << c.written << " for " << c.ours << ": " << similarity.because;
        EXPECT_EQ(similarity.because.empty(), c.score == 0) << c.written;
    }
}

TEST(NameSimilarity, ignores_case_punctuation_and_order) {
    const struct {
        std::string_view written, ours;
        int score;
    } cases[] = {
        {"JANE ROE", "Jane Roe", 10},
        {"ROE, JANE", "JANE ROE", 10},
        {"O'NEIL PLUMBING INC.", "ONeil Plumbing Inc", 10},
        {"JANE Q ROE", "JANE ROE", 5},
        {"BANK OF X", "HOUSE OF Y", 0},
        {"", "JANE ROE", 0},
        {"JOHN DOE", "JANE ROE", 0},
    };
    for (const auto& c : cases)
        EXPECT_EQ(name_similarity(c.written, c.ours).score, c.score) << c.written << " for " << c.ours;
}

TEST(Proposals, list_the_best_match_first_with_reasons) {
    auto mangled = line("91000010001202");
    mangled.payee_name = "ROE JANE";
    const auto proposals = propose(mangled, {near(1), near(2)}, today);
    ASSERT_THAT(proposals, SizeIs(2));
    EXPECT_EQ(proposals[0].payment_id, 2);
    EXPECT_EQ(proposals[0].score, 100);
    EXPECT_THAT(proposals[0].because, SizeIs(4));
    EXPECT_THAT(proposals[0].obstacle, IsEmpty());
    EXPECT_EQ(proposals[1].payment_id, 1);
    const auto other_amount = propose(line("091000010001202"), {near(2, 99'900)}, today);
    ASSERT_THAT(other_amount, SizeIs(1));
    EXPECT_THAT(other_amount[0].obstacle, HasSubstr("$999.00")) << "the amounts differ: it can never be applied to it";
}

TEST(Proposals, omit_weak_matches_and_limit_their_number) {
    EXPECT_THAT(propose(line("NOTHING", 1), {near(1)}, today), IsEmpty());
    std::vector<NearPayment> many;
    for (std::int64_t id = 1; id <= 9; ++id)
        many.push_back(near(id));
    for (std::int64_t id = 1; id <= 9; ++id) {
        many.push_back(near(id));
        many.back().payment.payment_id += 100;
    }
    EXPECT_THAT(propose(line("NOTHING"), many, today), SizeIs(max_proposals));
}

TEST(Proposals, do_not_depend_on_the_order_of_payments) {
    std::vector<NearPayment> payments = {near(1), near(2, 125'000, "JOHN DOE"), near(3, 1), near(4)};
    const auto expected = propose(line("091000010001204"), payments, today);
    ASSERT_FALSE(expected.empty());
    const auto by_id = [](const NearPayment& a, const NearPayment& b) {
        return a.payment.payment_id < b.payment.payment_id;
    };
    std::ranges::sort(payments, by_id);
    do {
        EXPECT_EQ(propose(line("091000010001204"), payments, today), expected);
    } while (std::ranges::next_permutation(payments, by_id).found);
}

TEST(MatchTo, makes_every_check_except_the_reference) {
    const auto payment = near(1).payment;
    EXPECT_EQ(match_to(line("NOTHING"), payment, today).outcome, MatchOutcome::applied);
    EXPECT_EQ(match_to(line("NOTHING", 1), payment, today).reason_code, amount_differs);
    EXPECT_EQ(match_to(line("NOTHING", 125'000, 2026y / 3 / 1), payment, today).reason_code, dated_before_payment);
    EXPECT_EQ(match_to(line(payment.payment_id_text, 125'000, 2026y / 3 / 1), payment, today).outcome,
              MatchOutcome::applied);
    EXPECT_EQ(match_to(line("NOTHING", 125'000, 2026y / 3 / 25), payment, today).reason_code, dated_in_the_future);
    auto unreleased = payment;
    unreleased.unsent_because = OpenPayment().unsent_because;
    EXPECT_EQ(match_to(line("NOTHING"), unreleased, today).reason_code, payment_not_released);
    auto settled = payment;
    settled.settled_as = ConfirmationKind::paid;
    settled.settled_on = due;
    EXPECT_EQ(match_to(line("NOTHING"), settled, today).outcome, MatchOutcome::duplicate);
    settled.settled_on = today;
    EXPECT_EQ(match_to(line("NOTHING"), settled, today).reason_code, settled_differently);
    auto euros = line("NOTHING");
    euros.currency = "EUR";
    EXPECT_EQ(match_to(euros, payment, today).reason_code, currency_not_usd);
    EXPECT_EQ(match_to(line("NOTHING"), payment, today).confirmation.payment_reference, "NOTHING");
}

}  // namespace
}  // namespace drawbridge::reconciliation
