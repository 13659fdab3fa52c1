// Where a ledger is: in a file of its state folder, or in PostgreSQL.
#pragma once

#include <filesystem>
#include <string>

namespace drawbridge::ledger {

class Ledger;

// A database of a PostgreSQL server. The tables are in one schema of it, made at the first opening.
struct PostgresqlAddress {
    std::string url;       // as libpq takes it
    std::string password;  // empty: none, or a client certificate
    std::string schema = "drawbridge";
    bool is_only_read = false;  // on any server: a standby rather than the primary
};

// A state folder whose ledger is in PostgreSQL has this file, which says where.
inline constexpr const char* elsewhere_name = "ledger.postgresql";

[[nodiscard]] bool is_in_postgresql(const Ledger& ledger);

// Whether the folder has a ledger, or had one in PostgreSQL when it was last used.
[[nodiscard]] bool has_ledger(const std::filesystem::path& state_dir);

}  // namespace drawbridge::ledger
