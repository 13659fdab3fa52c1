// Return reason codes in what banks write: NACHA codes (R03, C01) and ISO 20022 codes (AC04).
#pragma once

#include <string>
#include <string_view>

namespace drawbridge::statements {

// The code in free text, where a unit number or a name may look like one: R and two digits as a separate word. A wrong
// code may pause all payments, so an ambiguous text has none, and a person decides.
[[nodiscard]] std::string find_reason_code(std::string_view text);

// The code of a field that is about the reason: the one with which it begins, perhaps after a label ("R03", "r03",
// "R-03", "(R03)", "Reason: R03 no account", "AC04 ClosedAccountNumber"), else the one in its text. In upper case, and
// without a separator. Empty: it has none, such as a code of the bank's own.
[[nodiscard]] std::string code_of_reason_field(std::string_view field);

// Replaces `code` by `other` if only `other` has a known meaning, or `code` is empty.
void take_better_code(std::string_view other, std::string& code);
// Takes the code in free text if there is no other, or only NARR: the reason is in the text.
void take_code_from_text(std::string_view text, std::string& code);

}  // namespace drawbridge::statements
