// Every rule of the record layout, held against the bytes of any NACHA file: ours, a return, a notification of change,
// an international or an automated accounting advice one. The rules are FileReader's.
#pragma once

#include <optional>
#include <string_view>

#include "drawbridge/nacha/file_reader.hpp"
#include "drawbridge/nacha/records.hpp"

namespace drawbridge::nacha {

struct Validation {
    File file;  // as far as it could be read
    ReadSummary summary;
    [[nodiscard]] bool is_valid() const { return summary.is_valid(); }
    // The first that is no mere warning; nothing: valid.
    [[nodiscard]] std::optional<Problem> first_error() const;
};

[[nodiscard]] Validation validate(std::string_view bytes);

}  // namespace drawbridge::nacha
