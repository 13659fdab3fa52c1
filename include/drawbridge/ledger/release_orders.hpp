// Orders to release a staged payment file. An order may wait, for the service or for encryption; it ends when the file
// has gone, when it is refused or lapses, or when the file is voided. A file has one open order at most.
//
// It decides nothing: whether the file may go is the caller's to find out (pipeline/release.hpp).
#pragma once

#include <string_view>

#include "drawbridge/ledger/payments.hpp"

namespace drawbridge::ledger {

// Errors: the file is not staged, voided, released; an order is open; the person behind `stamp` may not release it.
[[nodiscard]] Result<void> make_release_order(Ledger& ledger, const FileRow& file, DeliveryMethod method,
                                              std::string_view reason, const Stamp& stamp);

// The open order waits from now on for "the service", "encryption", …; nothing new when it waits for that already.
void record_release_wait(Ledger& ledger, const FileRow& file, std::string_view waits_for, std::string_view detail,
                         const Stamp& stamp);

enum class ReleaseOutcome { released, refused, lapsed, voided };
// Ends the open order, if there is one.
void end_release_order(Ledger& ledger, FileId file_id, ReleaseOutcome outcome, std::string_view detail,
                       const Stamp& stamp);

}  // namespace drawbridge::ledger
