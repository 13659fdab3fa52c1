// The payment related information of entries between federal agencies and banks, which has a fixed format.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace drawbridge::nacha {

// What is wrong with positions 4-83 of an addenda record of a DNE or ENR entry; nullopt for other codes. The text never
// repeats the field, which contains account and social security numbers.
[[nodiscard]] std::optional<std::string> payment_text_fault(std::string_view sec_code, std::string_view text);

}  // namespace drawbridge::nacha
