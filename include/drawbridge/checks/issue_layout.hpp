// How one bank wants its list of issued checks (positive pay): a layout is data, read from YAML, not code.
//
// No two banks agree. A layout names its columns in order, and how dates, amounts and codes are written.
#pragma once

#include <cstdint>
#include <expected>
#include <optional>
#include <string>
#include <string_view>

#include "drawbridge/checks/file_form.hpp"
#include "drawbridge/domain/bank_numbers.hpp"
#include "drawbridge/text/diagnostic.hpp"

namespace drawbridge::checks {

struct IssueLayout : FileForm {
    std::string issue_code = "I";  // may be empty: a blank stands for an issue
    std::optional<std::string> void_code = "C";
    std::optional<std::string> stop_code;  // none: this bank takes no stops in the file
    friend bool operator==(const IssueLayout&, const IssueLayout&) = default;
};

// Every problem of the file at once.
[[nodiscard]] std::expected<IssueLayout, text::Diagnostics> read_issue_layout(std::string_view yaml,
                                                                              std::string_view file_name);

// What an office's own numbers do not fit into: the account, and check numbers as long as this one.
[[nodiscard]] text::Diagnostics check_issue_layout(const IssueLayout& layout, const AccountNumber& account,
                                                   std::int64_t check_number);

}  // namespace drawbridge::checks
