// The payee directory: who may be paid, over which rail and to which account.
//
// It is read from one CSV file and accepted or refused as a whole. It never guesses a payee: keys match exactly. No
// message contains an account number.
#pragma once

#include <boost/describe/enum.hpp>
#include <cstddef>
#include <expected>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "drawbridge/domain/bank_numbers.hpp"
#include "drawbridge/text/diagnostic.hpp"

namespace drawbridge::disbursement {

enum class Rail { ach, check };
BOOST_DESCRIBE_ENUM(Rail, ach, check)
enum class AccountType { checking, savings };
enum class SecCode { ppd, ccd, ctx };  // PPD to a person, CCD to a business, CTX to a business with many addenda

[[nodiscard]] std::string_view to_string(Rail rail);         // "ach", "check"
[[nodiscard]] std::string_view to_string(AccountType type);  // "checking", "savings"
[[nodiscard]] std::string_view to_string(SecCode code);      // "PPD", "CCD", "CTX"
[[nodiscard]] std::optional<Rail> parse_rail(std::string_view text);
[[nodiscard]] std::optional<AccountType> parse_account_type(std::string_view text);
[[nodiscard]] std::optional<SecCode> parse_sec_code(std::string_view text);

struct Payee {
    std::string key;
    std::string name;
    Rail rail = Rail::ach;
    // All four are present for ACH; a check needs none.
    std::optional<RoutingNumber> routing_number;
    std::optional<AccountNumber> account_number;
    std::optional<AccountType> account_type;
    std::optional<SecCode> sec_code;
    // Required for a check (address2 may be empty).
    std::string address1, address2, city, state, zip;
    friend bool operator==(const Payee&, const Payee&) = default;
};

class PayeeDirectory {
  public:
    // An empty directory: no draw has a payee.
    PayeeDirectory() = default;

    // Reads CSV with the header
    // key,name,rail,routing_number,account_number,account_type,sec_code,address1,address2,city,state,zip in any order.
    // Reports all problems at once, each with line and column.
    [[nodiscard]] static std::expected<PayeeDirectory, text::Diagnostics> read(std::string_view csv,
                                                                               std::string_view file_name);

    // Exact match, ignoring spaces at both ends. nullptr: no such payee.
    [[nodiscard]] const Payee* find(std::string_view key) const;
    [[nodiscard]] const std::vector<Payee>& payees() const { return payees_; }  // in the order of the file
    // The SHA-256 of the file's bytes, lowercase hex; empty for an empty directory.
    [[nodiscard]] const std::string& sha256() const { return sha256_; }

  private:
    std::vector<Payee> payees_;
    std::map<std::string, std::size_t, std::less<>> index_;
    std::string sha256_;
};

}  // namespace drawbridge::disbursement
