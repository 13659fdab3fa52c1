// What the pay step asks the ledger about draws that may be paid: one question of each kind for many draws.
#pragma once

#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "drawbridge/ledger/facts/draws.hpp"
#include "drawbridge/ledger/facts/payments.hpp"
#include "drawbridge/ledger/facts/returns.hpp"

namespace drawbridge::ledger {

// The disbursement that the service showed when it last showed the draw as Disbursed.
struct SeenDisbursed {
    ReadingId reading_id = 0;
    Instant read_at;
    std::optional<Instant> date;
    std::optional<Money> amount;
};

// An approval in the portal that Drawbridge first saw after somebody had changed the draw again, by the service's
// dates.
struct ChangedBeforeSeen {
    ReadingId reading_id = 0;                                    // the first that shows the approval
    std::optional<ReadingId> pending_reading_id = std::nullopt;  // the newest before it that shows no approval
};

struct DrawFacts {
    // The amount requested in the reading that our newest submission decided on, also if the service said that it
    // refused it, unless an approval was undone after that. Otherwise the approved amount of the first reading since
    // the draw last became Approved, or the amount requested there if it shows none. nullopt: neither is known.
    std::optional<Money> agreed_amount;
    // The reading that this amount comes from. nullopt: the draw has the same content now.
    std::optional<ReadingId> changed_since;
    std::optional<ChangedBeforeSeen> changed_before_seen;
    std::optional<SeenDisbursed> seen_disbursed;
    bool is_disbursed_since_reissue = false;  // or differently than when the reissue was ordered
    std::optional<LastPayment> last_payment;  // in a file before `before`, not counting voided files
    // Few draws have one of these; who needs the row asks for it.
    bool has_lifts = false, is_voided = false, has_open_exceptions = false, is_held_after_restore = false,
         is_in_acknowledged_void = false, is_approval_unrequested = false;
};

// An unknown draw has no facts. `before`: only files planned before this one count.
class FactsOfDraws {
  public:
    FactsOfDraws(Ledger& ledger, const std::vector<DrawId>& ids, FileId before = every_file);
    [[nodiscard]] const DrawFacts& of(DrawId id) const;
    // Whether any payee, account or case at all may be on hold: payment_hold_for().
    [[nodiscard]] bool is_any_payee_held() const { return is_any_payee_held_; }

  private:
    std::unordered_map<DrawId, DrawFacts> facts_;
    bool is_any_payee_held_ = false;
};

// Signs that somebody else paid this draw: the service showed it as Disbursed, or shows a disbursed date or amount, and
// no file of ours pays it. The text of each sign stays the same while the service shows the same.
[[nodiscard]] std::vector<std::string> disbursed_elsewhere(const Draw& draw, const DrawFacts& facts);

}  // namespace drawbridge::ledger
