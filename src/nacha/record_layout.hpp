// The reader's table of every record's fields: name, position, form. The encoder has its own definition of the same
// positions and must not use this one: each checks the other.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "drawbridge/nacha/problem.hpp"
#include "drawbridge/nacha/records.hpp"
#include "record_text.hpp"
#include "sec_code.hpp"

namespace drawbridge::nacha {

enum class FieldForm {
    text,             // any printable characters
    digits,           // digits only
    blank,            // reserved
    constant,         // exactly `allowed`
    one_of,           // one of the space-separated values in `allowed`
    transaction,      // a transaction code, except those of advices
    zero_or_one,      // 0 or 1
    one_of_or_blank,  // or blank
    digits_or_blank,  // all digits, or blank
    required_text,    // not blank
    name,             // neither blank nor only zeros
    account,          // neither blank nor only zeros, left-justified
    routing,          // a routing number
    date,             // YYMMDD, a valid date; blank or zeros when there is none
    time,             // HHMM or blank
    month_and_day,    // MMDD
    month_and_year,   // MMYY
    day_of_year,      // 001-366; zeros or blank when there is none
    julian_day,       // 001-366
    file_id,          // A-Z, 0-9
    origin,           // a space and nine characters, or ten
    identification,   // neither blank nor only zeros; may begin with one space
    state,            // two letters
    country,          // two letters
    currency,         // three letters
};

// `value`: parse() needs it, so a fault makes the file unreadable. `form`: a fault makes it only invalid.
enum class Need { value, form };

struct Field {
    std::string_view name;
    std::size_t position = 0;  // from 1
    std::size_t length = 0;
    FieldForm form = FieldForm::text;
    Need need = Need::form;
    std::string_view allowed = {};
};

inline std::string_view slice(std::string_view record, const Field& field) {
    return slice(record, field.position, field.length);
}

// For each position, the range of allowed characters: `low` and at most `span` above it.
struct Mask {
    alignas(16) std::array<std::uint8_t, record_length> low{};
    alignas(16) std::array<std::uint8_t, record_length> span{};
};

struct RecordLayout {
    std::span<const Field> fields;          // in position order; every position after the type code belongs to one
    std::span<const Field> checked_fields;  // those with rules beyond the mask
    const Mask* mask = nullptr;
};

// True when all 94 characters are printable and in the range of their field. fault_in() checks the rest, on the judged
// fields. Works on sixteen characters at a time; the last step overlaps the one before.
[[nodiscard]] inline bool fits(std::string_view record, const Mask& mask) {
    const auto bad_from = [&](std::size_t at) {
        const Sixteen above = sixteen_at(record.data() + at) - sixteen_at(mask.low.data() + at);
        return reinterpret_cast<Sixteen>(above > sixteen_at(mask.span.data() + at));
    };
    return is_none(bad_from(0) | bad_from(16) | bad_from(32) | bad_from(48) | bad_from(64) |
                   bad_from(record_length - 16));
}

[[nodiscard]] const RecordLayout& file_header_layout();
[[nodiscard]] const RecordLayout& batch_header_layout(BatchLayout batch);
[[nodiscard]] const RecordLayout& entry_layout(EntryForm form);
// By type code, and for types 98 and 99 by return or change code. nullptr for an unknown type.
[[nodiscard]] const RecordLayout* addenda_layout(std::string_view record, BatchLayout batch);
[[nodiscard]] const RecordLayout& batch_control_layout(BatchLayout batch);
[[nodiscard]] const RecordLayout& file_control_layout(BatchLayout file);

// R61-R70, R71-R77, C61-C69: dishonored return, contested return, refused notification of change.
[[nodiscard]] bool is_dishonored(std::string_view return_reason_code);
[[nodiscard]] bool is_contested(std::string_view return_reason_code);
[[nodiscard]] bool is_refused(std::string_view change_code);

enum class AddendaType { terminal, payment, iat, change, returned, unknown };
// 02, 05, 10-18, 98, 99.
[[nodiscard]] inline AddendaType addenda_type_of(std::string_view record) {
    const char last = record[2];
    switch (record[1]) {
        case '0':
            return last == '5' ? AddendaType::payment : last == '2' ? AddendaType::terminal : AddendaType::unknown;
        case '1': return last >= '0' && last <= '8' ? AddendaType::iat : AddendaType::unknown;
        case '9': return last == '9' ? AddendaType::returned : last == '8' ? AddendaType::change : AddendaType::unknown;
        default: return AddendaType::unknown;
    }
}

struct Fault {
    Severity severity = Severity::error;
    std::string what;
};
// Left-justified 0-9, A-Z, a-z and hyphens; at least one.
[[nodiscard]] bool is_common_account(std::string_view value);
// Codes from 20 to 56. Checking, savings and general ledger have no 5; loans have no prenote or zero-dollar debit.
[[nodiscard]] inline bool is_transaction_code(char account, char kind) {
    if (account >= '2' && account <= '4') return is_digit(kind) && kind != '0' && kind != '5';
    return account == '5' && kind >= '1' && kind <= '6';
}
// True when the field is certainly valid, for the forms of entries. When false, fault_in() decides.
[[nodiscard]] inline bool is_certainly_valid(std::string_view record, const Field& field) {
    const char* const value = record.data() + field.position - 1;
    if (field.form == FieldForm::account)
        return is_common_account({value, field.length}) && (*value != '0' || !is_only_zeros({value, field.length}));
    if (field.form == FieldForm::transaction) return is_transaction_code(value[0], value[1]);
    if (field.form == FieldForm::zero_or_one) return (*value | 1) == '1';
    return false;
}
// What is wrong with the field. The text never contains an account number.
[[nodiscard]] std::optional<Fault> fault_in(std::string_view record, const Field& field);
// File header 4-13: a space or a zero, then a routing number. Returns may have the originator's own id there.
[[nodiscard]] std::optional<Fault> destination_fault(std::string_view value, bool is_answer);

}  // namespace drawbridge::nacha
