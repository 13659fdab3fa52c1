// Confirmation files and their lines, for people who look through them.
#pragma once

#include <boost/describe/class.hpp>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "drawbridge/domain/money.hpp"
#include "drawbridge/ledger/store/ledger.hpp"

namespace drawbridge::ledger {

struct ConfirmationFileRow {
    std::int64_t confirmation_file_id = 0;
    std::string sha256, name;
    std::int64_t size_bytes = 0;
    Instant recorded_at;
    bool applied = false;  // otherwise refused: nothing of it was applied
    std::int64_t line_count = 0;
    bool is_being_recorded = false;  // applied, and some of its lines are not recorded yet
    std::string report;              // of a refused one: what is wrong with it, a line each
    std::vector<std::string> handed_in_by = {};
};
struct OutcomeSum {
    std::string outcome;  // applied, duplicate, exception, recorded
    std::int64_t lines = 0;
    Money amount;
    Money paid;  // of the lines of kind paid
};
BOOST_DESCRIBE_STRUCT(OutcomeSum, (), (lines, amount))
struct ConfirmationLineRow {
    std::int64_t line_id = 0;
    std::int64_t line = 0;
    std::string kind, payment_reference, currency, confirmed_on, outcome, reason_code, detail, payee_name, bank_code;
    Money amount;
    std::optional<std::int64_t> payment_id, draw_id, exception_id;
};

// Newest first, older than `id`; 0: from the newest.
[[nodiscard]] std::vector<ConfirmationFileRow> confirmation_files_before(Ledger& ledger, std::int64_t id, int limit);
[[nodiscard]] std::int64_t count_confirmation_files(Ledger& ledger);
// The newest file whose hash begins with `prefix` (lower-case hexadecimal digits).
[[nodiscard]] std::optional<ConfirmationFileRow> find_confirmation_file(Ledger& ledger, std::string_view prefix);
[[nodiscard]] std::vector<OutcomeSum> outcomes_of(Ledger& ledger, std::int64_t confirmation_file_id);
// In the order in which they were recorded, after the line with that id.
[[nodiscard]] std::vector<ConfirmationLineRow> confirmation_lines(Ledger& ledger, std::int64_t confirmation_file_id,
                                                                  std::int64_t after_line_id, int limit);

}  // namespace drawbridge::ledger
