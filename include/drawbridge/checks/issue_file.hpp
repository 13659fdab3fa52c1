// The check issue file: a line for each check, in the bank's layout. A check that is not in it is not honoured, and a
// void or stop that is not in it is unknown to the bank.
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
    std::string payee_name;         // in characters that banks read already (see nacha::transliterate)
    std::string payment_reference;  // Drawbridge's payment id
    friend bool operator==(const CheckIssue&, const CheckIssue&) = default;
};

// Whether the layout can say it: it has a code for it, and a column for the code.
[[nodiscard]] bool can_express(const IssueLayout& layout, CheckAction action);

// Bytes as the bank wants them, one line for each check in the given order. `file_date` is for a header or trailer that
// has it. An error names the check and the column.
[[nodiscard]] Result<std::string> encode_issue(const IssueLayout& layout, const AccountNumber& account,
                                               BusinessDate file_date, const std::vector<CheckIssue>& checks);

// Reads such bytes back. Columns that the layout lacks stay at their defaults; a line drawn on another account, a count
// or a total that is not that of the lines, and another file date are errors.
[[nodiscard]] Result<std::vector<CheckIssue>> parse_issue(const IssueLayout& layout, const AccountNumber& account,
                                                          BusinessDate file_date, std::string_view bytes);

}  // namespace drawbridge::checks
