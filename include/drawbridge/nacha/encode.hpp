// File → bytes that a bank reads: records of 94 bytes, hashes, counts, totals, blocks padded with nines.
//
// It refuses what does not fit: a number that is too long, an id of the wrong form, a byte outside 0x20-0x7E (names go
// through transliterate() before). Descriptive text that is too long is cut on the right, as the NACHA rules say.
#pragma once

#include <string>

#include "drawbridge/domain/error.hpp"
#include "drawbridge/nacha/records.hpp"

namespace drawbridge::nacha {

enum class LineEnd { lf, crlf };
// Records of nines up to a multiple of ten, as the rules want it; a few banks want none.
enum class Padding { nines, none };

// Every line, the last one too, ends with `line_end`. An error names the batch, the entry (by trace number) and the
// field; never an account number.
[[nodiscard]] Result<std::string> encode(const File& file, LineEnd line_end = LineEnd::lf,
                                         Padding padding = Padding::nines);

}  // namespace drawbridge::nacha
