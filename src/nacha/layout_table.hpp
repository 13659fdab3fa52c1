// Builds layouts from tables of fields at compile time.
#pragma once

#include <array>

#include "record_layout.hpp"

namespace drawbridge::nacha {

struct CharacterRange {
    std::uint8_t low = 0x20, span = 0x7E - 0x20;  // printable
};

constexpr CharacterRange range_of(FieldForm form) {
    if (form == FieldForm::digits) return {'0', 9};
    if (form == FieldForm::blank) return {' ', 0};
    return {};
}

constexpr bool is_decided_by_mask(FieldForm form) {
    return form == FieldForm::text || form == FieldForm::digits || form == FieldForm::blank;
}

template <std::size_t Count>
struct LayoutTable {
    std::array<Field, Count> fields;
    std::array<Field, Count> checked_fields;
    std::size_t checked_count = 0;
    Mask mask{};

    // A gap, an overlap or a wrong end fails to compile.
    consteval explicit LayoutTable(const std::array<Field, Count>& table) : fields(table), checked_fields(table) {
        mask.low.fill(CharacterRange{}.low);
        mask.span.fill(CharacterRange{}.span);
        std::size_t next = table[0].position;
        if (next != 2 && next != 4) throw "the first field must follow the record type or the addenda type";
        for (const Field& field : table) {
            if (field.position != next) throw "fields must be contiguous";
            next += field.length;
            for (std::size_t i = field.position - 1; i < field.position - 1 + field.length; ++i) {
                mask.low[i] = range_of(field.form).low;
                mask.span[i] = range_of(field.form).span;
            }
            if (!is_decided_by_mask(field.form)) checked_fields[checked_count++] = field;
        }
        if (next != record_length + 1) throw "the last field must end the record";
    }
    [[nodiscard]] constexpr RecordLayout view() const {
        return {std::span<const Field>(fields), std::span<const Field>(checked_fields.data(), checked_count), &mask};
    }
};

}  // namespace drawbridge::nacha
