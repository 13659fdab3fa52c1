// The notes of an approval: a text with {placeholders} that becomes one line for the service's audit log.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "drawbridge/rules/rule_set.hpp"
#include "drawbridge/text/yaml.hpp"

namespace drawbridge::rules {

// {rule} and {field of a draw}; {{ and }} stand for the braces themselves. nullopt when an error was reported.
[[nodiscard]] std::optional<std::vector<NotesPiece>> read_notes(text::YamlReader& reader, const text::YamlNode& node,
                                                                std::string_view rule_name);

// One line of at most max_notes_bytes; what is longer is cut between characters and ends in "...".
[[nodiscard]] std::string fill_notes(const std::vector<NotesPiece>& pieces, const Draw& draw);

// `text` on one line: control characters become blanks.
[[nodiscard]] std::string one_line(std::string_view text);

// At most `bytes` bytes, cut between UTF-8 characters; "..." at the end shows a cut.
[[nodiscard]] std::string shorten(std::string text, std::size_t bytes);

}  // namespace drawbridge::rules
