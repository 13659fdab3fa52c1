// Reading payments back, and the digest that ties the audit trail to their rows. Private to this room.
#pragma once

#include <cstdint>
#include <string>

#include "connection.hpp"

namespace drawbridge::ledger {

[[nodiscard]] std::string file_name(Ledger& ledger, std::int64_t file_id);

// SHA-256 over every money column of a file's payments, in order: it stands in the audit trail from the moment of
// planning, so that `verify` sees a payment that was changed afterwards.
[[nodiscard]] std::string payments_digest(Ledger& ledger, std::int64_t file_id);

}  // namespace drawbridge::ledger
