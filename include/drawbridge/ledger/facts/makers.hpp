// The makers of a payment file: everyone who had a hand in it. No maker releases it.
//
// Each act that makes somebody a maker is recorded in the transaction of the act itself: on the file, or on a draw.
// Every file that pays the draw from then on inherits it. The makers are fixed in rows when the release is ordered. A
// maker is a uid, and every person the uid ever belonged to; a uid without a person counts as a person. uid 0 and
// the uid of this program identify no particular person, because anybody may be using them. They can release only files
// that nobody had a hand in, themselves included.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "drawbridge/domain/draw.hpp"
#include "drawbridge/domain/error.hpp"
#include "drawbridge/ledger/facts/payments.hpp"
#include "drawbridge/ledger/facts/people.hpp"
#include "drawbridge/ledger/reports/verify.hpp"
#include "drawbridge/ledger/store/ledger.hpp"

namespace drawbridge::ledger {

enum class MakerAct {
    started,              // started the run that planned the file
    approved,             // approved a draw by hand
    lifted,               // lifted a guard or a hold by resolving the exception
    handed_in,            // handed in the confirmation file that ended a payment of the draw
    matched,              // matched the line that ended a payment of the draw
    reissued,             // ordered that the draw be paid again
    ordered_check,        // ordered a void or stop of its check
    said_at_bank,         // said that the bank has the file with that void or stop
    voided,               // voided a file of which somebody may have a copy, or said of one that was voided later
                          // that the bank does not have it
    nothing_else_sent,    // said after a restore that the bank has nothing else; derived, as are those below
    requested_in_portal,  // derived from readings
    changed_in_portal,
    approved_in_portal,
};

// Root and the uid of this process.
[[nodiscard]] bool is_nobody(std::int64_t uid);
// The uid as it is recorded: 0 for a uid that identifies no particular person.
[[nodiscard]] std::int64_t recorded_uid(std::int64_t uid);

// What an act is about: a file, or a draw.
struct ActTarget {
    std::optional<FileId> file{};
    std::optional<DrawId> draw{};
    std::optional<std::int64_t> payment{};  // the draw's payment that came back
};
// Records nothing when the daemon acts on its own (`stamp` has no uid).
void record_maker_act(Ledger& ledger, MakerAct act, const ActTarget& target, const Stamp& stamp);
// Records the act for each draw that the file pays.
void record_maker_of_draws(Ledger& ledger, MakerAct act, FileId file_id, const Stamp& stamp);

// Whether any address or approver id of the portal is, or was, linked to a person.
[[nodiscard]] bool is_anybody_linked(Ledger& ledger);
// Whether this address of the portal is, or was. Letter case and spaces around it are ignored.
[[nodiscard]] bool is_linked_address(Ledger& ledger, std::string_view address);
// Records for the file everyone who had a hand in the draws of its payments from `first` to `last`, in the portal too.
void record_makers_of_payments(Ledger& ledger, FileId file_id, std::int64_t first, std::int64_t last);
// Records for a new file of check orders everyone who had a hand in its draws.
void record_makers_of_check_orders(Ledger& ledger, FileId file_id);
// Records what linked people did with the draw in the portal, for every file that pays it or voids its check. Other
// acts on it are recorded for these files by a trigger.
void record_portal_acts(Ledger& ledger, DrawId draw_id);

// Somebody handed in again the bytes of a confirmation file that was applied, and so has a hand in its returns and
// voids. False: nothing new.
bool record_hand_in_again(Ledger& ledger, std::string_view sha256, std::int64_t uid, const Stamp& stamp);
// Records the person who handed in the line's file as a maker, by what the line did to a payment.
void record_makers_of_line(Ledger& ledger, std::int64_t line_id, DrawId draw, std::int64_t payment_id,
                           const Stamp& stamp);
// Does that for every payment that came back on the ledger's lines from `first_line` on.
void record_makers_of_lines(Ledger& ledger, std::int64_t first_line, const Stamp& stamp);
// The draws whose checks this file voids or stops.
[[nodiscard]] std::vector<DrawId> draws_of_check_orders(Ledger& ledger, FileId file_id);
// Checks that somebody handed in or matched what ended this payment and vouches for it now: with a uid of their own,
// and once people are set up, as an unlocked person with the role finance (who matched it: or operator). Error
// (conflict): nobody does, or there is no evidence that the bank has the file that voids or stops its check.
[[nodiscard]] Result<void> check_reissue_evidence(Ledger& ledger, DrawId draw, std::int64_t payment_id);

struct Maker {
    std::optional<std::int64_t> uid;  // nullopt: a person who acted in the portal
    std::string by;                   // for display: the names of the people if known, else "uid 5001 (anna)"
    MakerAct act = MakerAct::started;
    std::optional<DrawId> draw;  // the first of its draws
    std::int64_t draws = 0;
};
// "approved draw 7 and 2 more by hand"
[[nodiscard]] std::string describe(const Maker& maker);
// "anna: started the run; approved draw 7 by hand. bert: …"; empty: nobody.
[[nodiscard]] std::string describe(const std::vector<Maker>& makers);
// Who released the file, or ordered its release, for display: by name, as makers are. Empty: nobody.
[[nodiscard]] std::string releaser_named(Ledger& ledger, FileId file_id);
// "uid 5001 (anna)", as acts record who did them, for display: by name, as makers are; unchanged if the uid belonged to
// no person.
[[nodiscard]] std::string actor_named(Ledger& ledger, std::string actor);
// "agreed [made by: anna started the run]": for the audit entry of a release.
[[nodiscard]] std::string with_makers(Ledger& ledger, FileId file_id, std::string_view reason);
// The makers as fixed when the release was ordered; before that, the makers as of now.
[[nodiscard]] std::vector<Maker> makers_of(Ledger& ledger, FileId file_id);

// Whether the person behind `stamp` may release this file: an unlocked releaser, once people are set up, who had no
// hand in it. Without a uid, whether the daemon may release it automatically. Error (forbidden): who had which hand in
// it, and who may release it.
[[nodiscard]] Result<void> check_may_release(Ledger& ledger, const FileRow& file, const Stamp& stamp);
// Whether the person behind `stamp` may have a released file sent to the bank once more. That is another release, so
// the person who ordered the first may not, either.
[[nodiscard]] Result<void> check_may_send_again(Ledger& ledger, const FileRow& file, const Stamp& stamp);
// Whether the person who ordered the release of this file, which waits, may still release it: they have the role, had
// no hand in it meanwhile, and the passkey with which they signed it in the console is not locked. Error (forbidden):
// they may not.
[[nodiscard]] Result<void> check_orderer_may_still(Ledger& ledger, const FileRow& file);
// Whether the person who released this file may still release it, by the same checks.
[[nodiscard]] Result<void> check_releaser_may_still(Ledger& ledger, const FileRow& file);
// Fixes the makers of a file whose release `stamp` orders, before the order is recorded. Returns the newest
// maker_act_id.
[[nodiscard]] std::int64_t fix_makers(Ledger& ledger, FileId file_id, const Stamp& stamp);

// Whether somebody with the role releaser can still release what pays these draws once the person behind `stamp` has a
// hand in them. Always ok if nobody has the role. Error (conflict): nobody would be left; it names who could act
// instead: people with one of the roles `may_act`.
[[nodiscard]] Result<void> check_leaves_releaser(Ledger& ledger, const std::vector<DrawId>& draws, const Stamp& stamp,
                                                 Roles may_act = {Role::operate});
// The same check for the file with an order to void or stop the check of this draw, which is out.
[[nodiscard]] Result<void> check_leaves_releaser_of_order(Ledger& ledger, DrawId draw, const Stamp& stamp);

// Invariant 12.
[[nodiscard]] InvariantResult check_releasers(Ledger& ledger);

}  // namespace drawbridge::ledger
