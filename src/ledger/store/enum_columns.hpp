// What the texts of the ledger's columns mean, as values of the core. Private to this module.
#pragma once

#include <string_view>

#include "drawbridge/checks/issue_file.hpp"
#include "drawbridge/disbursement/payees.hpp"
#include "drawbridge/disbursement/write_back.hpp"
#include "drawbridge/domain/assert.hpp"
#include "drawbridge/domain/confirmation.hpp"

namespace drawbridge::ledger {

inline void from_column(std::string_view text, ConfirmationKind& kind) {
    kind = parse_confirmation_kind(text).value_or(ConfirmationKind::unrelated);
}

inline void from_column(std::string_view text, checks::CheckAction& action) {
    action = text == "stop" ? checks::CheckAction::stop : checks::CheckAction::void_check;
}

inline void from_column(std::string_view text, disbursement::Rail& rail) {
    const auto known = disbursement::parse_rail(text);
    DRAWBRIDGE_ASSERT(known.has_value(), "the schema knows only these rails");
    rail = *known;
}

inline void from_column(std::string_view text, disbursement::WriteBackEvent& event) {
    const auto known = disbursement::parse_write_back_event(text);
    DRAWBRIDGE_ASSERT(known.has_value(), "the schema knows only these events");
    event = *known;
}

}  // namespace drawbridge::ledger
