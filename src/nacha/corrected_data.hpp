// What a notification of change corrects (addenda 98, positions 36-64; for an IAT entry 36-70), by change code.
#pragma once

#include <cstddef>
#include <optional>
#include <string_view>

#include "drawbridge/nacha/problem.hpp"
#include "drawbridge/nacha/records.hpp"

namespace drawbridge::nacha {

[[nodiscard]] bool is_known_change_code(std::string_view code);
// Whether the corrected data contains an account number.
[[nodiscard]] bool corrects_account(std::string_view change_code);

struct CorrectedDataFault {
    std::size_t position = 0, length = 0;  // in the record
    std::string_view what;                 // never the field's content
    Severity severity = Severity::error;
};
[[nodiscard]] std::optional<CorrectedDataFault> corrected_data_fault(std::string_view record, BatchLayout batch);

}  // namespace drawbridge::nacha
