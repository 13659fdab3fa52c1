// Reading payments back, and the digest that ties the audit trail to their rows. Private to this module.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "connection.hpp"
#include "drawbridge/ledger/payments.hpp"

namespace drawbridge::ledger {

[[nodiscard]] std::string file_name(Ledger& ledger, std::int64_t file_id);

// SHA-256 over every money column of a file's payments, in order: it stands in the audit trail from the moment of
// planning, so that `verify` sees a payment that was changed afterwards.
[[nodiscard]] std::string payments_digest(Ledger& ledger, std::int64_t file_id);

[[nodiscard]] disbursement::PlannedPayment load_payment(Ledger& ledger, std::int64_t payment_id);

// The row of a planned file, without its payments.
FileId insert_file_row(Ledger& ledger, const disbursement::PlannedFile& file, const std::string& profile,
                       const Stamp& stamp);
// Seals what the file consists of; call it when its lines are there.
void audit_planned(Ledger& ledger, FileId file_id, const disbursement::PlannedFile& file, const Stamp& stamp);
// File id modifiers that no other file of that day may have.
[[nodiscard]] std::string used_file_id_modifiers(Ledger& ledger, BusinessDate creation_date);
void set_next_number(Ledger& ledger, std::string_view name, std::int64_t next);

// The file went out: its orders are done, and the payments of their checks end. Nothing where it holds no orders.
void transmit_check_orders(Ledger& ledger, FileId file_id, const Stamp& stamp);

}  // namespace drawbridge::ledger
