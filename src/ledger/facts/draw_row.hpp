// Reads a draw from a row. Private to this module.
#pragma once

#include "drawbridge/ledger/facts/draws.hpp"
#include "store/connection.hpp"

// From draw_reading r; read by read_known_draw().
#define DRAW_COLUMNS                                                                                         \
    "r.reading_id, r.draw_id, r.status, r.case_id, r.case_name, r.requested_by, r.requested_date, "          \
    "r.amount_requested_cents, r.approved_by, r.approved_date, r.amount_approved_cents, r.disbursed_by, "    \
    "r.disbursed_date, r.amount_disbursed_cents, r.description, r.modified_by, r.modified_date, r.field_a, " \
    "r.field_b, "                                                                                            \
    "r.field_c, r.field_d, r.field_e, r.config_draw_approver_group_id, r.workflow_id, r.content_id"

namespace drawbridge::ledger {

[[nodiscard]] KnownDraw read_known_draw(const Query& row, int first_column);

}  // namespace drawbridge::ledger
