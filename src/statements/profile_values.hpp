// Parses the values of a profiled CSV. A value must parse completely.
#pragma once

#include <expected>
#include <optional>
#include <string>
#include <string_view>

#include "drawbridge/domain/time.hpp"
#include "drawbridge/statements/csv_profile.hpp"
#include "drawbridge/statements/read.hpp"

namespace drawbridge::statements {

// The meaning of the word, ignoring case.
[[nodiscard]] std::optional<ConfirmationKind> find_kind(const CsvProfile& profile, std::string_view word);

struct SignedAmount {
    Money amount;
    bool negative = false;
};
// Uses the profile's separators and symbol. A leading or trailing minus, or parentheses, make it negative. Groups have
// three digits. An error is a phrase without the value.
[[nodiscard]] Result<SignedAmount> parse_profile_amount(const CsvProfile& profile, std::string_view text);

// The count must be digits only; the total must have no sign. An error is a sentence.
[[nodiscard]] Result<Acknowledgment> parse_acknowledgment(const CsvProfile& profile, std::string_view file_name,
                                                          std::string_view payments, std::string_view total);
// The built-in profiles, which have no name: payment_reference,status,amount,date in any order, and file_name,payments,
// total of an acknowledgment.
[[nodiscard]] const CsvProfile& plain_confirmation();
[[nodiscard]] const CsvProfile& plain_acknowledgment();

// Converts Windows-1252 to UTF-8, or returns the offset of the first undefined byte.
[[nodiscard]] std::expected<std::string, std::size_t> decode_windows1252(std::string_view bytes);

}  // namespace drawbridge::statements
