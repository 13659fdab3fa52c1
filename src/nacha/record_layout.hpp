// The reader's table of every record's fields: name, place, form. The encoder has its own knowledge of the same
// positions and must not use this one: each checks the other.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "drawbridge/nacha/parse.hpp"

namespace drawbridge::nacha {

enum class FieldForm {
    constant,         // exactly `allowed`
    one_of,           // one of the values in `allowed`, separated by blanks
    digits,           // digits only
    text,             // any printable characters
    required_text,    // not blank, left-justified
    account,          // left-justified, 0-9 A-Z a-z and hyphen
    blank,            // reserved
    date,             // YYMMDD of a day that exists; blank or zeros when there is none
    time,             // HHMM or blank
    settlement_date,  // 001-366, zeros or blank
    file_id,          // A-Z, 0-9
    destination,      // blank and nine digits with a right check digit
    origin,           // blank and nine characters, or ten
    identification,   // not blank; may begin with one blank
};

// A value that parse() cannot do without: a problem here makes the file unreadable, not merely invalid.
enum class Need { value, form };

struct Field {
    std::string_view name;
    std::size_t position;  // from 1
    std::size_t length;
    FieldForm form;
    Need need = Need::form;
    std::string_view allowed = {};
};

inline std::string_view slice(std::string_view record, std::size_t position, std::size_t length) {
    return record.substr(position - 1, length);
}
inline std::string_view slice(std::string_view record, const Field& field) {
    return slice(record, field.position, field.length);
}

// `record` is 94 bytes long. `sec_code` is the batch's (empty outside of a batch): CTX entries have their own fields.
// Empty for a record or addenda type without a table.
[[nodiscard]] std::span<const Field> fields_of(std::string_view record, std::string_view sec_code);

// What is wrong with the field, or empty. The text never repeats an account number.
[[nodiscard]] std::string fault_in(std::string_view record, const Field& field);

}  // namespace drawbridge::nacha
