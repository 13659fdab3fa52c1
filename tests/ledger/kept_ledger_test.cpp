// Ledgers that released programs wrote: each opens with this program, passes every invariant, shows each draw in the
// state it had, and can be used further. How to add one: docs/architecture.md, "A new schema".
#include <gmock/gmock.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>

#include "drawbridge/ledger/facts/restorations.hpp"
#include "drawbridge/ledger/store/sealing.hpp"
#include "ledger/kept_ledgers.hpp"
#include "ledger/ledger_fixture.hpp"
#include "store/connection.hpp"
#include "store/migrations.hpp"

namespace drawbridge::ledger {
namespace {

namespace fs = std::filesystem;

const fs::path kept_folder = fs::path(DRAWBRIDGE_TEST_DATA) / "ledger";

std::string content(const fs::path& path) {
    std::ifstream file(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(file), {}};
}

// "version-100": every file name that has a list of draws.
std::vector<std::string> kept_names() {
    std::vector<std::string> names;
    for (const auto& entry : fs::directory_iterator(kept_folder))
        if (entry.path().extension() == ".txt") names.push_back(entry.path().stem().string());
    std::ranges::sort(names);
    return names;
}

class KeptLedger : public LedgerFixture, public ::testing::WithParamInterface<std::string> {
  protected:
    KeptLedger() {
        now = test::at("2026-03-06T15:00:00");
        open_kept(GetParam());
    }
};

TEST_P(KeptLedger, opens_with_this_program_and_shows_each_draw_in_its_state) {
    EXPECT_THAT(violations(), ::testing::IsEmpty());
    EXPECT_EQ(test::list_of_draws(*ledger), content(kept_folder / (GetParam() + ".txt")));
    EXPECT_EQ(
        ledger->connection().db.integer(on_postgresql() ? "SELECT version FROM ledger_schema" : "PRAGMA user_version"),
        newest_schema());
    EXPECT_EQ(open_restoration(*ledger)->how, RestoredHow::copied) << "it is a copy";
}

TEST_P(KeptLedger, lists_the_same_draws_by_state_and_in_each_order) {
    const auto ids = [&](const DrawFilter& filter) {
        std::vector<DrawId> list;
        for (const auto& row : list_draws(*ledger, filter).draws)
            list.push_back(row.draw_id);
        return list;
    };
    const auto all = list_draws(*ledger, {}).draws;
    for (const auto state : state_names) {
        std::vector<DrawId> expected;
        for (const auto& row : all) {
            if (row.state == state) expected.push_back(row.draw_id);
        }
        DrawFilter filter;
        filter.state = std::string(state);
        EXPECT_EQ(ids(filter), expected) << state;
        for (const auto order : {DrawOrder::newest_id, DrawOrder::amount, DrawOrder::largest_amount, DrawOrder::since,
                                 DrawOrder::newest_since}) {
            filter.order = order;
            filter.after_id = 0;
            const auto rows = list_draws(*ledger, filter).draws;
            const auto before = [&](const DrawRow& one, const DrawRow& other) {
                switch (order) {
                    case DrawOrder::id: break;
                    case DrawOrder::newest_id: return one.draw_id > other.draw_id;
                    case DrawOrder::amount: return one.amount < other.amount;
                    case DrawOrder::largest_amount: return one.amount > other.amount;
                    case DrawOrder::since: return one.since < other.since;
                    case DrawOrder::newest_since: return one.since > other.since;
                }
                return one.draw_id < other.draw_id;
            };
            EXPECT_TRUE(std::ranges::is_sorted(rows, before)) << state;
            EXPECT_THAT(ids(filter), ::testing::UnorderedElementsAreArray(expected)) << state;
        }
    }
}

TEST_P(KeptLedger, pages_of_a_list_are_the_list_and_each_tells_the_totals) {
    DrawFilter cheap, named;
    cheap.max_amount = Money::from_cents(100'000);
    named.text = "a";
    for (DrawFilter filter : {DrawFilter(), cheap, named}) {
        for (const auto order : {DrawOrder::id, DrawOrder::newest_id, DrawOrder::amount, DrawOrder::largest_amount,
                                 DrawOrder::since, DrawOrder::newest_since}) {
            filter.order = order;
            const auto whole = list_draws(*ledger, filter);
            ASSERT_GT(whole.draws.size(), 2U);
            EXPECT_EQ(whole.all.count, static_cast<std::int64_t>(whole.draws.size()));
            std::vector<DrawId> expected, paged;
            for (const auto& row : whole.draws)
                expected.push_back(row.draw_id);
            DrawFilter page = filter;
            page.limit = 2;
            for (DrawList list = list_draws(*ledger, page); !list.draws.empty(); list = list_draws(*ledger, page)) {
                EXPECT_EQ(list.all.amount, whole.all.amount);
                for (const auto& row : list.draws)
                    paged.push_back(row.draw_id);
                page.after_id = paged.back();
            }
            EXPECT_EQ(paged, expected);
            EXPECT_EQ(list_draws(*ledger, page).all.count, whole.all.count) << "behind the last page";
        }
    }
}

TEST_P(KeptLedger, can_be_used_further) {
    const auto file = load_file(*ledger, find_file(*ledger, live_payment(*ledger, 11)->file_name)->file_id).file;
    const auto paid = std::ranges::find(file.payments, 11, &disbursement::PlannedPayment::draw_id);
    confirm({{2, *paid->trace_number, ConfirmationKind::paid, paid->amount, parse_date("2026-03-06").value()}}, "new");
    EXPECT_EQ(state(11), "paid");
    read(test::sample_draw(1, DrawStatus::pending_approval, "10.99"));
    decide(1, /*approve=*/true);
    for (const auto& item : submit())
        answer(item, ApprovalOutcome::approved);
    EXPECT_EQ(state(1), "approved");
    read(test::sample_draw(1, DrawStatus::approved, "10.99"));
    pay();
    EXPECT_EQ(state(1), "paying");
    now += std::chrono::minutes(1);
    read(test::sample_draw(900, DrawStatus::pending_approval));
    EXPECT_EQ(state(900), "pending");
    EXPECT_THAT(violations(), ::testing::IsEmpty());
    reopen();
    EXPECT_THAT(violations(), ::testing::IsEmpty());
}

INSTANTIATE_TEST_SUITE_P(OfEachReleasedSchema, KeptLedger, ::testing::ValuesIn(kept_names()), [](const auto& test) {
    auto name = test.param;
    std::ranges::replace(name, '-', '_');
    return name;
});

TEST(KeptLedgers, there_is_one_of_every_schema) {
    for (int schema = first_schema; schema <= newest_schema(); ++schema) {
        EXPECT_TRUE(fs::exists(kept_folder / ("version-" + std::to_string(schema) + ".db")))
            << "run keep_ledger: docs/architecture.md";
    }
}

}  // namespace
}  // namespace drawbridge::ledger
