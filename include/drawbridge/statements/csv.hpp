// Reads finance's confirmation file without a profile: CSV with the columns payment_reference, status, amount, date.
//
// A file is read whole or not at all: one unreadable line refuses the file, and every such line is reported. A value
// that does not parse never becomes zero, today or empty.
#pragma once

#include <expected>
#include <string_view>
#include <vector>

#include "drawbridge/domain/confirmation.hpp"
#include "drawbridge/text/diagnostic.hpp"

namespace drawbridge::statements {

// `bytes` is the whole file; `file_name` is for the diagnostics. The columns may be in any order, each once, without
// others. The status is paid, returned or void, in any letter case; the amount is plain dollars and cents above zero;
// the date is YYYY-MM-DD. Spaces around a value are ignored. A file without a confirmation (empty, or only a header) is
// an error: it was truncated. Confirmations are in line order. After 1,000 diagnostics the rest are only counted. Only
// for tests: the product uses StatementReader.
[[nodiscard]] std::expected<std::vector<Confirmation>, text::Diagnostics> read_confirmation_csv(
    std::string_view bytes, std::string_view file_name);

}  // namespace drawbridge::statements
