// The check issue file (positive pay): one line per check, in the bank's layout. The bank does not honor a check that
// is not in it, and does not know of a void or stop that is not in it.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "drawbridge/checks/issue_layout.hpp"
#include "drawbridge/domain/bank_numbers.hpp"
#include "drawbridge/domain/error.hpp"
#include "drawbridge/domain/money.hpp"
#include "drawbridge/domain/time.hpp"

namespace drawbridge::checks {

enum class CheckAction { issue, void_check, stop };

[[nodiscard]] std::string_view to_string(CheckAction action);  // "issue", "void", "stop"

struct CheckIssue {
    CheckAction action = CheckAction::issue;
    std::int64_t check_number = 0;
    BusinessDate check_date;
    Money amount;
    std::string payee_name;         // already in characters that banks accept (see nacha::transliterate)
    std::string payment_reference;  // Drawbridge's payment id
    friend bool operator==(const CheckIssue&, const CheckIssue&) = default;
};

// Whether the layout supports the action: it has a code for it and a column for the code.
[[nodiscard]] bool can_express(const IssueLayout& layout, CheckAction action);

// The bytes of the bank's file, one line per check in the given order. `file_date` is for a header or trailer that
// contains it. An error names the check and the column.
[[nodiscard]] Result<std::string> encode_issue(const IssueLayout& layout, const AccountNumber& account,
                                               BusinessDate file_date, const std::vector<CheckIssue>& checks);

// Reads such bytes back. Columns that the layout lacks keep their defaults. Errors: a line drawn on another account, a
// count or total that does not match the lines, another file date.
[[nodiscard]] Result<std::vector<CheckIssue>> parse_issue(const IssueLayout& layout, const AccountNumber& account,
                                                          BusinessDate file_date, std::string_view bytes);

}  // namespace drawbridge::checks
