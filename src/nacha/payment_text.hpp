// The payment related information of the entries that federal agencies exchange with banks, whose words are fixed.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace drawbridge::nacha {

// What is wrong with positions 4-83 of an addenda record of a DNE or ENR entry; nothing for other codes. The text never
// repeats the field: it holds account and social security numbers.
[[nodiscard]] std::optional<std::string> payment_text_fault(std::string_view sec_code, std::string_view text);

}  // namespace drawbridge::nacha
