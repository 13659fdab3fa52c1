// What a payment file needs besides its payments: the originator's data and the bank's format.
//
// The ledger stores a snapshot of it as JSON with each planned file, so that the file's bytes stay the same when the
// configuration changes between a crash and the restart.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <variant>

#include "drawbridge/checks/issue_layout.hpp"
#include "drawbridge/domain/bank_numbers.hpp"
#include "drawbridge/domain/error.hpp"
#include "drawbridge/nacha/encode.hpp"

namespace drawbridge::disbursement {

// The office's own account, debited once per batch in a balanced file.
struct OffsetAccount {
    RoutingNumber routing_number;
    AccountNumber account_number;
    bool is_savings = false;
    friend bool operator==(const OffsetAccount&, const OffsetAccount&) = default;
};

struct AchProfile {
    RoutingNumber odfi;                         // ODFI identification, start of trace numbers; immediate destination
    std::string odfi_name;                      // file header 41-63
    std::string origin_id;                      // file header 14-23: nine or ten characters
    std::string origin_name;                    // file header 64-86
    std::string company_name;                   // batch header 5-20
    std::string company_id;                     // batch header 41-50
    std::string entry_description = "DRAWPMT";  // batch header 54-63
    std::string company_discretionary;          // batch header 21-40
    nacha::LineEnd line_end = nacha::LineEnd::lf;
    std::optional<RoutingNumber> destination{};  // immediate destination if it is not the ODFI
    std::optional<OffsetAccount> offset{};       // present: balanced files
    std::string reference_code{};                // file header 87-94
    nacha::Padding padding = nacha::Padding::nines;
    friend bool operator==(const AchProfile&, const AchProfile&) = default;
};

struct CheckProfile {
    AccountNumber account;  // the account that the checks are drawn on
    checks::IssueLayout layout;
    friend bool operator==(const CheckProfile&, const CheckProfile&) = default;
};

using FileProfile = std::variant<AchProfile, CheckProfile>;

// Finds what a bank would reject (text that does not fit or has no ASCII form, ids of the wrong length), for
// `drawbridge check`. The error names the configuration key.
[[nodiscard]] Result<void> check_profile(const AchProfile& profile);

// One line of JSON. It contains the office's account numbers: for the ledger only.
[[nodiscard]] std::string to_json(const FileProfile& profile);
[[nodiscard]] Result<FileProfile> profile_from_json(std::string_view json);

}  // namespace drawbridge::disbursement
