#include "store.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "generator.hpp"

namespace draws_sandbox {
namespace {

class StoreOfMany : public testing::Test {
  protected:
    static void SetUpTestSuite() {
        store = new Store(":memory:");
        generate(*store, {30'000, 9, std::chrono::sys_days{std::chrono::year{2025} / 6 / 1}, Mix::realistic});
        store->build_indexes();
    }
    static void TearDownTestSuite() {
        delete store;
        store = nullptr;
    }

    static ListQuery parse(const std::string& text) {
        auto query = parse_list_query(text, Options{});
        EXPECT_TRUE(query) << text;
        return query.value_or(ListQuery{});
    }

    static Store* store;
};

Store* StoreOfMany::store = nullptr;

TEST_F(StoreOfMany, every_page_uses_an_index) {
    for (const auto* text :
         {"", "status=3&id[gt]=110000&sortBy=id", "status=3&workflowId=12&sortBy=id", "status=3&sortBy=requestedDate",
          "modifiedDate[gte]=2025-05-31T20:00:00&sortBy=id", "modifiedDate[gte]=2025-05-31T20:00:00&id[gt]=110000",
          "modifiedDate[gte]=2000-01-01&sortBy=id", "amountRequested[gte]=60000&sortBy=amountRequested&sortOrder=desc",
          "fieldA=PAYEE-0100&status=3", "caseName[startsWith]=Home+repair:+Zo", "sortBy=caseName&status=5",
          "sortBy=disbursedDate&sortOrder=desc&disbursedDate[gt]=2025-05-01", "caseId=6000&requestedBy[endsWith]=.org",
          "approvedBy=m.okafor@draws.example.gov&sortBy=fieldE", "description=x"}) {
        const auto plan = store->page_plan(parse(text));
        const bool walks_an_order =
            plan.find("USING INDEX") != std::string::npos || plan.find("INTEGER PRIMARY KEY") != std::string::npos;
        const bool by_id = plan == "SCAN draws\n";  // in the order of the ids, page by page
        EXPECT_TRUE(walks_an_order || by_id) << text << ": " << plan;
        const bool sorts = plan.find("TEMP B-TREE") != std::string::npos;
        EXPECT_TRUE(!sorts || store->count(parse(text)) <= 20'000) << text << ": " << plan;
    }
}

TEST_F(StoreOfMany, a_few_changed_draws_are_found_by_their_date_index) {
    EXPECT_THAT(store->page_plan(parse("modifiedDate[gte]=2025-05-31T20:00:00&id[gt]=110000&sortBy=id")),
                testing::HasSubstr("draws_by_modifiedDate"));
    EXPECT_THAT(store->page_plan(parse("modifiedDate[gte]=2000-01-01&id[gt]=110000&sortBy=id")),
                testing::HasSubstr("INTEGER PRIMARY KEY (rowid>?)"));
}

TEST_F(StoreOfMany, the_cached_count_of_a_sweep_equals_a_fresh_count) {
    for (const std::string filters :
         {"status=3", "", "amountRequested[gt]=500&status=3", "modifiedDate[gte]=2025-05-20"}) {
        std::int64_t last = 0;
        for (int page = 0; page < 20; ++page) {
            const auto query = parse(filters + "&id[gt]=" + std::to_string(last) + "&pageSize=100");
            const auto draws = store->page(query);
            const auto kept = store->count(query);
            static_cast<void>(store->count(parse("status=1")));
            EXPECT_EQ(store->count(query), kept) << filters << " behind " << last;
            ASSERT_FALSE(draws.empty());
            last = draws.back().id();
        }
    }
}

TEST_F(StoreOfMany, the_saved_past_does_not_change) {
    store->save_past();
    const auto query = parse("status=3&pageSize=1");
    const auto id = store->page(query).at(0).id();
    const auto before = store->count(query);
    store->update(id, {{Field::status, std::int64_t{2}}});
    EXPECT_EQ(store->past()->count(query), before);
    EXPECT_EQ(store->count(query), before - 1);
    store->update(id, {{Field::status, std::int64_t{3}}});
}

TEST(Store, rolls_back_an_uncommitted_transaction) {
    Store store(":memory:");
    generate(store, {1, 1, std::chrono::sys_days{std::chrono::year{2025} / 1 / 1}, Mix::pending});
    {
        const Store::Transaction transaction(store);
        store.update(100'001, {{Field::status, std::int64_t{4}}});
    }
    EXPECT_EQ(store.find(100'001)->integer(Field::status), 3);
}

}  // namespace
}  // namespace draws_sandbox
