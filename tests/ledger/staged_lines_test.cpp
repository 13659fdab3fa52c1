// Staged lines come back the same, whether they stayed in memory or were spilled.
#include "drawbridge/ledger/facts/staged_lines.hpp"

#include <gmock/gmock.h>

#include "drawbridge/disbursement/plan.hpp"
#include "ledger/ledger_fixture.hpp"
#include "store/connection.hpp"

namespace drawbridge::ledger {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

class StagedConfirmations : public LedgerFixture {
  protected:
    static Confirmation line(std::int64_t number, std::string reference) {
        Confirmation c;
        c.line = number;
        c.payment_reference = std::move(reference);
        c.amount = Money::from_cents(100 * number);
        c.date = parse_date("2026-11-24").value();
        return c;
    }
    // Every field of a confirmation.
    static Confirmation full_line(std::int64_t number, std::string reference) {
        Confirmation c = line(number, std::move(reference));
        c.kind = ConfirmationKind::corrected;
        c.references = {{ReferenceKind::check_number, "10001"}, {ReferenceKind::end_to_end_id, "E:2:E"}, {}};
        c.currency = "EUR";
        c.reason_code = "C01";
        c.corrected_data = "1234 5678";
        c.payee_name = "O'Neil, \"J\"\n";
        c.note = std::string("a\0b", 3);
        return c;
    }
    static std::vector<std::int64_t> numbers(const std::vector<Confirmation>& lines) {
        std::vector<std::int64_t> all;
        all.reserve(lines.size());
        for (const auto& one : lines)
            all.push_back(one.line);
        return all;
    }
};

TEST_F(StagedConfirmations, returns_every_field_of_a_line_whether_spilled_or_not) {
    std::vector lines = {line(1, "x"), full_line(2, "y"), line(3, ""), line(0, "")};
    for (const AmountSource source : {AmountSource::none, AmountSource::payment}) {
        lines.push_back(line(0, "z"));
        lines.back().amount_source = source;
    }
    for (const std::size_t in_memory : {0U, 1U, 10U}) {
        StagedLines staged(*ledger, in_memory);
        for (const auto& one : lines)
            staged.add(one);
        staged.seal();
        EXPECT_EQ(staged.size(), 6);
        EXPECT_EQ(staged.next(100), lines) << in_memory;
        EXPECT_THAT(staged.next(100), IsEmpty()) << in_memory;
        staged.rewind();
        EXPECT_EQ(staged.next(100), lines) << in_memory;
    }
}

TEST_F(StagedConfirmations, an_empty_file_has_no_lines) {
    StagedLines staged(*ledger, 0);
    staged.seal();
    EXPECT_EQ(staged.size(), 0);
    EXPECT_THAT(staged.next(10), IsEmpty());
}

TEST_F(StagedConfirmations, the_lines_of_one_payment_come_together_after_lines_without_one) {
    read(test::sample_draw(1, DrawStatus::approved));
    read(test::sample_draw(2, DrawStatus::approved));
    pay();
    const auto first = disbursement::format_payment_id(1);
    const auto second = disbursement::format_payment_id(2);
    StagedLines staged(*ledger, 0, 2);
    int number = 0;
    for (const std::string& reference : {second, first, std::string("unknown"), first, second, std::string(), first})
        staged.add(line(++number, reference));
    staged.seal();
    EXPECT_THAT(numbers(staged.next(1)), ElementsAre(3));
    EXPECT_THAT(numbers(staged.next(1)), ElementsAre(6));
    EXPECT_THAT(numbers(staged.next(1)), ElementsAre(2, 4, 7))
        << "all lines of the payment, though only one was asked for";
    EXPECT_THAT(numbers(staged.next(10)), ElementsAre(1, 5));
    EXPECT_THAT(staged.next(10), IsEmpty());
    EXPECT_EQ(staged.payment_with_too_many_lines(), 1) << "it has three";
}

TEST_F(StagedConfirmations, a_payment_with_as_many_lines_as_allowed_is_not_crowded) {
    read(test::sample_draw(1, DrawStatus::approved));
    pay();
    StagedLines staged(*ledger, 0, 3);
    for (int number = 1; number <= 3; ++number)
        staged.add(line(number, disbursement::format_payment_id(1)));
    for (int number = 4; number <= 9; ++number)
        staged.add(line(number, "unknown"));
    EXPECT_EQ(staged.payment_with_too_many_lines(), std::nullopt);
    staged.add(line(10, disbursement::format_payment_id(1)));
    EXPECT_EQ(staged.payment_with_too_many_lines(), 1);
}

TEST_F(StagedConfirmations, two_files_at_once_stay_separate_and_leave_nothing_behind) {
    {
        StagedLines one(*ledger, 0);
        one.add(line(1, "a"));
        StagedLines other(*ledger, 0);
        other.add(line(2, "b"));
        one.add(line(3, "c"));
        EXPECT_THAT(numbers(one.next(10)), ElementsAre(1, 3));
        EXPECT_THAT(numbers(other.next(10)), ElementsAre(2));
        EXPECT_FALSE(discard_staged_lines(*ledger)) << "both are in use";
    }
    while (discard_staged_lines(*ledger))
        continue;
    Query left(*ledger, "SELECT count(*) FROM staged_line");
    EXPECT_EQ(left.only<std::int64_t>(), 0);
}

TEST_F(StagedConfirmations, what_is_recorded_is_forgotten_and_the_rest_comes_back_to_another_reader) {
    std::int64_t id = 0;
    {
        StagedLines staged(*ledger, 0);
        for (int i = 1; i <= 5; ++i)
            staged.add(line(i, "x"));
        id = *staged.staging_id();
        EXPECT_THAT(numbers(staged.next(2)), ElementsAre(1, 2));
        ledger->transaction([&] { staged.forget_returned(); });
        EXPECT_THAT(numbers(staged.next(2)), ElementsAre(3, 4)) << "returned, and not forgotten";
    }
    StagedLines rest(*ledger, Staging{id});
    EXPECT_TRUE(rest.has_more());
    EXPECT_THAT(numbers(rest.next(10)), ElementsAre(3, 4, 5));
    EXPECT_FALSE(rest.has_more());
}

}  // namespace
}  // namespace drawbridge::ledger
