// The outbox: disbursedDate patches to the service. Each is recorded before it is sent and gets one outcome.
#pragma once

#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "drawbridge/ledger/facts/draws.hpp"

namespace drawbridge::ledger {

// A confirmed payment of a draw that is Disbursed at the service and has no patch yet.
struct ReportDue {
    DrawId draw_id = 0;
    std::int64_t payment_id = 0;
    BusinessDate confirmed_on;
};
// Reports due for the draws after the first id and up to the second (unfinished_up_to()), sorted by draw.
[[nodiscard]] std::vector<ReportDue> reports_due(Ledger& ledger, DrawId after = 0,
                                                 DrawId up_to = std::numeric_limits<DrawId>::max());
// Records the intent.
std::int64_t open_patch(Ledger& ledger, const ReportDue& due, Instant disbursed_date, const Stamp& stamp);

struct OpenPatch {
    std::int64_t patch_id = 0;
    DrawId draw_id = 0;
    std::int64_t payment_id = 0;
    Instant disbursed_date;
    int attempts = 0;
    std::optional<Instant> last_attempt_at;
    // The disbursement that the service shows by the newest reading, and what we know of it.
    struct Shown {
        std::optional<Instant> date;
        std::optional<Money> amount;
    } shown{};
    Money amount{};                              // of the payment
    std::optional<Instant> first_released_at{};  // the draw's first payment left
};
// Patches without an outcome, oldest first, whose draw is at status 5 by its newest reading and whose payment is live.
// Left out: those that wait for a person (an open exception disbursed_date_forbidden, disbursed_otherwise or
// draw_gone). At most `limit` after the patch `after`.
[[nodiscard]] std::vector<OpenPatch> open_patches(Ledger& ledger, std::int64_t after = 0,
                                                  int limit = std::numeric_limits<int>::max());
// The newest patch without an outcome, no matter what it waits for; 0: none.
[[nodiscard]] std::int64_t newest_open_patch(Ledger& ledger);

void record_attempt(Ledger& ledger, const OpenPatch& patch, std::string_view outcome, std::string_view detail,
                    Instant at);

enum class PatchOutcome { accepted, already_there };
[[nodiscard]] std::string_view to_string(PatchOutcome outcome);
void close_patch(Ledger& ledger, const OpenPatch& patch, PatchOutcome outcome, const Stamp& stamp);

// Patches without an outcome whose payment came back; payment_id is the payment that replaced it, if that is paid. Read
// the draw to learn whether the service has the date.
[[nodiscard]] std::vector<OpenPatch> overtaken_patches(Ledger& ledger);
void withdraw_patch(Ledger& ledger, const OpenPatch& patch, const Stamp& stamp);

// Paid and confirmed, but not yet Disbursed at the service (the state `paid`): somebody has to mark the draw there.
struct WaitingForPortal {
    std::int64_t count = 0;
    Money amount;
    std::optional<Instant> oldest;  // the newest reading of the draw that has not changed for the longest
};
[[nodiscard]] WaitingForPortal waiting_for_portal(Ledger& ledger);

}  // namespace drawbridge::ledger
