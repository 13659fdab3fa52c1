// The columns of a CSV by its profile: finds them in the header, and gives the fields of a row. Private to this module.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "drawbridge/statements/csv_profile.hpp"
#include "drawbridge/text/csv.hpp"
#include "drawbridge/text/diagnostic.hpp"

namespace drawbridge::statements {

// By its number from 1; nullptr: the row is shorter.
[[nodiscard]] const text::CsvField* csv_field(const text::CsvRow& row, std::size_t number);

class CsvColumns {
  public:
    // Both references must outlive this.
    CsvColumns(const CsvProfile& profile, text::DiagnosticReport& report);

    // False, after reporting errors: the rows mean nothing.
    [[nodiscard]] bool read_header(const text::CsvRow& row);
    // nullptr, after reporting an error, when the row is too short.
    [[nodiscard]] const text::CsvField* field_of(const text::CsvRow& row, const ColumnRef& ref);
    // Trimmed, or the profile's constant. Empty: the profile has no source.
    [[nodiscard]] std::string value_of(const text::CsvRow& row, const std::optional<FactSource>& from);
    // The profile is built in: hints are about the file, not about the profile.
    [[nodiscard]] bool is_built_in() const { return is_built_in_; }

    // Reports an error at the field, or at the row. Returns false.
    bool refuse(const text::CsvRow& row, const text::CsvField* field, std::string message, std::string hint = {});
    // While a row is only tested for readability, its faults are not reported.
    void ignore_faults(bool is_ignoring) { is_ignoring_ = is_ignoring; }

  private:
    [[nodiscard]] bool refuse_other_columns(const text::CsvRow& row);
    [[nodiscard]] std::string header_hint(std::string_view missing) const;
    [[nodiscard]] std::vector<const ColumnRef*> used_columns() const;

    const CsvProfile& profile_;
    text::DiagnosticReport& report_;
    bool is_built_in_;
    bool is_ignoring_ = false;
    std::vector<std::string> names_;  // in lower case
};

}  // namespace drawbridge::statements
