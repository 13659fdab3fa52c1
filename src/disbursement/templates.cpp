#include "drawbridge/disbursement/templates.hpp"

#include <re2/re2.h>

#include <algorithm>
#include <array>

#include "drawbridge/domain/ascii.hpp"
#include "number_allocator.hpp"
#include "template_text.hpp"

namespace drawbridge::disbursement {

namespace {

constexpr std::array<std::string_view, 6> name_parts = {"date",     "time",   "modifier",
                                                        "sequence", "origin", "destination"};

std::string part(std::string_view name, const FileNameParts& parts) {
    if (name == "date") {
        std::string text = format_date(parts.date);
        std::erase(text, '-');
        return text;
    }
    if (name == "time") {
        return zero_filled(parts.time_of_day.count() / 60, 2) + zero_filled(parts.time_of_day.count() % 60, 2);
    }
    if (name == "modifier") return {parts.file_id_modifier};
    if (name == "sequence") return zero_filled(parts.sequence, 4);
    return name == "origin" ? parts.origin : parts.destination;
}

bool is_name_character(char c) {
    return is_letter_or_digit(c) || c == '-' || c == '_' || c == '.';
}

}  // namespace

Result<RemittanceTemplate> RemittanceTemplate::parse(std::string_view text) {
    RemittanceTemplate result;
    auto good = parse_template(
        text, [&](std::string_view piece) { result.pieces_.push_back({std::string(piece)}); },
        [&](std::string_view name) -> Result<void> {
            if (const DrawField* field = find_draw_field(name)) {
                result.pieces_.push_back({"", field});
                return {};
            }
            std::vector<std::string_view> known;
            for (const DrawField& field : draw_fields())
                known.push_back(field.name);
            return unknown_placeholder(name, known);
        });
    if (!good) return std::unexpected(good.error());
    return result;
}

std::string RemittanceTemplate::expand(const Draw& draw) const {
    std::string text;
    for (const Piece& piece : pieces_) {
        if (piece.field == nullptr) {
            text += piece.text;
        } else if (const auto value = piece.field->get(draw); !std::holds_alternative<std::monostate>(value)) {
            text += display(value);
        }
    }
    return text;
}

FileNameTemplate::FileNameTemplate() : text_("ACH-{date}-{modifier}.ach") {}

Result<FileNameTemplate> FileNameTemplate::parse(std::string_view text) {
    bool is_good_text = !text.starts_with('.');
    std::vector<std::string_view> names;
    auto good = parse_template(
        text,
        [&](std::string_view piece) { is_good_text = is_good_text && std::ranges::all_of(piece, is_name_character); },
        [&](std::string_view name) -> Result<void> {
            names.push_back(name);
            if (std::ranges::find(name_parts, name) != name_parts.end()) return {};
            return unknown_placeholder(name, {name_parts.begin(), name_parts.end()});
        });
    if (!good) return std::unexpected(good.error());
    if (!is_good_text || text.size() > 120) {
        return fail(ErrorCode::invalid_input,
                    "a file name may contain letters, digits, '-', '_' and '.', and must not begin with '.'");
    }
    const auto has = [&](std::string_view name) { return std::ranges::find(names, name) != names.end(); };
    if (!has("sequence") && !(has("date") && has("modifier"))) {
        return fail(ErrorCode::invalid_input,
                    "two files would have the same name: add {date} and {modifier}, or {sequence}");
    }
    FileNameTemplate result;
    result.text_ = text;
    return result;
}

std::string FileNameTemplate::expand(const FileNameParts& parts) const {
    std::string name;
    const auto done = parse_template(
        text_, [&](std::string_view piece) { name += piece; },
        [&](std::string_view placeholder) -> Result<void> {
            name += part(placeholder, parts);
            return {};
        });
    return done ? name : std::string();
}

bool FileNameTemplate::may_have_produced(std::string_view name, const NumberRanges& numbers) const {
    const std::string modifier = "[" + numbers.file_id_modifiers + "]";
    const auto pattern = pattern_of_template(text_, [&](std::string_view placeholder) -> std::string_view {
        if (placeholder == "date") return "[0-9]{8}";
        if (placeholder == "time") return "[0-9]{4}";
        if (placeholder == "modifier") return modifier;
        if (placeholder == "sequence") return "([0-9]{4,})";
        return "[0-9A-Za-z]+";  // origin, destination
    });
    const re2::StringPiece whole(name.data(), name.size());
    if (!uses_sequence()) return re2::RE2::FullMatch(whole, pattern);
    std::int64_t sequence = 0;
    return re2::RE2::FullMatch(whole, pattern, &sequence) && numbers.file.from <= sequence &&
           sequence <= numbers.file.to;
}

bool FileNameTemplate::uses_sequence() const {
    return text_.contains("{sequence}");
}

}  // namespace drawbridge::disbursement
