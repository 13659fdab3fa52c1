// Checks every rule of the record layout on the bytes of any NACHA file: ours, a return, a notification of change, an
// international or an automated accounting advice file. FileReader implements the rules.
#pragma once

#include <string_view>

#include "drawbridge/nacha/file_reader.hpp"
#include "drawbridge/nacha/records.hpp"

namespace drawbridge::nacha {

struct Validation {
    File file;  // as much as could be read
    ReadSummary summary;
    [[nodiscard]] bool is_valid() const { return summary.is_valid(); }
};

[[nodiscard]] Validation validate(std::string_view bytes);

}  // namespace drawbridge::nacha
