// Orders to release a staged payment file. An order may wait for the service or for encryption. It ends when the file
// is released, when the order is refused or lapses, or when the file is voided. A file has at most one open order.
//
// The caller finds out whether the file may be released (pipeline/release.hpp).
#pragma once

#include <string_view>

#include "drawbridge/ledger/facts/payments.hpp"

namespace drawbridge::ledger {

// Errors: the file is not staged, or is voided or released; an order is open; the person behind `stamp` may not release
// it.
[[nodiscard]] Result<void> make_release_order(Ledger& ledger, const FileRow& file, DeliveryMethod way,
                                              std::string_view reason, const Stamp& stamp);

// The open order now waits for "the service", "encryption", …; records nothing if it already waits for that.
void record_release_wait(Ledger& ledger, const FileRow& file, std::string_view waits_for, std::string_view detail,
                         const Stamp& stamp);

enum class ReleaseOutcome { released, refused, lapsed, voided };
// Ends the open order, if any.
void end_release_order(Ledger& ledger, FileId file_id, ReleaseOutcome outcome, std::string_view detail,
                       const Stamp& stamp);

}  // namespace drawbridge::ledger
