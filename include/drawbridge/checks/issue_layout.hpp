// How one bank wants its list of issued checks (positive pay). A layout is data, read from YAML, not code.
//
// Banks differ. A layout lists its columns in order and defines how dates, amounts and codes are written.
#pragma once

#include <cstdint>
#include <expected>
#include <optional>
#include <string>
#include <string_view>

#include "drawbridge/checks/file_form.hpp"
#include "drawbridge/domain/bank_numbers.hpp"
#include "drawbridge/domain/money.hpp"
#include "drawbridge/text/diagnostic.hpp"

namespace drawbridge::checks {

struct IssueLayout : FileForm {
    std::string issue_code = "I";  // may be empty: a blank means an issue
    std::optional<std::string> void_code = "C";
    std::optional<std::string> stop_code;  // nullopt: this bank accepts no stops in the file
    friend bool operator==(const IssueLayout&, const IssueLayout&) = default;
};

// Reports every problem in the file at once.
[[nodiscard]] std::expected<IssueLayout, text::Diagnostics> read_issue_layout(std::string_view yaml,
                                                                              std::string_view file_name);

// Reports which of the office's own numbers do not fit: the account, and check numbers with as many digits as
// `check_number`.
[[nodiscard]] text::Diagnostics check_issue_layout(const IssueLayout& layout, const AccountNumber& account,
                                                   std::int64_t check_number);

// The largest amount that its columns for amounts have room for.
[[nodiscard]] Money largest_amount(const FileForm& form);

// The most checks, and the largest total of them, that the header and the trailer have room for.
struct FileCapacity {
    std::int64_t count = 0;
    Money total;
};
[[nodiscard]] FileCapacity capacity_of(const FileForm& form);

}  // namespace drawbridge::checks
