#include "drawbridge/api/list_csv.hpp"

#include <gtest/gtest.h>

namespace drawbridge::api {
namespace {

using nlohmann::json;

TEST(ListCsv, writes_no_cell_that_a_spreadsheet_would_evaluate) {
    const json draw = {{"id", 7},
                       {"state", "held"},
                       {"amount", "1234.50"},
                       {"case_name", "=HYPERLINK(\"http://evil.example\")"},
                       {"why", "@SUM(A1), \"quoted\""},
                       {"fields", {{"description", "+1 555 0100"}, {"fieldA", "\t=1"}, {"fieldB", "－2"}}}};
    EXPECT_EQ(csv_row(draws_csv.cells(draw)),
              "7,held,,1234.50,,\"'=HYPERLINK(\"\"http://evil.example\"\")\",,\"'@SUM(A1), \"\"quoted\"\"\",,,,"
              "'+1 555 0100,'?=1,'－2,,,,\n");
    EXPECT_EQ(csv_row({"-12.50", "-1+1"}), "-12.50,'-1+1\n");
}

TEST(ListCsv, has_a_cell_for_each_column_whatever_the_row_lacks) {
    for (const auto* list : {&draws_csv, &checks_csv, &audit_csv}) {
        EXPECT_EQ(list->cells(json::object()).size(), list->header().size()) << list->path;
        EXPECT_EQ(list->cells({{"order", nullptr}, {"fields", nullptr}}).size(), list->header().size()) << list->path;
    }
}

}  // namespace
}  // namespace drawbridge::api
