// Encodes a File into the bytes that a bank reads: 94-byte records, hashes, counts, totals, and padding with nines.
//
// It refuses what does not fit: a number that is too long, an id of the wrong form, a byte outside 0x20-0x7E
// (transliterate() prepares names). Descriptive text that is too long is truncated on the right, as the NACHA rules
// allow.
#pragma once

#include <string>

#include "drawbridge/domain/error.hpp"
#include "drawbridge/nacha/records.hpp"

namespace drawbridge::nacha {

enum class LineEnd { lf, crlf };
// Nines: records of nines up to a multiple of ten, as the rules require. A few banks want no padding.
enum class Padding { nines, none };

// Every line, including the last, ends with `line_end`. An error names the batch, the entry (by trace number) and the
// field, never an account number.
[[nodiscard]] Result<std::string> encode(const File& file, LineEnd line_end = LineEnd::lf,
                                         Padding padding = Padding::nines);

}  // namespace drawbridge::nacha
