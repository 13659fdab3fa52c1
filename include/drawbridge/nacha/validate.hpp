// Every rule of the record layout, held against the bytes of any NACHA file: ours, a return, a notification of change.
//
// It judges the file, not the payments: whether an effective entry date is a banking day, or an account exists, is
// nobody's business here. It shares nothing with the encoder.
#pragma once

#include <string_view>
#include <vector>

#include "drawbridge/nacha/parse.hpp"
#include "drawbridge/nacha/records.hpp"

namespace drawbridge::nacha {

struct Validation {
    File file;                      // as far as it could be read
    std::vector<Problem> problems;  // by line and position; empty: valid
};

[[nodiscard]] Validation validate(std::string_view bytes);

}  // namespace drawbridge::nacha
