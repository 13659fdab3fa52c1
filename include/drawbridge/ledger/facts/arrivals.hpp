// The bytes that another host needs when it takes over: confirmation files from before they leave the inbox, and
// encrypted payment files, which cannot be made again. Plain payment files are not among them: their bytes follow from
// the ledger.
//
// Only a ledger in PostgreSQL has any (is_in_postgresql()). A ledger file and the files of its spool are on one disk.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "drawbridge/ledger/store/ledger.hpp"

namespace drawbridge::ledger {

// In a transaction. One piece of a file, sealed. Does nothing if it is there.
inline constexpr std::size_t piece_size = 1024UL * 1024;
void store_piece(Ledger& ledger, std::string_view sha256, std::size_t position, std::string_view bytes);
// All of them.
void store_bytes(Ledger& ledger, std::string_view sha256, std::string_view bytes);
// nullopt: they are not here, or not complete.
[[nodiscard]] std::optional<std::string> stored_bytes(Ledger& ledger, std::string_view sha256);
void delete_stored_bytes(Ledger& ledger, std::string_view sha256);

// A confirmation file that is not yet imported.
struct Arrival {
    std::string sha256, name, profile;
    std::int64_t uid = 0;  // who handed it in
    std::string by;
};
// In a transaction, after its bytes. Does nothing if these bytes have arrived and are not yet imported.
void record_arrival(Ledger& ledger, const Arrival& arrival, const Stamp& stamp);
[[nodiscard]] std::optional<Arrival> open_arrival(Ledger& ledger, std::string_view sha256);
// In the order in which they arrived.
[[nodiscard]] std::vector<Arrival> open_arrivals(Ledger& ledger);
// Call it in the transaction that records the result of these bytes. Does nothing if none have arrived.
void finish_arrival(Ledger& ledger, std::string_view sha256, const Stamp& stamp);
// In a transaction. These bytes were never taken: finishes the arrival, and deletes them unless another file has them.
void withdraw_arrival(Ledger& ledger, const Arrival& arrival, const Stamp& stamp);

// A confirmation file of which bytes are kept, imported or refused and not deleted by policy.
struct KeptConfirmation {
    std::int64_t confirmation_file_id = 0;
    std::string sha256, name;
    Instant recorded_at;
};
[[nodiscard]] std::vector<KeptConfirmation> kept_confirmations(Ledger& ledger, std::int64_t after, int limit);

}  // namespace drawbridge::ledger
