#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <random>
#include <set>

#include "disbursement/sample_plan.hpp"
#include "drawbridge/disbursement/plan.hpp"
#include "drawbridge/nacha/parse.hpp"

namespace drawbridge::disbursement {
namespace {

class RandomPayables {
  public:
    explicit RandomPayables(unsigned seed) : random_(seed) {}

    std::vector<Payable> next() {
        std::vector<Payable> payables;
        const auto count = number(0, 60);
        for (std::int64_t i = 0; i < count; ++i)
            payables.push_back(one());
        std::shuffle(payables.begin(), payables.end(), random_);
        return payables;
    }
    std::int64_t number(std::int64_t low, std::int64_t high) {
        return std::uniform_int_distribution<std::int64_t>(low, high)(random_);
    }

  private:
    Payable one() {
        constexpr const char* keys[] = {"V-001", "V-002", "V-003", "V-004", "V-005", "V-404", ""};
        Payable payable = testing::payable(next_draw_id_ += number(1, 9), number(0, 5) == 0 ? 0 : number(1, 9'999'999),
                                           keys[number(0, 6)]);
        if (number(0, 9) == 0) payable.amount.reset();
        if (number(0, 9) == 0) payable.agreed_amount = Money::from_cents(number(0, 100));
        if (number(0, 9) == 0) payable.payee_key.reset();
        return payable;
    }

    std::mt19937 random_;
    DrawId next_draw_id_ = 0;
};

void expect_readable(const PlannedFile& file, const PlanSettings& settings) {
    const FileProfile profile = profile_for(settings, file.rail);
    const auto bytes = render(file, profile);
    ASSERT_TRUE(bytes) << bytes.error().message;
    const auto good = verify_rendered(*bytes, file, profile);
    ASSERT_TRUE(good) << good.error().message;
    if (file.rail != Rail::ach) return;
    const auto read = nacha::parse(*bytes);
    ASSERT_TRUE(read);
    const nacha::FileControl control = nacha::control_of(*read);
    EXPECT_EQ(control.total_credit, file.total);
    EXPECT_EQ(control.entry_hash, file.entry_hash);
    EXPECT_EQ(control.entry_addenda_count, static_cast<std::int64_t>(file.payments.size()));
}

// Several runs on the numbers that the one before left: nothing lost, nothing doubled, no number used twice.
TEST(PlanProperty, EveryPlanIsCompleteRendersAndParsesBackToItsTotals) {
    RandomPayables random(7);
    PlanSettings settings = testing::settings();
    NumberBlock numbers;
    std::set<std::string> names, traces;
    std::set<std::int64_t> payment_ids, check_numbers, batch_numbers;
    for (int run = 0; run < 150; ++run) {
        settings.max_file_entries = random.number(1, 40);
        const Instant now = testing::now() + std::chrono::days(run);
        numbers.used_file_id_modifiers.clear();
        const auto payables = random.next();
        const Plan result = plan(payables, testing::directory(), settings, numbers, now);
        std::map<DrawId, int> outcomes;
        for (const PlanException& exception : result.exceptions)
            ++outcomes[exception.draw_id];
        for (const PlannedFile& file : result.files) {
            expect_readable(file, settings);
            EXPECT_TRUE(names.insert(file.name).second) << file.name;
            std::int64_t batch = 0;
            for (const PlannedPayment& payment : file.payments) {
                ++outcomes[payment.draw_id];
                EXPECT_TRUE(payment_ids.insert(payment.payment_id).second);
                EXPECT_EQ(payment.payment_id, *payment_ids.rbegin()) << "ascending in the order of the file";
                if (payment.check_number) {
                    EXPECT_TRUE(check_numbers.insert(*payment.check_number).second);
                    continue;
                }
                EXPECT_TRUE(traces.insert(payment.trace_number.value()).second);
                EXPECT_EQ(payment.trace_number, *traces.rbegin());
                const bool opens_batch = payment.batch_number != batch;
                EXPECT_EQ(batch_numbers.insert(payment.batch_number).second, opens_batch);
                batch = payment.batch_number;
            }
        }
        EXPECT_EQ(outcomes.size(), payables.size());
        for (const auto& [draw_id, count] : outcomes)
            EXPECT_EQ(count, 1) << "draw " << draw_id;
        numbers = result.numbers_after;
    }
    EXPECT_EQ(numbers.next_payment_id, static_cast<std::int64_t>(payment_ids.size()) + 1);
    EXPECT_GT(traces.size(), 500U);
    EXPECT_GT(check_numbers.size(), 300U);
}

}  // namespace
}  // namespace drawbridge::disbursement
