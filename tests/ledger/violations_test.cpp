#include "reports/violations.hpp"

#include <gtest/gtest.h>

#include "ledger/ledger_fixture.hpp"

namespace drawbridge::ledger {
namespace {

using Violations = LedgerFixture;

TEST_F(Violations, an_invariant_lists_100_of_them_and_says_once_that_there_are_more) {
    InvariantResult result;
    for (int query = 0; query < 3; ++query) {
        list_violations(*ledger, R"sql(
            WITH RECURSIVE broken (number) AS (SELECT 1 UNION ALL SELECT number + 1 FROM broken WHERE number < 60)
            SELECT 'row ' || number || ' is wrong'
            FROM broken
            ORDER BY number)sql",
                        result);
    }
    ASSERT_EQ(result.violations.size(), 101U);
    EXPECT_EQ(result.violations[59], "row 60 is wrong");
    EXPECT_EQ(result.violations[99], "row 40 is wrong");
    EXPECT_EQ(result.violations[100], "… and more");
}

}  // namespace
}  // namespace drawbridge::ledger
