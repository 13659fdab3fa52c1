// The makers of a payment file: everyone who had a hand in it. No maker releases it.
//
// Every act that makes a maker records a hand, in its own transaction: in the file, or in a draw, which every file that
// pays the draw from then on inherits. The set is fixed in rows when the release is ordered. A maker is a uid, and
// every person that the uid ever belonged to; a uid without a person stands for itself. uid 0 and the uid under which
// this program runs are nobody in particular: anyone may be behind them. They release only what nobody had a hand in,
// they themselves included.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "drawbridge/domain/draw.hpp"
#include "drawbridge/domain/error.hpp"
#include "drawbridge/ledger/ledger.hpp"
#include "drawbridge/ledger/payments.hpp"
#include "drawbridge/ledger/verify.hpp"

namespace drawbridge::ledger {

enum class MakerAct {
    started,              // the run that planned the file
    approved,             // a draw, by hand
    lifted,               // a guard or a hold: resolved the exception
    handed_in,            // the confirmation file that ended a payment of the draw
    matched,              // the line that ended it
    reissued,             // ordered that the draw be paid again
    ordered_check,        // a void or stop of its check
    said_at_bank,         // of the file with that void or stop: the bank has it
    nothing_else_sent,    // answered for it after a restore
    requested_in_portal,  // derived from readings, not recorded
    approved_in_portal,
};

// Root and the uid of this process.
[[nodiscard]] bool is_nobody(std::int64_t uid);
// As it is recorded: 0 for nobody in particular.
[[nodiscard]] std::int64_t recorded_uid(std::int64_t uid);

// What an act touched: a file, or a draw.
struct ActTarget {
    std::optional<FileId> file{};
    std::optional<DrawId> draw{};
    std::optional<std::int64_t> payment{};  // of the draw: the one that came back
};
// Nothing when the daemon acts by itself (`stamp` has no uid).
void record_maker_act(Ledger& ledger, MakerAct act, const ActTarget& touched, const Stamp& stamp);

// The same bytes of a confirmation file that was applied, once more: who hands them in has a hand in what they brought
// back. False: nothing new.
bool record_hand_in_again(Ledger& ledger, std::string_view sha256, std::int64_t uid, const Stamp& stamp);
// What a confirmation line did to a payment, done by those who handed in its file.
void record_makers_of_line(Ledger& ledger, std::int64_t line_id, DrawId draw, std::int64_t payment_id,
                           const Stamp& stamp);
// Of the draws whose checks this file voids or stops.
[[nodiscard]] std::vector<DrawId> draws_of_check_orders(Ledger& ledger, FileId file_id);
// A person with a uid of their own answers for what ended this payment. Error (conflict): its return or void came in a
// file that nobody in particular handed in; or the bank is not known to have the file that voids or stops its check.
[[nodiscard]] Result<void> check_reissue_evidence(Ledger& ledger, DrawId draw, std::int64_t payment_id);

struct Maker {
    std::optional<std::int64_t> uid;  // empty: a person who acted in the portal
    std::string by;                   // for display: persons' names where they are known, else "uid 5001 (anna)"
    MakerAct act = MakerAct::started;
    std::optional<DrawId> draw;  // the first of them
    std::int64_t draws = 0;
};
// "approved draw 7 and 2 more by hand"
[[nodiscard]] std::string describe(const Maker& maker);
// "anna: started the run; approved draw 7 by hand. bert: …"; empty: nobody.
[[nodiscard]] std::string describe(const std::vector<Maker>& makers);
// "agreed [made by: anna started the run]": for the audit entry of a release.
[[nodiscard]] std::string with_makers(Ledger& ledger, FileId file_id, std::string_view reason);
// As fixed when the release was ordered; before that, as of now.
[[nodiscard]] std::vector<Maker> makers_of(Ledger& ledger, FileId file_id);

// Whether the person behind `stamp` may release this file; without a uid: whether the daemon may by itself. Error
// (forbidden): who had which hand in it, and who may.
[[nodiscard]] Result<void> check_may_release(Ledger& ledger, const FileRow& file, const Stamp& stamp);
// Fixes the makers of a file whose release `stamp` orders, before the order is recorded: its newest hand.
[[nodiscard]] std::int64_t fix_makers(Ledger& ledger, FileId file_id, const Stamp& stamp);

// Whether somebody with the role releaser is left who may release what pays these draws once the person behind `stamp`
// has a hand in them. Always where nobody has that role. Error (conflict): nobody is left; who could act instead.
[[nodiscard]] Result<void> check_leaves_releaser(Ledger& ledger, const std::vector<DrawId>& draws, const Stamp& stamp);

// Invariant 12.
[[nodiscard]] InvariantResult check_releasers(Ledger& ledger);

}  // namespace drawbridge::ledger
