#include "table.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>

namespace drawbridge::cli {
namespace {

using ::testing::ElementsAre;

std::vector<std::string> printed(const Table& table, const char* columns) {
    ::setenv("COLUMNS", columns, /*replace=*/1);
    auto lines = lines_of([&] { table.print(); });
    ::unsetenv("COLUMNS");
    return lines;
}

TEST(Table, has_further_lines_for_columns_without_room_and_cuts_no_amount) {
    Table table({{"FILE"}, {"PAYMENTS", Align::right}, {"TOTAL", Align::right}, {"BY"}});
    table.add({"ACH-20261120-A.ach", "130", "$1,223,986.08", "Rita Releaser (uid 2001)"});
    table.add({"ACH-20261120-B.ach", "1", "$2.00", ""});
    EXPECT_THAT(printed(table, "80"),
                ElementsAre("FILE                PAYMENTS          TOTAL  BY",
                            "ACH-20261120-A.ach       130  $1,223,986.08  Rita Releaser (uid 2001)",
                            "ACH-20261120-B.ach         1          $2.00"));
    EXPECT_THAT(printed(table, "50"),
                ElementsAre("FILE                PAYMENTS          TOTAL", "    BY",
                            "ACH-20261120-A.ach       130  $1,223,986.08", "    Rita Releaser (uid 2001)",
                            "ACH-20261120-B.ach         1          $2.00"));
    EXPECT_THAT(printed(table, "32"),
                ElementsAre("FILE                PAYMENTS", "            TOTAL", "    BY",
                            "ACH-20261120-A.ach       130", "    $1,223,986.08", "    Rita Releaser (uid 2001)",
                            "ACH-20261120-B.ach         1", "            $2.00"));
}

TEST(Table, does_not_cut_a_last_column_that_is_whole) {
    const auto print = [](std::string file, const char* columns) {
        Table table({{"MADE"}, {"FILE", Align::left, /*whole=*/true}});
        table.add({"2026-11-20 07:00", std::move(file)});
        return printed(table, columns);
    };
    EXPECT_THAT(print("/var/backups/ledger.db", "44"),
                ElementsAre("MADE              FILE", "2026-11-20 07:00  /var/backups/ledger.db"));
    EXPECT_THAT(print("/var/backups/drawbridge/ledger.db", "44"),
                ElementsAre("MADE", "    FILE", "2026-11-20 07:00", "    /var/backups/drawbridge/ledger.db"));
    EXPECT_THAT(print("/mnt/a-folder-with-a-long-name/ledger.db", "40"),
                ElementsAre("MADE", "    FILE", "2026-11-20 07:00", "    /mnt/a-folder-with-a-long-name/ledger.db"));
}

TEST(Cut, leaves_an_amount_out_rather_than_cutting_it) {
    EXPECT_EQ(cut("paid $1,234.50 in all", 10), "paid …");
    EXPECT_EQ(cut("paid $1,234.50 in all", 15), "paid $1,234.50…");
    EXPECT_EQ(cut("paid something", 8), "paid so…");
    EXPECT_EQ(cut("paid", 4), "paid");
}

TEST(Wrapped, breaks_at_blanks_and_indents_what_follows) {
    EXPECT_THAT(wrapped("sum   seen 3 ($30.00) = finished 1 ($10.00)", 24, 6),
                ElementsAre("sum   seen 3 ($30.00) =", "      finished 1", "      ($10.00)"));
    EXPECT_THAT(wrapped("  a  table  row", 80, 4), ElementsAre("  a  table  row"));
    EXPECT_THAT(wrapped("why: " + std::string(30, 'x'), 10, 2), ElementsAre("why:", "  xxxxxxx…"));
    EXPECT_THAT(wrapped("", 10, 2), ElementsAre(""));
    EXPECT_THAT(broken("why: 0123456789ab so", 10, 2), ElementsAre("why:", "  0123456789ab", "  so"));
    ::setenv("COLUMNS", "24", /*replace=*/1);
    EXPECT_THAT(lines_of([] { print_broken("ok    3  every draw is in one state (7 checked)", 9); }),
                ElementsAre("ok    3  every draw is", "         in one state (7", "         checked)"));
    ::unsetenv("COLUMNS");
}

}  // namespace
}  // namespace drawbridge::cli
