// Finance's confirmation file without a profile: CSV with the columns payment_reference, status, amount, date.
//
// A file is read whole or not at all: one line that cannot be read refuses the file, and every such line is named. A
// value that does not parse never becomes zero, today or empty.
#pragma once

#include <expected>
#include <string_view>
#include <vector>

#include "drawbridge/domain/confirmation.hpp"
#include "drawbridge/text/diagnostic.hpp"

namespace drawbridge::statements {

// `bytes` are the whole file; `file_name` is for the diagnostics. The columns may stand in any order, each once, no
// others. The status is paid, returned or void, in any letter case; the amount is plain dollars and cents above zero;
// the date is YYYY-MM-DD. Blanks around a value do not count. A file without a confirmation (empty, or a header only)
// is an error: it was cut off. Confirmations come in the order of their lines. Past the thousandth, diagnostics are
// only counted.
[[nodiscard]] std::expected<std::vector<Confirmation>, text::Diagnostics> read_confirmation_csv(
    std::string_view bytes, std::string_view file_name);

}  // namespace drawbridge::statements
