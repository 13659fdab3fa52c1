// Text from outside (draws, bank files, payees, file names, what other programs said) → text that may be put out: one
// function for each kind of output, and no caller with rules of its own.
//
// What is unprintable is taken out of all of them: control characters (C0, DEL and C1, which a terminal obeys), the
// characters that change the direction of a text or end its line, and bytes that are not UTF-8. In its place stands
// '?'.
#pragma once

#include <string>
#include <string_view>

namespace drawbridge::text {

[[nodiscard]] bool is_unprintable(char32_t character);

// One line of a terminal.
[[nodiscard]] std::string for_terminal(std::string_view text);
// One record of a log: a line end becomes a blank.
[[nodiscard]] std::string for_log(std::string_view text);
// A mail's text, which keeps its lines.
[[nodiscard]] std::string for_mail(std::string_view text);
// A cell of a CSV that people open: for_terminal(), and an apostrophe before what a spreadsheet takes for a formula.
// Quotes are write_csv_row()'s.
[[nodiscard]] std::string for_csv(std::string_view text);
// An HTML or XML text or attribute value.
[[nodiscard]] std::string for_html(std::string_view text);
// JSON that is whole already: what is unprintable in its strings is written as \uXXXX, so that it means the same.
[[nodiscard]] std::string for_json(std::string_view json);

}  // namespace drawbridge::text
