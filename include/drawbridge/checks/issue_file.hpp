// The check issue file: a line for each check, in the bank's layout. A check that is not in it is not honoured.
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

struct CheckIssue {
    CheckAction action = CheckAction::issue;
    std::int64_t check_number = 0;
    BusinessDate check_date;
    Money amount;
    std::string payee_name;         // in characters that banks read already (see nacha::transliterate)
    std::string payment_reference;  // Drawbridge's payment id
    friend bool operator==(const CheckIssue&, const CheckIssue&) = default;
};

// Bytes as the bank wants them, one line for each check in the given order. An error names the check and the column.
[[nodiscard]] Result<std::string> encode_issue(const IssueLayout& layout, const AccountNumber& account,
                                               const std::vector<CheckIssue>& checks);

// Reads such bytes back. Columns that the layout lacks stay at their defaults; a line drawn on another account is an
// error.
[[nodiscard]] Result<std::vector<CheckIssue>> parse_issue(const IssueLayout& layout, const AccountNumber& account,
                                                          std::string_view bytes);

}  // namespace drawbridge::checks
