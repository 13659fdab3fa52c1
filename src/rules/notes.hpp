// The notes of an approval: text with {placeholders} that becomes one line in the service's audit log.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "drawbridge/rules/rule_set.hpp"
#include "drawbridge/text/yaml.hpp"

namespace drawbridge::rules {

// Placeholders are {rule} and {FIELD} of a draw; {{ and }} are literal braces. nullopt when it reported an error.
[[nodiscard]] std::optional<std::vector<NotesPiece>> read_notes(text::YamlReader& reader, const text::YamlNode& node,
                                                                std::string_view rule_name);

// One line of at most max_notes_bytes; longer text is cut between characters and ends in "...".
[[nodiscard]] std::string fill_notes(const std::vector<NotesPiece>& pieces, const Draw& draw);

// `text` on one line: control characters become spaces.
[[nodiscard]] std::string one_line(std::string_view text);

// At most `bytes` bytes, cut between UTF-8 characters; a cut ends in "...".
[[nodiscard]] std::string shorten(std::string text, std::size_t bytes);

}  // namespace drawbridge::rules
