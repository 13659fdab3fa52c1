// The amounts of CSV rows by a profile: one column, perhaps with a flag, or one column for debits and one for credits.
// Private to this module.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "csv_columns.hpp"
#include "drawbridge/domain/money.hpp"
#include "profile_values.hpp"

namespace drawbridge::statements {

// "1.23E+13": a spreadsheet dropped the last digits.
[[nodiscard]] bool is_rounded(std::string_view text);

enum class Direction { unknown, out, in };
struct LineAmount {
    Money amount;
    Direction direction = Direction::unknown;
    std::int64_t written_cents = 0;
    const text::CsvField* field = nullptr;
};

class CsvAmounts {
  public:
    // Both references must outlive this.
    CsvAmounts(const CsvProfile& profile, CsvColumns& columns) : profile_(profile), columns_(columns) {}
    // Whether one of its columns is not blank.
    [[nodiscard]] bool is_stated(const text::CsvRow& row) const;
    // nullopt, after reporting an error: it has none.
    [[nodiscard]] std::optional<LineAmount> read(const text::CsvRow& row);

  private:
    [[nodiscard]] std::optional<SignedAmount> parse(const text::CsvRow& row, const text::CsvField& field);
    [[nodiscard]] std::string fault_of(std::string_view amount, const std::string& otherwise) const;
    [[nodiscard]] Direction direction_of(const SignedAmount& amount, Direction beside) const;
    [[nodiscard]] std::optional<LineAmount> read_one_column(const text::CsvRow& row);
    [[nodiscard]] bool is_zero(const text::CsvField& field) const;
    [[nodiscard]] std::optional<LineAmount> read_two_columns(const text::CsvRow& row);

    const CsvProfile& profile_;
    CsvColumns& columns_;
};

}  // namespace drawbridge::statements
