// Where a ledger is: in a file of its state folder, or in PostgreSQL.
#pragma once

#include <filesystem>
#include <string>

#include "drawbridge/domain/error.hpp"

namespace drawbridge::ledger {

class Ledger;

// A database of a PostgreSQL server. The tables are in one schema of it, made at the first opening.
struct PostgresqlAddress {
    std::string url;       // as libpq takes it
    std::string password;  // empty: none, or a client certificate
    std::string schema = "drawbridge";
    bool is_only_read = false;  // read-only; with several hosts, prefers a standby to the primary
};

// A state folder whose ledger is in PostgreSQL has this file, which says where.
inline constexpr const char* elsewhere_name = "ledger.postgresql";

[[nodiscard]] bool is_in_postgresql(const Ledger& ledger);

// Whether the folder has a ledger, or had one when it was last used: in PostgreSQL, or a file that was removed since.
[[nodiscard]] bool has_ledger(const std::filesystem::path& state_dir);

// Error (conflict) if the folder had a ledger and `is_there` says that there is none now: a new one would pay
// everything again. `place` is where it should be.
[[nodiscard]] Result<void> check_not_lost(const std::filesystem::path& state_dir, bool is_there,
                                          const std::string& place);

}  // namespace drawbridge::ledger
