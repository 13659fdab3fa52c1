// Makes text from outside (draws, bank files, payees, file names, output of other programs) safe to print. There is one
// function for each kind of output; callers add no rules of their own.
//
// All of them replace unprintable text with '?': control characters (C0, DEL and C1, which a terminal obeys),
// characters that show nothing, change the text direction or end a line, and bytes that are not UTF-8.
#pragma once

#include <string>
#include <string_view>

namespace drawbridge::text {

[[nodiscard]] bool is_unprintable(char32_t character);
// Soft hyphens, joiners, fillers, marks of direction: Unicode's Default_Ignorable_Code_Point, and U+FFF9-U+FFFB.
[[nodiscard]] bool shows_nothing(char32_t character);
// Every kind of space of Unicode, and the empty Braille pattern.
[[nodiscard]] bool is_blank(char32_t character);
// As people see it: without what shows nothing and without control characters, and any number of blanks as one space.
// Bytes that are not UTF-8 stay.
[[nodiscard]] std::string as_seen(std::string text);

// One line on a terminal.
[[nodiscard]] std::string for_terminal(std::string_view text);
// Whether for_terminal() leaves it as it is.
[[nodiscard]] bool is_printable(std::string_view text);
// One log record: a line end becomes a space.
[[nodiscard]] std::string for_log(std::string_view text);
// The text of an email, which keeps its lines.
[[nodiscard]] std::string for_mail(std::string_view text);
// A cell of a CSV file that people open: for_terminal(), plus an apostrophe before anything that a spreadsheet would
// treat as a formula. write_csv_row() adds the quotes.
[[nodiscard]] std::string for_csv(std::string_view text);
// An HTML or XML text or attribute value.
[[nodiscard]] std::string for_html(std::string_view text);
// JSON that is already complete: unprintable characters in its strings become \uXXXX, which keeps its meaning.
[[nodiscard]] std::string for_json(std::string_view json);

}  // namespace drawbridge::text
