// Reads stored payments, and computes the digest that ties the audit trail to their rows. Private to this module.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "drawbridge/ledger/facts/plans.hpp"
#include "store/connection.hpp"

namespace drawbridge::ledger {

[[nodiscard]] std::string file_name(Ledger& ledger, std::int64_t file_id);

// A RowsDigest in one go.
[[nodiscard]] std::string payments_digest(Ledger& ledger, std::int64_t file_id);

// Inserts the row of a planned file, without its payments. `planned_at`: see the schema.
FileId insert_file_row(Ledger& ledger, const disbursement::PlannedFile& file, const std::string& profile,
                       std::optional<Instant> planned_at, const Stamp& stamp);
// Records the digest of the file's rows in the audit trail; call it after its lines are inserted.
void audit_planned(Ledger& ledger, FileId file_id, std::string_view rows_digest, const Stamp& stamp);
// File id modifiers that are used up for that creation date.
[[nodiscard]] std::string used_file_id_modifiers(Ledger& ledger, BusinessDate creation_date);
void set_next_number(Ledger& ledger, std::string_view name, std::int64_t next);

// The file went out: marks its orders as transmitted and ends the payments of their checks. Does nothing for other
// files.
void transmit_check_orders(Ledger& ledger, FileId file_id, const Stamp& stamp);

}  // namespace drawbridge::ledger
