// Against SQLite's own LIKE, on texts and patterns of a few characters that mean something to either.
#include "store/fast_like.hpp"

#include <SQLiteCpp/SQLiteCpp.h>
#include <gtest/gtest.h>

#include <random>
#include <string>

#include "store/like.hpp"

namespace drawbridge::ledger {
namespace {

class FastLike : public ::testing::Test {
  protected:
    FastLike() { use_fast_like(fast_.getHandle()); }

    // -1: NULL
    static int is_like(SQLite::Statement& query, const std::string& text, const std::string& pattern) {
        query.reset();
        query.bind(1, text);
        query.bind(2, pattern);
        query.executeStep();
        return query.getColumn(0).isNull() ? -1 : query.getColumn(0).getInt();
    }

    SQLite::Database fast_{":memory:", SQLite::OPEN_READWRITE}, plain_{":memory:"};
    SQLite::Statement by_us_{fast_, "SELECT ?1 LIKE ?2 ESCAPE '\\'"},
        by_sqlite_{plain_, "SELECT ?1 LIKE ?2 ESCAPE '\\'"};
};

TEST_F(FastLike, means_what_sqlite_means) {
    std::mt19937 random(7);
    const std::string characters[] = {"a", "A", "b", "B", "%", "_", "\\", "z", "é", "É", " ", "@", "[", "`", "{"};
    const auto some_text = [&](std::size_t longest) {
        std::string text;
        for (std::size_t left = random() % (longest + 1); left > 0; --left)
            text += characters[random() % std::size(characters)];
        return text;
    };
    for (int i = 0; i < 200'000; ++i) {
        const std::string text = some_text(8);
        const std::string pattern = random() % 3 == 0 ? some_text(6) : "%" + some_text(4) + "%";
        ASSERT_EQ(is_like(by_us_, text, pattern), is_like(by_sqlite_, text, pattern)) << text << " LIKE " << pattern;
        const std::string typed = some_text(3);
        ASSERT_EQ(is_like(by_us_, text, like_pattern(typed)), is_like(by_sqlite_, text, like_pattern(typed)))
            << text << " contains " << typed;
    }
}

TEST_F(FastLike, of_nothing_is_nothing) {
    for (auto* db : {&fast_, &plain_}) {
        SQLite::Statement query(*db, "SELECT NULL LIKE '%a%' ESCAPE '\\', 'a' LIKE NULL ESCAPE '\\'");
        query.executeStep();
        EXPECT_TRUE(query.getColumn(0).isNull());
        EXPECT_TRUE(query.getColumn(1).isNull());
    }
}

// One statement, many rows and patterns: what was worked out for one pattern is not used for another.
TEST_F(FastLike, follows_the_pattern_of_each_row) {
    fast_.exec(
        "CREATE TABLE t (text TEXT, pattern TEXT); INSERT INTO t VALUES ('roof', '%OO%'), ('roof', '%x%'), "
        "('door', '%oo%'), ('door', 'd__r'), ('door', '%oo%')");
    SQLite::Statement query(fast_, "SELECT group_concat(text LIKE pattern ESCAPE '\\', '') FROM t");
    query.executeStep();
    EXPECT_EQ(query.getColumn(0).getString(), "10111");
}

}  // namespace
}  // namespace drawbridge::ledger
