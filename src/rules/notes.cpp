#include "notes.hpp"

#include <algorithm>
#include <utility>

#include "drawbridge/rules/decide.hpp"

namespace drawbridge::rules {
namespace {

std::vector<std::string_view> placeholder_names() {
    std::vector<std::string_view> names = {"rule"};
    for (const DrawField& field : draw_fields())
        names.push_back(field.name);
    return names;
}

// Adds literal text, merging it with preceding literal text.
void append(std::vector<NotesPiece>& pieces, std::string_view text) {
    if (pieces.empty() || pieces.back().field != nullptr) pieces.emplace_back();
    pieces.back().text += text;
}

bool append_placeholder(std::vector<NotesPiece>& pieces, std::string_view name, std::string_view rule_name) {
    if (name == "rule") {
        append(pieces, rule_name);
        return true;
    }
    const DrawField* field = find_draw_field(name);
    if (field != nullptr) pieces.push_back({{}, field});
    return field != nullptr;
}

}  // namespace

std::optional<std::vector<NotesPiece>> read_notes(text::YamlReader& reader, const text::YamlNode& node,
                                                  std::string_view rule_name) {
    const auto written = reader.text(node, "notes");
    if (!written) return std::nullopt;
    std::vector<NotesPiece> pieces;
    bool good = true;
    const auto refuse = [&](std::string message, std::string hint) {
        good = false;
        reader.error(node, std::move(message), std::move(hint));
    };
    for (std::string_view rest = *written; !rest.empty();) {
        if (rest.starts_with("{{") || rest.starts_with("}}")) {
            append(pieces, rest.substr(0, 1));
            rest.remove_prefix(2);
        } else if (rest.front() == '}') {
            refuse("notes: a '}' without a '{'", "write }} for a literal brace");
            rest.remove_prefix(1);
        } else if (rest.front() == '{') {
            const std::size_t end = rest.find('}');
            if (end == std::string_view::npos) {
                refuse("notes: a '{' without a '}'", "write {{ for a literal brace");
                break;
            }
            const std::string_view name = rest.substr(1, end - 1);
            if (!append_placeholder(pieces, name, rule_name)) {
                const std::string_view meant = text::closest_match(name, placeholder_names());
                refuse("notes: unknown placeholder '{" + std::string(name) + "}'",
                       meant.empty() ? "use {rule} or a field of the draw, like {amountRequested}"
                                     : "did you mean '{" + std::string(meant) + "}'?");
            }
            rest.remove_prefix(end + 1);
        } else {
            const std::size_t end = std::min(rest.find_first_of("{}"), rest.size());
            append(pieces, rest.substr(0, end));
            rest.remove_prefix(end);
        }
    }
    if (!good) return std::nullopt;
    return pieces;
}

std::string one_line(std::string_view text) {
    std::string line(text);
    for (char& c : line) {
        const auto byte = static_cast<unsigned char>(c);
        if (byte < 0x20 || byte == 0x7F) c = ' ';
    }
    line.erase(line.find_last_not_of(' ') + 1);
    line.erase(0, line.find_first_not_of(' '));
    return line;
}

std::string shorten(std::string text, std::size_t bytes) {
    constexpr std::string_view dots = "...";
    if (text.size() <= bytes) return text;
    std::size_t end = bytes - dots.size();
    // Do not cut inside a character: its later bytes are 10xxxxxx.
    while (end > 0 && (static_cast<unsigned char>(text[end]) & 0xC0U) == 0x80U)
        --end;
    text.erase(end);
    text += dots;
    return text;
}

std::string fill_notes(const std::vector<NotesPiece>& pieces, const Draw& draw) {
    std::string notes;
    for (const NotesPiece& piece : pieces)
        notes += piece.field == nullptr ? piece.text : display(piece.field->get(draw));
    return shorten(one_line(notes), max_notes_bytes);
}

}  // namespace drawbridge::rules
