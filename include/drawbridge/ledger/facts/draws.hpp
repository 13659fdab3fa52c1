// Readings of draws from the service, the newest reading of each draw, and sweeps.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "drawbridge/domain/draw.hpp"
#include "drawbridge/ledger/store/ledger.hpp"

namespace drawbridge::ledger {

using ReadingId = std::int64_t;

enum class ReadingSource { poll, approve, pay, report };

// The URL of the Draws Service whose draws the ledger has; nullopt: none is recorded yet.
[[nodiscard]] std::optional<std::string> service_address(Ledger& ledger);
void record_service_address(Ledger& ledger, std::string_view url, const Stamp& stamp);

struct KnownDraw {
    ReadingId reading_id = 0;
    Draw draw;
    std::int64_t content_id = 0;  // shared by the readings that show the same request
};

struct RecordedReading {
    ReadingId reading_id = 0;
    bool first = false;    // the draw is new
    bool changed = false;  // the reading differs from the one before (also true when first)
    std::optional<Draw> before;
};

// Records a reading only if it differs from the newest one.
RecordedReading record_reading(Ledger& ledger, const Draw& draw, ReadingSource source, Instant at);

// For ReadAhead: what record_reading() asks, and for a changed draw live_payment().
void ask_before_reading(Ledger& ledger, const Draw& draw);
[[nodiscard]] std::optional<KnownDraw> newest_reading(Ledger& ledger, DrawId id);
// The newest readings of those draws that are known.
[[nodiscard]] std::unordered_map<DrawId, KnownDraw> newest_readings(Ledger& ledger, const std::vector<DrawId>& ids);
[[nodiscard]] std::optional<KnownDraw> find_reading(Ledger& ledger, ReadingId reading_id);

// Draws with work left (pending, approved, or paid and not reported), ascending, with ids greater than `after`. A full
// sweep reads each of these that it did not find on its own.
[[nodiscard]] std::vector<DrawId> unfinished_draws(Ledger& ledger, DrawId after, int limit);

// Splits the unfinished payments into parts: the last draw of the part that begins after the draw `after` and has
// `payments` payments. nullopt: there are no more.
[[nodiscard]] std::optional<DrawId> unfinished_up_to(Ledger& ledger, DrawId after, int payments);
// Draws of such a part that are paid, confirmed and not yet Disbursed at the service, ascending.
[[nodiscard]] std::vector<DrawId> draws_waiting_for_portal(Ledger& ledger, DrawId after, DrawId up_to);

struct Sweep {
    Instant started_at;
    Instant completed_at;
    bool full = true;
    std::int64_t draws_read = 0;
    std::int64_t draws_changed = 0;
    std::optional<Instant> newest_modified_date;  // over all draws it read, by the service's clock
};

void record_sweep(Ledger& ledger, const Sweep& sweep);
[[nodiscard]] std::optional<Sweep> last_full_sweep(Ledger& ledger);
// Full or incremental.
[[nodiscard]] std::optional<Sweep> last_sweep(Ledger& ledger);
// The latest modifiedDate up to `until` that any complete sweep has read.
[[nodiscard]] std::optional<Instant> newest_modified_date(Ledger& ledger, Instant until);

// The live payment of a draw, to compare with later readings.
struct LivePayment {
    std::int64_t payment_id = 0;
    Money amount;
    std::string file_name;
    bool release_ordered = false;          // the file's release was ordered
    std::optional<Instant> reported_date;  // the disbursedDate that the service accepted for the draw
    std::int64_t reading_id = 0;           // the reading that it pays
    bool is_content_same = true;           // the draw's content is the same in its newest reading
};
[[nodiscard]] std::optional<LivePayment> live_payment(Ledger& ledger, DrawId id);
// The service showed the draw as Approved and shows it as Disbursed now, and no payment of it went out or waits: each
// of its files was voided, if it was in any.
[[nodiscard]] bool is_disbursed_unpaid(Ledger& ledger, DrawId id);
// The draws of the file's payments that the service shows as Disbursed.
[[nodiscard]] std::vector<DrawId> disbursed_draws_of_file(Ledger& ledger, std::int64_t file_id);

}  // namespace drawbridge::ledger
