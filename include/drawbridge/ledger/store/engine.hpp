// Where a ledger's tables are when they are not in a file of their own.
#pragma once

#include <string>

namespace drawbridge::ledger {

// A database of a PostgreSQL server. The tables are in one schema of it, made at the first opening.
struct PostgresqlAddress {
    std::string url;  // as libpq takes it; with the password, if there is one
    std::string schema = "drawbridge";
};

}  // namespace drawbridge::ledger
