// The values of a profiled CSV: each is read whole or not at all.
#pragma once

#include <expected>
#include <optional>
#include <string>
#include <string_view>

#include "drawbridge/domain/time.hpp"
#include "drawbridge/statements/csv_profile.hpp"
#include "drawbridge/statements/read.hpp"

namespace drawbridge::statements {

// Year, month and day once each (YYYY, YY; MM, M, MON; DD, D), and between them any other characters but letters and
// digits.
[[nodiscard]] bool is_profile_date_format(std::string_view format);
// The whole text, a day that exists; YY is of 2000 to 2099; M and D take one digit or two; MON is Jan to Dec.
[[nodiscard]] std::optional<BusinessDate> parse_profile_date(std::string_view text, std::string_view format);

// What the word means; letter case aside.
[[nodiscard]] std::optional<ConfirmationKind> find_kind(const CsvProfile& profile, std::string_view word);

struct SignedAmount {
    Money amount;
    bool negative = false;
};
// By the profile's separators and symbol; a minus before or behind, or parentheses, make it negative. Groups have three
// digits. An error is a sentence without the value.
[[nodiscard]] Result<SignedAmount> parse_profile_amount(const CsvProfile& profile, std::string_view text);

// The count is digits and nothing else; the total has no sign. An error is a sentence.
[[nodiscard]] Result<Acknowledgment> parse_acknowledgment(const CsvProfile& profile, std::string_view file_name,
                                                          std::string_view payments, std::string_view total);
// file_name,payments,total: how an acknowledgment is written without a profile.
[[nodiscard]] const CsvProfile& plain_acknowledgment();

[[nodiscard]] std::string lower(std::string_view text);
// Windows-1252 as UTF-8; the place of the first byte that stands for nothing otherwise.
[[nodiscard]] std::expected<std::string, std::size_t> decode_windows1252(std::string_view bytes);

}  // namespace drawbridge::statements
