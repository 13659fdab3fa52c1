// Opening a ledger in PostgreSQL that another process may write. Private to this module.
#pragma once

#include <memory>
#include <optional>

#include "store/connection.hpp"

namespace drawbridge::ledger {

// Errors: as open_reader().
[[nodiscard]] Result<Ledger> open_to_read(std::unique_ptr<Connection> connection, const std::optional<SealingKey>& key);

// Begins to read at one moment; COMMIT ends it.
void begin_reading(Connection& connection);

}  // namespace drawbridge::ledger
