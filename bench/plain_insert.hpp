// What any ledger must do at least: inserts of its rows into a plain SQLite file, with the same columns, indexes and
// settings, without digests, an audit trail, triggers and checks.
#pragma once

#include <SQLiteCpp/Database.h>

#include <filesystem>
#include <string>
#include <vector>

namespace drawbridge::bench {

struct Rows {
    const char* table;
    std::string where;  // an SQL condition
};

// The seconds that it takes to insert these rows of `from` into the new `file`, in one transaction for each table.
[[nodiscard]] double insert_plainly(SQLite::Database& from, const std::filesystem::path& file,
                                    const std::vector<Rows>& rows);

}  // namespace drawbridge::bench
