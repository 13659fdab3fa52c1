// What a number, a name, a hash or an amount that somebody pasted may be. Answers a person's question, never a
// decision.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "drawbridge/ledger/store/ledger.hpp"

namespace drawbridge::ledger {

struct Found {
    std::string kind;          // draw, payment, file, exception, check, confirmation
    std::string id;            // "17", "P0000000012", "ACH-20260304-A.ach", a SHA-256
    std::string title;         // one line for people
    std::int64_t draw_id = 0;  // of a payment or a check
};

// Shorter texts are not looked for in names.
inline constexpr std::size_t min_letters = 3;

// Exact matches first, at most `limit`. Numbers, hashes and file names go by an index; names and amounts are looked for
// among the newest rows only, so that one question never walks the whole ledger.
[[nodiscard]] std::vector<Found> search(Ledger& ledger, std::string_view text, std::size_t limit);

}  // namespace drawbridge::ledger
