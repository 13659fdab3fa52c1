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
    const auto good = testing::verify_with_limits(*bytes, file, settings);
    ASSERT_TRUE(good) << good.error().message;
    if (file.rail != Rail::ach) return;
    const auto read = nacha::parse(*bytes);
    ASSERT_TRUE(read);
    const nacha::FileControl control = nacha::control_of(*read);
    EXPECT_EQ(control.total_credit, file.total);
    EXPECT_EQ(control.entry_hash, file.entry_hash);
    EXPECT_EQ(control.entry_addenda_count, static_cast<std::int64_t>(file.payments.size()));
}

// Several runs, each with the numbers that the previous run left: nothing lost, nothing doubled, no number used twice.
TEST(PlanProperty, every_plan_is_complete_renders_and_parses_back_to_its_totals) {
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
                EXPECT_EQ(payment.payment_id, *payment_ids.rbegin()) << "ascending in file order";
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

// The files that a plan in parts makes, whole and in file order.
struct PlanInParts {
    std::map<std::string, PlannedFile> files;
    std::vector<PlanException> exceptions;
    NumberBlock numbers;

    void add(const Plan& part) {
        for (const PlannedFile& file : part.files) {
            auto [known, is_new] = files.try_emplace(file.name, file);
            if (is_new) continue;
            PlannedFile& whole = known->second;
            whole.payments.insert(whole.payments.end(), file.payments.begin(), file.payments.end());
            whole.offsets.insert(whole.offsets.end(), file.offsets.begin(), file.offsets.end());
        }
        exceptions.insert(exceptions.end(), part.exceptions.begin(), part.exceptions.end());
        // In the ledger, the modifiers are those of the files.
        numbers = part.numbers_after;
    }
    void complete(const PlanSettings& settings) {
        for (auto& [name, file] : files) {
            std::ranges::sort(file.payments, {}, [](const PlannedPayment& payment) {
                return std::pair(payment.batch_number, payment.payment_id);
            });
            std::ranges::sort(file.offsets, {}, &PlannedOffset::batch_number);
            const auto totals = control_totals(file, settings.ach->offset);
            file.total = totals.total;
            file.entry_hash = totals.entry_hash;
        }
    }
};

TEST(PlanProperty, a_plan_in_parts_pays_the_same_draws_in_valid_files) {
    RandomPayables random(23);
    for (int run = 0; run < 100; ++run) {
        PlanSettings settings = testing::settings();
        settings.max_file_entries = random.number(3, 40);
        settings.max_batch_entries = random.number(2, 10);
        if (run % 2 == 0) settings.ach->offset = OffsetAccount{settings.ach->odfi, testing::settings().check->account};
        auto payables = random.next();
        std::ranges::sort(payables, {}, &Payable::draw_id);
        const Plan whole = plan(payables, testing::directory(), settings, {}, testing::now());
        const PayeeDirectory directory = testing::directory();
        PlanInParts parts;
        OpenPlan open;
        for (auto at = payables.begin(); at != payables.end();) {
            const auto count = std::min<std::ptrdiff_t>(random.number(1, 7), payables.end() - at);
            const bool ends_early = run % 3 == 0;
            const bool is_last = at + count == payables.end() && !ends_early;
            const PlanBasis basis{
                .payees = directory, .settings = settings, .numbers = parts.numbers, .now = testing::now()};
            parts.add(plan_part({at, at + count}, basis, open, is_last ? Part::last : Part::more_follow));
            at += count;
        }
        parts.add(end_plan(open, parts.numbers, settings.numbers));
        parts.complete(settings);
        EXPECT_EQ(parts.exceptions, whole.exceptions);
        std::map<DrawId, Money> paid, paid_in_parts;
        for (const PlannedFile& file : whole.files) {
            for (const PlannedPayment& payment : file.payments)
                EXPECT_TRUE(paid.emplace(payment.draw_id, payment.amount).second);
        }
        std::set<std::string> traces;
        for (const auto& [name, file] : parts.files) {
            const auto bytes = render(file, profile_for(settings, file.rail));
            ASSERT_TRUE(bytes) << bytes.error().message;
            const auto good = testing::verify_with_limits(*bytes, file, settings);
            ASSERT_TRUE(good) << good.error().message;
            for (const PlannedPayment& payment : file.payments) {
                EXPECT_TRUE(paid_in_parts.emplace(payment.draw_id, payment.amount).second);
                EXPECT_TRUE(!payment.trace_number || traces.insert(*payment.trace_number).second);
            }
            for (const PlannedOffset& offset : file.offsets)
                EXPECT_TRUE(traces.insert(offset.trace_number).second);
        }
        EXPECT_EQ(paid_in_parts, paid);
    }
}

// Random bank profiles: CTX, addenda, descriptions, offsets, same-day, limits, guards, prenotes.
TEST(PlanProperty, any_profile_yields_valid_files_with_the_planned_totals) {
    RandomPayables random(11);
    auto csv = testing::read_data("payees.csv");
    for (std::size_t at = csv.find(",CCD,"); at != std::string::npos; at = csv.find(",CCD,"))
        csv.replace(at, 5, ",CTX,");
    const auto payees = PayeeDirectory::read(csv, "payees.csv").value();
    std::set<std::string> traces;
    NumberBlock numbers;
    std::int64_t files = 0, prenotes = 0, offsets = 0, addenda = 0;
    for (int run = 0; run < 200; ++run) {
        PlanSettings settings = testing::settings();
        settings.max_file_entries = random.number(5, 60);
        settings.max_batch_entries = random.number(5, 60);
        settings.max_batch_total = Money::from_cents(random.number(9'999'999, 99'999'999));
        settings.settle.settle = static_cast<Settle>(random.number(0, 2));
        settings.settle.same_day_limit = Money::from_cents(random.number(1, 9'999'999));
        settings.entry_descriptions = {{1, "Miete"}, {2, "UTILITIES"}};
        if (random.number(0, 1) == 1) settings.guards.day_limit = Money::from_cents(99'999'999);
        settings.guards.duplicate_days = static_cast<int>(random.number(0, 1));
        if (random.number(0, 1) == 1) {
            settings.ach->offset = OffsetAccount{RoutingNumber::parse("091000019").value(),
                                                 AccountNumber::parse("1").value(), run % 2 == 0};
        }
        auto payables = random.next();
        for (Payable& payable : payables) {
            payable.workflow_id = random.number(0, 3);
            payable.remittance = std::string(static_cast<std::size_t>(random.number(0, 400)), 'x');
            if (random.number(0, 9) == 0) payable.prenote.state = PrenoteStatus::State::needed;
        }
        numbers.used_file_id_modifiers.clear();
        const Plan result = plan(payables, payees, settings, numbers, testing::now() - std::chrono::hours(run % 24));
        Money exported;
        for (const PlannedFile& file : result.files) {
            ++files;
            const FileProfile profile = profile_for(settings, file.rail);
            const auto bytes = render(file, profile);
            ASSERT_TRUE(bytes) << bytes.error().message;
            const auto good = testing::verify_with_limits(*bytes, file, settings);
            ASSERT_TRUE(good) << good.error().message;
            exported += file.total;
            if (file.rail != Rail::ach) continue;
            const auto read = nacha::parse(*bytes).value();
            const auto control = nacha::control_of(read);
            EXPECT_EQ(control.total_credit, file.total);
            EXPECT_EQ(control.total_debit, file.offsets.empty() ? Money() : file.total);
            EXPECT_EQ(control.entry_hash, file.entry_hash);
            for (const auto& batch : read.batches) {
                EXPECT_LE(nacha::control_of(batch).entry_addenda_count,
                          std::max<std::int64_t>(settings.max_batch_entries, 7));
                for (const auto& entry : batch.entries) {
                    EXPECT_TRUE(traces.insert(entry.trace_number).second);
                    addenda += static_cast<std::int64_t>(entry.addenda.size());
                }
            }
            prenotes += static_cast<std::int64_t>(file.prenotes.size());
            offsets += static_cast<std::int64_t>(file.offsets.size());
        }
        Money held, all;
        std::set<DrawId> refused;
        for (const PlanException& exception : result.exceptions)
            EXPECT_TRUE(refused.insert(exception.draw_id).second);
        for (const Payable& payable : payables) {
            all += payable.amount.value_or(Money());
            if (refused.contains(payable.draw_id)) held += payable.amount.value_or(Money());
        }
        EXPECT_EQ(all, exported + held) << "to the cent";
        numbers = result.numbers_after;
    }
    EXPECT_EQ(numbers.next_trace_sequence, static_cast<std::int64_t>(traces.size()) + 1);
    for (const auto count : {files, prenotes, offsets, addenda})
        EXPECT_GT(count, 50);
}

// Each range has one number left: one more payment, and every other draw is an exception; no number is used twice.
TEST(PlanProperty, exhausted_numbers_become_exceptions_with_offsets_and_prenotes_too) {
    struct Case {
        const char* name;
        void (*arrange)(NumberBlock&);
        bool is_balanced, is_prenote;
        std::size_t done;
    };
    const Case table[] = {
        {"trace", [](NumberBlock& n) { n.next_trace_sequence = 9'999'999; }, false, false, 1},
        {"trace for payment and offset", [](NumberBlock& n) { n.next_trace_sequence = 9'999'998; }, true, false, 1},
        {"no trace for the offset", [](NumberBlock& n) { n.next_trace_sequence = 9'999'999; }, true, false, 0},
        {"trace of a prenote", [](NumberBlock& n) { n.next_trace_sequence = 10'000'000; }, false, true, 0},
        {"batch", [](NumberBlock& n) { n.next_batch_number = 10'000'000; }, false, false, 0},
        {"modifier", [](NumberBlock& n) { n.used_file_id_modifiers = "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"; }, false,
         false, 0},
        {"modifier of a prenote file",
         [](NumberBlock& n) { n.used_file_id_modifiers = "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"; }, false, true, 0},
    };
    for (const Case& row : table) {
        PlanSettings settings = testing::settings();
        if (row.is_balanced) {
            settings.ach->offset =
                OffsetAccount{RoutingNumber::parse("091000019").value(), AccountNumber::parse("1").value()};
        }
        NumberBlock numbers = testing::numbers();
        row.arrange(numbers);
        std::vector<Payable> payables = {testing::payable(1, 100, "V-001"), testing::payable(2, 200, "V-001")};
        for (Payable& payable : payables) {
            if (row.is_prenote) payable.prenote.state = PrenoteStatus::State::needed;
        }
        const Plan result = plan(payables, testing::directory(), settings, numbers, testing::now());
        EXPECT_EQ(result.exceptions.size(), 2 - row.done) << row.name;
        for (const auto& exception : result.exceptions)
            EXPECT_EQ(exception.reason_code, reason::numbers_exhausted) << row.name;
        EXPECT_EQ(result.files.size(), row.done) << row.name;
        for (const auto& file : result.files)
            EXPECT_TRUE(render(file, profile_for(settings, Rail::ach))) << row.name;
    }
}

}  // namespace
}  // namespace drawbridge::disbursement
