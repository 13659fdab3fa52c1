// Payments and files that went to the bank after the backup that this ledger was restored from.
//
// The ledger has no payment for them, only what it read in the manifests. So it can say where such a payment is, and
// never voids, stops or settles it.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "drawbridge/domain/draw.hpp"
#include "drawbridge/domain/money.hpp"
#include "drawbridge/domain/time.hpp"
#include "drawbridge/ledger/store/ledger.hpp"

namespace drawbridge::ledger {

struct SentBefore {
    DrawId draw_id = 0;
    std::string file;
    Instant at;
    Money amount;
    std::string reference;  // the trace number or the check number
    friend auto operator<=>(const SentBefore&, const SentBefore&) = default;
};

// "ACH-20270713-A.ach of 2027-07-13T15:00:00.000Z paid it $12.00 under 091000010000001", as the hold says it.
[[nodiscard]] std::string hold_text(const SentBefore& payment);

// Every payment of these draws that a manifest shows and this ledger does not know, by draw, each once.
[[nodiscard]] std::vector<SentBefore> payments_sent_before(Ledger& ledger, DrawId first = 0, DrawId last = INT64_MAX);
[[nodiscard]] std::optional<SentBefore> payment_sent_before(Ledger& ledger, std::string_view reference);

// The checks among them that are no payments of this ledger, with numbers above `after`, by number.
struct CheckSentBefore {
    std::int64_t check_number = 0;
    SentBefore payment;
};
[[nodiscard]] std::vector<CheckSentBefore> checks_sent_before(Ledger& ledger, std::int64_t after);

// A file that this ledger has only as sent.
struct FileSentBefore {
    std::string name, sha256;
    bool is_in_manifest = false;
    std::string file_id_modifier;  // empty for a check file, or if no manifest names the file
    Instant restored_at;           // when the ledger was restored
    std::int64_t payments = 0;     // that its manifest names; prenotes are not counted
    Money total;
};
[[nodiscard]] std::optional<FileSentBefore> file_sent_before(Ledger& ledger, std::string_view name);
[[nodiscard]] std::vector<std::string> names_sent_before(Ledger& ledger, std::string_view pattern, int limit);

// "CHK-….csv left before this ledger was restored at …: 2 payments, $30.00, according to its manifest".
[[nodiscard]] std::string describe(const FileSentBefore& file);
// Why this ledger has no file with this name: it may have left before a restore.
[[nodiscard]] std::string no_file_named(Ledger& ledger, std::string_view name);
// Why this ledger has no such check: it left before a restore, or it may have.
[[nodiscard]] std::string no_check_named(Ledger& ledger, std::int64_t check_number);

// Whether the ledger was restored after it had made the file `first` and before it made the file `last`.
[[nodiscard]] bool was_restored_between(Ledger& ledger, std::int64_t first, std::int64_t last);

}  // namespace drawbridge::ledger
