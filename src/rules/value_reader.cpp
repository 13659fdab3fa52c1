#include "value_reader.hpp"

#include <utility>

#include "drawbridge/domain/ascii.hpp"

namespace drawbridge::rules {
namespace {

using text::YamlNode;
using text::YamlReader;

template <class T>
std::optional<FieldValue> as_field_value(std::optional<T> value) {
    if (!value) return std::nullopt;
    return FieldValue(std::move(*value));
}

}  // namespace

std::optional<FieldValue> read_field_value(YamlReader& reader, FieldKind kind, const YamlNode& node,
                                           const std::string& what) {
    switch (kind) {
        case FieldKind::integer: return as_field_value(reader.integer(node, what));
        case FieldKind::money: return as_field_value(reader.money(node, what));
        case FieldKind::instant: return as_field_value(read_instant(reader, node, what));
        case FieldKind::text: break;
    }
    // A text that reader.text() takes for a slip.
    const bool is_meant_blank =
        node.kind() == YamlNode::Kind::scalar && node.is_quoted() && trimmed(node.scalar()).empty();
    if (is_meant_blank) return FieldValue(node.scalar());
    return as_field_value(reader.text(node, what));
}

std::optional<Instant> read_instant(YamlReader& reader, const YamlNode& node, const std::string& what) {
    constexpr const char* hint = "write it like 2026-03-04 or 2026-03-04T05:06:07, in UTC";
    if (node.kind() != YamlNode::Kind::scalar) {
        reader.error(node, what + " must be a date or a date-time", hint);
        return std::nullopt;
    }
    const auto instant = parse_instant(node.scalar());
    if (!instant) {
        reader.error(node, what + ": '" + node.scalar().substr(0, 40) + "' is not a valid date or date-time", hint);
        return std::nullopt;
    }
    return *instant;
}

}  // namespace drawbridge::rules
